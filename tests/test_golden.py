"""Golden games: records that every later version must read, and reproduce from the same random numbers."""

from __future__ import annotations

import pytest

from granada import replay
from tests.golden import quick
from tests.golden.make import GAMES, HERE, golden_game


def test_every_golden_game_is_kept() -> None:
    assert sorted(path.stem for path in HERE.glob("*.record")) == sorted(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_replays_to_its_end(name: str) -> None:
    text = (HERE / f"{name}.record").read_text("utf-8")
    reading = replay(text)
    assert reading.state.is_over
    assert str(reading.record) == text


@pytest.mark.parametrize("name", GAMES)
def test_the_same_luck_plays_the_same_game(name: str) -> None:
    assert golden_game(name) == (HERE / f"{name}.record").read_text("utf-8")


def test_every_golden_game_of_quick_play_is_kept() -> None:
    assert sorted(path.stem for path in quick.HERE.glob("*.record")) == sorted(quick.GAMES)


@pytest.mark.parametrize("name", quick.GAMES)
def test_quick_play_plays_the_same_game(name: str) -> None:
    text = (quick.HERE / f"{name}.record").read_text("utf-8")
    assert quick.quick_game(name) == text
    assert replay(text).state.is_over


@pytest.mark.parametrize("name", quick.GAMES)
def test_looking_ahead_finds_the_same(name: str) -> None:
    kept = [line for line in quick.SAMPLES.read_text("utf-8").splitlines() if line.startswith(f"{name} ")]
    assert kept
    assert quick.samples(name) == kept
