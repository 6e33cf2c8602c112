"""Writing records, and reading their headers (docs/notation.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from granada.records.notation import event_text
from granada.rules.components import Components
from granada.rules.errors import BadOptions
from granada.rules.events import Event
from granada.rules.options import Options

FIRST_LINE: Final = "granada-record 1"
_NEWER: Final = re.compile(r"granada-record (?!1$)[1-9][0-9]*")
#: The header keys that define the options, in the order in which they are checked.
_RULES_KEYS: Final = ("edition", "players", "modules", "scoring", "ages")


class RecordError(ValueError):
    """A record is wrong at a line; the reason names the rule."""

    def __init__(self, line: int, reason: str, code: str = "drawn", expected: str = "") -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
        #: A stable code and the expected text, from which the client builds a translated sentence. For an illegal
        #: action, the expected text is the code of the verdict.
        self.code = code
        self.expected = expected

    def __reduce__(self) -> tuple[type[RecordError], tuple[int, str, str, str]]:
        return type(self), (self.line, self.reason, self.code, self.expected)


class Record:
    """The record of a game: its header and one line per event."""

    def __init__(self, options: Options, names: Iterable[str] = (), extra: Mapping[str, str] | None = None) -> None:
        self.options = options
        self.names = tuple(names) or tuple([f"Player {seat + 1}" for seat in range(options.players)])
        #: Other header lines, which are kept but not interpreted.
        self.extra = dict(extra or {})
        self.lines: list[str] = []
        _check_names(self.names, options.players)
        for key, value in self.extra.items():
            _check_further_key(key, value)

    def add(self, events: Iterable[Event]) -> None:
        """Append events."""
        for event in events:
            self.lines.append(event_text(event))

    def header(self) -> str:
        """Return the header lines."""
        options = self.options
        lines = [FIRST_LINE, f"edition: {options.edition}"]
        if options.modules:
            lines.append(f"modules: {' '.join(options.modules)}")
        lines.append(f"scoring: {options.scoring}")
        lines.append(f"players: {', '.join(self.names)}")
        if options.ages:
            lines.append(f"ages: {', '.join([str(age) for age in options.ages])}")
        lines += [f"{key}: {value}".rstrip() for key, value in self.extra.items()]
        return "\n".join(lines) + "\n"

    def __copy__(self) -> Record:
        return record_with(self.options, self.names, self.extra, self.lines)

    def __deepcopy__(self, memo: object) -> Record:
        return self.__copy__()

    def __reduce__(self) -> tuple[Callable[..., Record], tuple[object, ...]]:
        return record_with, (self.options, self.names, self.extra, self.lines)

    def __repr__(self) -> str:
        return f"<Record of {self.options!r}: {', '.join(self.names)}, {len(self.lines)} lines>"

    def __str__(self) -> str:
        return "\n".join([self.header(), *self.lines]) + "\n"


def record_with(options: Options, names: tuple[str, ...], extra: dict[str, str], lines: list[str]) -> Record:
    """Return a record with lines that were written earlier."""
    record = Record(options, names, extra)
    record.lines.extend(lines)
    return record


def _check_names(names: tuple[str, ...], players: int) -> None:
    if len(names) != players:
        raise BadOptions(f"{len(names)} names are given for {players} players (2.1)")
    for name in names:
        if not name or name != name.strip() or "," in name or _has_control(name):
            raise BadOptions(f"{name!r} cannot be the name of a player in a record")


def _check_further_key(key: str, value: str) -> None:
    is_plain = key == key.strip() and value == value.strip() and not _has_control(key + value)
    if not key or ":" in key or key in _RULES_KEYS or not is_plain:
        raise BadOptions(f"{key!r}: {value!r} cannot be a header line of a record")


def _has_control(text: str) -> bool:
    """Return whether a text has control characters, which would break a line or a terminal."""
    return any([ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in text])


def parse_header(lines: list[str], components: Components | None) -> tuple[Record, int]:
    """Return the record without its body, and the index of the first line of the body."""
    if lines and _NEWER.fullmatch(lines[0]):
        reason = "this record was written by a newer version of Granada; update to read it"
        raise RecordError(1, reason, "newer", FIRST_LINE)
    if not lines or lines[0] != FIRST_LINE:
        raise RecordError(1, f"the first line of a record must be '{FIRST_LINE}'", "first_line", FIRST_LINE)
    values: dict[str, str] = {}
    numbers: dict[str, int] = {}
    index = 1
    while index < len(lines) and lines[index]:
        key, colon, value = lines[index].partition(":")
        if not colon or not key or key != key.strip():
            raise RecordError(index + 1, "a header line must have the form 'key: value'", "header", "key: value")
        if key in values:
            raise RecordError(index + 1, f"the key '{key}' occurs twice", "twice", key)
        values[key] = value.strip()
        numbers[key] = index + 1
        index += 1
    for key in ("edition", "players"):
        if key not in values:
            raise RecordError(index + 1, f"the header has no line '{key}: …'", "missing", f"{key}: …")
    names = [name.strip() for name in values["players"].split(",")]
    options = _parse_options(values, numbers, names, components)
    extra = {key: value for key, value in values.items() if key not in _RULES_KEYS}
    key = "players"
    try:
        _check_names(tuple(names), options.players)
        for key, value in extra.items():
            _check_further_key(key, value)
    except BadOptions as error:
        raise RecordError(numbers[key], str(error), "names") from None
    return Record(options, names, extra), index


def _parse_options(
    values: Mapping[str, str], numbers: Mapping[str, int], names: list[str], components: Components | None
) -> Options:
    """Return the options; they are checked key by key so that an error can name its line."""
    options = Options(components=components)
    for key in _RULES_KEYS:
        if key not in values:
            continue
        edition, players, modules, scoring, ages = values["edition"], options.players, "", "regular", ""
        if key != "edition":
            players = len(names)
        if key in ("modules", "scoring", "ages"):
            modules = values.get("modules", "")
        if key in ("scoring", "ages"):
            scoring = values.get("scoring", scoring)
        if key == "ages":
            ages = values["ages"]
        try:
            options = Options(
                edition, players, modules.split(), scoring, _parse_ages(ages), components=options.components
            )
        except BadOptions as error:
            raise RecordError(numbers[key], str(error), "options") from None
    return options


def _parse_ages(text: str) -> list[int]:
    ages: list[int] = []
    for word in text.split(",") if text else []:
        digits = word.strip()
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 3:
            raise BadOptions(f"'{digits}' is not an age in years (2.4)")
        ages.append(int(digits))
    return ages
