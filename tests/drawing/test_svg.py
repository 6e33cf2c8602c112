"""SVG pictures: well-formed, self-contained, reproducible, and readable without colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from granada import NOBODY, City, Options, State, load, new_city, tile
from granada.drawing import artwork, paint, palette, svg_city, svg_table, svg_tile
from granada.drawing.speech import ENGLISH, Speech
from granada.locales import LANGUAGES, catalogue
from granada.rules import pictures
from granada.rules.money import card
from granada.rules.options import EDITIONS
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, STARTS, TYPES
from tests.kit import all_options, build, module_sets, plies

SVG = "{http://www.w3.org/2000/svg}"


def late(options: Options, seed: object, turns: int = 150) -> State:
    """Return a random game at a late stage, when cities, reserves and hands are full."""
    return [state for state, _ in plies(options, seed, turns)][-1]


def combined_with_all(players: int = 2) -> State:
    return late(Options("combined", players, module_sets("combined")[-1]), "all")


def read(svg: str) -> ElementTree.Element:
    """Return the parsed picture after checking what must be true for every picture."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    for part in ("title", "desc"):
        found = root.find(f"{SVG}{part}")
        assert found is not None
        assert found.text
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)) <= {(i, "") for i in ids} | {("", i) for i in ids}
    assert "var(" not in svg
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def uses(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return how often a symbol is used in the picture itself, not in definitions."""
    defined = {id(element) for defs in root.iter(f"{SVG}defs") for element in defs.iter()}
    found = [element for element in root.iter(f"{SVG}use") if element.get("href") == f"#{name}"]
    return [element for element in found if id(element) not in defined]


# Tiles ----------------------------------------------------------------------------------------------------------------


def test_every_tile_has_a_picture_that_names_it() -> None:
    box = load()
    for face in (*box.alhambra, *box.granada, *[t.back for t in box.granada if t.back], *box.huts):
        root = read(svg_tile(face))
        edges = uses(root, "wall-n" if face.kind == ALHAMBRA else "moat-n")
        assert len(edges) == face.walls.bit_count()
        words = " ".join(texts(root))
        assert ENGLISH.type(face.type) in words
        assert face.is_hut or str(face.price) in words
        if face.back is not None:
            assert f"{face.back.price} {ENGLISH.type(face.back.type)}" in words
    for start in STARTS:
        assert uses(read(svg_tile(start)), start.name)


def test_a_small_tile_shows_price_and_icon() -> None:
    root = read(svg_tile(tile("garden-8-NW"), 48))
    assert texts(root) == ["8"]
    assert uses(root, "icon-garden")


def test_edges_are_turned_to_their_sides() -> None:
    root = read(svg_tile(tile("garden-8-NW"), 100))
    assert [use.get("transform") for use in uses(root, "wall-n")] == [None, "rotate(270 50 50)"]


def test_roofs_of_huts_have_the_colour_of_their_type() -> None:
    assert palette.TYPE_COLOURS[TYPES.index("garden")][0] in svg_tile(tile("hut-garden-N"))


def test_the_artwork_has_all_scenes_and_icons() -> None:
    for type_, name in enumerate(TYPES):
        assert f'id="tile-{name}"' in artwork.definitions([artwork.scene(type_, False), f"icon-{name}"])


def test_symbols_bring_what_they_refer_to() -> None:
    assert 'id="part-lion"' in artwork.definitions(["start-alhambra"])
    assert 'id="back-card"' in artwork.definitions(["deck"])


def test_tiles_in_words() -> None:
    assert ENGLISH.tile(tile("garden-8-NW")) == "Garden 8, walls north west"
    assert ENGLISH.tile(tile("school-11")).startswith("School 11, moat north, reverse: ")
    assert ENGLISH.tile(tile("hut-tower-E")) == "Tower hut, wall east"
    assert ENGLISH.tile(tile("tower-11")) == "Tower 11, no wall"
    assert ENGLISH.tile(STARTS[1]) == "starting tile of Granada"
    assert Speech("de").tile(tile("garden-8-NW")) == "Garten 8, Mauern Nord West"
    assert Speech("de").tile(STARTS[0]) == "Startplättchen von Alhambra"


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["1 florin (y1)", "3 florins (y3)", "1 ducat (o1)", "9 ducats (o9)"]),
        ("de", ["1 Gulden (y1)", "3 Gulden (y3)", "1 Dukat (o1)", "9 Dukaten (o9)"]),
        ("fr", ["1\u00a0florin (y1)", "3\u00a0florins (y3)", "1\u00a0ducat (o1)", "9\u00a0ducats (o9)"]),
        ("nl", ["1 gulden (y1)", "3 gulden (y3)", "1 dukaat (o1)", "9 dukaten (o9)"]),
        ("hu", ["1 gulden (y1)", "3 gulden (y3)", "1 dukát (o1)", "9 dukát (o9)"]),
    ],
)
def test_money_in_words(language: str, texts: list[str]) -> None:
    assert [Speech(language).card(card(name)) for name in ("y1", "y3", "o1", "o9")] == texts


# Cities ---------------------------------------------------------------------------------------------------------------


def cities(edition: str) -> Iterator[City]:
    for player in late(Options(edition, 2), "cities").players:
        yield player.city


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_city_shows_its_tiles_and_its_longest_walls(edition: str) -> None:
    for city in cities(edition):
        root = read(svg_city(city))
        lengths = [city.stretch(what) for what in (WALL, MOAT, RUN)]
        assert len(uses(root, "trace-n")) == lengths[WALL] + lengths[MOAT]
        assert len(uses(root, "run-n")) == 2 * lengths[RUN]
        for word, length in zip(("Wall", "Moat", "Wall + moat"), lengths, strict=True):
            assert (f"{word} {length}" in texts(root)) == bool(length)
        scenes = [use for name in TYPES for use in uses(root, f"tile-{name}")]
        assert len(scenes) + 1 == len(city.places)


def test_inner_walls_are_faint_and_walls_along_moats_are_not() -> None:
    city = build(new_city(ALHAMBRA), "tower-9-ES at 1,0", "school-11 at 1,1", "garden-8-NW at 2,0")
    root = read(svg_city(city))
    assert [use.get("opacity") for use in uses(root, "wall-n")] == ["0.38", None, None, "0.38"]
    assert [use.get("opacity") for use in uses(root, "moat-n")] == [None]


def test_free_cells_can_be_marked() -> None:
    city = new_city(ALHAMBRA)
    root = read(svg_city(city, marks=dict.fromkeys(city.cells_for(tile("tower-11")), "5.2")))
    assert texts(root).count("5.2") == 4


# Tables ---------------------------------------------------------------------------------------------------------------


def test_a_late_table_names_all_types() -> None:
    words = texts(read(svg_table(combined_with_all())))
    assert {ENGLISH.type(type_) for type_ in range(len(TYPES))} <= set(words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_speaks_one_language(language: str) -> None:
    state = combined_with_all()
    svg = svg_table(state, ["Ana", "Ben"], language)
    root = read(svg)
    assert root.get("lang") == language
    said = {*texts(root), *[title.text for title in root.iter(f"{SVG}title")]}
    assert {Speech(language).type(type_) for type_ in range(len(TYPES))} <= said
    assert {Speech(language).say(f"picture.{word}") for word in ("yard", "display", "majorities", "huts")} <= said
    # No English words are left, except those that are the same in both languages.
    english = {one for one in texts(read(svg_table(state, ["Ana", "Ben"]))) if re.search(r"[a-z]{2}", one)}
    own = {text for one in catalogue(language).values() for text in ([one] if isinstance(one, str) else one.values())}
    assert english & set(texts(root)) <= own | {"Ana", "Ben"} or language == "en"
    read(svg_city(state.players[0].city, language=language))
    read(svg_tile(tile("garden-8-NW"), language=language))


def test_panels_do_not_overlap() -> None:
    for options in all_options()[::5]:
        root = read(svg_table(late(options, "panels", 30)))
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        boxes = [
            (float(r.get("x", 0)), float(r.get("y", 0)), float(r.get("width", 0)), float(r.get("height", 0)))
            for r in root.iter(f"{SVG}rect")
            if r.get("fill") == palette.PANEL
        ]
        assert len(boxes) == 3 + options.players + (options.players == 2)
        for i, (x, y, w, h) in enumerate(boxes):
            assert x >= 0
            assert y >= 0
            assert x + w <= width
            assert y + h <= height
            for x2, y2, w2, h2 in boxes[:i]:
                assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_a_state_shows_all_hands_and_a_view_hides_them() -> None:
    state = combined_with_all()
    whole, seen = svg_table(state), svg_table(state.view(1), ["Ana", "Ben"])
    backs = len(uses(read(whole), "back-card"))
    hidden = len(state.players[0].hand()) + len(state.players[0].bonus)
    known = len([card for card in state.players[0].bonus if card in state.players[0].seen_bonus])
    assert len(uses(read(seen), "back-card")) == backs + hidden - known
    assert "Ana" in texts(read(seen))
    read(svg_table(state.view(NOBODY)))


def test_pictures_are_the_same_every_time() -> None:
    state = combined_with_all(3)
    assert svg_table(state) == svg_table(state.copy())
    assert svg_city(state.players[0].city) == svg_city(state.players[0].city)


def test_names_cannot_break_a_picture() -> None:
    state = late(Options("granada", 2), "names", 5)
    root = read(svg_table(state, ["<b>&\x00\ud800", "A very long name that would not fit beside the points" * 3]))
    words = texts(root)
    assert any(word.startswith("<b>&") for word in words)
    assert any(word.endswith("…") for word in words)


def test_everything_that_a_notebook_shows_can_be_painted() -> None:
    state = late(Options("alhambra", 3), "notebook", 5)
    for piece in (tile("tower-11"), state.players[0].city, state, state.view(0)):
        read(paint(piece))
        assert pictures.svg_of(piece) == paint(piece)
    with pytest.raises(TypeError, match="no picture of a str"):
        paint("tower-11")
