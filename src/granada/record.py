"""Records (NOTATION.md): the header, and writing down what happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from granada.notation import event_text
from granada.rules.components import Components
from granada.rules.errors import BadOptions
from granada.rules.events import Event
from granada.rules.options import Options

FIRST_LINE: Final = "granada-record 1"
_RULES_KEYS: Final = ("edition", "modules", "scoring", "players", "ages")


class RecordError(ValueError):
    """A record cannot be read on from a line, for a reason that names the rule."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Record:
    """A game written down: its header and one line for each thing that happened."""

    def __init__(self, options: Options, names: Iterable[str] = (), extra: Mapping[str, str] | None = None) -> None:
        self.options = options
        self.names = tuple(names) or tuple([f"Player {seat + 1}" for seat in range(options.players)])
        #: Further header lines, kept and ignored.
        self.extra = dict(extra or {})
        self.lines: list[str] = []
        _check_header_words(self.names, self.extra, options.players)

    def add(self, events: Iterable[Event]) -> None:
        """Write down what happened."""
        for event in events:
            self.lines.append(event_text(event))

    def header(self) -> str:
        """The lines before the first thing that happens."""
        options = self.options
        lines = [FIRST_LINE, f"edition: {options.edition}"]
        if options.modules:
            lines.append(f"modules: {' '.join(options.modules)}")
        lines.append(f"scoring: {options.scoring}")
        lines.append(f"players: {', '.join(self.names)}")
        if options.ages:
            lines.append(f"ages: {', '.join([str(age) for age in options.ages])}")
        lines += [f"{key}: {value}" for key, value in self.extra.items()]
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return "\n".join([self.header(), *self.lines]) + "\n"


def _check_header_words(names: tuple[str, ...], extra: Mapping[str, str], players: int) -> None:
    if len(names) != players:
        raise BadOptions(f"{len(names)} names are given for {players} players (2.1)")
    for name in names:
        if not name or name != name.strip() or "," in name or not name.isprintable():
            raise BadOptions(f"{name!r} cannot stand in a record as the name of a player")
    for key, value in extra.items():
        if not key or ":" in key or key in _RULES_KEYS or not (key + value).isprintable() or value != value.strip():
            raise BadOptions(f"{key!r}: {value!r} cannot stand in the header of a record")


def parse_header(lines: list[str], components: Components | None) -> tuple[Record, int]:
    """The record without its body, and the index of the line where the body begins."""
    if not lines or lines[0] != FIRST_LINE:
        raise RecordError(1, f"a record begins with the line '{FIRST_LINE}'")
    values: dict[str, str] = {}
    numbers: dict[str, int] = {}
    index = 1
    while index < len(lines) and lines[index]:
        key, colon, value = lines[index].partition(":")
        if not colon or not key or key != key.strip():
            raise RecordError(index + 1, "a header line reads 'key: value'")
        if key in values:
            raise RecordError(index + 1, f"the key '{key}' is there twice")
        values[key] = value.strip()
        numbers[key] = index + 1
        index += 1
    for key in ("edition", "players"):
        if key not in values:
            raise RecordError(index + 1, f"the header has no line '{key}: …'")
    names = [name.strip() for name in values["players"].split(",")]
    ages = _parse_ages(values.get("ages", ""), numbers.get("ages", 0))
    extra = {key: value for key, value in values.items() if key not in _RULES_KEYS}
    try:
        options = Options(
            values["edition"],
            len(names),
            [module for module in values.get("modules", "").split(" ") if module],
            values.get("scoring", "regular"),
            ages,
            components=components,
        )
        return Record(options, names, extra), index
    except BadOptions as error:
        raise RecordError(_line_of(str(error), numbers), str(error)) from None


def _parse_ages(text: str, line: int) -> list[int]:
    ages: list[int] = []
    for word in text.split(",") if text else []:
        digits = word.strip()
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 3:
            raise RecordError(line, f"'{digits}' is no age in years (2.4)")
        ages.append(int(digits))
    return ages


def _line_of(error: str, numbers: Mapping[str, int]) -> int:
    """The header line that an error of the options speaks of."""
    for word, key in (("edition '", "edition"), ("module", "modules"), ("scoring", "scoring"), ("age", "ages")):
        if word in error and key in numbers:
            return numbers[key]
    return numbers["players"]
