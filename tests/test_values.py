"""Tiles, cards, actions, events and cities as values: copied, pickled and printed."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import TypeVar

import pytest

import granada
from granada import BadOptions, Event, IllegalAction, Options, State, load, new_game, parse_action
from granada.rules.chance import First
from granada.rules.flow import CHOICES
from tests.kit import cells_to_remove, last_plies, luck, plies, rule

NAMES = {name: getattr(granada, name) for name in granada.__all__}
ALL = ("vizier", "exchange", "bonus", "huts")
Thing = TypeVar("Thing")
SHIPPED = Path(granada.__file__).parent / "data"


def test_pickled_and_deeply_copied_pieces_are_the_same_pieces() -> None:
    for state, _ in plies(Options("combined", 2, ALL), "pickle", 30):
        for action in state.offers():
            for again in (pickle.loads(pickle.dumps(action)), copy.deepcopy(action)):
                assert again == action
                assert again in state.legal_actions
    for piece in (granada.tile("garden-8-NW"), granada.tile("start-granada"), granada.card("yb"), granada.card("A")):
        assert pickle.loads(pickle.dumps(piece)) is piece
        assert copy.deepcopy(piece) is piece


def test_a_pickled_state_waits_at_the_same_step_and_plays_on_in_the_same_way() -> None:
    met = set()
    options = Options("alhambra", 3, ALL)
    for state, action in chain(plies(options, "steps", 100), last_plies(options, "steps")):
        again: State = pickle.loads(pickle.dumps(state))
        assert [task.step for task in again.tasks()] == [task.step for task in state.tasks()]
        other = state.copy()
        again.play(action, First())
        other.play(action, First())
        assert again.key() == other.key()
        met.add(state.step)
    assert met == set(CHOICES)


def doubles(thing: Thing) -> list[Thing]:
    """Return what pickling and both ways of copying make of an object."""
    pickled: list[Thing] = [pickle.loads(pickle.dumps(thing, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    return [*pickled, copy.copy(thing), copy.deepcopy(thing)]


def test_options_and_components_are_pickled_and_copied() -> None:
    for options in (Options(), Options("combined", 3, ALL, "simplified", (40, 8, 30), open_money=True)):
        for again in doubles(options):
            assert again == options
            assert again.components is granada.standard()
            assert repr(again) == repr(options)
    assert all(again is granada.standard() for again in doubles(granada.standard()))


def own_box(folder: Path) -> granada.Components:
    text = (SHIPPED / "granada_tiles.csv").read_text("utf-8").replace("2,arena,bath_house,NES", "2,arena,bath_house,N")
    (folder / "own.csv").write_text(text, "utf-8")
    return load(folder / "own.csv")


def test_custom_lists_of_tiles_are_pickled_and_copied(tmp_path: Path) -> None:
    box = own_box(tmp_path)
    options = Options("granada", components=box)
    for again in doubles(options):
        assert again == options
        assert again.components is box
    for name in ("arena-2", "bath_house-3", "garden-8-NW", "hut-garden-N"):
        assert all(again is box.tile(name) for again in doubles(box.tile(name)))
    assert box.tile("garden-8-NW") is not granada.tile("garden-8-NW")
    assert load(tmp_path / "own.csv") is box
    assert Options("granada", components=load(tmp_path / "own.csv")) == options
    state = new_game(options, luck("own"))
    assert all(again.key() == state.key() for again in doubles(state))


def test_custom_lists_of_tiles_reach_another_process(tmp_path: Path) -> None:
    """The file may be gone by then, so a pickle contains the lists themselves."""
    state = new_game(Options("granada", 2, components=own_box(tmp_path)), luck("own"))
    (tmp_path / "own.csv").unlink()
    (tmp_path / "pickled").write_bytes(pickle.dumps((state.options, state, state.options.components.tile("arena-2"))))
    code = (
        "import pickle, sys; options, state, tile = pickle.load(open(sys.argv[1], 'rb'));"
        "assert state.options.components is options.components; assert options.components.tile('arena-2') is tile;"
        "print(state.options.components, tile.walls, [str(tile) for tile in state.yard])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "pickled")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    expected = f"{state.options.components} 1 {[str(tile) for tile in state.yard]}"
    assert done.stdout.strip() == expected


@pytest.mark.parametrize("options", [Options("combined", 2, ALL), Options("alhambra", 4, ALL), Options("granada", 3)])
def test_states_views_and_cities_are_pickled_and_copied_and_played_on(options: Options) -> None:
    for state, _ in plies(options, "states", 400):
        if state.n % 9:
            continue
        actions = state.offers()
        for again in doubles(state):
            assert again.key() == state.key()
            assert [repr(row) for row in again.rows] == [repr(row) for row in state.rows]
            assert again.offers() == actions
            ahead = state.copy()
            for game in (ahead, again):
                granada.play_at_random(game, luck("on"), game.turns + 4)
            assert again.key() == ahead.key() != state.key()
        for view in (state.view(0), state.view(granada.NOBODY), state.view(1, remembers=True)):
            assert all(again == view for again in doubles(view))
        for player in state.players:
            for other in doubles(player):
                assert other.key() == player.key()
            for city in doubles(player.city):
                assert city == player.city
                assert city.stretches() == player.city.stretches()
                assert cells_to_remove(city) == cells_to_remove(player.city)
                assert all(city.cells_for(tile) == player.city.cells_for(tile) for tile in options.components.alhambra)


def test_a_copy_of_a_state_shares_nothing_that_changes() -> None:
    state = new_game(Options("combined", 2, ALL), luck("shared"))
    key = state.key()
    for again in doubles(state):
        granada.play_at_random(again, luck("shared"), 30)
        assert state.key() == key


def test_what_happens_and_what_is_written_is_pickled_and_copied() -> None:
    events = events_of_a_game()
    for event in events:
        assert all(repr(again) == repr(event) and type(again) is type(event) for again in doubles(event))
    record = granada.Record(Options("alhambra", 2, ALL), ("Ana", "Bo"), {"place": "here"})
    record.add(events)
    for again in doubles(record):
        assert str(again) == str(record)
        again.add(events[:1])
        assert str(again) != str(record)
    lines = granada.RecordLines(str(record))
    assert all(granada.Replay(again).run().key() == granada.Replay(lines).run().key() for again in doubles(lines))


@pytest.mark.parametrize("until", [0, 25, None])
def test_a_replay_is_pickled_and_copied_where_it_is(until: int | None) -> None:
    record = granada.Record(Options("alhambra", 2, ALL), ("Ana", "Bo"), {"place": "here"})
    record.add(events_of_a_game())
    reading = granada.Replay(str(record), partial=True, trusted=True, open_money=True)
    reading.run(until)
    for again in doubles(reading):
        assert again.state is not reading.state
        assert again.state.options.open_money
        assert again.state.key() == reading.state.key()
        assert str(again.record) == str(reading.record)
        assert again.run().key() == granada.Replay(str(record)).run().key()


def test_verdicts_and_errors_are_pickled_and_copied() -> None:
    state = new_game(Options(), luck("verdict"))
    refused = state.is_legal(parse_action("pass"))
    assert all((again.rule, again.code, again.reason) == ("3.7", "must", refused.reason) for again in doubles(refused))
    legal = state.is_legal(state.offers()[0])
    assert all(again is legal for again in doubles(legal))
    errors = [granada.RecordError(3, "no"), IllegalAction("no"), BadOptions("no"), granada.BadComponents("no")]
    for error in (*errors, granada.NotationError("no")):
        for again in doubles(error):
            assert type(again) is type(error)
            assert str(again) == str(error)
    assert [(again.line, again.reason) for again in doubles(granada.RecordError(3, "no"))] == [(3, "no")] * 4


def test_luck_is_pickled_with_its_generator() -> None:
    chance = luck("pickled")
    chance.below(5)
    again = pickle.loads(pickle.dumps(chance))
    deep = copy.deepcopy(chance)
    expected = [chance.below(1000) for _ in range(9)]
    assert [again.below(1000) for _ in range(9)] == [deep.below(1000) for _ in range(9)] == expected


def events_of_a_game() -> list[Event]:
    found: list[Event] = []
    chance = luck("events")
    state = new_game(Options("alhambra", 2, ALL), chance)
    found += state.events
    while not state.is_over:
        actions = state.offers()
        found += state.play(actions[chance.below(len(actions))], chance)
    return found


def test_events_and_cities_are_written_as_they_are_made() -> None:
    events = events_of_a_game()
    assert {type(event).__name__ for event in events} >= {"Acted", "BonusDealt", "DirkDrew", "Scored", "Ended"}
    for event in events:
        again = eval(repr(event), NAMES)
        assert repr(again) == repr(event)
        assert granada.event_text(again) == granada.event_text(event)
    for state, _ in plies(Options("combined", 3, ("huts",)), "repr", 60):
        for player in state.players:
            assert eval(repr(player.city), NAMES) == player.city


def test_states_views_and_records_say_what_they_are() -> None:
    state = new_game(Options("granada", 3), luck("repr"))
    assert (
        repr(state) == f"<State of Options('granada', players=3): turn 1, 0 actions played, seat {state.seat} decides>"
    )
    assert repr(state.view(1)) == f"<View of seat 1: {state.view(1).table!r}>"
    assert "object at" not in repr(granada.Record(state.options)) + repr(state.options.components)


@rule("16.2")
def test_an_event_is_shown_without_what_a_seat_may_not_see() -> None:
    for event in events_of_a_game():
        for seat in (0, 1, granada.NOBODY):
            shown = event.shown_to(seat)
            if event.seen_by(seat):
                assert shown is event
            else:
                assert granada.event_text(shown).split(" ")[3:] == ["?", "?", "?"]


@rule("8.4")
def test_nothing_is_decided_after_the_end() -> None:
    chance = luck("over")
    state = new_game(Options("alhambra", 2), chance)
    granada.play_at_random(state, chance)
    assert state.offers() == list(state.legal_actions) == []
    assert not state.legal_actions
    assert state.is_legal(parse_action("pass")).rule == "8.4"
    with pytest.raises(IllegalAction, match=r"8\.4"):
        state.play(parse_action("pass"), chance)
    with pytest.raises(IllegalAction, match=r"8\.4"):
        _ = state.seat


@rule("10.2")
def test_the_combined_game_needs_four_tiles_with_a_moat(tmp_path: Path) -> None:
    lines = (SHIPPED / "granada_tiles.csv").read_text("utf-8").splitlines()
    bare = [lines[0], *(line.rpartition(",")[0] + "," for line in lines[1:])]
    (tmp_path / "bare.csv").write_text("\n".join(bare), "utf-8")
    box = load(tmp_path / "bare.csv")
    assert new_game(Options("granada", 3, components=box), luck("bare")).offers()
    with pytest.raises(BadOptions, match=r"10\.2"):
        Options("combined", 3, components=box)


@pytest.mark.parametrize("players", [1, 7, 0, -2, 10**9])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(BadOptions, match=r"2\.1"):
        Options("granada", players)


def test_modules_are_a_list_of_words() -> None:
    with pytest.raises(BadOptions, match="a list of words"):
        Options("granada", 3, "vizier")
