"""Chapter 5: the building rules. In drawings, x marks cells to build on, and tiles that may be swapped or removed."""

from __future__ import annotations

import pytest

from granada import City, is_lawful, new_city, tile
from granada.drawing.text import parse_city
from granada.rules.cells import parse_cell
from granada.rules.tiles import ALHAMBRA, GRANADA
from tests.kit import (
    build,
    offers,
    picture,
    placing,
    position,
    refusal,
    reserve,
    rule,
    what_to_remove,
    where_to_build,
    where_to_swap,
)


def broken_rule(city: City, text: str) -> str:
    """Return the rule that forbids building a tile, given as `garden-8-NW at 1,0`, and check it with `is_lawful`."""
    name, _, where = text.partition(" at ")
    number = city.verdict(tile(name), parse_cell(where)).rule
    assert is_lawful(city)
    assert is_lawful(build(city, text)) == (not number)
    return number


# 5.1 ------------------------------------------------------------------------------------------------------------------


@rule("5.1")
def test_5_1_no_rotation() -> None:
    # If it could be rotated, a tile with two walls would fit on each side of the start tile.
    drawing = """
            x
        +.......+
        : start :   x
        +.......+
    """
    assert where_to_build("arcades-6-NE", drawing) == picture(drawing)


@rule("5.1")
def test_5_1_three_walls_leave_one_place() -> None:
    drawing = """
        +.......+
    x   : start :
        +.......+
    """
    assert where_to_build("chambers-5-NSW", drawing) == picture(drawing)


# 5.2 ------------------------------------------------------------------------------------------------------------------


@rule("5.2")
def test_5_2_an_open_edge_does_not_touch_a_wall() -> None:
    drawing = """
            x
        +.......+#######+
    x   : start : gar 10:   x
        +.......+.......+
            x       x
    """
    assert where_to_build("pavilion-8", drawing) == picture(drawing)
    assert broken_rule(parse_city(drawing), "pavilion-8 at 1,-1") == "5.2"


@rule("5.2")
def test_5_2_wall_to_wall_if_there_is_a_way_round() -> None:
    # Garden 10 N fits below the wall of chambers 9, but not below the start tile.
    drawing = """
            x       x
        +.......+.......+
    x   : arc 9 : cha 9 :   x
        +.......+#######+
    x   : start :   x
        +.......+
    """
    assert where_to_build("garden-10-N", drawing) == picture(drawing)
    city = parse_city(drawing)
    assert broken_rule(city, "garden-10 at 1,0") == "5.2"
    assert broken_rule(city, "garden-10-N at 0,1") == "5.2"


@rule("5.2")
def test_5_2_all_touching_edges() -> None:
    drawing = """
        +.......+.......+
        : arc 9 : cha 10:
        +.......+.......+
        : start :
        +.......+
    """
    city = parse_city(drawing)
    assert broken_rule(city, "seraglio-7-W at 1,0") == "5.2"
    assert broken_rule(city, "garden-10-N at 1,0") == "5.2"
    assert broken_rule(city, "garden-9-E at 1,0") == ""


@rule("5.2")
@pytest.mark.parametrize(
    ("name", "drawing"),
    [
        (
            "hospital-10",  # a moat in the south
            """
        +.......+~~~~~~~+
    x   : start : lib 12:   x
        +.......+.......+
            x       x
            """,
        ),
        (
            "market-10",  # a moat in the north
            """
            x
        +.......+~~~~~~~+
    x   : start : lib 12:   x
        +.......+.......+
            """,
        ),
    ],
)
def test_5_2_moats_are_like_walls(name: str, drawing: str) -> None:
    assert where_to_build(name, drawing, GRANADA) == picture(drawing, GRANADA)


# 5.3, 5.4 -------------------------------------------------------------------------------------------------------------


@rule("5.3")
def test_5_3_printed_example_a_tower_behind_a_wall() -> None:
    city = parse_city(
        """
        +.......+#######+
        : start : arc 8 :
        +.......+.......+
        """
    )
    assert broken_rule(city, "tower-11-S at 1,-1") == "5.3"


@rule("5.3")
def test_5_3_the_way_may_be_long() -> None:
    # Tower 11 touches the row of the start tile only with its wall, but can be reached around the corner.
    drawing = """
        +.......+
        : pav 8 :
        +.......+#######+
        : start : arc 8 :
        +.......+.......+
    """
    city = parse_city(drawing)
    assert broken_rule(city, "tower-11-S at 1,-1") == ""
    assert broken_rule(city, "chambers-7-SW at 1,-1") == "5.2"


@rule("5.3")
def test_5_3_in_granada_over_moats() -> None:
    city = parse_city(
        """
        +.......+~~~~~~~+
        : start : lib 12:
        +.......+.......+
        """,
        kind=GRANADA,
    )
    assert broken_rule(city, "bath_house-10 at 1,-1") == "5.3"


@rule("5.4")
def test_5_4_a_corner_is_not_enough() -> None:
    drawing = """
            x
        +.......+
    x   : start :   x
        +.......+
            x
    """
    assert where_to_build("garden-10", drawing) == picture(drawing)
    city = parse_city(drawing)
    for corner in ("1,1", "1,-1", "-1,1", "-1,-1"):
        assert city.verdict(tile("garden-10"), parse_cell(corner)).rule == "5.4"


@rule("5.4")
@pytest.mark.parametrize("where", ["2,0", "0,-2", "60,60", "111,-111"])
def test_5_4_not_away_from_the_city(where: str) -> None:
    state = placing(position(), "garden-10")
    assert refusal(state, f"place garden-10 at {where}") == "5.4"


@rule("5.4")
def test_5_4_not_on_an_occupied_cell() -> None:
    state = placing(position(), "garden-10")
    assert refusal(state, "place garden-10 at 0,0") == "5.4"


# 5.5 ------------------------------------------------------------------------------------------------------------------


@rule("5.5")
def test_5_5_no_holes() -> None:
    # The worked example: arcades 8 E at 1,1 would enclose 0,1, although 1,0 at its corner is free.
    drawing = """
            x       x
        +.......+.......+
        # cha 9 : start :   x
        +.......+.......+
        : arc 9 :   x
        +.......+.......+.......+
        : tow 11: ser 8 : ser 6 #
        +#######+#######+#######+
    """
    assert where_to_build("arcades-8-E", drawing) == picture(drawing)
    city = parse_city(drawing)
    built = build(
        new_city(ALHAMBRA),
        "chambers-9-W at -1,0",
        "arcades-9 at -1,1",
        "tower-11-S at -1,2",
        "seraglio-8-S at 0,2",
        "seraglio-6-ES at 1,2",
    )
    assert city == built
    assert broken_rule(city, "arcades-8-E at 1,1") == "5.5"


@rule("5.5")
def test_5_5_the_same_place_is_free_before_the_ring_is_nearly_closed() -> None:
    city = parse_city(
        """
        +.......+
        : start :
        +.......+
        : gar 10:
        +.......+.......+
        : ser 8 : ser 6 #
        +#######+#######+
        """
    )
    assert broken_rule(city, "arcades-8-E at 1,1") == ""


@rule("5.5")
def test_5_5_holes_of_any_size() -> None:
    drawing = """
        +.......+.......+.......+
        : start : pav 8 : ser 9 :
        +.......+.......+.......+
                        : arc 9 :
+.......+.......+.......+.......+
: cha 11: cha 10: arc 10: gar 10:
+.......+.......+.......+.......+
    """
    city = parse_city(drawing)
    # Two cells south of the start tile are still open to the west.
    assert broken_rule(city, "tower-12 at -1,1") == "5.5"
    assert broken_rule(city, "tower-12 at 0,1") == "5.5"
    assert broken_rule(city, "tower-12 at 1,1") == ""
    filled = build(city, "tower-12 at 1,1")
    assert broken_rule(filled, "tower-11 at -1,1") == "5.5"
    assert broken_rule(filled, "tower-11 at 0,1") == ""


@rule("5.5")
def test_5_5_a_bay_is_not_a_hole() -> None:
    drawing = """
            x       x       x
        +.......+.......+.......+
    x   : start : pav 8 : ser 9 :   x
        +.......+.......+.......+
    x   : arc 9 :   x   : arc 10:   x
        +.......+       +.......+
            x               x
    """
    # Only the cell that would close the bay is missing.
    assert where_to_build("tower-12", drawing) == picture(drawing)


# 5.6 ------------------------------------------------------------------------------------------------------------------


@rule("5.6")
def test_5_6_removing_makes_no_hole() -> None:
    drawing = """
        +.......+.......+.......+
        : start : pav 8x: ser 9x:
        +.......+.......+.......+
        :arc 9 x: arc 10:cha 10x:
        +.......+.......+.......+
        :cha 11x:gar 10x:gar 11x:
        +.......+.......+.......+
    """
    assert what_to_remove(drawing) == picture(drawing)
    state = position()
    state.players[0].city = parse_city(drawing)
    assert refusal(state, "remove 1,1") == "5.5"
    assert refusal(state, "remove 0,0") == "1.5"
    assert len(offers(state, "remove")) == 7


@rule("5.6")
def test_5_6_removing_keeps_everything_in_one_piece() -> None:
    drawing = """
        +.......+.......+.......+
        : start : pav 8 :ser 9 x:
        +.......+.......+.......+
                : arc 9x:
                +.......+
    """
    assert what_to_remove(drawing) == picture(drawing)
    state = position()
    state.players[0].city = parse_city(drawing)
    assert refusal(state, "remove 1,0") == "5.6"


@rule("5.6")
def test_5_6_removing_keeps_everything_within_reach_on_foot() -> None:
    # Seraglio 7 can be reached only over pavilion 8: garden 9 is behind a wall.
    drawing = """
        +.......+.......+
        : start : pav 8 :
        +.......+.......+
        :gar 9 x#ser 7 x:
        +.......+.......+
    """
    assert what_to_remove(drawing) == picture(drawing)
    state = position()
    state.players[0].city = parse_city(drawing)
    assert refusal(state, "remove 1,0") == "5.3"


@rule("5.6")
def test_5_6_swapping_keeps_the_edges_matching() -> None:
    # Garden 10 W fits where there is no tile to the west.
    drawing = """
        +.......+.......+
        :arc 9 x: pav 8 :
        +.......+.......+
        : start :
        +.......+
    """
    assert where_to_swap("garden-10-W", drawing) == picture(drawing)
    state = position()
    state.players[0].city = parse_city(drawing)
    reserve(state, 0, "garden-10-W")
    assert refusal(state, "swap garden-10-W at 1,-1") == "5.2"
    assert refusal(state, "swap garden-10-W at 0,0") == "1.5"
    assert offers(state, "swap") == ["swap garden-10-W at 0,-1"]


@rule("5.6")
def test_5_6_a_swap_may_bring_new_outer_walls() -> None:
    city = parse_city(
        """
        +.......+.......+
        : start : pav 8 :
        +.......+.......+
        """
    )
    swapped = city.swap(tile("arcades-4-NES"), parse_cell("1,0"))
    assert is_lawful(swapped)
    assert swapped == parse_city(
        """
        +.......+#######+
        : start : arc 4 #
        +.......+#######+
        """
    )
    assert city.swap_verdict(tile("arcades-4-NES"), parse_cell("1,0"))
