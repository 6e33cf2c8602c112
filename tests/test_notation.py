"""docs/notation.md: reading and writing words and actions."""

from __future__ import annotations

import pytest

import granada
from granada import (
    DIRK,
    NOBODY,
    Action,
    Add,
    Buy,
    Decline,
    Event,
    Give,
    Keep,
    NotationError,
    Options,
    Pass,
    Place,
    Remove,
    Reserve,
    Reveal,
    Row,
    Swap,
    Take,
    TakeHut,
    UseVizier,
    Verdict,
    Wake,
    action_text,
    card,
    cards,
    cell,
    event_text,
    parse_action,
    tile,
)
from granada.rules import events as ev
from granada.rules.cells import cell_text, parse_cell
from granada.rules.components import standard
from granada.rules.flow import ACTIONS
from granada.rules.money import CARDS
from granada.rules.tiles import STARTS, Tile
from tests.kit import all_options, module_sets, plies

GARDEN, SCHOOL, ARENA, HUT = tile("garden-8-NW"), tile("school-10"), tile("arena-11"), tile("hut-garden-NW")

#: Every form in the table of actions.
FORMS: list[tuple[str, Action]] = [
    ("take y3", Take((card("y3"),))),
    ("take y3 g2", Take((card("y3"), card("g2")))),
    ("take yb", Take((card("yb"),))),
    ("buy garden-8-NW with y5 y3", Buy(GARDEN, (card("y5"), card("y3")))),
    ("buy garden-8-NW with yb y5 b3", Buy(GARDEN, (card("yb"), card("y5"), card("b3")))),
    ("add garden-8-NW at 1,0", Add(GARDEN, cell(1, 0))),
    ("remove 1,0", Remove(cell(1, 0))),
    ("remove -1,2", Remove(cell(-1, 2))),
    ("swap garden-8-NW at 1,0", Swap(GARDEN, cell(1, 0))),
    ("hut garden", TakeHut(4)),
    ("wake", Wake()),
    ("pass", Pass()),
    ("place garden-8-NW at 1,0", Place(GARDEN, cell(1, 0))),
    ("place hut-garden-NW at -10,-3", Place(HUT, cell(-10, -3))),
    ("place school-10 at 1,0 as arena-11 with b3", Place(SCHOOL, cell(1, 0), ARENA, (card("b3"),))),
    ("reserve garden-8-NW", Reserve(GARDEN)),
    ("reserve school-10 as arena-11", Reserve(SCHOOL, ARENA)),
    ("give garden-8-NW", Give(GARDEN)),
    ("give school-10 as arena-11 with b2 b1", Give(SCHOOL, ARENA, (card("b2"), card("b1")))),
    ("vizier garden-8-NW with y5 y3", UseVizier(GARDEN, (card("y5"), card("y3")))),
    ("decline", Decline()),
    ("reveal garden-10", Reveal(tile("garden-10"))),
    ("keep", Keep()),
]


def faces() -> list[Tile]:
    """Return every face and every hut of the box."""
    box = standard()
    return [*box.alhambra, *box.granada, *[face.back for face in box.granada if face.back], *box.huts]


# Words ----------------------------------------------------------------------------------------------------------------


def test_cards_are_named_by_letter_and_value() -> None:
    assert len(CARDS) == 6 + 36 + 2
    assert [one.name for one in CARDS[:8]] == ["yg", "yb", "yo", "gb", "go", "bo", "y9", "y8"]
    assert [one.name for one in CARDS[-3:]] == ["o1", "A", "B"]
    assert all(card(one.name) is one for one in CARDS)


def test_lists_of_cards_are_sorted() -> None:
    names = ["yg", "bo", "y9", "y9", "y1", "g9", "b2", "o3"]
    assert cards(" ".join(names)) == tuple(card(name) for name in names)


@pytest.mark.parametrize("text", ["y3 y5", "g2 y3", "y5 yb", "bo yg", "o1 b9", "y5  y3", " y5", "y5 ", "", "y5,y3"])
def test_lists_of_cards_in_another_order_or_form_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"not sorted|is not a card"):
        cards(text)


@pytest.mark.parametrize("name", ["y0", "y10", "y", "Y3", "3y", "gy", "yy", "by", "C", "a", "r5", "y٣", "?"])
def test_what_is_no_card(name: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        card(name)


def test_tiles_are_named_by_type_price_and_walls() -> None:
    assert (GARDEN.type_name, GARDEN.price, GARDEN.walls) == ("garden", 8, 0b1001)
    assert (tile("pavilion-8").walls, tile("bath_house-3").price) == (0, 3)
    assert SCHOOL.back is ARENA
    assert HUT.is_hut
    assert len({face.name for face in faces()}) == 54 + 108 + len({hut.name for hut in standard().huts})
    assert all(tile(face.name) is face for face in faces())


@pytest.mark.parametrize(
    "name",
    [
        *(
            "garden-8",
            "garden-8-WN",
            "garden-8-nw",
            "Garden-8-NW",
            "pavilion-8-",
            "school-1",
            "school-14",
            "school-010",
        ),
        *("garden", "hut-garden", "hut-school-N", "bath house-3", "start", ""),
    ],
)
def test_what_is_no_tile(name: str) -> None:
    with pytest.raises(NotationError, match=f"'{name}' is not a tile"):
        tile(name)


@pytest.mark.parametrize(
    ("text", "x", "y"), [("0,0", 0, 0), ("-1,2", -1, 2), ("10,-9", 10, -9), ("111,-111", 111, -111)]
)
def test_cells_both_directions(text: str, x: int, y: int) -> None:
    assert parse_cell(text) == cell(x, y)
    assert cell_text(cell(x, y)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("+1,0", "-0,0", "0,-0", "01,0", "1,00", "--1,0", "1, 0", " 1,0", "1,0 ", "1;0", "1", "1,", ",1", ",", ""),
        *("1,0,0", "1.0,0", "1e1,0", "x,y", "١,0", "²,0", "1_0,0", "0x1,0", "112,0", "0,-112", "1000,0"),
    ],
)
def test_numbers_of_cells_are_plain(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not a plain number|is not a cell"):
        parse_cell(text)


def test_a_number_of_any_length_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="is not a plain number"):
        parse_cell("9" * 5000 + ",0")  # more digits than Python converts


# Actions --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "action"), FORMS)
def test_every_form_both_directions(text: str, action: Action) -> None:
    assert action_text(action) == text
    assert parse_action(text) == action
    assert hash(parse_action(text)) == hash(action)


def concrete(base: type[Action]) -> list[type[Action]]:
    """Return all action classes that can be played."""
    below = base.__subclasses__()
    return [one for child in below for one in concrete(child)] if below else [base]


def test_every_class_of_actions_is_listed_by_a_step_and_has_a_text() -> None:
    classes = concrete(Action)
    assert len(classes) == 15
    assert set(ACTIONS.values()) == set(classes)
    assert {type(action) for _, action in FORMS} == set(classes)
    for verb, named in ACTIONS.items():
        assert named.verb == verb
        assert named.form.split(" ")[0] == verb
        texts = [str(action) for _, action in FORMS if type(action) is named]
        assert {text.split(" ")[0] for text in texts} == {verb}
        for text in texts:
            read = named.parse(text[len(verb) + 1 :], standard())
            assert type(read) is named
            assert str(read) == text


def test_different_texts_are_different_actions() -> None:
    assert len({action for _, action in FORMS}) == len(FORMS)


@pytest.mark.parametrize("options", all_options()[::9], ids=repr)
def test_all_offered_actions_both_directions(options: Options) -> None:
    for state, _ in plies(options, "notation", 12):
        for action in state.offers():
            assert parse_action(action_text(action)) == action


NO_FORM = "is not of the form '{}'"
NO_VERB = "does not start with any of take, buy, .*, keep"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", NO_VERB),
        (" ", NO_VERB),
        ("fly", NO_VERB),
        ("Take y3", NO_VERB),
        (" take y3", NO_VERB),
        ("passes", NO_VERB),
        ("pass ", NO_FORM.format("pass")),
        ("wake up", NO_FORM.format("wake")),
        ("decline 1", NO_FORM.format("decline")),
        ("keep garden-10", NO_FORM.format("keep")),
        ("end turn", NO_VERB),
        ("take", NO_FORM.format("take CARDS")),
        ("take ", NO_FORM.format("take CARDS")),
        ("take  y3", "'' is not a card"),
        ("take y3  g2", "'' is not a card"),
        ("take y3 ", "'' is not a card"),
        ("take y3\n", "is not a card"),
        ("take y3\tg2", "is not a card"),
        ("take g2 y3", "'g2 y3' are not sorted"),
        ("take y3 yb", "'y3 yb' are not sorted"),
        ("take money", "'money' is not a card"),
        ("buy garden-8-NW", NO_FORM.format("buy TILE with CARDS")),
        ("buy garden-8-NW with", NO_FORM.format("buy TILE with CARDS")),
        ("buy garden-8-NW with ", "'' is not a card"),
        ("buy garden-8-NW for y8", NO_FORM.format("buy TILE with CARDS")),
        ("buy garden-8-NW with y3 y5", "'y3 y5' are not sorted"),
        ("buy  garden-8-NW with y8", "' garden-8-NW' is not a tile"),
        ("buy garden-8 with y8", "'garden-8' is not a tile"),
        ("buy garden-8-NW with y8 with y1", "'with' is not a card"),
        ("add garden-8-NW", NO_FORM.format("add TILE at X,Y")),
        ("add garden-8-NW at", NO_FORM.format("add TILE at X,Y")),
        ("add garden-8-NW at +1,0", r"'\+1' is not a plain number"),
        ("add garden-8-NW at -0,0", "'-0' is not a plain number"),
        ("add garden-8-NW at 01,0", "'01' is not a plain number"),
        ("add garden-8-NW at 1,0 at 1,0", "is not a plain number"),
        ("remove", NO_FORM.format("remove X,Y")),
        ("remove garden-8-NW", "is not a cell"),
        ("remove 1, 0", "' 0' is not a plain number"),
        ("swap garden-8-NW", NO_FORM.format("swap TILE at X,Y")),
        ("swap 1,0 at garden-8-NW", "is not a tile|is not a cell"),
        ("hut", NO_FORM.format("hut TYPE")),
        ("hut school", NO_FORM.format("hut TYPE")),
        ("hut hut-garden-NW", NO_FORM.format("hut TYPE")),
        ("hut garden ", NO_FORM.format("hut TYPE")),
        ("place garden-8-NW", r"is not of the form 'place TILE at X,Y \[as FACE with CARDS\]'"),
        ("place school-10 at 1,0 as arena-11", "is not of the form 'place TILE"),
        ("place school-10 at 1,0 as school-10 with b3", "does not turn the tile over"),
        ("place school-10 at 1,0 as arena-11 with", "is not of the form 'place TILE"),
        ("place school-10 at 1,0 as arena-11 with b1 b2", "'b1 b2' are not sorted"),
        ("place school-10 at 1,0 with b3", "is not a plain number"),
        ("place school-10 as arena-11 with b3", "is not of the form 'place TILE"),
        ("reserve", r"is not of the form 'reserve TILE \[as FACE\]'"),
        ("reserve school-10 as", "'school-10 as' is not a tile"),
        ("reserve school-10 as ", "'' is not a tile"),
        ("reserve school-10 as school-10", "does not turn the tile over"),
        ("reserve school-10 as arena-11 with b3", "'arena-11 with b3' is not a tile"),
        ("give", r"is not of the form 'give TILE \[as FACE with CARDS\]'"),
        ("give school-10 as arena-11", "is not of the form 'give TILE"),
        ("give school-10 as school-10 with b3", "does not turn the tile over"),
        ("give school-10 with b3", "'school-10 with b3' is not a tile"),
        ("vizier garden-8-NW", NO_FORM.format("vizier TILE with CARDS")),
        ("reveal", NO_FORM.format("reveal TILE")),
        ("reveal garden", "'garden' is not a tile"),
        ("reveal ?", r"'\?' is not a tile"),
    ],
)
def test_anything_else_is_refused_with_a_clear_message(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_action(text)


# Events ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (ev.Acted(1, Take((card("y3"),))), "2 take y3"),
        (ev.YardFilled(0, SCHOOL), "! yard 1 school-10"),
        (ev.Dealt(1, cards("y9 g8 b7")), "! deal 2 y9 g8 b7"),
        (ev.Started(1), "! start 2"),
        (ev.Displayed((card("y3"), card("A"), card("g2"))), "! display y3 A g2"),
        (ev.Reshuffled(), "! reshuffle"),
        (ev.DirkDrew((tile("arena-2"), tile("park-6"))), "! dirk arena-2 park-6"),
        (ev.BonusDealt(1, (tile("tower-12"), tile("garden-10"))), "! bonus 2 tower-12 garden-10"),
        (ev.BonusDealt(1, (tile("tower-12"), None)), "! bonus 2 tower-12 ?"),
        (ev.HutTurnedUp(tile("hut-garden-N")), "! hut hut-garden-N"),
        (
            ev.Scored(
                "A", 0, (Row(0, "A", "wall", 0, 5), Row(0, "A", "pavilion", 1, 1), Row(0, "A", "tower", 1, 3)), 9
            ),
            "= score A 1 wall=5 pavilion=1 tower=3 total=9",
        ),
        (ev.Scored("B", DIRK, (), 0), "= score B dirk total=0"),
        (ev.Awarded(2, GARDEN, 1), "= award 3 garden-8-NW 2"),
        (ev.Awarded(2, GARDEN, NOBODY), "= award 3 garden-8-NW -"),
        (ev.Ended((95, 80), 60, (0,)), "= end 1=95 2=80 dirk=60 winners=1"),
        (ev.Ended((95, 80, 95), -1, (0, 2)), "= end 1=95 2=80 3=95 winners=1+3"),
    ],
)
def test_every_line_of_a_record(event: Event, text: str) -> None:
    assert event_text(event) == text


# Python ---------------------------------------------------------------------------------------------------------------


def evaluated(piece: object) -> object:
    """Evaluate the `repr` of a piece with the names of the package."""
    return eval(repr(piece), dict(vars(granada)))


@pytest.mark.parametrize("action", [action for _, action in FORMS], ids=repr)
def test_the_repr_of_an_action_can_be_evaluated(action: Action) -> None:
    assert evaluated(action) == action


@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_the_repr_of_every_offered_action_can_be_evaluated(edition: str) -> None:
    for state, _ in plies(Options(edition, 2, module_sets(edition)[-1]), "repr", 15):
        for action in state.offers()[::3]:
            assert evaluated(action) == action


def test_the_repr_of_cards_and_tiles_can_be_evaluated() -> None:
    for one in CARDS:
        assert evaluated(one) is one
    for face in faces():
        assert evaluated(face) is face


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_the_repr_of_a_start_tile_can_be_evaluated(start: Tile) -> None:
    assert evaluated(start) is start


@pytest.mark.parametrize(
    "options",
    [
        *all_options()[::13],
        Options(),
        Options("granada", 2, scoring="simplified", ages=[31, 30], open_money=True),
        Options("combined", 6, ["huts", "vizier"], "simplified", range(6)),
    ],
    ids=repr,
)
def test_the_repr_of_options_can_be_evaluated(options: Options) -> None:
    assert evaluated(options) == options


@pytest.mark.parametrize("piece", [Verdict("3.2", "display", "y9 is 'there'"), Row(DIRK, "A", "tower", 1, 6)], ids=repr)
def test_the_repr_of_verdicts_and_points_can_be_evaluated(piece: object) -> None:
    assert repr(evaluated(piece)) == repr(piece)
