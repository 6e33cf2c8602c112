"""Cities and tables as text: reading and writing, marks, illegal cities, and errors."""

from __future__ import annotations

import pytest

from granada import NOBODY, City, NotationError, Options, State, cell, is_lawful, new_city, tile
from granada.drawing import draw_city, draw_table, parse_city, parse_marks, text
from granada.drawing.text import WORDS
from granada.rules.options import EDITIONS
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, GRANADA, TYPES
from tests.kit import all_options, build, cells_to_remove, module_sets, plies, position

SMALL = """
    +.......+.......+
    : start : tow 9 #
    +.......+%%%%%%%+
            : sch*11:
            +.......+
"""


def late(options: Options, seed: object, turns: int = 120) -> State:
    return [state for state, _ in plies(options, seed, turns)][-1]


def full(edition: str) -> Options:
    """Return a game for two with all modules."""
    return Options(edition, 2, module_sets(edition)[-1])


def small() -> City:
    return build(new_city(ALHAMBRA), "tower-9-ES at 1,0", "school-11 at 1,1")


def test_the_drawing_in_the_docstring_is_right() -> None:
    lines = [line[4:21] for line in str(text.__doc__).split("\n") if line.startswith("    ")]
    assert parse_city("\n".join(lines)) == parse_city(SMALL) == small()


def test_words_are_distinct() -> None:
    assert len(set(WORDS)) == len(TYPES)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3])
def test_every_city_of_a_random_game_survives_a_round_trip(edition: str, players: int) -> None:
    options = Options(edition, players, module_sets(edition)[-1])
    seen: set[City] = set()
    for state, _ in plies(options, f"round trip {players}", 150):
        for player in state.players:
            city = player.city
            if city in seen:
                continue
            seen.add(city)
            again = parse_city(draw_city(city), kind=options.kinds[0])
            assert again == city
            assert [again.stretch(what) for what in (WALL, MOAT, RUN)] == [city.stretch(w) for w in (WALL, MOAT, RUN)]
            assert cells_to_remove(again) == cells_to_remove(city)
            assert all(again.cells_for(t) == city.cells_for(t) for t in state.yard if t is not None)
    assert max(len(city.places) for city in seen) > 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_marks_survive_a_round_trip(edition: str) -> None:
    state = late(full(edition), "answers")
    kind = state.options.kinds[0]
    for player in state.players:
        marks = {place: "x" for t in state.yard if t is not None for place in player.city.cells_for(t)}
        marks |= dict.fromkeys(cells_to_remove(player.city), "r")
        drawing = draw_city(player.city, marks)
        assert parse_marks(drawing) == marks
        assert parse_city(drawing, kind=kind) == player.city


def test_rule_numbers_can_be_answers() -> None:
    marks = {cell(-1, 0): "5.2", cell(0, 1): "10.5", cell(1, -1): "a", cell(0, 0): "!"}
    assert draw_city(small(), marks) == (
        "                    a\n"
        "        +.......+.......+\n"
        "   5.2  :start !: tow 9 #\n"
        "        +.......+%%%%%%%+\n"
        "           10.5 : sch*11:\n"
        "                +.......+"
    )
    assert parse_marks(draw_city(small(), marks)) == marks


def test_illegal_cities_can_be_drawn() -> None:
    hole = parse_city(
        """
        +.......+.......+
        # cha 9 : start :
        +.......+.......+.......+
        : arc 9 :  5.5  : arc 8 #
        +.......+.......+.......+
        : tow 11: ser 8 : ser 6 #
        +#######+#######+#######+
        """
    )
    assert not is_lawful(hole)
    assert hole.tile_at(cell(1, 1)) is tile("arcades-8-E")
    unlike = build(new_city(ALHAMBRA), "garden-8-NW at 1,0", "tower-8-NES at 0,-1", "school-10 at 1,-1")
    drawing = draw_city(unlike)
    assert drawing == ("+#######+.......+\n: tow 8 < sch*10:\n+^^^^^^^+vvvvvvv+\n: start > gar 8 :\n+.......+.......+")
    assert parse_city(drawing) == unlike


def test_the_first_tile_of_the_other_kind_may_lie_far_out() -> None:
    city = build(new_city(ALHAMBRA), "tower-9-ES at 1,0", "pavilion-8 at 2,0", "school-11 at 2,1", "arena-10 at 1,1")
    assert city.starts == (0, cell(2, 1))
    assert parse_city(draw_city(city)) == city


def test_a_granada_city_has_the_other_start_tile() -> None:
    city = build(new_city(GRANADA), "school-11 at 0,1")
    assert parse_city(draw_city(city), kind=GRANADA) == city
    assert parse_city(draw_city(city), kind=GRANADA).starts == (-1, 0)


@pytest.mark.parametrize(
    ("drawing", "complaint"),
    [
        ("", "no tile"),
        ("+.......+\n: gar 10:\n+.......+", "no start tile"),
        ("+.......+.......+\n: start : start :\n+.......+.......+", "2 start tiles"),
        ("+.......+\n: start :\n+......+", "line 3 of the drawing: the \\+ in column 8 is off the grid"),
        ("+.......+\n: start :\n+...#...+", "line 3 of the drawing, column 5: '#' is drawn where '.' belongs"),
        ("+.......+\n: start :\n+.......+  x", "line 3 of the drawing, column 12: 'x' is drawn"),
        ("+.......+.......+\n: start : tow 8 #\n+.......+", "line 3 of the drawing: ' ' is not the mark of an edge"),
        (
            "+.......+.......+\n: start : gsr 8 :\n+.......+.......+",
            "line 2 of the drawing: 'gsr' is none of the types",
        ),
        (
            "+.......+.......+\n: start : gar ? :\n+.......+.......+",
            "line 2 of the drawing: 'gar \\?' is neither a tile",
        ),
        ("+.......+.......+\n: start : tow 8 :\n+.......+.......+", "on no edge; there is tower-8-NES"),
        ("+.......+.......+\n: start : tow 3 :\n+.......+.......+", "there is none of that price"),
        ("+.......+.......+\n: start : gar*11:\n+.......+.......+", "own kind is marked"),
        ("+.......+.......+\n: start : hsp 12:\n+.......+.......+", "no tile is marked \\*"),
        (
            "+.......+.......+.......+\n: start : hsp*12: arc 9 :\n+.......+.......+~~~~~~~+",
            "line 2 of the drawing: no",
        ),
        (SMALL.replace("%", "#"), "line 3 of the drawing, column 10: '#' is drawn where '%' belongs"),
        (
            "+.......+       +.......+\n: start :       : tow 12:\n+.......+       +.......+",
            "line 2 of the drawing: this tile is not joined to the start tile",
        ),
    ],
)
def test_bad_drawings_are_refused_with_the_line(drawing: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        parse_city(drawing)


def test_two_stars_are_refused() -> None:
    city = build(small(), "arena-10 at 0,1")
    with pytest.raises(NotationError, match="second tile is marked"):
        parse_city(draw_city(city).replace("are 10", "are*10"))


@pytest.mark.parametrize(("place", "mark"), [(1, "two words"), (1, "gar 8"), (1, "a+b"), (1, "^"), (0, "no"), (0, "+")])
def test_marks_that_could_not_be_read_are_refused(place: int, mark: str) -> None:
    with pytest.raises(NotationError, match="cannot mark"):
        draw_city(new_city(ALHAMBRA), {place: mark})


# Tables ---------------------------------------------------------------------------------------------------------------


def test_tables_are_at_most_100_columns_wide() -> None:
    for options in all_options()[::7]:
        wide = [line for line in draw_table(late(options, "width", 25)).split("\n") if len(line) > 100]
        assert not wide, options


def test_a_state_shows_everything_and_a_view_hides() -> None:
    state = late(full("combined"), "hidden")
    whole, seen, spectator = draw_table(state), draw_table(state.view(0)), draw_table(state.view(NOBODY))
    own, other = [" ".join(card.name for card in player.hand()) for player in state.players]
    assert own in whole
    assert other in whole
    assert own in seen
    assert other not in seen
    assert f"hand     {len(state.players[1].hand())} card" in seen
    assert own not in spectator
    assert "?" in seen
    assert "?" not in whole


def test_a_table_shows_everything_on_it() -> None:
    state = late(full("combined"), "told")
    drawn = draw_table(state, ["Ana", "Ben"])
    tiles = [t for t in (*state.yard, *state.huts, *state.tray, *state.players[0].reserve) if t is not None]
    assert state.dirk is not None
    for t in (*tiles, *state.dirk.tiles):
        assert t.name in drawn
    for word in ("Ana: ", "Ben: ", "Dirk: ", "marker", "vizier", "bonus", "display", "discards", "gulden y"):
        assert word in drawn


def test_names_must_fit_the_seats() -> None:
    with pytest.raises(ValueError, match="2 names are given for 3 players"):
        draw_table(position("alhambra", 3), ["Ana", "Ben"])
    assert "A B" in draw_table(position("alhambra", 2), ["A\nB", "C"])
