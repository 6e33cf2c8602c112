"""The provably fair shuffle (docs/shuffle.md)."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from granada import Luck, Options, Record, RecordError, RecordLines, State, new_game, replay
from granada.bots.greedy import GreedyBot
from granada.records.notation import action_text
from granada.records.shuffle import (
    COMMITMENT,
    FIXED,
    FORKED_AT,
    ORDER,
    SEED,
    SET_UP,
    FixedOrder,
    Proof,
    ShuffleError,
    chance_at,
    commitment,
    luck_at,
    new_seed,
    verify,
)
from granada.rules.options import EDITIONS
from tests.kit import module_sets

ONE = "0123456789abcdef" * 4
OTHER = "f" * 64
#: Games that could be verified when they were added.
KNOWN = Path(__file__).parent / "shuffles"
DATA = Path(__file__).parent.parent / "src" / "granada" / "data"
#: Every edition with all its modules, for two to six players.
GAMES = [Options(edition, players, module_sets(edition)[-1]) for edition in EDITIONS for players in range(2, 7)]
per_game = pytest.mark.parametrize("options", GAMES, ids=lambda o: f"{o.edition}-{o.players}")


def header(seed: str, opening: int | None = None) -> dict[str, str]:
    keys = {SEED: seed, COMMITMENT: commitment(seed)}
    return keys if opening is None else {**keys, FORKED_AT: str(opening)}


def play_on(state: State, record: Record, seed: str, chooser: object, max_turns: int) -> None:
    """Play random actions with the luck of a seed."""
    choices = random.Random(str(chooser))
    while not state.is_over and state.turns <= max_turns:
        record.add(state.play(choices.choice(state.offers()), luck_at(seed, state.n)))


def played(options: Options, seed: str = ONE, chooser: object = 0, max_turns: int = 12) -> Record:
    """Return a game as a server plays it, with random actions."""
    record = Record(options, extra=header(seed))
    state = new_game(options, luck_at(seed, SET_UP))
    record.add(state.events)
    play_on(state, record, seed, chooser, max_turns)
    return record


def forked(text: str, at: int, seed: str, chooser: object = 1, max_turns: int = 20) -> Record:
    """Return the record of a game that continues another one."""
    reading = replay(text, partial=True, until=at)
    record = Record(reading.record.options, reading.record.names, header(seed, at))
    record.lines = reading.record.lines
    play_on(reading.state, record, seed, chooser, max_turns)
    return record


def refusal(text: str) -> str:
    with pytest.raises(ShuffleError) as caught:
        verify(text)
    return str(caught.value)


def chance_lines(text: str) -> list[int]:
    """Return the indices of the chance lines."""
    return [index for index, line in enumerate(text.split("\n")) if line.startswith("! ")]


def changed(text: str, index: int, line: str) -> str:
    lines = text.split("\n")
    lines[index : index + 1] = [line] if line else []
    return "\n".join(lines)


# The numbers


def test_known_values_never_change() -> None:
    assert commitment(ONE) == "1c370daea9e49b51304c41b4a68c329506b32b93165251774c3d6313acd6d4e8"
    assert commitment(ONE) == hashlib.sha256(b"granada-shuffle-1:commitment:" + ONE.encode()).hexdigest()
    numbers = [luck_at(ONE, n).rng.random() for n in (SET_UP, 0, 1, 57)]
    assert numbers == [0.38045080048965096, 0.042500725685751695, 0.9515418128283776, 0.958518130028881]
    rng = luck_at(ONE, 0).rng
    numbers = [rng.random() for _ in range(4)]
    assert numbers == [0.042500725685751695, 0.3689154399842898, 0.18400854101366804, 0.9835551420967776]
    for i, number in enumerate(numbers):
        digest = hashlib.sha256(f"granada-shuffle-1:number:{ONE}:0:{i}".encode()).digest()
        assert number == int.from_bytes(digest, "big") // 2**203 / 2**53


@pytest.mark.parametrize("edition", EDITIONS)
def test_known_games_can_still_be_verified(edition: str) -> None:
    """An old record can be verified only if every draw uses its numbers in the same order."""
    text = (KNOWN / f"{edition}.record").read_text("utf-8")
    proof = verify(text)
    assert proof.is_over
    assert proof.lines == len(chance_lines(text)) > 50
    assert "\n! reshuffle\n" in text
    assert text.count("\n! dirk ") == 3


def rows(name: str) -> list[list[str]]:
    return [line.split(",") for line in (DATA / f"{name}.csv").read_text("utf-8").split()[1:]]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_set_up_is_drawn_as_the_page_says(edition: str) -> None:
    """A verifier written from docs/shuffle.md alone, for two players and no tie."""
    lines = (KNOWN / f"{edition}.record").read_text("utf-8").split("\n")
    seed = next(line for line in lines if line.startswith("seed: ")).removeprefix("seed: ")
    i = -1

    def below(count: int) -> int:
        nonlocal i
        i += 1
        digest = hashlib.sha256(f"granada-shuffle-1:number:{seed}:-1:{i}".encode()).hexdigest()
        return int(int(digest[:16], 16) // 2048 / 2.0**53 * count)

    def drawn(some: list[str]) -> str:
        return some.pop(below(len(some)))

    alhambra = ["-".join(row).rstrip("-") for row in rows("alhambra_tiles")]
    open_ = [f"{type_}-{price}" for type_, price, walls in rows("alhambra_tiles") if not walls]
    granada = [f"{row[1]}-{row[0]}" for row in rows("granada_tiles")]
    dry = [f"{row[1]}-{row[0]}" for row in rows("granada_tiles") if not row[3]]
    deck = [f"{letter}{value}" for letter in "ygbo" for value in range(9, 0, -1) for _ in range(2)]
    bags = {"alhambra": [alhambra], "granada": [granada], "combined": [alhambra, granada]}[edition]
    expected: list[str] = []
    for space in "1234":
        for bag in bags:
            allowed = [tile for tile in bag if len(bags) == 1 or tile not in dry]
            expected.append(f"! yard {space} {drawn(allowed)}")
            bag.remove(expected[-1].split(" ")[-1])
    expected.append("! dirk " + " ".join([drawn(bag) for bag in bags for _ in range(6)]))
    order, hands = deck.copy(), list[list[str]]()
    for seat in "12":
        hand = list[str]()
        while sum(int(card[1]) for card in hand) < 20:
            hand.append(drawn(deck))
        hands.append(sorted(hand, key=order.index))
        expected.append(f"! deal {seat} {' '.join(hands[-1])}")
    ranks = [(len(hand), sum(int(card[1]) for card in hand)) for hand in hands]
    assert ranks[0] != ranks[1]
    expected.append(f"! start {ranks.index(min(ranks)) + 1}")
    expected.append("! display " + " ".join([drawn(deck) for _ in range(4)]))
    if edition != "granada":
        bonus = open_.copy()
        for seat in "12":
            expected.append(f"! bonus {seat} {' '.join(sorted([drawn(bonus) for _ in range(3)], key=open_.index))}")
        for type_ in ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower"):
            expected.append(f"! hut {drawn([f'hut-{row[0]}-{row[1]}' for row in rows('huts') if row[0] == type_])}")
    first = lines.index("") + 1
    assert lines[first : first + len(expected)] == expected
    assert lines[first + len(expected)][0] in "12"


def test_numbers_are_spread_evenly_and_never_the_same() -> None:
    numbers = [rng.random() for n in range(-1, 99) for rng in [luck_at(ONE, n).rng] for _ in range(40)]
    numbers += [luck_at(OTHER, n).rng.random() for n in range(1000)]
    assert len(set(numbers)) == len(numbers) == 5000
    assert all(0 <= number < 1 for number in numbers)
    assert abs(sum(numbers) / len(numbers) - 0.5) < 0.015
    tenths = [len([number for number in numbers if int(number * 10) == tenth]) for tenth in range(10)]
    assert all(420 < count < 580 for count in tenths)
    assert all((number * 2**53).is_integer() for number in numbers)
    assert any(int(number * 2**53) % 2 for number in numbers)


def test_every_seed_is_another() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == len({commitment(seed) for seed in seeds}) == 100
    assert all(re.fullmatch("[0-9a-f]{64}", seed) for seed in seeds)


@pytest.mark.parametrize(
    "seed", ["", "f" * 63, "f" * 65, "F" * 64, "g" * 64, "f" * 63 + "\n", "１" * 64, "f" * 63 + "é"]
)
def test_a_seed_has_one_form(seed: str) -> None:
    uses: tuple[Callable[[str], object], ...] = (commitment, lambda text: luck_at(text, 0))
    for use in uses:
        with pytest.raises(ShuffleError, match="is not 64 hexadecimal digits in lower case"):
            use(seed)


def test_there_is_no_luck_before_the_set_up() -> None:
    with pytest.raises(ShuffleError, match="-2 is not a number of actions"):
        luck_at(ONE, -2)


def test_luck_does_not_tell_its_seed() -> None:
    assert ONE not in repr(luck_at(ONE, 3))


# Games


@per_game
def test_games_of_every_edition_with_all_modules_are_proven(options: Options) -> None:
    record = played(options, new_seed(), f"whole {options}", 60)
    state = replay(str(record), partial=True).state
    chance = len(chance_lines(str(record)))
    proof = verify(str(record))
    assert proof == Proof(record.extra[COMMITMENT], state.n, chance, None, state.is_over)
    assert chance > options.players + 6


@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_games_of_the_greedy_bot_are_proven(edition: str) -> None:
    options = Options(edition, 2, module_sets(edition)[-1])
    record = Record(options, extra=header(ONE))
    state = new_game(options, luck_at(ONE, SET_UP))
    record.add(state.events)
    bot = GreedyBot(edition)
    while not state.is_over:
        action = bot.choose(state.view(state.seat, remembers=True), state.offers())
        record.add(state.play(action, luck_at(ONE, state.n)))
    proof = verify(str(record))
    assert proof.is_over
    assert (proof.actions, proof.lines) == (state.n, len(chance_lines(str(record))))


@per_game
def test_the_same_seed_and_the_same_actions_give_the_same_game(options: Options) -> None:
    record = played(options)
    assert str(played(options)) == str(record)
    assert played(options, OTHER).lines != record.lines
    state = new_game(options, luck_at(ONE, SET_UP))
    again = Record(options, extra=header(ONE))
    again.add(state.events)
    for line in RecordLines(str(record)).lines:
        if line.action is not None:
            state.copy().play(state.offers()[-1], luck_at(ONE, state.n))  # an undone action changes nothing
            again.add(state.play(line.action, luck_at(ONE, state.n)))
    assert str(again) == str(record)


def test_comments_and_empty_lines_change_nothing() -> None:
    record = played(GAMES[0])
    proof = verify(str(record))
    record.lines[3:3] = ["# a comment", ""]
    record.lines[40:40] = ["# another"]
    assert verify(str(record)) == proof


@pytest.mark.parametrize("options", GAMES[::5], ids=lambda o: o.edition)
def test_a_record_is_proven_as_far_as_it_goes(options: Options) -> None:
    text = str(played(options))
    lines = text.split("\n")
    set_up = next(index for index, line in enumerate(lines) if line[:2] in ("1 ", "2 "))
    for end in range(set_up, len(lines)):
        proof = verify("\n".join(lines[:end]) + "\n")
        played_ = len([line for line in lines[set_up:end] if line[:1].isdigit()])
        assert proof.actions in (played_ - 1, played_)
        assert not proof.is_over
    assert proof == verify(text)
    with pytest.raises(RecordError, match="the record ends where"):
        verify("\n".join(lines[: set_up - 1]) + "\n")


# Wrong luck


@pytest.mark.parametrize("options", GAMES[::5], ids=lambda o: o.edition)
def test_every_changed_line_of_chance_is_found(options: Options) -> None:
    text = str(played(options))
    lines = text.split("\n")
    for index in chance_lines(text):
        sort = lines[index].split(" ")[1]
        others = [line for line in lines if line.startswith(f"! {sort} ") and line != lines[index]]
        for line in (*others[:1], "! reshuffle now", "! yard 1", lines[index] + " y1", "1 pass"):
            assert refusal(changed(text, index, line)).startswith(
                f"line {index + 1}: the seed gives '{lines[index]}', not "
            )
        if index < len(lines) - 2:  # without its last line, it is the record of a shorter game
            with pytest.raises((ShuffleError, RecordError)):
                verify(changed(text, index, ""))
        with pytest.raises((ShuffleError, RecordError)):
            verify(changed(text, index, f"{lines[index]}\n{lines[index]}"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_changed_line_is_found_in_whole_games(edition: str) -> None:
    text = (KNOWN / f"{edition}.record").read_text("utf-8")
    lines = text.split("\n")
    for index in chance_lines(text):
        reason = refusal(changed(text, index, "! yard 4 tower-7"))
        assert reason == f"line {index + 1}: the seed gives '{lines[index]}', not '! yard 4 tower-7'"


def other_luck(options: Options) -> Iterator[tuple[Record, list[str]]]:
    """Yield legal records whose last action was drawn with other luck, with the lines that the seed gives."""
    record = Record(options, extra=header(ONE))
    state = new_game(options, luck_at(ONE, SET_UP))
    record.add(state.events)
    choices = random.Random(3)
    while state.turns <= 30 and not state.is_over:
        action = choices.choice(state.offers())
        before, given = state.copy(), len(record.lines)
        record.add(state.play(action, luck_at(ONE, state.n)))
        wrong = Record(options, extra=header(ONE))
        wrong.lines = record.lines[:given]
        wrong.add(before.play(action, Luck(random.Random(7))))
        if wrong.lines != record.lines:
            yield wrong, record.lines


@pytest.mark.parametrize("options", GAMES[1::5], ids=lambda o: o.edition)
def test_luck_that_the_rules_allow_but_not_the_seed_is_found(options: Options) -> None:
    found = 0
    for wrong, right in other_luck(options):
        text = str(wrong)
        replay(text, partial=True)
        at = next(i for i, line in enumerate(wrong.lines) if line != right[i])
        number = text.split("\n").index("") + 2 + at
        assert refusal(text) == f"line {number}: the seed gives '{right[at]}', not '{wrong.lines[at]}'"
        found += 1
    assert found > 5


def test_an_incomplete_last_action_is_checked_too() -> None:
    """A last line that requires more lines than the record has must still be checked."""
    text = str(played(GAMES[0]))
    last = chance_lines(text)[-1]
    cut = "\n".join(text.split("\n")[:last]) + "\n! display A\n"
    assert refusal(cut).startswith(f"line {last + 1}: the seed gives ")


def test_hidden_bonus_cards_are_not_proven() -> None:
    text = re.sub(r"(?m)^! bonus 1 .*$", "! bonus 1 ? ? ?", str(played(GAMES[0])))
    replay(text, partial=True)
    assert refusal(text).endswith(", not '! bonus 1 ? ? ?'")


def test_illegal_actions_and_wrong_results_are_refused() -> None:
    text = (KNOWN / "alhambra.record").read_text("utf-8")
    lines = text.split("\n")
    result = next(index for index, line in enumerate(lines) if line.startswith("= score"))
    action = next(index for index, line in enumerate(lines) if re.match("[12] take", line))
    for index, line in (
        (result, "= score A 1 total=99"),
        (result, ""),
        (action, f"{lines[action][0]} take y1 y1 y1 y1"),
        (action, f"{'21'[int(lines[action][0]) - 1]} pass"),
        (action, "nonsense"),
    ):
        with pytest.raises(RecordError, match=f"^line {index + 1}: "):
            verify(changed(text, index, line))
    with pytest.raises(RecordError, match=f"^line {len(lines)}: "):
        verify(text + "! yard 1 garden-8-NW\n")


# Wrong headers


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        (SEED, None, "the header has no line 'seed: …', so the shuffle cannot be verified"),
        (COMMITMENT, None, "the header has no line 'commitment: …', so the shuffle cannot be verified"),
        (SEED, "", "the seed '' is not 64 hexadecimal digits in lower case"),
        (SEED, "7", "the seed '7' is not 64 hexadecimal digits in lower case"),
        (SEED, ONE.upper(), f"the seed '{ONE.upper()}' is not 64 hexadecimal digits in lower case"),
        (COMMITMENT, "abc", "the commitment 'abc' is not 64 hexadecimal digits in lower case"),
        (SEED, OTHER, f"the seed does not match the commitment: it gives {commitment(OTHER)}, not {commitment(ONE)}"),
        (COMMITMENT, OTHER, f"the seed does not match the commitment: it gives {commitment(ONE)}, not {OTHER}"),
        (FORKED_AT, "", "the opening '' is not a number of actions"),
        (FORKED_AT, "-1", "the opening '-1' is not a number of actions"),
        (FORKED_AT, "007", "the opening '007' is not a number of actions"),
        (FORKED_AT, "٣", "the opening '٣' is not a number of actions"),
        (FORKED_AT, "9" * 10_000, f"the opening '{'9' * 10_000}' is not a number of actions"),
        (FORKED_AT, "999999999", "the header gives an opening of 999999999 actions, but the record has only "),
    ],
)
def test_a_wrong_header_is_refused(key: str, value: str | None, reason: str) -> None:
    record = played(GAMES[0], max_turns=2)
    if value is None:
        del record.extra[key]
    else:
        record.extra[key] = value
    assert refusal(str(record)).startswith(reason)


def test_another_seed_with_its_own_commitment_is_found_in_the_first_line() -> None:
    record = played(GAMES[0])
    record.extra |= header(OTHER)
    assert re.match(r"line \d+: the seed gives '! yard 1 ", refusal(str(record)))


@pytest.mark.parametrize(
    "text", ["", "\n", "garbage", "granada-record 1", "granada-record 1\nseed: 1\n\n", "\ufeff", "\r\n"]
)
def test_garbage_is_not_a_record(text: str) -> None:
    with pytest.raises(RecordError):
        verify(text)


# Forked games


@pytest.mark.parametrize("options", GAMES[::5], ids=lambda o: o.edition)
def test_a_game_played_on_is_proven_from_there(options: Options) -> None:
    text = str(played(options))
    for at in (0, 1, 9):
        record = forked(text, at, OTHER)
        proof = verify(str(record))
        state = replay(str(record), partial=True).state
        own = len(chance_lines(str(record))) - len(chance_lines(str(replay(text, partial=True, until=at).record)))
        assert proof == Proof(commitment(OTHER), state.n - at, own, at, state.is_over)
        assert proof.lines > 0
        del record.extra[FORKED_AT]
        assert "the seed gives '! yard 1 " in refusal(str(record))
        record.extra[FORKED_AT] = str(at + 10_000)
        assert "but the record has only " in refusal(str(record))


def test_an_opening_must_keep_the_rules_and_what_follows_the_seed() -> None:
    record = forked(str(played(GAMES[0])), 9, OTHER)
    text = str(record)
    lines = chance_lines(text)
    with pytest.raises(RecordError):
        verify(changed(text, lines[0], text.split("\n")[lines[1]]))
    assert refusal(changed(text, lines[-1], "! reshuffle")).startswith(f"line {lines[-1] + 1}: the seed gives ")


def test_a_game_can_be_played_on_without_any_action_yet() -> None:
    proof = verify(str(forked(str(played(GAMES[0])), 9, OTHER, max_turns=0)))
    assert (proof.actions, proof.lines, proof.opening, proof.is_over) == (0, 0, 9, False)


# A fixed order


YARD = ["tower-12", "chambers-8-NW", "seraglio-6-ES", "arcades-6-NE"]
DISPLAY = ["o9", "g6", "y2", "o6"]


def in_fixed_order(options: Options, chooser: int) -> Record:
    """Return a whole game in a fixed order, with random actions that prefer buying."""
    record = Record(options, extra={**header(ONE), ORDER: FIXED})
    state = new_game(options, chance_at(ONE, SET_UP, is_fixed=True))
    record.add(state.events)
    choices = random.Random(chooser)
    while not state.is_over:
        offers = state.offers()
        quick = [one for one in offers if action_text(one).startswith(("buy", "place", "take"))]
        record.add(state.play(choices.choice(quick or offers), chance_at(ONE, state.n, is_fixed=True)))
    return record


def drawn(record: Record, word: str, kind: str = "") -> list[str]:
    """Return what the lines of one kind show, in order."""
    lines = [line.split(" ") for line in record.lines if line.startswith(f"! {word} ")]
    return [one for line in lines for one in line[3 if word == "yard" else 2 :] if one.startswith(kind)]


def test_known_values_of_a_fixed_order_never_change() -> None:
    options = Options("alhambra", 3)
    state = new_game(options, FixedOrder(ONE))
    assert [tile.name for tile in state.yard if tile is not None] == YARD
    assert [card.name for card in state.display] == DISPLAY
    assert repr(FixedOrder(ONE)) == "<fixed order, 0 drawn for start>"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fixed_order_gives_everybody_the_same_cards_and_tiles(edition: str) -> None:
    one, other = (in_fixed_order(Options(edition, 3), chooser) for chooser in (1, 2))
    assert one.lines != other.lines
    if edition == "alhambra":
        # The lists end where the first of the games ends; in Granada the marker decides which face is up.
        assert all(first == second for first, second in zip(drawn(one, "yard"), drawn(other, "yard"), strict=False))
    cards = [[line for line in record.lines if "reshuffle" in line] for record in (one, other)]
    before = 40 if any(cards) else 100
    assert drawn(one, "display")[:before] == drawn(other, "display")[:before]


@pytest.mark.parametrize("options", GAMES[::2], ids=lambda o: f"{o.edition}-{o.players}")
def test_games_in_a_fixed_order_are_proven(options: Options) -> None:
    record = in_fixed_order(options, 3)
    proof = verify(str(record))
    assert proof.is_over
    assert proof.lines == len(chance_lines(str(record)))
    seen: list[tuple[int, int]] = []
    verify(str(record), observe=lambda state, action, line: seen.append((state.n, line)))
    assert [n for n, _ in seen] == list(range(proof.actions))
    text = str(record).split("\n")
    assert all(text[line - 1][0].isdigit() for _, line in seen)
    del record.extra[ORDER]
    assert "the seed gives " in refusal(str(record))
    record.extra[ORDER] = "none"
    assert refusal(str(record)) == "the order 'none' is not 'fixed'"
