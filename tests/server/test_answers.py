"""Questions about a city, and their answers."""

from __future__ import annotations

import msgspec
import pytest

from granada import (
    Add,
    City,
    IllegalAction,
    NotationError,
    Options,
    Place,
    Remove,
    State,
    Swap,
    Tile,
    score_rows,
    tile,
)
from granada.records.notation import seat_text
from granada.rules.cells import cell_text
from granada.rules.chance import First
from granada.rules.scoring import holdings
from granada.rules.tiles import TYPES
from granada.tables import messages
from granada.tables.aids import next_scoring
from granada.tables.answers import answer
from tests.kit import (
    bag,
    cells_to_remove,
    cells_to_swap,
    dirk,
    display,
    hand,
    placing,
    play,
    plies,
    position,
    reserve,
    rule,
    settle,
    yard,
)
from tests.server.moments import GAMES, greedy_plies, moments

per_game = pytest.mark.parametrize("options", GAMES, ids=repr)


def asked(state: State, seat: int, text: str, has_aids: bool = True) -> messages.Answer:
    """Return the answer to a question: `place garden-8-NW at 1,0`, `swap garden-8-NW`, `remove 1,0`, `remove`."""
    how, _, rest = text.partition(" ")
    name, _, cell = ("", "", rest) if how == "remove" else rest.partition(" at ")
    found = {"type": "ask", "id": "q1", "how": how, "tile": name or None, "cell": cell or None}
    return answer(state, seat, msgspec.convert(found, type=messages.Ask), has_aids)


def legal(found: messages.Answer) -> list[str]:
    return [cell.cell for cell in found.cells if cell.is_legal]


def texts(cells: list[int]) -> list[str]:
    return [cell_text(cell) for cell in cells]


def tiles_to_ask(state: State, seat: int) -> set[Tile]:
    found = {tile for tile in (*state.yard, *state.tray, *state.huts) if tile is not None}
    return found | set(state.players[seat].reserve)


# Cells ----------------------------------------------------------------------------------------------------------------


@rule("5.2")
def test_without_a_cell_every_free_cell_beside_the_city_is_answered_in_order() -> None:
    state = position("alhambra", 3)
    yard(state, "tower-9-NE")
    found = asked(state, 0, "place tower-9-NE")
    assert [(cell.cell, cell.is_legal, cell.rule, cell.code) for cell in found.cells] == [
        ("0,-1", True, None, None),
        ("1,0", True, None, None),
        ("0,1", False, "5.2", "edge"),
        ("-1,0", False, "5.2", "edge"),
    ]
    assert found.cells[2].reason == "its north edge does not match the edge that it touches"
    assert (found.answers, found.seat, found.tile, found.preview) == ("q1", 1, "tower-9-NE", None)


@rule("5.4", "5.5")
@per_game
def test_the_cells_are_those_where_the_rules_let_a_tile_be_built(options: Options) -> None:
    for state in moments(options, 12):
        for seat, player in enumerate(state.players):
            for face in tiles_to_ask(state, seat):
                for how in ("place", "add"):
                    found = asked(state, seat, f"{how} {face.name}")
                    assert legal(found) == texts(player.city.cells_for(face))
                    assert len({cell.cell for cell in found.cells} - set(texts(player.city.places))) == len(found.cells)
                    assert not [cell for cell in found.cells if cell.rule == "5.4"]


@rule("3.5")
@per_game
def test_the_cells_to_swap_and_remove_are_those_of_the_rules(options: Options) -> None:
    for state in moments(options, 8):
        for seat, player in enumerate(state.players):
            for face in player.reserve:
                found = asked(state, seat, f"swap {face.name}")
                assert legal(found) == texts(cells_to_swap(player.city, face))
                assert [cell.cell for cell in found.cells] == texts(player.city.places)
            found = asked(state, seat, "remove")
            assert legal(found) == texts(cells_to_remove(player.city))
            assert [cell.cell for cell in found.cells] == texts(player.city.places)
            assert found.tile is None


@rule("1.5", "5.3")
def test_what_cannot_be_removed_says_why() -> None:
    state = position("alhambra", 3)
    settle(state, 0, "garden-10 at 1,0", "garden-11 at 2,0")
    found = asked(state, 0, "remove")
    assert [(cell.cell, cell.rule) for cell in found.cells] == [("0,0", "1.5"), ("1,0", "5.6"), ("2,0", None)]
    assert asked(state, 0, "remove 5,5").cells[0].rule == "3.5"


@rule("4.1")
def test_a_seat_can_plan_while_another_one_decides() -> None:
    state = position("alhambra", 3)
    yard(state, "garden-8-NW")
    reserve(state, 1, "garden-11")
    assert state.seat == 0
    assert legal(asked(state, 1, "place garden-8-NW")) == ["0,-1", "-1,0"]
    assert asked(state, 1, "add garden-11 at 1,0").preview is not None
    placing(state, "tower-12")
    assert len(legal(asked(state, 2, "place tower-12"))) == 4


@rule("4.2", "4.4", "8.3")
def test_a_tile_may_be_planned_with_its_other_face_unless_it_lies_in_the_reserve() -> None:
    state = position("granada", 3)
    yard(state, "school-10")
    reserve(state, 0, "school-12")
    preview = asked(state, 0, "place arena-11 at 1,0").preview
    assert preview is not None
    assert list(preview.counts) == ["arena"]
    with pytest.raises(IllegalAction, match="hospital-13 is not in the yard"):
        asked(state, 0, "add hospital-13")
    hand(state, 0, "o9")
    hand(state, 1, "y9")
    yard(state, "park-2", "school-2", "school-10", "arena-4")
    bag(state)
    display(state, "b9 b8 b7 b6")
    play(state, "buy arena-4 with o9", "reserve arena-4")
    assert [face.name for face in state.tray] == ["park-2"]  # a left-over tile
    asked(state, 1, "place park-2")
    with pytest.raises(IllegalAction, match="school-3 is not in the yard"):
        asked(state, 1, "place school-3")


@rule("14.2")
def test_a_hut_that_lies_open_can_be_planned() -> None:
    state = position("alhambra", 3, "huts")
    hut = state.huts[4]
    assert hut is not None
    assert asked(state, 0, f"place {hut.name}").cells


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("place", NotationError, "the question 'place' needs a tile"),
        ("swap", NotationError, "the question 'swap' needs a tile"),
        ("place palace-3", NotationError, "'palace-3' is not a tile of this game"),
        ("place start-alhambra", NotationError, "is not a tile of this game"),
        ("add garden-11", IllegalAction, "garden-11 is not in the yard, in your reserve"),
        ("place garden-8-NW at 1;0", NotationError, "'1;0' is not a cell"),
        ("remove 1,01", NotationError, "'01' is not a plain number"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(text: str, error: type[Exception], sentence: str) -> None:
    state = position("alhambra", 3)
    yard(state, "garden-8-NW", "tower-12", "tower-11", "arcades-9")
    reserve(state, 1, "garden-11")  # of another seat
    with pytest.raises(error, match=sentence):
        asked(state, 0, text)


# Previews -------------------------------------------------------------------------------------------------------------


@rule("7.2", "7.3")
def test_a_preview_tells_all_that_would_change() -> None:
    state = position("alhambra", 3)
    yard(state, "tower-9-NE")
    settle(state, 1, "tower-12 at 1,0")
    found = asked(state, 0, "place tower-9-NE at 1,0")
    assert found.preview == messages.Preview(
        lengths={"wall": messages.Change(0, 2)},
        counts={"tower": messages.Change(0, 1)},
        ranks={"tower": messages.Change(0, 1)},
        in_all={"tower": messages.Change(1, 2)},
        points={"1": messages.Change(0, 2 + 3), "2": messages.Change(6, 3)},
    )


@rule("9.4", "7.4")
def test_a_preview_tells_what_dirk_would_lose_and_win() -> None:
    state = position("granada", 2)
    yard(state, "school-10")
    dirk(state, "school-2", "park-2")
    preview = asked(state, 0, "place school-10 at 1,0").preview
    assert preview is not None
    assert preview.points == {"1": messages.Change(0, 2), "dirk": messages.Change(2, 1)}


@rule("13.3")
def test_a_preview_counts_the_bonus_card_that_goes_back() -> None:
    state = position("alhambra", 3, "bonus")
    settle(state, 0, "garden-10 at 1,0")
    state.players[0].revealed = (tile("garden-10"),)
    reserve(state, 0, "tower-12")
    for text in ("remove 1,0", "swap tower-12 at 1,0"):
        preview = asked(state, 0, text).preview
        assert preview is not None
        assert preview.counts["garden"] == messages.Change(2, 0)
    assert state.players[0].revealed


def test_there_is_no_preview_of_what_is_illegal_nor_without_a_cell_nor_in_purist_mode() -> None:
    state = position("alhambra", 3)
    yard(state, "tower-9-NE")
    assert asked(state, 0, "place tower-9-NE at 0,1").preview is None
    assert asked(state, 0, "place tower-9-NE").preview is None
    pure = asked(state, 0, "place tower-9-NE at 1,0", has_aids=False)
    assert pure.preview is None
    assert pure.cells == asked(state, 0, "place tower-9-NE at 1,0").cells


def test_when_the_game_is_over_the_city_can_still_be_asked_about() -> None:
    for state, _ in greedy_plies(Options("alhambra", 2), "over"):
        last = state
    assert last.is_over
    found = asked(last, 0, f"remove {legal(asked(last, 0, 'remove'))[0]}")
    assert found.preview is not None
    assert found.preview.points == {}


def question(action: object) -> str | None:
    """Return the question for an action."""
    if isinstance(action, Place):
        return f"place {action.face.name} at {cell_text(action.cell)}"
    if isinstance(action, Add):
        return f"add {action.tile.name} at {cell_text(action.cell)}"
    if isinstance(action, Swap):
        return f"swap {action.tile.name} at {cell_text(action.cell)}"
    return f"remove {cell_text(action.cell)}" if isinstance(action, Remove) else None


def facts(state: State, seat: int, scoring: str) -> dict[str, int]:
    """Return the values that a preview compares."""
    city: City = state.players[seat].city
    found = {f"length {word}": city.stretch(what) for what, word in enumerate(("wall", "moat", "run"))}
    held = holdings(state)
    for type_, word in enumerate(TYPES):
        found[f"count {word}"] = held[seat].counts[type_]
        found[f"in all {word}"] = sum([holding.counts[type_] for holding in held])
    for row in score_rows(state, scoring):
        key = f"points {seat_text(row.seat)}"
        found[key] = found.get(key, 0) + row.points
    return found


def changes_in(preview: messages.Preview) -> dict[str, messages.Change]:
    """Return the changes of a preview by name, without ranks."""
    parts = (("length", preview.lengths), ("count", preview.counts), ("in all", preview.in_all))
    found = {f"{part} {word}": change for part, changes in parts for word, change in changes.items()}
    return found | {f"points {word}": change for word, change in preview.points.items()}


@rule("3.5", "4.1", "7.1")
@per_game
def test_a_preview_is_what_happens_when_the_action_is_played(options: Options) -> None:
    checked = 0
    for state, chosen in plies(options, f"previews {options}", 60):
        actions = [action for action in state.offers() if question(action)]
        for action in {*actions[:: max(1, len(actions) // 3)], *([chosen] if question(chosen) else [])}:
            found = asked(state, state.seat, str(question(action)))
            assert found.preview is not None
            scoring = next_scoring(state)
            assert scoring is not None
            after = state.copy()
            action.do(after, state.seat, First())
            old, new = facts(state, state.seat, scoring), facts(after, state.seat, scoring)
            changed = {key for key in old.keys() | new.keys() if old.get(key, 0) != new.get(key, 0)}
            assert changes_in(found.preview) == {
                key: messages.Change(old.get(key, 0), new.get(key, 0)) for key in changed
            }
            checked += 1
    assert checked > 20


@per_game
def test_asking_changes_nothing_and_answers_are_read_as_they_were_written(options: Options) -> None:
    for state in moments(options, 10):
        before = state.key()
        for cell in [*legal(asked(state, 0, "remove")), "0,0"]:
            found = asked(state, 0, f"remove {cell}")
            assert msgspec.json.decode(messages.encoder.encode(found), type=messages.Answer, strict=True) == found
        assert state.key() == before
