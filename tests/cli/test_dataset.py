"""`granada dataset` and its reader."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from granada import __version__
from granada.arena.tournament import FIXED, Tournament
from granada.bots import make_bot
from granada.cli import main
from granada.learning import arrays, dataset
from granada.learning.partial_word import choices
from granada.learning.terms import terms_of
from granada.learning.token_game import TokenGame
from tests.arena.test_on_ray import HAS_WHEEL
from tests.cli.command import complaint, output
from tests.optional import needs

GAME = ("--players", "novice,random", "--variant", "short", "--per-file", 2, "--seed", 7)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a dataset by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a dataset of five games."""
    place = tmp_path_factory.mktemp("data") / "games"
    told = output("dataset", *GAME, "--games", 5, "--out", place)
    assert told.startswith(f"{place}: 5 games, ")
    return place


def test_the_steps_are_those_of_the_games(folder: Path) -> None:
    data = dataset.read(folder)
    steps = data.all()
    assert [path.name for path in data.files] == [f"games-00000{i}-00000{min(i + 1, 5)}.npz" for i in (1, 3, 5)]
    tournament = Tournament(("novice", "random"), seats=2, games=5, seed=7, mode=FIXED)
    terms = terms_of("alhambra", variant="short")
    at = 0
    for pairing in tournament.pairings():
        bots = [make_bot(name, tournament.bot_seed(pairing, seat)) for seat, name in enumerate(tournament.players)]
        game = TokenGame(terms, random.Random(tournament.deal_seed(pairing)))
        first, seats, expected = at, list[int](), list[int]()
        while not game.is_done:
            seat = game.seat
            if not expected:
                action = bots[seat].choose(game.state.view(seat, True), game.offers)
                expected = choices(game.state, action)
            assert steps.observations[at].tolist() == arrays.observation(game, seat).tolist()
            assert steps.masks[at].tolist() == arrays.mask(game).tolist()
            assert (steps.games[at], steps.seats[at], steps.steps[at]) == (pairing.number, seat, at - first)
            token = expected.pop(0)
            assert steps.tokens[at] == token
            game.choose(token)
            seats.append(seat)
            at += 1
        points = [player.score for player in game.state.players]
        ranks = {0: [0.0, 0.0], 1: [1.0, -1.0], -1: [-1.0, 1.0]}[(points[0] > points[1]) - (points[0] < points[1])]
        assert steps.outcomes[first:at].tolist() == [ranks[seat] for seat in seats]
        assert steps.leads[first:at].tolist() == [points[seat] - points[1 - seat] for seat in seats]
        for seat in (0, 1):
            rewards = [reward for reward, who in zip(steps.rewards[first:at], seats, strict=True) if who == seat]
            assert rewards == [0.0] * (len(rewards) - 1) + [ranks[seat]]
    assert at == len(steps)


def test_metadata_say_how_to_make_it_again(folder: Path, tmp_path: Path) -> None:
    data = dataset.read(folder).metadata
    assert data["granada"] == __version__
    assert (data["environments"], data["variant"], data["memory"], data["tokens"]) == ("v0", "short", False, 568)
    assert data["observation_size"] == dataset.read(folder).all().observations.shape[1]
    plan = dataset.DatasetPlan.from_data(data)
    list(dataset.write(plan, tmp_path / "again"))
    assert files_in(tmp_path / "again") == files_in(folder)


def test_processes_and_interruptions_change_nothing(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "games"
    output("dataset", *GAME, "--games", 3, "--out", place, "--jobs", 2)
    kept = place / "games-000001-000002.npz"
    before = kept.stat().st_mtime_ns
    # Without a seed, the stored one is used.
    output("dataset", *GAME[:-2], "--games", 5, "--out", place, "--jobs", 2)
    assert files_in(place) == files_in(folder)
    assert kept.stat().st_mtime_ns == before
    assert " 0 steps in " in output("dataset", *GAME, "--games", 5, "--out", place)


@pytest.mark.skipif(not HAS_WHEEL, reason="Ray has no wheel for this platform")
def test_ray_writes_the_same_files(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "games"
    output("dataset", *GAME, "--games", 5, "--out", place, "--on", "ray", "--jobs", 2)
    assert files_in(place) == files_in(folder)


def test_bots_from_files_play_too(tmp_path: Path) -> None:
    told = ("--bot-file", "examples/bot_file.py", "--players", "thrifty,first", "--variant", "short", "--games", 1)
    output("dataset", *told, "--max-turns", 20, "--out", tmp_path / "games")
    steps = dataset.read(tmp_path / "games").all()
    assert {*steps.seats.tolist()} == {0, 1}
    assert steps.outcomes.tolist() == [0.0] * len(steps)  # 3.7: stopped


@needs("pyarrow", "'granada[parquet]'")
def test_parquet_has_the_same_steps(folder: Path, tmp_path: Path) -> None:
    output("dataset", *GAME, "--games", 5, "--format", "parquet", "--out", tmp_path / "games")
    ours, theirs = dataset.read(folder).all(), dataset.read(tmp_path / "games").all()
    for name in dataset.Steps.__dataclass_fields__:
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["dataset", "--format", "parquet", "--out", str(tmp_path / "games")]) == 2
    assert capsys.readouterr().err == "granada: error: pyarrow is not installed: pip install 'granada[parquet]'\n"
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--format", "csv"), "the format 'csv' is none of npz, parquet"),
        (("--players", "novice"), "two to six players can play, not 1 (2.1)"),
        (("--players", "novice,nobody"), "the bot 'nobody' is none of "),
        (("--variant", "solo"), "bots cannot play the variant 'solo': they need an opponent (2.1)"),
        (
            ("--variant", "short", "--players", "novice,novice,novice"),
            "the variant 'short' changes a game of 2 players",
        ),
        (("--per-file", "0"), "'0' is not a whole number from 1 to 10000"),
        (("--on", "mars"), "--on must be processes or ray, not 'mars'"),
        (("--ray-address", "auto"), "--ray-address needs --on ray"),
        (("--on", "ray", "--ray-address", "127.0.0.1:1"), "no Ray cluster at '127.0.0.1:1': "),
    ],
)
def test_bad_input_is_complained_about(given: tuple[str, ...], told: str, tmp_path: Path) -> None:
    assert told in complaint("dataset", "--games", 1, *given, "--out", tmp_path / "games")


def test_other_games_and_other_files_are_not_touched(folder: Path, tmp_path: Path) -> None:
    before = files_in(folder)
    other = ("--games", 5, "--out", folder)
    assert "its players is novice,random, not random,random" in complaint(
        "dataset", *GAME, *other, "--players", "random,random"
    )
    assert "its memory is False, not True" in complaint("dataset", *GAME, *other, "--memory")
    assert files_in(folder) == before
    (tmp_path / "letter.txt").write_text("Dear Dirk")
    assert f"{tmp_path} is not a dataset" in complaint("dataset", *GAME, "--games", 1, "--out", tmp_path)
    assert [*files_in(tmp_path)] == ["letter.txt"]
    assert "letter.txt" in complaint("dataset", *GAME, "--games", 1, "--out", tmp_path / "letter.txt")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("metadata.json", b"{}", "is not a dataset of this version"),
        ("metadata.json", b"[", "is not a dataset of this version"),
        ("games-000001-000002.npz", b"PK", "is not a shard of a dataset"),
        ("games-000001-000002.npz", None, "is not a shard of a dataset: it has no column 'game'"),
    ],
)
def test_a_broken_dataset_is_named(name: str, content: bytes | None, told: str, folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    if content is None:
        np.savez(tmp_path / name, token=np.zeros(3))
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(dataset.BadDataset, match=told) as error:
        dataset.read(tmp_path).all()
    assert str(tmp_path) in str(error.value)
    with pytest.raises(dataset.BadDataset, match="is not a dataset: cannot read"):
        dataset.read(tmp_path / "nowhere")
