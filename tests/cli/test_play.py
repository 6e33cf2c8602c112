"""`granada play`."""

from __future__ import annotations

import io
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from granada import replay
from granada.cli.play import TerminalGame
from granada.rules.options import EDITIONS, Options
from tests.cli.command import ENVIRONMENT, granada, output
from tests.cli.terminal import Terminal
from tests.kit import module_sets


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("has_modules", [False, True])
def test_a_whole_game_by_always_choosing_the_first_action(edition: str, has_modules: bool, tmp_path: Path) -> None:
    modules = ",".join(module_sets(edition)[-1]) if has_modules else ""
    record = tmp_path / "game.record"
    arguments = ["--edition", edition, "--modules", modules, "--seed", 4, "--record", record]
    text = output("play", *arguments, given="1\n" * 2000)
    assert "> " in text
    assert text.endswith(f"points.\nThe seed was 4.\nThe record is in {record}.\n")
    assert "\nscoring C " in text
    state = replay(record.read_text("utf-8")).state
    assert state.is_over
    totals = [line.split()[1:] for line in text.split("\n") if line.startswith("total")]
    assert totals == [[str(player.score) for player in state.players]]


def test_a_whole_game_of_two_with_any_answers(tmp_path: Path) -> None:
    rng = random.Random(3)
    answers = "".join([f"{rng.randint(1, 9)}\n" for _ in range(20_000)])
    record = tmp_path / "game.record"
    arguments = ["--edition", "combined", "--modules", "vizier,exchange,bonus,huts", "--players", "greedy,you"]
    output("play", *arguments, "--seed", 1, "--record", record, given=answers)
    assert replay(record.read_text("utf-8")).state.is_over


def test_bare_play_is_a_game_of_alhambra_against_two_greedy_bots() -> None:
    text = output("play")
    assert text.startswith("Alhambra with human 1, greedy 2, greedy 3. You are human 1.")
    assert re.search(r"The game was not finished.\nThe seed was \d+.\n$", text)


def test_it_shows_the_table_says_what_is_expected_and_lists_the_actions() -> None:
    text = output("play", "--seed", 3)
    assert "\nyard     1 gulden y            2 dirham g " in text
    assert "\nhand     g8 g2 b9 b7\n" in text
    assert "\nhand     3 cards\n" in text  # of another player
    assert "\nIt is your turn: take money, buy a tile, rebuild.\n   1 take y1" in text
    assert " 8 buy chambers-10 with g8 g2 (exactly) " in text
    assert "\ngreedy 3: buy tower-9-NE with y8 y7\ngreedy 3: place tower-9-NE at 1,0\n" in text


def test_an_action_may_be_typed_and_its_places_are_numbered_on_the_plan() -> None:
    text = output("play", "--seed", 3, given="buy chambers-10 with g8 g2\n7\n1\n")
    assert "\nYou paid exactly (chambers-10 will be placed later), so choose another action: " in text
    assert "\nhuman 1> human 1: take " in text
    plan = """
            1
        +.......+
    4   : start :   2
        +.......+
            3
Place what you acquired (chambers-10), tile by tile: into your city or your reserve.
"""
    assert f"\nPlaces for chambers-10 in your city:{plan}" in text
    assert "human 1: place chambers-10 at 0,-1\n" in text


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("take y9", "'take y9' breaks rule 3.2: y9 is not on the display."),
        ("TAKE y1", "'TAKE y1' does not start with any of take, buy, "),
        ("take y1 zz", "'zz' is not a card (1.1, 1.2, 1.6)."),
        ("place chambers-10 at 0,1", "'place chambers-10 at 0,1' breaks rule 3.1: "),
        ("0", "There is no action 0: type a number from 1 to 9."),
        ("99999999999999999999", "There is no action 99999999999999999999: type a number from 1 to 9."),
        ("-1", "'-1' does not start with any of take, "),
        ("help", "  why ACTION    "),
        ("table", "Alhambra · 3 players"),
        ("actions", "It is your turn: "),
        ("why take y9", "'take y9' breaks rule 3.2: y9 is not on the display."),
        ("why buy garden-8-SW with b9", "'buy garden-8-SW with b9' is legal."),
        ("why", "Type 'why ACTION'."),
        ("cells garden-8-SW", "garden-8-SW may be built at 0,1 -1,0."),
        ("cells garden-8-SW", "  not at 1,0: rule 5.2: its west edge does not match the edge that it touches"),
        ("cells tower-1", "'tower-1' is not a tile of this game"),
    ],
)
def test_whatever_is_typed_is_answered_and_the_game_goes_on(line: str, answer: str) -> None:
    text = output("play", "--seed", 3, given=f"{line}\n")
    told = text[text.index("human 1> ") :]
    assert answer in told
    assert told.endswith("human 1> \nThe game was not finished.\nThe seed was 3.\n")


def test_bytes_that_are_no_text_are_answered_too() -> None:
    assert "does not start with any of" in output("play", "--seed", 3, given=b"\xff\xfe\n\x00\n\x1b[A\n")


def test_what_is_quit_can_be_read_on_request_and_hides_the_bonus_cards_of_others(tmp_path: Path) -> None:
    record = tmp_path / "game.record"
    arguments = ["--modules", "bonus", "--seed", 3, "--record", record]
    text = output("play", *arguments, given="1\nquit\n1\n")
    assert text.endswith(f"The game was not finished.\nThe seed was 3.\nThe record is in {record}.\n")
    lines = record.read_text("utf-8").split("\n")
    assert [line for line in lines if line.startswith("! bonus")][1:] == ["! bonus 2 ? ? ?", "! bonus 3 ? ? ?"]
    assert replay(record.read_text("utf-8"), partial=True).state.seat == 0


def test_an_interrupt_ends_it_and_the_record_is_there(tmp_path: Path) -> None:
    record = tmp_path / "game.record"
    command = [sys.executable, "-m", "granada", "play", "--seed", "3", "--record", str(record)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"1\n")
        process.stdin.flush()
        while b"take y1\n" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)  # with the input still open, so that only the interrupt can end it
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"granada: interrupted\n")
    assert "\n1 take y1\n" in record.read_text("utf-8")


def test_several_people_may_sit_at_one_terminal() -> None:
    finished = granada("play", "--players", "you,you,random", "--seed", 3, given="1\n" * 4)
    assert finished.returncode == 0
    assert "human 1> " in finished.stdout
    assert "human 2> " in finished.stdout


@pytest.mark.parametrize("columns", [72, 40])
def test_the_score_sheet_at_the_end_fits_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("granada.cli.screen._is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 2000))
    players = ["you", *["courtier"] * 5]
    game = TerminalGame(Options("combined", len(players), module_sets("combined")[-1]), players, 5, None)
    game.play()
    text = capsys.readouterr().out
    end = text[text.rindex("> ") :].split("\n\n", 1)[1].split("\n")
    assert [line for line in end if len(line) > columns] == []
    seats = [name for line in end if line.startswith("   ") for name in re.findall(r"\w+ \d", line)]
    assert seats == ["human 1", *[f"courtier {seat}" for seat in range(2, 7)]]
    # Every seat has its total, whichever part of the sheet it is in.
    totals = [word for line in end if line.startswith("total") for word in line.split()[1:]]
    assert totals == [str(player.score) for player in game._state.players]


#: The preferences of a player who wants a large city, best first.
WANTED = ("place", "buy", "take", "vizier", "hut", "keep", "decline", "reserve")


def choice(lines: list[str]) -> str:
    """Return the number of the preferred action in the list."""
    found = {verb: number for number, verb in re.findall(r"(?:^| )(\d+)(?:–\d+)? ([a-z]+)\b", "\n".join(lines), re.M)}
    return next((found[verb] for verb in WANTED if verb in found), "1")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    ("edition", "columns", "count"), [("alhambra", 80, 70), ("combined", 80, 60), ("granada", 60, 40)]
)
def test_on_a_terminal_everything_fits_and_the_city_stays_beside_the_question(
    edition: str, columns: int, count: int
) -> None:
    modules = ",".join(module_sets(edition)[-1])
    arguments = ["--edition", edition, "--modules", modules, "--players", "you,random", "--seed", 7]
    collapsed = largest = 0
    with Terminal(columns, 24, "play", *arguments) as terminal:
        for _ in range(count):
            lines = terminal.read_until("human 1> ")
            # The first line is the input; no other line is wider than the terminal.
            assert [line for line in lines[1:] if len(line) > columns] == []
            seen = lines[-24:]
            begin = max(i for i, line in enumerate(lines) if line.startswith(("city  ", "Places for ")))
            city = [line for line in lines[begin + 1 :] if re.search(r"[+:#~%]", line) and "type '" not in line]
            drawing = [line for line in city if re.match(r"[ \d]*[+:#~%]", line)]
            assert any("start" in line for line in drawing)
            assert drawing == [line for line in seen if line in drawing], "the city has left the screen"
            largest = max(largest, len(drawing))
            collapsed += "type 'actions' to see them all" in " ".join(seen)
            terminal.type(choice(lines))
        lines = terminal.read_until("human 1> ")
        terminal.type("actions")
        assert not [line for line in terminal.read_until("human 1> ")[1:] if len(line) > columns]
        terminal.type("help")
        assert not [line for line in terminal.read_until("human 1> ")[1:] if len(line) > max(columns, 79)]
        terminal.type("quit")
    assert largest >= 7
    assert collapsed
