"""Tiles, cards, actions, events and cities as values: copied, pickled, shown in Python."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

import granada
from granada import BadOptions, Event, IllegalAction, Options, load, new_game, parse_action
from tests.kit import luck, plies, rule

NAMES = {name: getattr(granada, name) for name in granada.__all__}
ALL = ("vizier", "exchange", "bonus", "huts")
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


def test_a_state_is_copied_deeply_but_not_pickled() -> None:
    state = new_game(Options("granada", 3), luck("pickle"))
    assert copy.deepcopy(state).key() == state.key()
    with pytest.raises(TypeError, match="send its record"):
        pickle.dumps(state)


def test_tiles_of_own_lists_are_not_pickled(tmp_path: Path) -> None:
    text = (SHIPPED / "granada_tiles.csv").read_text("utf-8").replace("2,arena,bath_house,NES", "2,arena,bath_house,N")
    (tmp_path / "own.csv").write_text(text, "utf-8")
    box = load(tmp_path / "own.csv")
    with pytest.raises(TypeError, match="arena-2 belongs to an own list"):
        pickle.dumps(box.tile("arena-2"))
    assert load(tmp_path / "own.csv") is box
    assert Options("granada", components=load(tmp_path / "own.csv")) == Options("granada", components=box)


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
