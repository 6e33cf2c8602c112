"""The public view of a game, and the private view of a seat."""

from __future__ import annotations

import random

import msgspec
import pytest

from granada import NOBODY, Options, Record, State, Take, action_text, new_game, replay
from granada.bots.external.position_text import position_text
from granada.rules.cells import cell_text
from granada.rules.chance import First
from granada.rules.events import Event
from granada.rules.money import MONEY
from granada.tables import messages
from granada.tables.views import CITY_LIMIT, events_for, own_view, public_view
from tests.kit import (
    bag,
    bonus,
    display,
    hand,
    luck,
    play,
    plies,
    position,
    recorded,
    rule,
    settle,
    yard,
)
from tests.server.moments import GAMES, moments

per_game = pytest.mark.parametrize("options", GAMES, ids=repr)


def with_other_hands(state: State, rng: random.Random) -> State:
    """16: Return a game that a spectator cannot distinguish from this one: other bonus cards and hands."""
    other = state.resample(NOBODY, rng)
    for player in other.players:
        for card in player.hand():
            if card.sort == MONEY and other.deck.pool:
                drawn = other.deck.pool[rng.randrange(len(other.deck.pool))]
                if drawn.sort == MONEY:
                    player.give_up((card,))
                    player.receive(drawn)
                    other.deck.pool.remove(drawn)
                    other.deck.pool.append(card)
    return other


# Secrets --------------------------------------------------------------------------------------------------------------


@rule("16.1", "16.2")
@per_game
def test_the_public_view_does_not_depend_on_anything_hidden(options: Options) -> None:
    rng = random.Random(str(options))
    for state in moments(options, 7):
        for has_aids in (False, True):
            other = with_other_hands(state, rng)
            assert other.key() != state.key()
            assert public_view(other, has_aids) == public_view(state, has_aids)


@rule("16.1")
@per_game
def test_no_hand_is_in_the_public_view_but_its_size(options: Options) -> None:
    for state in moments(options, 7):
        view = public_view(state, True)
        assert [player.hand for player in view.players] == [None] * options.players
        assert [player.hand_size for player in view.players] == [len(player.hand()) for player in state.players]
        assert view.deck == len(state.deck.cards())


@rule("16.1")
def test_with_open_money_all_hands_are_in_the_public_view() -> None:
    state = new_game(Options("granada", 3, open_money=True), luck(1))
    view = public_view(state, True)
    assert [player.hand for player in view.players] == [[c.name for c in p.hand()] for p in state.players]


@rule("16.2", "13.3")
def test_a_bonus_card_is_public_once_everybody_has_seen_it() -> None:
    state = position("alhambra", 3, "bonus")
    display(state, "y9 g9 b9 o9")
    settle(state, 0, "garden-10 at 1,0", "garden-11 at 0,1")
    bonus(state, 0, "garden-10", "garden-11", "tower-11")
    play(state, "reveal garden-10", "reveal garden-11", "remove 1,0")
    player = public_view(state, True).players[0]
    assert player.bonus == ["garden-10", None]
    assert player.revealed == ["garden-11"]
    assert own_view(state, 0, None, False, True).bonus == ["garden-10", "tower-11"]


@rule("16.2")
def test_the_deal_of_bonus_cards_is_told_to_its_owner_alone() -> None:
    state = new_game(Options("alhambra", 3, ["bonus"]), luck(1))
    for seat in (0, 1, 2, NOBODY):
        lines = [line for line in events_for(state.events, seat) if line.startswith("! bonus")]
        assert [line.endswith("? ? ?") for line in lines] == [other != seat for other in range(3)]


def test_the_events_of_a_game_are_the_lines_of_its_record() -> None:
    options = Options("alhambra", 3)
    record, _ = recorded(options, "events", 10)
    events: list[Event] = []
    for state, _ in plies(options, "events", 10):
        events += state.events
    lines = [line for line in events_for(events, NOBODY) if line]
    assert "\n".join(lines) in str(record)


# The table ------------------------------------------------------------------------------------------------------------


@per_game
def test_the_public_view_shows_the_table_as_it_is(options: Options) -> None:
    for state in moments(options, 3):
        view = public_view(state, False)
        assert (view.turn, view.turns, view.deciding) == (state.turn + 1, state.turns, state.seat + 1)
        assert [name for space in view.yard for name in space] == [tile and tile.name for tile in state.yard]
        assert view.display == [card.name for card in state.display]
        assert view.bags == [len(left) for left in state.bags]
        assert view.tray == [tile.name for tile in state.tray]
        assert view.huts == [hut and hut.name for hut in state.huts]
        assert (view.dirk is None) == (options.players > 2)
        for seat, (shown, player) in enumerate(zip(view.players, state.players, strict=True)):
            city = player.city
            assert (shown.seat, shown.score) == (seat + 1, player.score)
            assert shown.city == {cell_text(place): city.tile_on(place).name for place in city.places}
            assert shown.reserve == [tile.name for tile in player.reserve]
            assert shown.lengths == {word: len(trace) for word, trace in shown.traces.items()}
            assert sum(shown.lengths.values()) == sum([city.stretch(what) for what in range(3)])


@per_game
def test_messages_are_read_as_they_were_written(options: Options) -> None:
    for state in moments(options, 7):
        for has_aids in (False, True):
            view = public_view(state, has_aids)
            assert msgspec.json.decode(messages.encoder.encode(view), type=messages.TableView, strict=True) == view
            own = own_view(state, state.seat, None, False, has_aids)
            assert msgspec.json.decode(messages.encoder.encode(own), type=messages.Own, strict=True) == own


def test_traces_name_the_edges_of_the_longest_wall() -> None:
    state = position("alhambra", 3)
    settle(state, 0, "tower-9-NE at 1,0")
    shown = public_view(state, False).players[0]
    assert shown.lengths == {"wall": 2}
    assert shown.traces == {"wall": ["1,0 N", "1,0 E"]}
    assert shown.city == {"0,0": "start-alhambra", "1,0": "tower-9-NE"}


@rule("10.2", "10.7")
def test_in_the_combined_game_spaces_have_two_tiles_and_cities_walls_moats_and_runs() -> None:
    view = public_view(position("combined", 3), True)
    assert [len(space) for space in view.yard] == [2, 2, 2, 2]
    assert list(view.players[0].lengths) == ["wall", "moat", "run"]


def test_the_steps_have_their_words() -> None:
    met: set[str | None] = set()
    for players in (2, 4):
        for state, _ in plies(Options("alhambra", players, ["vizier", "bonus", "exchange"]), "steps", 400):
            step = public_view(state, False).step
            met.add(step)
            text = position_text(state.view(state.seat, remembers=True), state.offers())
            assert f"\nagenda {step}:{state.seat + 1}" in text  # the same word in the message and in the position text
    assert met == {"act", "place", "award", "vizier", "reveal"}


@rule("13.2", "6.3")
def test_a_scoring_is_announced_until_it_is_held() -> None:
    for state, action in plies(Options("alhambra", 3, ["bonus"]), "announced", 400):
        view = public_view(state, True)
        assert bool(view.announced) == (view.step in ("reveal", "award"))
        if view.aids is not None and view.announced:
            assert view.aids.next_scoring == view.announced[0]
            before = state.copy()
            scored = [line.split()[2] for line in events_for(before.play(action, First()), NOBODY) if "= score" in line]
            assert not scored or scored[0] == view.announced[0]


@rule("8.4", "9.7")
def test_when_the_game_is_over_nobody_decides_and_the_winners_are_named() -> None:
    state = position("alhambra", 2)
    hand(state, 0, "y2")
    yard(state, "pavilion-2-NEW")
    bag(state)
    play(state, "buy pavilion-2-NEW with y2", "take " + state.display[0].name, "reserve pavilion-2-NEW")
    while not state.is_over:
        state.play(state.offers()[0], First())
    view = public_view(state, True)
    assert (view.deciding, view.step, view.announced) == (None, None, [])
    assert view.winners
    assert {row.scoring for row in view.rows} == {"C"}
    assert 0 in {row.seat for row in view.rows}  # Dirk
    assert view.aids is not None
    assert (view.aids.next_scoring, view.aids.points, view.aids.unseen.scores) == (None, [], {})
    assert own_view(state, 0, None, False, True).actions == []


def test_purist_tables_have_no_aids() -> None:
    state = position("alhambra", 3)
    assert public_view(state, False).aids is None
    assert own_view(state, 0, None, False, False).offers is None


def test_cities_stay_right_when_more_are_seen_than_are_kept() -> None:
    state = position("alhambra", 3)
    display(state, "y9 g9 b9 o9")
    for number in range(CITY_LIMIT // 3 + 10):
        other = state.copy()
        settle(other, 0, f"garden-10 at {number % 2},{1 - number % 2}")
        settle(other, 1, "garden-11 at 1,0")
        settle(other, 2, "garden-11 at 0,1")
        cities = [player.city for player in public_view(other, False).players]
        assert f"{number % 2},{1 - number % 2}" in cities[0]
        assert ["1,0" in city for city in cities[1:]] == [True, False]


# The private view -----------------------------------------------------------------------------------------------------


@per_game
def test_the_actions_of_the_own_seat_are_those_that_the_rules_offer(options: Options) -> None:
    for state in moments(options, 7):
        for seat, player in enumerate(state.players):
            own = own_view(state, seat, None, False, True)
            assert own.seat == seat + 1
            assert own.actions == ([action_text(action) for action in state.offers()] if seat == state.seat else [])
            assert own.hand == [card.name for card in player.hand()]
            assert own.bonus == [card.name for card in player.bonus if card is not None]


def test_what_is_held_and_whether_it_can_be_undone_is_passed_on() -> None:
    own = own_view(position("alhambra", 3), 0, "take y9", True, True)
    assert (own.held, own.may_undo) == ("take y9", True)


def test_a_seat_of_a_record_with_hidden_bonus_cards_shows_those_that_are_known() -> None:
    options = Options("alhambra", 3, ["bonus"])
    state = new_game(options, luck(1))
    record = Record(options)
    record.add([event.shown_to(0) for event in state.events])
    other = replay(str(record), partial=True).state
    assert len(own_view(other, 0, None, False, True).bonus) == 3
    assert own_view(other, 1, None, False, True).bonus == []


def test_looking_changes_nothing() -> None:
    state = position("combined", 2, "vizier", "exchange", "bonus", "huts")
    before = state.key()
    public_view(state, True)
    own_view(state, 0, None, False, True)
    assert state.key() == before
    state.play(Take(state.display[:1]), First())


@rule("8.3")
def test_8_3_left_over_tiles_lie_before_their_owners_until_they_are_placed() -> None:
    state = position()
    for seat, text in enumerate(("y2", "g2 b2", "")):
        hand(state, seat, text)
    yard(state, "garden-10", "tower-12", "tower-11", "-")
    bag(state)
    display(state, "o1 y9 g9 b9")
    play(state, "take o1")
    view = public_view(state, True)
    assert (view.deciding, view.step, view.tray) == (2, "award", ["tower-12", "tower-11"])
    assert [player.to_place for player in view.players] == [["garden-10"], ["tower-12", "tower-11"], []]
    play(state, "reserve tower-11")
    assert [player.to_place for player in public_view(state, True).players] == [["garden-10"], ["tower-12"], []]
