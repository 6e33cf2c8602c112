"""A result is accepted only if its record is a whole game of the deal."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache

import pytest

from granada.daily.check import DailyError, bot_action, check_record
from granada.daily.deal import DailyDeal
from granada.daily.outcome import Outcome
from granada.records.record import Record, RecordError
from granada.records.replay import Replay
from granada.records.shuffle import COMMITMENT, FORKED_AT, ORDER, SEED, FixedOrder, commitment, verify
from granada.rules.leftovers import winners
from granada.rules.options import EDITIONS, Options
from granada.rules.setup import new_game
from tests.daily.games import greedy, played

DEAL = DailyDeal("alhambra", date(2026, 11, 18))


@cache
def game() -> str:
    """Return a valid record."""
    return str(played(DEAL))


def refusal(text: str, deal: DailyDeal = DEAL, trusts_bots: bool = False) -> DailyError:
    with pytest.raises(DailyError) as caught:
        check_record(deal, text, trusts_bots)
    return caught.value


# What is accepted


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_played_game_is_accepted(edition: str) -> None:
    deal = DailyDeal(edition, date(2026, 11, 22))
    record = played(deal, name="Zoë")
    final = Replay(str(record)).run()
    found = check_record(deal, str(record))
    scores = [player.score for player in final.players]
    stretch = final.players[0].city.stretch(1 if edition == "granada" else 0)
    assert found.name == "Zoë"
    assert (found.points, found.margin) == (scores[0], scores[0] - max(scores[1:]))
    assert (found.won, found.wall) == (0 in winners(final), stretch)
    assert found.course[2] == ("ahead" if found.margin > 0 else "behind" if found.margin else "level")
    assert verify(str(record)).is_over


def test_the_outcome_is_what_the_record_says() -> None:
    """Exact payments are counted from the lines, the course from the results."""
    prices = re.findall(r"^1 buy \w+-(\d+)(?:-\w+)? with (.*)$", game(), re.MULTILINE)
    exact = [cards for price, cards in prices if sum([int(card[1:]) for card in cards.split()]) == int(price)]
    assert check_record(DEAL, game()) == Outcome("Ana", 153, 22, True, ("behind", "behind", "ahead"), len(exact), 17)
    assert len(exact) == 15


def test_names_comments_and_empty_lines_do_not_matter() -> None:
    text = (
        game()
        .replace("players: Ana, Bot 0, Bot 1", "players: Zoë, Carla, Ben")
        .replace("\n1 take", "\n\n# hm\n1 take", 3)
    )
    assert check_record(DEAL, text).points == 153


# What is refused


def header(**changes: str) -> Callable[[], str]:
    """Return a function that changes header lines of a valid record."""

    def change() -> str:
        text = game()
        for key, value in changes.items():
            text = re.sub(rf"^{key}: .*$", f"{key}: {value}", text, count=1, flags=re.MULTILINE)
        return text

    return change


def test_the_record_of_another_day_or_edition_is_refused() -> None:
    other = DailyDeal("alhambra", date(2026, 11, 17))
    error = refusal(game(), other)
    assert error.code == "daily_deal"
    assert str(error) == "the seed is not that of the deal alhambra of 2026-11-17 (D1)"
    error = refusal(game(), DailyDeal("granada", DEAL.day))
    assert str(error) == (
        "this game is alhambra, 3 players, regular scoring, but the deal is granada, 3 players, regular scoring (D2)"
    )


def test_another_seed_is_refused_even_with_the_commitment_of_the_deal() -> None:
    seed = "ab" * 32
    assert refusal(header(seed=seed)()).code == "daily_deal"
    assert refusal(header(seed=seed, commitment=commitment(seed))()).code == "daily_deal"
    assert "the seed does not match the commitment" in str(refusal(header(commitment="cd" * 32)()))
    assert "'commitment: …'" in str(refusal(re.sub("commitment: .*\n", "", game())))


@pytest.mark.parametrize("key", [SEED, ORDER])
def test_a_record_without_the_seed_or_the_order_is_refused(key: str) -> None:
    assert refusal(re.sub(f"{key}: .*\n", "", game())).code == "daily_deal"


def test_other_options_are_refused() -> None:
    for options in (Options("alhambra", 2), Options("alhambra", 3, ["vizier"]), Options("alhambra", 3, ages=[9, 8, 7])):
        record = Record(options, extra={COMMITMENT: DEAL.commitment, SEED: DEAL.seed, ORDER: "fixed"})
        record.add(new_game(options, FixedOrder(DEAL.seed)).events)
        assert refusal(str(record)).code == "daily_deal"


def test_a_game_continued_from_another_one_is_refused() -> None:
    text = game().replace("\norder: fixed", f"\norder: fixed\n{FORKED_AT}: 9")
    assert refusal(text).code == "daily_forked"


def test_other_actions_of_a_bot_are_refused_with_their_line() -> None:
    """Also legal ones: here the bots of the deal play like another bot."""
    text = str(played(DEAL, bot=greedy))
    error = refusal(text)
    assert error.code == "daily_bot"
    assert error.line is not None
    line = text.split("\n")[error.line - 1]
    assert line[0] in "23"
    assert error.expected[0] == line[0]
    assert error.expected != line
    level = DEAL.bots[int(line[0]) - 2]
    assert (
        str(error)
        == f"line {error.line}: seat {line[0]} is the bot {level}, which plays '{error.expected[2:]}' here (D4)"
    )
    assert check_record(DEAL, text, trusts_bots=True).points > 0


def test_the_person_on_another_seat_is_refused() -> None:
    """The person plays on seat 2, and a bot on seat 1."""
    text = str(played(DEAL, person=lambda state: bot_action("mason", DEAL.seed, state), bot=greedy))
    assert refusal(text).code == "daily_bot"


def test_a_drawn_card_or_tile_of_choice_is_refused_with_its_line() -> None:
    lines = game().split("\n")
    yards = [i for i, line in enumerate(lines) if line.startswith("! yard")]
    later = lines[yards[-1]].split(" ")[-1]
    for i in (yards[0], yards[9]):
        forged = [*lines[:i], " ".join([*lines[i].split(" ")[:3], later]), *lines[i + 1 :]]
        error = refusal("\n".join(forged))
        assert (error.code, error.line, error.expected) == ("daily_drawn", i + 1, lines[i])
        assert str(error) == f"line {i + 1}: the deal gives '{lines[i]}' here (D3)"


def test_an_unfinished_game_is_refused() -> None:
    lines = game().split("\n")
    at = [i for i, line in enumerate(lines) if line.startswith("1 ")][20]
    error = refusal("\n".join(lines[:at]) + "\n")
    assert error.code == "daily_unfinished"
    assert str(error).endswith("the game is not over (D5)")


def test_illegal_actions_and_wrong_results_are_refused_by_the_rules() -> None:
    own = next(line for line in game().split("\n") if line.startswith("1 take"))
    result = next(line for line in game().split("\n") if line.startswith("= score A 1"))
    for old, new, code in (
        (own, "1 take y9 y9", "illegal"),
        (result, f"{result}9", "result"),
        (own, "1 hop", "notation"),
    ):
        with pytest.raises(RecordError) as caught:
            check_record(DEAL, game().replace(old, new, 1))
        assert caught.value.code == code
        assert f"line {caught.value.line}: " in str(caught.value)


@pytest.mark.parametrize("text", ["", "nonsense", "granada-record 1\n", "granada-record 1\nedition: alhambra\n\n"])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        check_record(DEAL, text)


def test_every_changed_line_is_refused() -> None:
    """Leaving out or doubling any single line of the body is found."""
    lines = game().rstrip("\n").split("\n")
    first = lines.index("") + 1
    for i in range(first, len(lines), 23):
        for changed in ([*lines[:i], *lines[i + 1 :]], [*lines[: i + 1], *lines[i:]]):
            with pytest.raises((DailyError, RecordError)):
                check_record(DEAL, "\n".join(changed) + "\n")
