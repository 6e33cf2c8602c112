"""The deal of a day is the same everywhere and for ever."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta

import pytest

from granada.bots import BOTS as ALL_BOTS
from granada.bots.search import SearchBot
from granada.browser.bot_runner import is_quick
from granada.daily.deal import BOTS, DailyDeal
from granada.rules.options import EDITIONS
from tests.daily.games import played

DAY = date(2026, 11, 18)
#: By edition: the seed, its commitment, the first yard and the first money of DAY.
GOLDEN = {
    "alhambra": (
        "b9644a989edb9a6c67aaabf71fb0d313af23fcdc53d35b2375695cd7a720d8e9",
        "520d6b39bfed2c97b75d6782dfaf4296393a9620833cef79eabf304eac608d89",
        "arcades-9 pavilion-7-E arcades-6-SW chambers-9-W",
        "b3 g2 b7 y1",
    ),
    "granada": (
        "2abf975648c83fcdf38c863348fe35116d9de7a86bcadac4c9a8069162f091f5",
        "572a70b49b5c2f7c125929264ffa21fd8ffedfdc1a35f1e40c2f83ccf532150a",
        "hospital-8 hospital-6 district-10 library-10",
        "b1 o5 y1 b7",
    ),
    "combined": (
        "1bcd59a07f65665cc8a8989f5ceb6264accae469ad3cc0f4158de1e832a46ceb",
        "a62bda379796797f0257faacb674f1d3102290f286c77b9e9efe8e53a08c0326",
        "garden-10 arena-4 garden-7-NSW market-6 arcades-6-SW district-6 tower-7-NEW hostel-8",
        "o2 y5 g8 y1",
    ),
}
#: The hash of a game in which a greedy bot plays for the person. If it changes, so do the bots or the rules: results of
#: the same day that were played before the change are then refused.
GAMES = {
    "alhambra": "479a876a319418eaf54bd6002e4fb53aa76657c87a62b650af4c91e09fa0f323",
    "granada": "ddeae6128c7b112bdc484afc94be178b86dc64c95f294934a47263f9c72982d6",
    "combined": "d2da6d0ee33c488e927ebcc85686c4a8b0e14851e387cfed8301c4d7d415a2d8",
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_deal_of_a_day_never_changes(edition: str) -> None:
    deal = DailyDeal(edition, DAY)
    opening = deal.opening()
    yard = " ".join([tile.name for tile in opening.yard if tile is not None])
    display = " ".join([card.name for card in opening.display])
    assert (deal.seed, deal.commitment, yard, display) == GOLDEN[edition]
    assert deal.seed == hashlib.sha256(f"granada-daily-1:{edition}:2026-11-18".encode()).hexdigest()


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_bots_of_a_day_never_play_otherwise(edition: str) -> None:
    record = str(played(DailyDeal(edition, DAY)))
    assert hashlib.sha256(record.encode()).hexdigest() == GAMES[edition]


def test_every_day_and_edition_has_its_own_deal() -> None:
    deals = [DailyDeal(edition, DAY + timedelta(days=n)) for edition in EDITIONS for n in range(50)]
    assert len({deal.seed for deal in deals}) == 150


def test_the_bots_of_the_week_decide_at_once_everywhere() -> None:
    assert [DailyDeal("granada", date(2026, 11, 16 + n)).bots for n in range(7)] == list(BOTS)
    for level in {level for bots in BOTS for level in bots}:
        assert is_quick(level)
        assert not issubclass(ALL_BOTS[level], SearchBot)
