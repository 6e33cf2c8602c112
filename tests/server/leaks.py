"""Searches everything that was sent to the clients of a table for secrets."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec

from granada import NOBODY
from granada.tables.messages import Answer, Ask, Message, Problem
from tests.server.oracle import Oracle
from tests.server.spying import BONUS, Captured, Json, Reader

_HEX = re.compile(rb"[0-9a-fA-F]{16,}")
#: The number of digits of a hash that are stored with each command.
_SHORT = 16
_KINDS = {"table": Message, "problem": Problem, "answer": Answer}
_BONUS = re.compile(rf"\b(?:{'|'.join(BONUS)})\b".encode())


class _Parts(msgspec.Struct):
    """A message with its view and its private part still encoded."""

    view: msgspec.Raw
    own: msgspec.Raw


class _HttpError(msgspec.Struct):
    """An HTTP error with the current message still encoded."""

    current: msgspec.Raw


_parts = msgspec.json.Decoder(_Parts)
_http_error = msgspec.json.Decoder(_HttpError)


@dataclass
class Search:
    """A search through everything captured at a table."""

    oracle: Oracle
    readers: dict[str, Reader]
    #: The ids of all private tables, which are secret to clients without a link.
    private: frozenset[str]
    names: frozenset[str]
    #: The number of captured items and bytes searched, and of secrets searched for.
    messages: int = 0
    size: int = 0

    def __post_init__(self) -> None:
        seed = bytes.fromhex(self.oracle.seed)
        self._seeds = [base64.b64encode(seed)[:40], base64.urlsafe_b64encode(seed)[:40]]
        self._secrets = {name: one.secret.encode() for name, one in self.readers.items() if one.secret is not None}
        self._hashes = {one.hash[:_SHORT].encode() for one in self.readers.values() if one.hash is not None}
        self._hashes |= {holder[:_SHORT].encode() for holder in self.oracle.holders}
        self._luck = {one[:_SHORT].encode() for one in (self.oracle.seed, *self.oracle.bot_seeds())}
        #: Cache of the secrets found in a run of hexadecimal digits.
        self._runs: dict[bytes, tuple[bool, bool]] = {}
        #: Cache of the leaks in a message for the holder of these seats.
        self._searched: dict[tuple[bytes, tuple[int, ...]], list[str]] = {}

    @property
    def secrets(self) -> int:
        """Return the number of secrets."""
        return len(self._seeds) + len(self._secrets) + len(self._hashes) + len(self._luck) + len(self.private)

    def leaks(self, captured: Iterable[Captured]) -> list[str]:
        """Return a description of each leak in captured responses."""
        found: list[str] = []
        for one in captured:
            self.messages += 1
            self.size += len(one.data)
            found += [f"{one.reader} was sent {what} ({one.channel} at {one.version})" for what in self._in(one)]
        return found

    def leaks_of_operation(self, text: bytes) -> list[str]:
        """Return the secrets found in the log or the metrics."""
        found = [*self._bytes(text, "", is_over=False), *self._private(text)]
        found += [f"the name {name}" for name in self.names if name.encode() in text]
        return [*found, *_cards(text)]

    # One captured item

    def _in(self, one: Captured) -> list[str]:
        version = one.version
        message: Json = {}
        if one.channel in ("frame", "body", "log", "hint", "scoring") and one.data.startswith(b"{"):
            message = msgspec.json.decode(one.data)
            version = message.get("version", version)
        if message.pop("current", None) is not None:
            current = replace(one, data=bytes(_http_error.decode(one.data).current), command=None)
            return [*self._in(current), *self._in(replace(one, data=msgspec.json.encode(message)))]
        if message.get("type") == "table":
            key = one.data, tuple(self._seats(one.reader, version))
            if key not in self._searched:
                self._searched[key] = [
                    *self._bytes(one.data, one.reader, version >= self.oracle.over),
                    *self._in_message(one, message),
                ]
            return self._searched[key]
        found = self._bytes(one.data, one.reader, version >= self.oracle.over, one.channel in ("headers", "token"))
        if one.channel == "elsewhere":
            return [*found, *self._private(one.data), *_cards(one.data)]
        if one.channel in ("headers", "token"):
            return [*found, *_cards(one.data)]
        if one.channel == "picture" and one.data.startswith(b"<"):
            return [*found, *self._in_picture(one)]
        if one.channel == "log" and "lines" in message:
            return [*found, *self._in_log(one)]
        if one.channel == "hint" and "ideas" in message:
            return [*found, *self._in_hint(one)]
        if message.get("type") == "answer":
            return [*found, *self._in_answer(one)]
        if one.command is not None:
            return [*found, *self._in_error(one, message)]
        is_allowed = one.channel == "afterwards" and version >= self.oracle.over
        return found if is_allowed else [*found, *_cards(one.data)]

    def _bytes(self, data: bytes, reader: str, is_over: bool, may_have_own: bool = False) -> list[str]:
        """Search for secrets that must not occur anywhere."""
        found = [
            f"the secret of {name}"
            for name, secret in self._secrets.items()
            if secret in data and not (name == reader and may_have_own)
        ]
        for run in _HEX.findall(data):
            has_hash, has_luck = self._in_run(run)
            found += ["the hash of a holder"] * has_hash + ["the seed"] * (has_luck and not is_over)
        if not is_over:
            found += ["the seed in another writing" for one in self._seeds if one in data]
        return found

    def _in_run(self, run: bytes) -> tuple[bool, bool]:
        found = self._runs.get(run)
        if found is None:
            small = run.lower()
            found = any(one in small for one in self._hashes), any(one in small for one in self._luck)
            self._runs[run] = found
        return found

    def _private(self, data: bytes) -> list[str]:
        return ["the link of a private table" for table in self.private if table.encode() in data]

    def _seats(self, reader: str, version: int) -> list[int]:
        holder = self.readers[reader].hash
        holders = self.oracle.moments[version].holders
        return [seat for seat, one in enumerate(holders) if holder is not None and one == holder]

    def _in_message(self, one: Captured, message: Json) -> list[str]:
        version, parts = message["version"], _parts.decode(one.data)
        if one.channel == "scoring":
            version = self._scored_at(message)
        moment, own = self.oracle.moments[version], message["own"]
        seat = own["seat"] - 1 if own is not None else NOBODY
        found = _unknown(one.data)
        if own is not None:
            if seat not in self._seats(one.reader, version):
                found.append(f"what seat {seat + 1} sees")
            elif bytes(parts.own) != self.oracle.own(version, seat, own["may_undo"]):
                found.append("an own part that depends on what is hidden")
        if message["view"] is not None:
            if bytes(parts.view) != self.oracle.view(version):
                found.append("a view that depends on what is hidden")
            for player, seen in zip(message["view"]["players"], moment.seen, strict=True):
                if not {card for card in player["bonus"] if card is not None} <= seen:
                    found.append(f"a bonus card of seat {player['seat']}")
                if player["hand"] is not None and not self.oracle.options.open_money:
                    found.append(f"the hand of seat {player['seat']}")
        if message["events"] and message["events"] != self.oracle.events(version, seat):
            found.append("events that are not for it")
        if message["table"]["seed"] is not None and moment.phase != "over":
            found.append("the seed itself")
        return found

    def _scored_at(self, message: Json) -> int:
        """Return the version of a past scoring from the message that shows it again."""
        moments = self.oracle.moments
        return next(
            version
            for version in range(message["version"] + 1)
            if version in moments
            and moments[version].lines
            and message["events"] == self.oracle.events(version, NOBODY)
        )

    def _in_picture(self, one: Captured) -> list[str]:
        is_known = one.data in [self.oracle.picture(one.version, seat) for seat in self._looking(one)]
        return [] if is_known else ["a picture that depends on what is hidden"]

    def _in_log(self, one: Captured) -> list[str]:
        is_known = one.data in [self.oracle.log(one.version, seat) for seat in self._looking(one)]
        return [] if is_known else ["a log for another audience"]

    def _in_hint(self, one: Captured) -> list[str]:
        state = self.oracle.moments[one.version].state
        assert state is not None
        if state.seat not in self._seats(one.reader, one.version):
            return ["a hint for another seat"]
        is_known = one.data == self.oracle.hint(one.version, state.seat)
        return [] if is_known else ["a hint that depends on what is hidden"]

    def _looking(self, one: Captured) -> list[int]:
        """Return the seats whose view a client may get; NOBODY for a spectator or for another player's seat."""
        seats = self._seats(one.reader, one.version)
        asked = [one.seat] if one.seat in seats else [NOBODY] if one.seat is not None and one.seat >= 0 else []
        return asked or seats or [NOBODY]

    def _in_answer(self, one: Captured) -> list[str]:
        assert one.command is not None
        ask = msgspec.convert(one.command, Ask)
        seat = (ask.seat or 0) - 1
        found = _unknown(one.data)
        if seat not in self._seats(one.reader, one.version) or one.data != self.oracle.answer(one.version, seat, ask):
            found.append("an answer that depends on what is hidden")
        return found

    def _in_error(self, one: Captured, message: Json) -> list[str]:
        assert one.command is not None
        expected = self.oracle.error(one.version, self.readers[one.reader].hash, one.command)
        if expected is None:
            return _cards(one.data)
        got = [message.get(key) for key in ("code", "detail", "rule")]
        is_known = got == [expected.code, expected.detail, expected.rule]
        return [] if is_known else ["an error that depends on what is hidden"]


def _cards(data: bytes) -> list[str]:
    return ["a bonus card"] if _BONUS.search(data) else []


def _unknown(data: bytes) -> list[str]:
    """Find unknown fields: they do not survive decoding and encoding."""
    kind = _KINDS[msgspec.json.decode(data)["type"]]
    again = msgspec.json.encode(msgspec.json.decode(data, type=kind))
    return [] if again == data else ["an unknown field"]
