"""`granada verify`: check the shuffle of a record."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from granada.cli.arguments import add_component_arguments, components_of, path
from granada.cli.errors import CommandError
from granada.cli.files import read_text
from granada.records.record import RecordError
from granada.records.shuffle import Proof, ShuffleError, verify

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "verify",
        help="check that a record was shuffled from its published seed",
        description="Repeat all chance events of a record from its published seed. If the record does not match the"
        " seed, or breaks a rule, the line is printed and the exit status is 1.",
    )
    parser.add_argument("file", type=path, metavar="FILE", help="a record; - for standard input")
    parser.add_argument(
        "--commitment", type=_digits, metavar="HEX", help="the commitment shown at the start of the game"
    )
    add_component_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what was verified."""
    text = read_text(arguments.file)
    try:
        proof = verify(text, components_of(arguments))
    except (RecordError, ShuffleError) as error:
        raise CommandError(f"{arguments.file}: {error}", 1) from None
    given: str | None = arguments.commitment
    if given is not None and given != proof.commitment:
        raise CommandError(f"{arguments.file}: the commitment is {proof.commitment}, not {given}", 1)
    print(_sentence(proof))
    if given is None:
        print(f"This is proof only if the commitment shown at the start of the game was {proof.commitment}.")
    else:
        print("The commitment matches.")
    return 0


def _sentence(proof: Proof) -> str:
    """Return what was verified, and what was not."""
    lines, actions = _count(proof.lines, "line"), _count(proof.actions, "action")
    text = f"The seed gives the {lines} of chance of {'the set-up and ' if proof.opening is None else ''}{actions}"
    if proof.opening is not None:
        text += f"; the set-up and {_count(proof.opening, 'action')} of another record are not verified"
    return text + ("." if proof.is_over else "; the game is unfinished.")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _digits(text: str) -> str:
    """Check a commitment; capital letters are accepted."""
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a commitment, which has 64 hexadecimal digits")
    return text.lower()
