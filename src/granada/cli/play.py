"""`granada play`: play on the terminal, line by line."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final

from granada.bots import BOTS, Bot, check_bot, make_bot
from granada.cli.arguments import (
    add_bot_arguments,
    add_seed_argument,
    add_table_arguments,
    load_bots_of,
    options_of,
    path,
    seed_of,
    words,
)
from granada.cli.errors import bad_input
from granada.cli.event_lines import event_lines, expectation
from granada.cli.files import write_text
from granada.cli.offers import cells, listed, plan
from granada.cli.score_sheet import score_sheet, verdict_of
from granada.cli.screen import Screen
from granada.drawing import draw_table
from granada.records.luck import Luck
from granada.records.notation import action_text, parse_action
from granada.records.record import Record
from granada.rules.errors import NotationError
from granada.rules.events import NOBODY, BonusDealt, Event
from granada.rules.setup import new_game
from granada.rules.state import Action

if TYPE_CHECKING:
    from granada.cli.arguments import Commands
    from granada.rules.options import Options

YOU: Final = "you"
#: The fewest lines for actions, even if the city fills the terminal.
FEWEST: Final = 3

HELP: Final = """\
Choose an action by its number or by its text, such as: take y3 g2 ·
buy garden-8-NW with y5 y3 · place garden-8-NW at 1,0 · reserve garden-8-NW.
Money is a letter and a value: y gulden, g dirham, b denar, o dukat. Letters
after a tile are its walls: N, E, S, W. Cells are x,y: the start tile is 0,0,
x grows to the east, y to the south. You may also type:
  table         the whole table as you see it
  actions       the offered actions again
  why ACTION    whether an action is legal, and if not, which rule forbids it
  cells TILE    where a tile may be built in your city, and why not elsewhere
  help          this
  quit          stop playing"""


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "play",
        help="play on the terminal, line by line",
        description="Play on the terminal, line by line, against bots.",
    )
    add_table_arguments(parser)
    parser.add_argument(
        "--players",
        default="you,greedy,greedy",
        metavar="A,B,…",
        help=f"the players by seat: you, or a bot, any of {', '.join(BOTS)} (default: you,greedy,greedy)",
    )
    add_bot_arguments(parser)
    add_seed_argument(parser)
    parser.add_argument(
        "--record", type=path, metavar="FILE", help="write the record of the game there, even if you quit early"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play a game."""
    players = words(arguments.players)
    if YOU not in players:
        raise bad_input(f"one of the players must be '{YOU}'; 'granada simulate' plays games between bots")
    load_bots_of(arguments)
    for spec in players:
        if spec != YOU:
            check_bot(spec)
    options = options_of(arguments, len(players))
    seed = seed_of(arguments)
    session = TerminalGame(options, players, seed, arguments.record)
    if sys.stdin is not None and sys.stdin.isatty():
        with suppress(ImportError):  # not every system has it
            import_module("readline")  # gives `input` line editing and history
    try:
        session.play()
    finally:
        session.save()
    print(f"The seed was {seed}.")  # only now, because it determines all chance events
    if arguments.record is not None:
        print(f"The record is in {arguments.record}.")
    return 0


class TerminalGame:
    """A game at the terminal, until it is over, the input ends, or the player quits."""

    def __init__(self, options: Options, players: Sequence[str], seed: int, record: str | None) -> None:
        self._chance: Final = Luck(random.Random(str(seed)))
        self._bots: Final[list[Bot | None]] = [
            None if spec == YOU else make_bot(spec, f"{seed}/{seat + 1}") for seat, spec in enumerate(players)
        ]
        self._names: Final = [f"{'human' if spec == YOU else spec} {seat + 1}" for seat, spec in enumerate(players)]
        self._path: Final = record
        self._screen: Final = Screen()
        self._state: Final = new_game(options, self._chance)
        self._events: Final = list(self._state.events)
        self.save()
        you = self._names[players.index(YOU)]
        self._screen.print(
            f"{options.edition.capitalize()} with {', '.join(self._names)}. You are {you}. Type 'help' for help."
        )
        self._print_events(self._events)

    def play(self) -> None:
        """Play until the game is over or the player quits."""
        state = self._state
        while not state.is_over:
            bot = self._bots[state.seat]
            if bot is None:
                action = self._ask_player()
                if action is None:
                    print("The game was not finished.")
                    return
            else:
                action = bot.choose(state.view(state.seat, remembers=True), state.offers())
            events = state.play(action, self._chance)
            self._events.extend(events)
            if bot is None:
                self.save()
            self._print_events(events)
        print()
        print("\n".join(score_sheet(state, self._names, self._screen.width)))
        self._screen.print(verdict_of(state, self._names))

    def save(self) -> None:
        """Write the record so far; during the game without the bonus cards of bots (16.2)."""
        if self._path is None:
            return
        record = Record(self._state.options, self._names)
        record.add(self._events if self._state.is_over else [self._hidden(event) for event in self._events])
        write_text(self._path, str(record))

    def _hidden(self, event: Event) -> Event:
        if isinstance(event, BonusDealt) and self._bots[event.seat] is not None:
            return event.shown_to(NOBODY)
        return event

    def _print_events(self, events: Sequence[Event]) -> None:
        self._screen.print(*event_lines(events, self._names))

    def _show_table(self) -> int:
        """Print the table, the player's side last, and return the number of lines of that side."""
        seat = self._state.seat
        drawn = draw_table(self._state.view(seat), self._names, self._screen.width, seat)
        print()
        print(drawn)
        return len(drawn.split("\n\n")[-1].split("\n"))

    def _ask_player(self) -> Action | None:
        """Return the player's choice; None to quit."""
        state = self._state
        actions = state.offers()
        above = 0 if plan(state, actions) else self._show_table()
        self._show_actions(actions, above)
        while True:
            line = _read_line(f"{self._names[state.seat]}> ")
            if line is None or line.lower() in ("quit", "exit", "q"):
                return None
            action = self._answer(line, actions)
            if action is not None:
                return action

    def _show_actions(self, actions: Sequence[Action], above: int | None = None) -> None:
        """Print the question and the actions; if `above` lines must stay visible, as many actions as fit."""
        width, height = self._screen.width, self._screen.height
        question = [*plan(self._state, actions, width), *self._screen.fitted([expectation(self._state)])]
        room = None
        if above is not None and height is not None:
            room = max(FEWEST, height - above - len(question) - 2)  # a blank line above, the prompt below
        print()
        self._screen.print(*question, *listed(actions, width, room))

    def _answer(self, line: str, actions: Sequence[Action]) -> Action | None:
        """Return the legal action that a line names, or print an answer and return None."""
        word, _, rest = line.partition(" ")
        try:
            if line.isascii() and line.isdigit():
                if len(line) < 6 and 1 <= int(line) <= len(actions):
                    return actions[int(line) - 1]
                print(f"There is no action {line}: type a number from 1 to {len(actions)}.")
            elif line == "help":
                print(HELP)
            elif line == "table":
                self._show_table()
            elif line == "actions":
                self._show_actions(actions)
            elif line in ("why", "cells"):
                print(f"Type '{line} {'ACTION' if line == 'why' else 'TILE'}'.")
            elif word == "why":
                self._explain(rest)
            elif word == "cells":
                tile = self._state.options.components.tile(rest)
                self._screen.print(*cells(self._state.players[self._state.seat].city, tile, self._screen.width))
            elif line:
                return self._parsed(line)
        except NotationError as error:
            self._screen.print(f"{error}. Type 'help' for help.")
        return None

    def _parsed(self, text: str) -> Action | None:
        action = parse_action(text, self._state.options.components)
        verdict = self._state.is_legal(action)
        if verdict:
            return action
        self._screen.print(f"'{text}' breaks {verdict}.")
        return None

    def _explain(self, text: str) -> None:
        action = parse_action(text, self._state.options.components)
        verdict = self._state.is_legal(action)
        self._screen.print(f"'{action_text(action)}' {'is legal' if verdict else f'breaks {verdict}'}.")


def _read_line(prompt: str) -> str | None:
    """Return a line of input with single spaces; None at the end of the input."""
    if sys.stdin is None:
        return None
    try:
        line = input(prompt) if sys.stdin.isatty() else _read_plainly(prompt)
        return " ".join(line.split())
    except EOFError:
        print()
        return None


def _read_plainly(prompt: str) -> str:
    """Read a line without editing; `input` could lose an interrupt that arrives while it sets up."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
