"""Chapter 1: the components of the box, and invalid lists of components."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from granada import BadComponents, NotationError, Options, Tile, card, load, new_game, tile
from granada.rules.components import standard
from granada.rules.tiles import GRANADA_TYPES
from tests.kit import (
    all_cards,
    announce,
    deck,
    display,
    hand,
    luck,
    offers,
    play,
    position,
    refusal,
    reserve,
    rule,
    yard,
)

ALHAMBRA_FACTS = [
    ("pavilion", 7, 2, 8),
    ("seraglio", 7, 3, 9),
    ("arcades", 9, 4, 10),
    ("chambers", 9, 5, 11),
    ("garden", 11, 6, 12),
    ("tower", 11, 7, 13),
]
HUT_FACTS = {"pavilion": 3, "seraglio": 3, "arcades": 4, "chambers": 4, "garden": 5, "tower": 5}


# 1.1, 1.2 -------------------------------------------------------------------------------------------------------------


@rule("1.1")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_1_1_four_currencies_of_nine_values_three_times_each(players: int) -> None:
    money = all_cards(new_game(Options("alhambra", players), luck(players)))
    del money["A"], money["B"]
    assert money == {f"{letter}{value}": 3 for letter in "ygbo" for value in range(1, 10)}
    assert money.total() == 108


@rule("1.1")
@pytest.mark.parametrize("name", ["y0", "y10", "r3", "y", "3", "", "Y3"])
def test_1_1_there_is_no_other_money(name: str) -> None:
    with pytest.raises(NotationError, match=r"1\.1"):
        card(name)


@rule("1.2")
def test_1_2_one_score_card_a_one_b_and_none_for_c() -> None:
    found = all_cards(new_game(Options("granada", 4), luck("score cards")))
    assert (found["A"], found["B"], found["C"]) == (1, 1, 0)
    with pytest.raises(NotationError):
        card("C")


# 1.3, 1.4 -------------------------------------------------------------------------------------------------------------


@rule("1.3")
@pytest.mark.parametrize(("type_name", "count", "lowest", "highest"), ALHAMBRA_FACTS)
def test_1_3_counts_and_prices_of_alhambra(type_name: str, count: int, lowest: int, highest: int) -> None:
    prices = [tile.price for tile in standard().alhambra if tile.type_name == type_name]
    assert (len(prices), min(prices), max(prices)) == (count, lowest, highest)


@rule("1.3")
def test_1_3_walls_of_alhambra() -> None:
    tiles = standard().alhambra
    assert len({tile.name for tile in tiles}) == 54
    walls = [tile.walls.bit_count() for tile in tiles]
    assert walls.count(0) == 10
    assert max(walls) == 3


@rule("1.4")
def test_1_4_each_granada_type_shows_each_price_once() -> None:
    tiles = standard().granada
    assert len(tiles) == 54
    faces = Counter([(face.type_name, face.price) for one in tiles for face in (one, back_of(one))])
    assert faces == {(type_name, price): 1 for type_name in GRANADA_TYPES for price in range(2, 14)}
    assert len(GRANADA_TYPES) == 9


@rule("1.4")
def test_1_4_two_faces_of_a_tile() -> None:
    for even in standard().granada:
        odd = back_of(even)
        assert even.price % 2 == 0
        assert odd.price == even.price + 1
        assert odd.type != even.type
        assert odd.walls == even.walls
        assert odd.walls.bit_count() <= 3
        assert odd.back is even


@rule("1.4")
@pytest.mark.parametrize(("one", "other"), [("arena", "hospital"), ("library", "district")])
def test_1_4_printed_pairs(one: str, other: str) -> None:
    assert {one, other} in [{even.type_name, back_of(even).type_name} for even in standard().granada]


def back_of(face: Tile) -> Tile:
    assert face.back is not None
    return face.back


# Custom lists ---------------------------------------------------------------------------------------------------------


def shipped(name: str) -> list[str]:
    return (resources.files("granada") / "data" / name).read_text("utf-8").splitlines()


def changed(name: str, changes: dict[int, str | None]) -> str:
    """Return the shipped list with some lines (counted from 1) replaced or left out."""
    lines = [changes.get(number, line) for number, line in enumerate(shipped(name), start=1)]
    return "\n".join([line for line in lines if line is not None]) + "\n"


def granada_list(folder: Path, changes: dict[int, str | None]) -> Path:
    path = folder / "my_granada.csv"
    path.write_text(changed("granada_tiles.csv", changes), "utf-8")
    return path


def hut_list(folder: Path, changes: dict[int, str | None]) -> Path:
    path = folder / "my_huts.csv"
    path.write_text(changed("huts.csv", changes), "utf-8")
    return path


def line_of(name: str, start: str) -> int:
    """Return the number of the line that starts with a prefix."""
    return 1 + [line.startswith(start) for line in shipped(name)].index(True)


BAD_GRANADA_LINES = {
    "wrong header": (1, "price,even_type,odd_type,moats", "even_price,even_type,odd_type,moats"),
    "unknown type": (2, "2,castle,bath_house,NES", "castle"),
    "Alhambra type": (2, "2,arena,tower,NES", "tower"),
    "no number": (2, "two,arena,bath_house,NES", "two"),
    "negative price": (2, "-2,arena,bath_house,NES", "-2"),
    "odd price": (2, "3,arena,bath_house,NES", "1.4"),
    "price too low": (2, "0,arena,bath_house,NES", "1.4"),
    "price too high": (2, "14,arena,bath_house,NES", "1.4"),
    "huge price": (2, f"{'2' * 5000},arena,bath_house,NES", "is not a price"),
    "edges out of order": (3, "2,bath_house,library,EN", "EN"),
    "edge twice": (3, "2,bath_house,library,NN", "NN"),
    "unknown edge": (3, "2,bath_house,library,NX", "NX"),
    "small letters": (3, "2,bath_house,library,ne", "ne"),
    "four moats": (3, "2,bath_house,library,NESW", "three"),
    "field missing": (4, "2,library,hostel", "4 fields"),
    "field too many": (4, "2,library,hostel,SW,SW", "4 fields"),
    "same type on both faces": (5, "2,hostel,hostel,NEW", "different types (1.4)"),
    "face twice": (3, "2,arena,library,NE", "arena-2"),
    "row twice": (3, "2,arena,bath_house,NES", "arena-2"),
}


@rule("1.4")
@pytest.mark.parametrize(("number", "line", "word"), BAD_GRANADA_LINES.values(), ids=BAD_GRANADA_LINES)
def test_1_4_a_bad_line_is_refused(tmp_path: Path, number: int, line: str, word: str) -> None:
    path = granada_list(tmp_path, {number: line})
    with pytest.raises(BadComponents) as caught:
        load(granada_tiles=path)
    assert str(caught.value).startswith(f"{path}, line {number}: ")
    assert word in str(caught.value)


@rule("1.4")
def test_1_4_missing_rows_are_refused(tmp_path: Path) -> None:
    path = granada_list(tmp_path, {7: None})
    with pytest.raises(BadComponents) as caught:
        load(granada_tiles=path)
    assert str(caught.value) == f"{path}: there are 54 Granada tiles, not 53 (1.4)"


@rule("1.4")
def test_1_4_a_list_without_a_printed_pair_is_refused(tmp_path: Path) -> None:
    first, second = (line_of("granada_tiles.csv", start) for start in ("12,library,district", "12,hostel,arena"))
    path = granada_list(tmp_path, {first: "12,library,arena,N", second: "12,hostel,district,E"})
    with pytest.raises(BadComponents) as caught:
        load(granada_tiles=path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "library and district" in str(caught.value)
    assert "1.4" in str(caught.value)


@rule("1.4")
def test_1_4_another_list_that_keeps_the_printed_facts_is_played(tmp_path: Path) -> None:
    first, second = (line_of("granada_tiles.csv", start) for start in ("8,arena,school", "8,market,hostel"))
    own = load(granada_tiles=granada_list(tmp_path, {first: "8,arena,hostel,NEW", second: "8,market,school,"}))
    assert back_of(own.tile("arena-8")).name == "hostel-9"
    assert own.tile("hostel-9").walls.bit_count() == 3
    assert tile("arena-8").back is tile("school-9")  # the standard components are unchanged
    state = new_game(Options("granada", 3, components=own), luck("own list"))
    assert own.tile("arena-8") in [*state.bags[0], *state.yard]
    assert tile("arena-8") not in [*state.bags[0], *state.yard]


@rule("1.4")
def test_1_4_line_ends_and_empty_lines_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "windows.csv"
    path.write_bytes("\r\n".join([*shipped("granada_tiles.csv"), "", ""]).encode())
    assert [one.name for one in load(granada_tiles=str(path)).granada] == [one.name for one in standard().granada]


@rule("1.4", "1.8")
@pytest.mark.parametrize("which", ["granada_tiles", "huts"])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        (b"\xff\xfe2\x00", "UTF-8"),
        (b"", "line 1"),
        (b"\n", "line 1"),
        (b"x" * 200_000, "line 1"),
    ],
    ids=["missing file", "not UTF-8", "empty", "empty line", "no table"],
)
def test_1_4_a_file_without_a_list_is_refused(tmp_path: Path, which: str, content: bytes | None, reason: str) -> None:
    path = tmp_path / "list.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadComponents) as caught:
        load(**{which: path})
    assert str(path) in str(caught.value)
    assert reason in str(caught.value)


@rule("1.4")
def test_1_4_a_folder_is_not_a_list(tmp_path: Path) -> None:
    with pytest.raises(BadComponents, match="cannot read"):
        load(granada_tiles=tmp_path)


BAD_HUT_LINES = {
    "wrong header": (1, "type,wall", "type,walls"),
    "unknown type": (2, "castle,N", "castle"),
    "Granada type": (2, "arena,N", "arena"),
    "no wall": (2, "pavilion,", "1.8"),
    "four walls": (2, "pavilion,NESW", "three"),
    "bad edges": (2, "pavilion,WN", "WN"),
    "field missing": (2, "pavilion", "2 fields"),
}


@rule("1.8")
@pytest.mark.parametrize(("number", "line", "word"), BAD_HUT_LINES.values(), ids=BAD_HUT_LINES)
def test_1_8_a_bad_line_is_refused(tmp_path: Path, number: int, line: str, word: str) -> None:
    path = hut_list(tmp_path, {number: line})
    with pytest.raises(BadComponents) as caught:
        load(huts=path)
    assert str(caught.value).startswith(f"{path}, line {number}: ")
    assert word in str(caught.value)


@rule("1.8")
@pytest.mark.parametrize("change", [None, "garden,N"], ids=["missing row", "wrong type"])
def test_1_8_wrong_counts_are_refused(tmp_path: Path, change: str | None) -> None:
    path = hut_list(tmp_path, {2: change})
    with pytest.raises(BadComponents) as caught:
        load(huts=path)
    assert str(caught.value) == f"{path}: there are 3 huts of type pavilion (1.8)"


@rule("1.8")
def test_1_8_other_walls_are_accepted_and_huts_may_be_equal(tmp_path: Path) -> None:
    own = load(huts=hut_list(tmp_path, {2: "pavilion,NES", 3: "pavilion,NES"}))
    assert [hut.name for hut in own.huts[:2]] == ["hut-pavilion-NES", "hut-pavilion-NES"]
    assert own.tile("hut-pavilion-NES").is_hut


# 1.5 to 1.8 -----------------------------------------------------------------------------------------------------------


@rule("1.5")
@pytest.mark.parametrize("edition", ["alhambra", "granada"])
def test_1_5_one_start_tile_a_player_without_walls(edition: str) -> None:
    state = new_game(Options(edition, 6), luck(edition))
    for player in state.players:
        (start,) = player.city.tiles()
        assert (start.name, start.walls, start.is_start) == (f"start-{edition}", 0, True)


@rule("1.5")
def test_1_5_the_start_tile_is_never_removed_or_swapped() -> None:
    state = position()
    reserve(state, 0, "pavilion-8")
    assert offers(state, "remove") == offers(state, "swap") == []
    assert refusal(state, "remove 0,0") == "1.5"
    assert refusal(state, "swap pavilion-8 at 0,0") == "1.5"


@rule("1.6")
def test_1_6_one_exchange_card_for_each_pair_of_currencies() -> None:
    found = all_cards(new_game(Options("alhambra", 3, ("exchange",)), luck("exchange")))
    pairs = {name: count for name, count in found.items() if len(name) == 2 and name.isalpha()}
    assert pairs == {"yg": 1, "yb": 1, "yo": 1, "gb": 1, "go": 1, "bo": 1}
    assert found.total() == 108 + 2 + 6


@rule("1.7")
def test_1_7_a_bonus_card_for_each_tile_without_a_wall() -> None:
    cards = standard().bonus
    assert len(cards) == 10
    assert set(cards) == {one for one in standard().alhambra if one.walls == 0}


@rule("1.8")
def test_1_8_huts() -> None:
    huts = standard().huts
    assert Counter([hut.type_name for hut in huts]) == HUT_FACTS
    assert len(huts) == 24
    assert {hut.walls.bit_count() for hut in huts} <= {1, 2, 3}
    assert all([hut.is_hut for hut in huts])


# 1.9, 1.10 ------------------------------------------------------------------------------------------------------------


@rule("1.9")
@pytest.mark.parametrize("turns", [0, 7])
def test_1_9_each_space_is_bound_to_one_currency_for_the_whole_game(turns: int) -> None:
    state = position(players=4)
    for _ in range(turns):
        play(state, offers(state, "take")[0])
    seat = state.seat
    yard(state, "garden-8-NE", "tower-9-ES", "chambers-7-NE", "arcades-6-NE")
    hand(state, seat, "y9 g9 b9 o9")
    assert offers(state, "buy") == [
        "buy garden-8-NE with y9",
        "buy tower-9-ES with g9",
        "buy chambers-7-NE with b9",
        "buy arcades-6-NE with o9",
    ]


@rule("1.9")
def test_1_9_the_display_has_room_for_four_cards() -> None:
    state = position()
    assert len(state.display) == 4
    display(state, "y1 y2")
    deck(state, "g1 g2 g3 g4 g5 g6")
    play(state, "take y1")
    assert [card.name for card in state.display] == ["y2", "g1", "g2", "g3"]


@rule("1.9")
def test_1_9_a_reserve_has_no_limit() -> None:
    state = position()
    reserve(state, 0, *[one.name for one in standard().alhambra if one.name != "tower-7-NEW"])
    yard(state, "tower-7-NEW")
    hand(state, 0, "y8")
    play(state, "buy tower-7-NEW with y8", "reserve tower-7-NEW")
    assert len(state.players[0].reserve) == 54


@rule("1.10")
def test_1_10_the_marker_says_which_parity_is_dealt_next() -> None:
    state = position("granada")
    announce(state)  # no score card in between
    for parity in (1, 0, 1):
        assert state.marker == parity
        seat = state.seat
        yard(state, "arena-2")
        hand(state, seat, "y3")
        play(state, "buy arena-2 with y3", "reserve arena-2")
        dealt = state.yard[0]
        assert dealt is not None
        assert dealt.price % 2 == parity
