"""docs/notation.md: reading and writing records; errors name the line and the reason."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache

import pytest

from granada import (
    BadOptions,
    Options,
    Record,
    RecordError,
    RecordLines,
    Replay,
    State,
    event_text,
    new_game,
    parse_action,
    replay,
    tile,
)
from granada.records.replay import follow
from granada.rules.components import standard
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA
from tests.kit import all_options, luck, module_sets, offers, recorded, rule

ALL = Options("combined", 2, module_sets("combined")[-1])


# Records to damage ----------------------------------------------------------------------------------------------------


@cache
def played(options: Options, seed: int = 1) -> str:
    """Return the record of a finished random game."""
    record, state = recorded(options, seed, 3000)
    assert state.is_over
    return str(record)


def alhambra(players: int = 3, *modules: str) -> str:
    return played(Options("alhambra", players, modules))


def number_of(text: str, pattern: str, nth: int = 0) -> int:
    """Return the number of the n-th line that matches a pattern."""
    found = [number for number, line in enumerate(text.split("\n"), 1) if re.match(pattern, line)]
    return found[nth]


def line(text: str, number: int) -> str:
    return text.split("\n")[number - 1]


def replaced(text: str, number: int, *new: str) -> str:
    """Return the text with one line replaced by others."""
    lines = text.split("\n")
    lines[number - 1 : number] = new
    return "\n".join(lines)


def wrong_line(text: str, partial: bool = False) -> int | None:
    """Return the number of the line at which a record is rejected, or None."""
    try:
        replay(text, partial=partial)
    except RecordError as error:
        return error.line
    return None


def refused(text: str, number: int, reason: str = ".", partial: bool = False) -> None:
    """Assert that a record is rejected at a line, for a reason that matches."""
    with pytest.raises(RecordError, match=reason) as caught:
        replay(text, partial=partial)
    assert (caught.value.line, str(caught.value)) == (number, f"line {number}: {caught.value.reason}")


def refused_instead(text: str, pattern: str, new: str, reason: str, nth: int = 0) -> None:
    """Assert that a record is rejected after replacing the n-th line that matches a pattern."""
    number = number_of(text, pattern, nth)
    assert line(text, number) != new
    refused(replaced(text, number, new), number, reason)


# Round trips ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", all_options()[::5], ids=repr)
def test_what_is_written_is_read_again(options: Options) -> None:
    record, state = recorded(options, "round trip", 600)
    reading = replay(str(record), partial=not state.is_over)
    assert reading.state.key() == state.key()
    assert [repr(row) for row in reading.state.rows] == [repr(row) for row in state.rows]
    assert str(reading.record) == str(record)
    assert reading.record.options == options


@pytest.mark.parametrize("edition", ["granada", "combined"])
def test_simplified_scoring_and_ages_are_read_again(edition: str) -> None:
    options = Options(edition, 3, ["vizier"], "simplified", [31, 30, 29])
    record, state = recorded(options, 2, 3000)
    reading = replay(str(record))
    assert reading.record.options == options
    assert reading.state.key() == state.key()
    assert "scoring: simplified\n" in str(record)
    assert "ages: 31, 30, 29\n" in str(record)


def test_the_form_of_a_record() -> None:
    options = Options("combined", 2, ["huts", "vizier"], ages=[40, 7])
    record = Record(options, ["Ana", "Ben Ali"], {"date": "2026-11-15", "site": "a: b"})
    assert str(record) == (
        "granada-record 1\n"
        "edition: combined\n"
        "modules: vizier huts\n"
        "scoring: regular\n"
        "players: Ana, Ben Ali\n"
        "ages: 40, 7\n"
        "date: 2026-11-15\n"
        "site: a: b\n"
        "\n"
    )


def test_a_game_can_be_read_up_to_an_action() -> None:
    text = alhambra()
    for until in (0, 1, 30):
        reading = replay(text, until=until)
        assert reading.state.n == until
        assert len([line for line in reading.record.lines if line[0].isdigit()]) == until
    assert replay(text).state.is_over


def test_a_game_can_be_read_step_by_step() -> None:
    text = alhambra()
    reading = Replay(text)
    while reading.step():
        assert reading.state.n
    assert reading.state.key() == replay(text).state.key()


@pytest.mark.parametrize("name", ["", " Ana", "Ana,Ben", "Ana\n", "a\x00"])
def test_names_that_would_break_a_header_are_not_written(name: str) -> None:
    with pytest.raises(BadOptions, match="name of a player"):
        Record(Options("alhambra", 2), ["Ben", name])


# The header -----------------------------------------------------------------------------------------------------------

HEADER = """granada-record 1
edition: alhambra
modules: vizier huts
scoring: regular
players: Ana, Ben, Cleo
ages: 31, 30, 29
date: 2026-11-15
"""


@cache
def opening() -> str:
    """Return the set-up lines of a game for three with viziers and huts."""
    record, _ = recorded(Options("alhambra", 3, ["vizier", "huts"], ages=[31, 30, 29]), 4, 0)
    return "\n".join(record.lines) + "\n"


def begun(header: str) -> State:
    """Return the position after the set-up of a game with this header."""
    return replay(f"{header}\n{opening()}", partial=True).state


def test_the_header_is_read() -> None:
    record = replay(f"{HEADER}\n{opening()}", partial=True).record
    assert record.options == Options("alhambra", 3, ["huts", "vizier"], ages=[31, 30, 29])
    assert record.names == ("Ana", "Ben", "Cleo")


@pytest.mark.parametrize("modules", ["", "modules:\n"])
def test_missing_or_empty_modules_are_none(modules: str) -> None:
    text = alhambra().replace("scoring: regular\n", modules)
    assert replay(text).record.options == Options("alhambra", 3)


def test_a_missing_scoring_is_regular() -> None:
    assert begun(HEADER.replace("scoring: regular\n", "")).options.scoring == "regular"


def test_the_order_of_keys_does_not_matter() -> None:
    first, *rest = HEADER.splitlines()
    assert begun("\n".join([first, *reversed(rest)]) + "\n").options == begun(HEADER).options


@pytest.mark.parametrize(
    "line",
    [
        *("result: 95-80-60", "site: http://localhost:8000/", "comment: a, b: c", "language: en", "Édition: première"),
        *("page: 3", "empty:", "event: 🎲 Granada", "site: Café\u00a0Bleu", "annotator: 👩\u200d💻"),
    ],
)
def test_further_keys_are_kept_and_ignored(line: str) -> None:
    text = f"{HEADER}{line}\n\n{opening()}"
    record = replay(text, partial=True).record
    key, _, value = line.partition(":")
    assert record.extra == {"date": "2026-11-15", key: value.strip()}
    assert replay(str(record), partial=True).record.extra == record.extra


@pytest.mark.parametrize("names", ["Ana, Ben, Zoë", "👩\u200d💻, 玩家, Ana\u00a0Maria", "dirk, 1, ="])
def test_names_are_any_printed_text(names: str) -> None:
    header = HEADER.replace("Ana, Ben, Cleo", names)
    assert replay(f"{header}\n{opening()}", partial=True).record.names == tuple(names.split(", "))


@pytest.mark.parametrize(
    "line", ["", "granada-record", "granada-record 0", "granada-record 12x", "Granada-record 1", " granada-record 1"]
)
def test_a_wrong_first_line_is_refused(line: str) -> None:
    refused(replaced(HEADER, 1, line), 1, "the first line of a record must be 'granada-record 1'")


@pytest.mark.parametrize("version", ["2", "10"])
def test_a_record_of_a_newer_version_is_refused_with_the_reason(version: str) -> None:
    text = replaced(HEADER, 1, f"granada-record {version}")
    refused(text, 1, "this record was written by a newer version of Granada; update to read it")
    with pytest.raises(RecordError) as raised:
        begun(text)
    assert raised.value.code == "newer"


@pytest.mark.parametrize("key", ["edition", "players"])
def test_required_keys(key: str) -> None:
    with pytest.raises(RecordError, match=f"the header has no line '{key}: …'"):
        begun(re.sub(f"{key}.*\n", "", HEADER))


@pytest.mark.parametrize(
    ("key", "new", "reason"),
    [
        ("edition", "edition: cordoba", "'cordoba' is none of"),
        ("edition", "edition:", "'' is none of"),
        ("edition", "edition: Alhambra", "'Alhambra' is none of"),
        ("edition", "edition: granada, alhambra", "is none of"),
        ("modules", "modules: vizier camps", "'camps' is none of"),
        ("modules", "modules: vizier vizier", "'vizier' is named twice"),
        ("modules", "modules: vizier, huts", "'vizier,' is none of"),
        ("modules", "modules: edition", "'edition' is none of"),
        ("scoring", "scoring: simplified", "needs Granada tiles"),
        ("scoring", "scoring: fixed", "'fixed' is none of"),
        ("scoring", "scoring:", "'' is none of"),
        ("scoring", "scoring: modules", "'modules' is none of"),
        ("players", "players: Ana", "not 1"),
        ("players", "players:", "not 1"),
        ("players", "players: a, b, c, d, e, f, g", "not 7"),
        ("players", "players: Ana, , Cleo", "'' cannot be the name"),
        ("players", "players: Ana, Ben,", "'' cannot be the name"),
        ("ages", "ages: 31, 30", "2 ages are given for 3 players"),
        ("ages", "ages: 31, 30, 29, 28", "4 ages"),
        ("ages", "ages: 31, 30, x", "'x' is not an age"),
        ("ages", "ages: 31, 30, -1", "'-1' is not an age"),
        ("ages", "ages: 31, 30, 29.5", "'29.5' is not an age"),
        ("ages", "ages: 31, 30, 151", "0 to 150"),
        ("ages", "ages: 31, 30, 99999999999", "is not an age"),
        ("ages", "ages: 31,,29", "'' is not an age"),
        ("ages", "ages: 31, 30, ٢٩", "is not an age"),
        ("date", "date 2026-11-15", "a header line must have the form 'key: value'"),
        ("date", ": 2026-11-15", "a header line must have the form 'key: value'"),
        ("date", "edition: alhambra", "'edition' occurs twice"),
        ("date", "modules:", "'modules' occurs twice"),
        ("date", "! yard 1 tower-12", "a header line must have the form 'key: value'"),
    ],
)
def test_a_wrong_header_line_is_refused(key: str, new: str, reason: str) -> None:
    number = number_of(HEADER, f"{key}:")
    refused(f"{replaced(HEADER, number, new)}\n{opening()}", number, reason, partial=True)


@pytest.mark.parametrize("line", ["time: a\x07b", "language: a\x07b", "module: \x07", "edition 'x: \x07"])
def test_no_other_line_is_blamed_for_a_further_key(line: str) -> None:
    assert wrong_line(f"{HEADER}{line}\n\n{opening()}", partial=True) in (None, 8)


def test_a_repeated_unknown_key_is_refused() -> None:
    refused(f"{HEADER}date: today\n\n{opening()}", 8, "'date' occurs twice", partial=True)


def test_modules_must_go_with_the_edition() -> None:
    refused(HEADER.replace("edition: alhambra", "edition: granada"), 3, r"'huts' needs Alhambra tiles.*\(15\)")


# The body in general --------------------------------------------------------------------------------------------------


def test_the_body_may_have_comments_and_empty_lines() -> None:
    text = alhambra()
    header, _, body = text.partition("\n\n")
    spaced = "\n".join(f"# before {i}\n\n#\n{line}" for i, line in enumerate(body.split("\n")))
    assert str(replay(f"{header}\n\n\n{spaced}\n# the end\n\n").record) == text


def test_the_last_line_feed_may_be_missing() -> None:
    assert replay(alhambra().rstrip("\n")).state.is_over


def test_carriage_returns_are_refused() -> None:
    refused(alhambra().replace("\n", "\r\n"), 1)
    text = alhambra()
    number = number_of(text, "1 take")
    refused(replaced(text, number, line(text, number) + "\r"), number)


@pytest.mark.parametrize("number_of_blanks", [1, 3])
def test_spaces_are_single_and_only_between_words(number_of_blanks: int) -> None:
    text = alhambra(2)
    blanks = " " * number_of_blanks
    for start in ("! yard", "! deal", "! start", "! display", "! dirk", "1 take"):
        number = number_of(text, start)
        whole = line(text, number)
        refused(replaced(text, number, whole + blanks), number)
        refused(replaced(text, number, blanks + whole), number)
        refused(replaced(text, number, whole.replace(" ", " " + blanks, 1)), number)


@pytest.mark.parametrize("options", [ALL, Options("alhambra", 4, ["exchange"])], ids=repr)
def test_no_line_of_chance_or_result_may_be_missing(options: Options) -> None:
    text = played(options)
    for number in event_line_numbers(text):
        refused(replaced(text, number), number)


@pytest.mark.parametrize("options", [ALL, Options("granada", 3, ["vizier"])], ids=repr)
def test_no_line_of_chance_or_result_may_be_doubled(options: Options) -> None:
    text = played(options)
    for number in event_line_numbers(text):
        same = line(text, number)
        refused(replaced(text, number, same, same), number + 1)


@pytest.mark.parametrize("options", [ALL, Options("granada", 2)], ids=repr)
def test_lines_of_chance_and_result_stand_in_their_order(options: Options) -> None:
    text = played(options)
    for number in event_line_numbers(text, step=1):
        one, other = line(text, number), line(text, number + 1)
        if other[:1] in ("!", "=") and one != other:
            refused(replaced(replaced(text, number, other), number + 1, one), number)


def event_line_numbers(text: str, step: int = 3) -> list[int]:
    """Return the numbers of the set-up lines, of some other chance lines, and of all results."""
    lines = list(enumerate(text.split("\n"), 1))
    chance = [number for number, line in lines if line.startswith("!")]
    return [*chance[:40], *chance[40::step], *[number for number, line in lines if line.startswith("=")]]


@pytest.mark.parametrize("word", ["yard", "dirk", "deal", "start", "display", "reshuffle", "bonus", "hut"])
def test_a_line_of_chance_needs_its_sign(word: str) -> None:
    text = played(ALL)
    number = number_of(text, f"! {word}")
    for other in ("", "!", "1 "):
        refused(replaced(text, number, other + line(text, number)[2:]), number)


@pytest.mark.parametrize("word", ["score A 2", "award", "end"])
def test_a_result_needs_its_sign(word: str) -> None:
    text = alhambra()
    number = number_of(text, f"= {word}")
    for other in ("", "=", "! ", "result ", "1 "):
        refused(replaced(text, number, other + line(text, number)[2:]), number)


# Set-up ---------------------------------------------------------------------------------------------------------------


def test_the_order_of_the_set_up_lines() -> None:
    body = played(ALL).split("\n\n")[1]
    heads = re.findall(r"^! (yard \d|dirk|deal \d|start|display|bonus \d|hut hut-[a-z]+)", body, re.MULTILINE)
    assert heads[:21] == [
        *[f"yard {space}" for space in (1, 1, 2, 2, 3, 3, 4, 4)],
        *("dirk", "deal 1", "deal 2", "start", "display", "bonus 1", "bonus 2"),
        *[f"hut hut-{name}" for name in ALHAMBRA_TYPES],
    ]
    yard = re.findall(r"! yard \d (\S+)", body)[:8]
    assert [tile(name).kind for name in yard] == [ALHAMBRA, GRANADA] * 4


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("! yard 1 school-10", "not in the bag"),  # another game
        ("! yard 1 hut-garden-NW", "not in the bag"),
        ("! yard 1 garden-99", "is not a tile"),
        ("! yard 1", r"6\.2"),
        ("! yard 1 tower-12 tower-11", r"6\.2"),
        ("! yard 5 tower-12", "for space 1"),
        ("! yard", r"6\.2"),
        ("! bag tower-12", "expected '! yard …' here"),
        ("!", "expected '! yard …' here"),
        ("!yard 1 tower-12", "expected '! yard …' here"),
        ("1 take y9", "expected '! yard …' here"),
    ],
)
def test_a_wrong_first_tile_of_the_yard_is_refused(new: str, reason: str) -> None:
    refused_instead(alhambra(), "! yard 1", new, reason)


def test_a_tile_cannot_come_twice() -> None:
    text = alhambra(2)
    first = line(text, number_of(text, "! yard 1")).split()[-1]
    dirk = line(text, number_of(text, "! dirk"))
    refused_instead(text, "! yard 2", f"! yard 2 {first}", "not in the bag")
    refused_instead(text, "! dirk", re.sub(r"\S+$", first, dirk), "not in the bag")
    refused_instead(text, "! dirk", re.sub(r"(\S+) \S+$", r"\1 \1", dirk), "not in the bag")
    later = line(text, number_of(text, "! yard", 20))
    refused_instead(text, "! yard", re.sub(r"\S+$", first, later), "not in the bag", 20)


def test_the_faces_of_the_first_yard_are_even() -> None:
    text = played(Options("granada", 2))
    face = tile(line(text, number_of(text, "! yard 1")).split()[-1])
    refused_instead(text, "! yard 1", f"! yard 1 {face.back}", "even face up")


def test_refilled_faces_have_the_parity_of_the_marker() -> None:
    text = played(Options("granada", 2))
    face = tile(line(text, number_of(text, "! yard", 4)).split()[-1])
    assert face.price % 2 == 1
    refused_instead(text, "! yard", f"{line(text, number_of(text, '! yard', 4))[:8]} {face.back}", "odd face up", 4)


def test_the_first_yard_of_the_combined_game_needs_moats() -> None:
    refused_instead(played(ALL), "! yard 1", "! yard 1 library-10", r"not allowed here \(.*10\.2\)", 1)


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("! dirk", r"9\.5"),
        ("! dirk tower-12", "6 tiles, not 1"),
        ("! dirk a b c d e f", "is not a tile"),
    ],
)
def test_a_wrong_draw_of_dirk_is_refused(new: str, reason: str) -> None:
    refused_instead(alhambra(2), "! dirk", new, reason)


def test_dirk_gets_alhambra_tiles_first() -> None:
    text = played(ALL)
    tiles = line(text, number_of(text, "! dirk")).split()[2:]
    assert [tile(name).kind for name in tiles] == [ALHAMBRA] * 6 + [GRANADA] * 6
    refused_instead(text, "! dirk", " ".join(["! dirk", *tiles[6:], *tiles[:6]]), "not in the bag|face up")


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("y9 y8", "20 or more"),
        ("y9 g9 b9 o9", "below 20"),
        ("y5 y5 y5 g5 g5", "below 20"),
        ("g9 y9 b9", "not sorted"),
        ("y9 g9 yb", "not sorted|cannot be drawn now"),
        ("yb y9 g9 b9", "cannot be drawn now"),
        ("y9 g9 b9 A", "below 20|cannot be drawn now"),
        ("A y9 g9 b9", "not sorted|cannot be drawn now"),
        ("y9 y9 y9 y9", "cannot be drawn now|below 20"),
        ("", r"2\.3"),
        ("y9  g9 b9", "is not a card"),
        ("y9 g9 b10", "is not a card"),
    ],
)
def test_a_wrong_deal_is_refused(cards: str, reason: str) -> None:
    refused_instead(played(Options("alhambra", 3, ["exchange"])), "! deal 1", f"! deal 1 {cards}".strip(), reason)


def test_a_card_cannot_be_dealt_more_often_than_it_is_there() -> None:
    text = alhambra(2)  # two copies of each card
    text = replaced(text, number_of(text, "! deal 1"), "! deal 1 y9 y9 g2")
    refused_instead(text, "! deal 2", "! deal 2 y9 g9 b9", "y9 cannot be drawn now")


def test_the_deal_names_the_seats_in_order() -> None:
    text = alhambra()
    refused_instead(text, "! deal 2", line(text, number_of(text, "! deal 2")).replace("2", "3", 1), "seat 2 here")


@pytest.mark.parametrize("seat", ["0", "4", "01", "1 2", "dirk", "-1", ""])
def test_the_start_player_must_be_a_seat(seat: str) -> None:
    refused_instead(alhambra(), "! start", f"! start {seat}".strip(), r"2\.4")


def test_the_start_player_follows_from_the_deal_and_the_ages() -> None:
    for ages, start in (("", None), ("ages: 31, 30\n", "2"), ("ages: 30, 31\n", "1")):
        text = alhambra(2).replace("Player 2\n", f"Player 2\n{ages}")
        text = replaced(text, number_of(text, "! deal 1"), "! deal 1 y9 y8 g3")
        text = replaced(text, number_of(text, "! deal 2"), "! deal 2 b9 b8 o3")
        number = number_of(text, "! start")
        for seat in ("1", "2"):
            cut = "\n".join([*text.split("\n")[: number - 1], f"! start {seat}", "! display y1 g1 b1 o1", ""])
            if start in (None, seat):
                assert replay(cut, partial=True).state.seat == int(seat) - 1
            else:
                refused(cut, number, f"the start player is {start}", partial=True)


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("tower-11 tower-12", "expected 3 bonus cards for seat 1"),
        ("tower-11 tower-12 garden-10 garden-11", "expected 3 bonus cards for seat 1"),
        ("tower-11 tower-12 tower-12", "no bonus card of tower-12"),
        ("tower-11 tower-12 tower-13-E", "no bonus card of tower-13-E"),
        ("tower-11 tower-12 library-10", "no bonus card of library-10"),
        ("tower-11 tower-12 ?", r"13\.1|16\.2"),
    ],
)
def test_a_wrong_deal_of_bonus_cards_is_refused(cards: str, reason: str) -> None:
    refused_instead(played(ALL), "! bonus 1", f"! bonus 1 {cards}", reason)


def test_a_bonus_card_is_dealt_once() -> None:
    text = played(ALL)
    first = line(text, number_of(text, "! bonus 1")).split()[3]
    second = line(text, number_of(text, "! bonus 2")).split()[3:]
    refused_instead(text, "! bonus 2", f"! bonus 2 {first} {' '.join(second[1:])}", f"no bonus card of {first}")


@pytest.mark.parametrize(
    "new", ["! hut hut-garden-N", "! hut", "! hut tower-12", "! hut hut-pavilion-X", "! hut pavilion"]
)
def test_a_wrong_hut_is_refused(new: str) -> None:
    refused_instead(played(ALL), "! hut", new, r"14\.2")


# Turns ----------------------------------------------------------------------------------------------------------------


def first_action(text: str) -> tuple[int, str]:
    """Return the number of the first action, and its seat."""
    number = number_of(text, r"\d ")
    return number, line(text, number)[0]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("buy tower-13-E with y9", "breaks rule 3.3"),
        ("remove 0,0", "breaks rule 1.5"),
        ("add tower-12 at 1,0", "breaks rule 3.5"),
        ("pass", "breaks rule 3.7"),
        ("wake", "breaks rule 11.1"),
        ("hut garden", "breaks rule 14.2"),
        ("decline", "breaks rule 3.1"),
        ("place tower-12 at 1,0", "breaks rule 3.1"),
        ("reveal tower-12", "breaks rule 13.2"),
        ("take", "is not of the form"),
        ("fly", "does not start with any of"),
        ("", "does not start with any of|an action of seat"),
        ("take y3 y5", "not sorted"),
    ],
)
def test_an_illegal_action_is_refused_with_its_rule(action: str, reason: str) -> None:
    text = alhambra()
    number, seat = first_action(text)
    refused(replaced(text, number, f"{seat} {action}".rstrip()), number, reason)


@pytest.mark.parametrize("seat", ["0", "7", "01", "", "dirk", "one", "-1", "+1"])
def test_a_wrong_seat_is_refused(seat: str) -> None:
    text = alhambra()
    number, _ = first_action(text)
    refused(replaced(text, number, seat + line(text, number)[1:]), number, "an action of seat")


def test_the_action_of_another_seat_is_refused() -> None:
    text = alhambra()
    number, seat = first_action(text)
    other = str(int(seat) % 3 + 1)
    refused(replaced(text, number, other + line(text, number)[1:]), number, f"expected an action of seat {seat} here")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda cards: [*cards, "y1"], "one card too many"),
        (lambda cards: cards[:-1], r"6\.1"),
        (lambda cards: [], r"6\.1"),
        (lambda cards: [*cards[:-1], "y10"], "is not a card"),
        (lambda cards: [*cards[:-1], "?"], "is not a card"),
        (lambda cards: [*cards[:-1], "yb"], "yb cannot be drawn now"),
        (lambda cards: ["A", *cards], "A cannot be drawn now"),
        (lambda cards: ["B", *cards], "B cannot be drawn now"),
    ],
)
def test_a_wrong_display_is_refused(change: Callable[[list[str]], list[str]], reason: str) -> None:
    text = alhambra()
    for nth in (0, 1):  # at set-up and after the first turn: the first pile has no score card
        number = number_of(text, "! display", nth)
        cards = line(text, number).split()[2:]
        refused(replaced(text, number, " ".join(["! display", *change(cards)])), number, reason)


def test_a_card_that_is_not_left_cannot_be_turned_up() -> None:
    refused_instead(alhambra(), "! display", "! display y9 y9 y9 y9", "y9 cannot be drawn now")


def test_a_score_card_comes_from_its_own_pile_and_once() -> None:
    text = alhambra()
    a = number_of(text, "! display .*A")
    b = number_of(text, "! display .*B")
    refused(replaced(text, a, line(text, a).replace("A", "B")), a, "B cannot be drawn now")
    refused(replaced(text, b, line(text, b).replace("B", "A")), b, "A cannot be drawn now")
    refused(replaced(text, b, line(text, b).replace("B", "B B")), b, "B cannot be drawn now")


def test_a_score_card_cannot_be_left_out() -> None:
    text = alhambra()
    a = number_of(text, "! display .*A")
    lines = replaced(text, a, re.sub(" A", "", line(text, a))).split("\n")
    without = "\n".join(line for line in lines if not line.startswith("= score A"))
    with pytest.raises(RecordError, match="cannot be drawn now: it is not left in this pile") as caught:
        replay(without)
    assert caught.value.line > a


def test_an_exchange_card_comes_from_its_own_pile() -> None:
    text = played(Options("alhambra", 3, ["exchange"]))
    refused_instead(text, "! display", "! display yb y1 g1 b1", "yb cannot be drawn now")
    number = number_of(text, "! display", 1)
    refused(replaced(text, number, re.sub(r"\S+$", "yb", line(text, number))), number, "yb cannot be drawn now")


def test_a_display_is_split_by_a_reshuffle_only() -> None:
    text = alhambra()
    *words, last = line(text, number_of(text, "! display")).split()
    number = number_of(text, "! display")
    refused(replaced(text, number, " ".join(words), f"! display {last}"), number, "the display needs another card")
    refused(replaced(text, number, " ".join(words), "! reshuffle", f"! display {last}"), number)


def test_a_reshuffle_is_where_the_deck_is_empty() -> None:
    text = alhambra(6)
    number = number_of(text, "! reshuffle")
    refused(replaced(text, number, "! reshuffle now"), number, r"6\.1")
    refused(replaced(text, number, "# reshuffle"), number + 1, "expected '! reshuffle …' here")
    action = number_of(text, r"\d ", 20)
    refused(replaced(text, action, "! reshuffle", line(text, action)), action, "an action of seat")


@pytest.mark.parametrize(
    "new",
    [
        "! yard 1 tower-12",
        "! display y1",
        "! dirk tower-12",
        "! hut hut-garden-N",
        "! start 1",
        "! deal 1 y9",
        "!",
        "= score A 1 total=0",
    ],
)
def test_no_line_is_accepted_where_nothing_happens(new: str) -> None:
    text = alhambra()
    number, _ = first_action(text)
    refused(replaced(text, number, new, line(text, number)), number, "an action of seat")


@pytest.mark.parametrize(
    ("pattern", "change", "reason"),
    [
        ("= score A 1", lambda line: re.sub(r"total=\d+", "total=99", line), "the rules give '= score A 1 "),
        ("= score A 1", lambda line: line.replace("score A", "score B"), "the rules give"),
        ("= score A 2", lambda line: line.replace("A 2", "A 1"), "the rules give '= score A 2 "),
        ("= score C 1", lambda line: re.sub(r" \w+=\d+ total", " total", line), "the rules give '= score C 1 "),
        ("= score C 1", lambda line: line + " ", "the rules give '= score C 1 "),
        ("= award", lambda line: line[:-1] + "9", "the rules give '= award "),
        ("= end", lambda line: line + "+2+3", "the rules give '= end "),
        ("= end", lambda line: line.replace("1=", "1=1"), "the rules give '= end "),
        ("= end", lambda line: "= the end", "the rules give '= end "),
        ("= end", lambda line: "1 pass", "the rules give '= end "),
    ],
)
def test_a_wrong_result_is_refused(pattern: str, change: Callable[[str], str], reason: str) -> None:
    text = alhambra()
    number = number_of(text, pattern)
    refused(replaced(text, number, change(line(text, number))), number, reason)


@pytest.mark.parametrize("pattern", ["! yard 3", "! display", "! dirk", "= score A 1"])
def test_a_wrong_result_is_refused_at_its_line(pattern: str) -> None:
    text = alhambra(2)
    number = number_of(text, pattern)
    refused(replaced(text, number, "= score A 1 total=77"), number)
    refused(replaced(text, number, "= score A 1 total=77", line(text, number)), number)


def test_a_result_must_not_come_before_the_chance_line() -> None:
    text = alhambra(2)
    score = number_of(text, "= score A 1")
    display = number_of(text, "! display .*A")
    assert display < score
    moved = replaced(replaced(text, score), display, line(text, score), line(text, display))
    refused(moved, display, "does not follow from the lines above")


@pytest.mark.parametrize(
    "new", ["1 take y3", "! yard 1 tower-12", "= end 1=0 2=0 3=0 winners=1", "pass", "granada-record 1"]
)
def test_nothing_comes_after_the_end(new: str) -> None:
    text = alhambra()
    refused(text + new + "\n", text.count("\n") + 1, "comes after the end of the game")


# Games in progress ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [ALL, Options("alhambra", 6)], ids=repr)
def test_a_game_in_progress_is_read_only_on_request(options: Options) -> None:
    lines = played(options).split("\n")
    actions = [index for index, line in enumerate(lines) if line[:1].isdigit()]
    for n, index in list(enumerate(actions))[:: len(actions) // 12]:
        cut = "\n".join(lines[:index]) + "\n"
        assert replay(cut, partial=True).state.n == n
        with pytest.raises(RecordError, match="ends before the end of the game"):
            replay(cut)


def test_a_record_cut_elsewhere_says_what_is_expected() -> None:
    text = alhambra()
    for pattern in ("! yard 3", "! deal 2", "! start", "! display", "= score A 2", "= score C 1", "= end"):
        number = number_of(text, pattern)
        cut = "\n".join(text.split("\n")[: number - 1]) + "\n"
        refused(cut, number, "the record ends where '.*' is expected")


def test_a_partial_record_may_be_cut_anywhere_after_set_up() -> None:
    lines = alhambra().split("\n")
    actions = [index for index, text in enumerate(lines) if text[:2] in ("1 ", "2 ", "3 ")]
    for end in range(actions[0], len(lines), 7):
        cut = "\n".join(lines[:end]) + "\n"
        reading = replay(cut, partial=True)
        whole = len([index for index in actions if index < end])
        assert reading.state.n in (whole - 1, whole)
        assert reading.state.is_over == (end == len(lines) - 1 and reading.state.n == whole)
        assert cut.startswith(str(reading.record))
        assert replay(str(reading.record), partial=True).state.key() == reading.state.key()


def test_a_trusted_record_is_not_asked_whether_it_is_legal_but_still_compared() -> None:
    lines = RecordLines(alhambra())
    assert Replay(lines, trusted=True).run().key() == Replay(lines).run().key()
    number = number_of(alhambra(), "= score C 1")
    wrong = RecordLines(replaced(alhambra(), number, "= score C 1 total=0"))
    with pytest.raises(RecordError, match=f"line {number}: the rules give"):
        Replay(wrong, trusted=True).run()


def test_a_byte_order_mark_is_named() -> None:
    refused("\ufeff" + alhambra(), 1, "byte order mark")


def test_a_whole_game_can_be_read_as_a_partial_one() -> None:
    assert replay(alhambra(), partial=True).state.is_over


@pytest.mark.parametrize("header_lines", [1, 2, 6, 7])
def test_a_header_alone_is_not_a_game(header_lines: int) -> None:
    header = "\n".join(HEADER.split("\n")[:header_lines])
    for partial in (False, True):
        with pytest.raises(RecordError):
            replay(header, partial=partial)


# Hidden bonus cards ---------------------------------------------------------------------------------------------------


@cache
def with_reveal() -> tuple[str, int, str, str]:
    """Return a record with a reveal: its text, the line number, the seat and the tile."""
    for seed in range(200):
        record, _ = recorded(Options("alhambra", 2, ["bonus"]), seed, 2000)
        text = str(record)
        reveals = re.findall(r"^(\d) reveal (\S+)$", text, re.MULTILINE)
        if reveals:
            seat, name = reveals[0]
            return text, number_of(text, f"{seat} reveal {name}"), seat, name
    raise AssertionError("no bonus card is ever revealed")


def hidden(text: str, seat: str, count: int = 3) -> str:
    """Return the record with some bonus cards of a seat hidden."""
    number = number_of(text, f"! bonus {seat}")
    words = line(text, number).split()
    return replaced(text, number, " ".join([*words[: 6 - count], *["?"] * count]))


def test_hidden_cards_are_read_on_request_only() -> None:
    text, _, seat, _ = with_reveal()
    number = number_of(text, f"! bonus {seat}")
    refused(hidden(text, seat), number, r"13\.1|16\.2")
    reading = replay(hidden(text, seat), partial=True)
    assert reading.state.is_over
    assert str(reading.record) == hidden(text, seat)


def test_a_hidden_card_can_be_revealed_later() -> None:
    text, number, seat, name = with_reveal()
    cut = "\n".join(hidden(text, seat).split("\n")[: number - 1]) + "\n"
    player = replay(cut, partial=True).state.players[int(seat) - 1]
    assert player.bonus == (None, None, None)
    player = replay(f"{cut}{seat} reveal {name}\n", partial=True).state.players[int(seat) - 1]
    assert player.bonus == (None, None)
    assert player.revealed == (tile(name),)


def test_a_hidden_card_is_none_that_another_seat_holds() -> None:
    text, number, seat, name = with_reveal()
    other = "2" if seat == "1" else "1"
    text = replaced(hidden(text, seat), number_of(text, f"! bonus {other}"), f"! bonus {other} ? {name} ?")
    refused(text, number, "13.2", partial=True)


def test_a_known_hand_has_no_hidden_card() -> None:
    text, number, seat, name = with_reveal()
    others = [card.name for card in standard().bonus if card.name != name]
    text = hidden(hidden(text, "1"), "2")
    text = replaced(text, number_of(text, f"! bonus {seat}"), f"! bonus {seat} {' '.join(others[:3])}")
    refused(text, number, "13.2", partial=True)


def test_hidden_cards_may_be_none_of_the_built_tiles() -> None:
    text, number, seat, _ = with_reveal()
    cut = "\n".join(hidden(text, seat).split("\n")[: number - 1]) + "\n"
    state = replay(cut, partial=True).state
    assert not offers(state, "reveal")
    assert "?" not in " ".join(offers(state))


def test_only_bonus_cards_may_be_hidden() -> None:
    text = alhambra(2)
    for start in ("! yard 1", "! deal 1", "! display", "! dirk"):
        number = number_of(text, start)
        refused(replaced(text, number, re.sub(r"\S+$", "?", line(text, number))), number, r"'\?' is no", partial=True)


# Anything at all ------------------------------------------------------------------------------------------------------


GARBAGE = [
    *("", "\n", "\n\n\n", " ", "granada-record 1", "granada-record 1\n", "granada-record 1\n\n"),
    *("\ufeffgranada-record 1\n", "\x00", "\x00\n" * 50, "\udcff\udcfe", "{}", "y" * 1_000_000, "\n" * 100_000),
    HEADER + "\n" + "! yard 1 " + "x" * 1_000_000,
    HEADER + "\n" + "! yard 1 tower-12 " * 100_000 + "x",
    HEADER + "\n" + "!\n" * 1000,
    HEADER + "x: y\n" * 1000,
    HEADER + "".join(f"k{i}: v\n" for i in range(10_000)),
    HEADER.replace("Cleo", "C" * 1_000_000),
    HEADER.replace("29", "9" * 10_000),
    HEADER.replace("huts", "huts " * 1000 + "huts"),
    HEADER.replace("Cleo", "Cleo, " * 10_000 + "Cleo"),
]


@pytest.mark.parametrize("index", range(len(GARBAGE)))
def test_garbage_is_refused(index: int) -> None:
    text = GARBAGE[index]
    for partial in (False, True):
        with pytest.raises(RecordError) as caught:
            replay(text, partial=partial)
        assert 1 <= caught.value.line <= text.count("\n") + 2  # a missing line is reported after the last one


def garbled(text: str, number: int, rng: random.Random) -> str:
    """Return a record with one line cut, duplicated, swapped, mistyped or assembled from words of other lines."""
    lines = text.split("\n")
    one, other = lines[number - 1], rng.choice(lines)
    words, foreign = one.split(" "), other.split(" ")
    place = rng.randrange(len(words))
    new = rng.choice(
        [
            [],
            [other],
            [one, other],
            [one[: rng.randrange(len(one) + 1)]],
            [" ".join([*words[:place], *words[place + 1 :]])],
            [" ".join([*words[:place], rng.choice(foreign), *words[place + 1 :]])],
            [" ".join([*words, rng.choice(foreign)])],
            [" ".join(rng.sample(words, len(words)))],
            [one.replace(rng.choice(one or "x"), chr(rng.randrange(1, 0x250)), 1)],
        ]
    )
    return replaced(text, number, *new)


@pytest.mark.parametrize(
    "options", [ALL, Options("granada", 3, ["vizier", "exchange"]), Options("alhambra", 2)], ids=repr
)
def test_a_garbled_line_is_an_error_of_that_line_or_a_later_one(options: Options) -> None:
    text = played(options)
    rng = random.Random(repr(options))
    body = text.split("\n").index("") + 2
    wrong = 0
    for _ in range(150):
        number = rng.randrange(body, text.count("\n") + 1)
        damaged = garbled(text, number, rng)
        found = wrong_line(damaged)
        if found is not None:
            assert number <= found <= damaged.count("\n") + 1
            wrong += 1
    assert wrong > 100


# Following a game line by line ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", all_options()[::19], ids=repr)
def test_following_a_game_action_by_action_comes_to_the_same_positions(options: Options) -> None:
    state = new_game(options, luck(7))
    other = state.copy()
    for _ in range(60):
        chosen = offers(state)[state.n % 3 % len(offers(state))]
        lines = [event_text(event) for event in state.play(parse_action(chosen), luck(state.n))]
        assert [event_text(event) for event in follow(other, lines)] == lines
        assert other.key() == state.key()


def test_lines_that_the_rules_do_not_give_are_not_followed() -> None:
    state = new_game(Options("alhambra", 3), luck(7))
    lines = [event_text(event) for event in state.copy().play(parse_action(offers(state)[0]), luck(1))]
    for wrong in (["! reshuffle"], [*lines, "= score A 1 total=0"], lines[:1], ["9 pass"], [*lines, lines[-1]]):
        with pytest.raises(RecordError):
            follow(state.copy(), wrong)


@rule("16.1")
def test_a_table_with_open_money_replays_its_record_with_open_money() -> None:
    text = alhambra()
    assert Replay(text, open_money=True).state.view(0).hand(1) is not None
    assert Replay(text).state.view(0).hand(1) is None
