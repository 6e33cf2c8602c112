"""`granada verify`: check the shuffle of a record."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from granada.cli.arguments import add_component_arguments, components_of, path
from granada.cli.failures import Failure
from granada.cli.files import read_text
from granada.records.record import RecordError
from granada.records.shuffle import Proof, ShuffleError, verify

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "verify",
        help="check that a record was shuffled from the seed that was committed to",
        description="Draw everything in a record once more from its published seed. A record that is not the seed's,"
        " or that breaks a rule, is refused with its line (status 1).",
    )
    parser.add_argument("file", type=path, metavar="FILE", help="a record; - for the standard input")
    parser.add_argument(
        "--commitment", type=_digits, metavar="HEX", help="the commitment that was shown at the start of the game"
    )
    add_component_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what is proven."""
    text = read_text(arguments.file)
    try:
        proof = verify(text, components_of(arguments))
    except (RecordError, ShuffleError) as error:
        raise Failure(f"{arguments.file}: {error}", 1) from None
    noted: str | None = arguments.commitment
    if noted is not None and noted != proof.commitment:
        raise Failure(f"{arguments.file}: the commitment is {proof.commitment}, not {noted} as it was noted", 1)
    print(_sentence(proof))
    if noted is None:
        print(f"This proves something only if the commitment shown at the start was {proof.commitment}.")
    else:
        print("The commitment is the one that was noted.")
    return 0


def _sentence(proof: Proof) -> str:
    """What was checked, and what was not."""
    lines, actions = _count(proof.lines, "line"), _count(proof.actions, "action")
    told = f"The seed gives the {lines} of chance of {'the set-up and ' if proof.opening is None else ''}{actions}"
    if proof.opening is not None:
        told += f"; the set-up and {_count(proof.opening, 'action')} of another record are not proven"
    return told + ("." if proof.is_over else "; the game did not end.")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _digits(text: str) -> str:
    """A commitment as somebody noted it, also in capitals."""
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no commitment: it has 64 hexadecimal digits")
    return text.lower()
