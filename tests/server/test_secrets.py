"""16: no client receives hidden information: every byte that a server sends during games is searched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from granada.tables.holders import hash_of
from tests.kit import rule
from tests.server.oracle import REPEATABLE
from tests.server.running import running
from tests.server.spied import QUICK, Spied, spied, spied_games
from tests.server.spying import Captured, Json

#: Adds a leak to a message; None if the message has no place for it.
Plant = Callable[[Json, Spied], Json | None]


@rule("16.1", "16.2")
def test_nobody_is_sent_what_is_hidden_from_them(tmp_path: Path) -> None:
    with running(tmp_path, **REPEATABLE) as server:
        games = asyncio.run(spied_games(server, QUICK, seed=1))
        server.stop()
        log = server.log().encode()
    for game in games:
        assert game.search.leaks(game.captured) == []
        assert game.search.leaks_of_operation(log) == []
        assert game.oracle.table.phase == "over"
        assert game.search.messages > 1000
        assert game.search.secrets > 100
        channels = [one.channel for one in game.captured if one.data.startswith((b'{"lines"', b'{"level"'))]
        assert channels.count("log") >= len(game.search.readers) - 1
        assert "hint" in channels or game.oracle.options.aids == "purist"


# The search finds planted leaks ---------------------------------------------------------------------------------------


def hidden_bonus(message: Json, game: Spied) -> Json | None:
    state = game.oracle.moments[message["version"]].state
    if message["view"] is None or state is None:
        return None
    for player, truth in zip(message["view"]["players"], state.players, strict=True):
        if None in player["bonus"]:
            player["bonus"] = [card.name for card in truth.bonus if card is not None]
            return message
    return None


def hidden_hand(message: Json, game: Spied) -> Json | None:
    state = game.oracle.moments[message["version"]].state
    if message["view"] is None or state is None:
        return None
    message["view"]["players"][0]["hand"] = [card.name for card in state.players[0].hand()]
    return message


def covered_line(message: Json, game: Spied) -> Json | None:
    lines = list(game.oracle.moments[message["version"]].lines)
    return {**message, "events": lines} if any(line.startswith("! bonus") for line in lines) else None


def own_of_another(message: Json, _: Spied) -> Json | None:
    own = message["own"]
    return None if own is None else {**message, "own": {**own, "seat": 1 + own["seat"] % 3}}


def another_hand(message: Json, game: Spied) -> Json | None:
    own, state = message["own"], game.oracle.moments[message["version"]].state
    if own is None or state is None:
        return None
    hand = [card.name for card in state.players[own["seat"] % 3].hand()]
    if hand == own["hand"]:  # both players may have an empty hand
        return None
    return {**message, "own": {**own, "hand": hand}}


def held_by_another(message: Json, _: Spied) -> Json | None:
    own = message["own"]
    return {**message, "own": {**own, "held": "take y3"}} if own is not None and own["held"] is None else None


def count_of_hidden_money(message: Json, game: Spied) -> Json | None:
    """Leak a figure that is computed from the real deck instead of the public view."""
    state = game.oracle.moments[message["version"]].state
    if message["view"] is None or state is None or message["view"]["aids"] is None:
        return None
    money = message["view"]["aids"]["unseen"]["money"]
    for letter in "ygbo":
        truth = len([card for card in state.deck.pool if card.name[0] == letter])
        if money[letter] != truth:  # some are in hands
            money[letter] = truth
            return message
    return None


def field_too_much(message: Json, _: Spied) -> Json | None:
    return {**message, "remark": "nothing"}


def seed_in_a_name(message: Json, game: Spied) -> Json | None:
    message["table"]["seats"][0]["name"] = f"x{game.oracle.seed[:20].upper()}"
    return message


def hash_in_a_name(message: Json, game: Spied) -> Json | None:
    message["table"]["seats"][0]["name"] = f"{game.oracle.table.created.host[:16]}:1"
    return message


PLANTS: list[Plant] = [
    hidden_bonus,
    hidden_hand,
    covered_line,
    own_of_another,
    another_hand,
    held_by_another,
    count_of_hidden_money,
    field_too_much,
    seed_in_a_name,
    hash_in_a_name,
]


@pytest.fixture(scope="module")
def short_game(tmp_path_factory: pytest.TempPathFactory) -> Spied:
    """Return the captured start of a game without leaks."""
    with running(tmp_path_factory.mktemp("secrets"), **REPEATABLE) as server:
        return asyncio.run(spied(server, "alhambra", seed=2, until=25))


def test_a_message_without_a_leak_is_found_to_have_none(short_game: Spied) -> None:
    same = [one for item in short_game.captured if (one := planted(item, lambda message, _: message, short_game))]
    assert same
    assert short_game.search.leaks(same) == []


def test_a_leak_that_is_put_into_a_message_is_found(short_game: Spied) -> None:
    for plant in PLANTS:
        spoiled = [leak for one in short_game.captured if (leak := planted(one, plant, short_game)) is not None]
        assert spoiled, plant.__name__
        for one in spoiled:
            assert short_game.search.leaks([one]), (plant.__name__, one.data)


def planted(one: Captured, plant: Plant, game: Spied) -> Captured | None:
    message = json.loads(one.data) if one.channel == "frame" else {}
    if message.get("type") != "table":
        return None
    changed = plant(message, game)
    return None if changed is None else replace(one, data=json.dumps(changed, separators=(",", ":")).encode())


def test_a_leak_that_is_put_elsewhere_is_found(short_game: Spied) -> None:
    search, oracle = short_game.search, short_game.oracle
    last = max(oracle.moments)
    ana, browser = search.readers["ana"], search.readers["browser"]
    assert ana.secret is not None
    cards = [card.name for card in oracle.moments[last].state.players[1].bonus if card is not None]  # type: ignore[union-attr]
    leaks = [
        Captured("watcher", "headers", f"etag: {oracle.seed}".encode(), last),
        Captured("watcher", "headers", f"x-card: {cards[0]}".encode(), last),
        Captured("browser", "headers", f"set-cookie: granada={ana.secret}".encode(), last),
        Captured("ana", "body", ana.secret.encode(), last),
        Captured("watcher", "picture", oracle.picture(last, 1), last),
        Captured("ana", "picture", oracle.picture(last, 1), last, seat=1),
        Captured("watcher", "log", oracle.log(last, 1), last),
        Captured("ana", "log", oracle.log(last, 1), last, seat=1),
        Captured("ana", "log", oracle.log(last - 1, 0), last),
        Captured("watcher", "hint", oracle.hint(last, oracle.moments[last].state.seat), last),  # type: ignore[union-attr]
        Captured("bystander", "elsewhere", f'"{oracle.table.id}"'.encode(), last),
        Captured("watcher", "body", f'{{"code":"x","detail":"{cards[0]}"}}'.encode(), last),
    ]
    for leak in leaks:
        assert search.leaks([leak]), leak
    assert browser.hash == hash_of(browser.secret or "")
    for text in (oracle.seed, oracle.table.id, ana.secret, ana.hash, "Zzyx0quw", cards[0]):
        assert search.leaks_of_operation(f'{{"event": "{text}"}}'.encode()), text
