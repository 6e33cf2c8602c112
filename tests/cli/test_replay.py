"""`granada replay`."""

from __future__ import annotations

from pathlib import Path

from granada import replay, winners
from tests.cli.command import complaint, output


def test_it_prints_the_final_standings(record: Path) -> None:
    reading = replay(record.read_text("utf-8"))
    state, names = reading.state, reading.record.names
    lines = output("replay", record).split("\n")
    assert lines[0] == f"Granada, modules vizier, regular scoring: {state.n} actions in {state.turns} turns."
    assert lines[1].split() == ["greedy", "1", "random", "2", "Dirk"]
    assert state.dirk is not None
    totals = [*[player.score for player in state.players], state.dirk.score]
    sheet = {line.split("  ")[0]: line.split()[-3:] for line in lines[2:-2]}
    assert sheet["total"] == [str(total) for total in totals]
    assert sheet["place"] == [f"{1 + len([other for other in totals if other > total])}." for total in totals]
    assert sum([int(sheet[f"scoring {letter}"][0]) for letter in "ABC"]) == totals[0]
    won = winners(state)[0]
    assert lines[-2] == f"{names[won]} wins with {state.players[won].score} points."


def test_it_reads_the_standard_input(record: Path) -> None:
    assert output("replay", "-", given=record.read_bytes()) == output("replay", record)


def test_a_game_that_did_not_end_is_read_on_request(partial: Path) -> None:
    last = len(partial.read_text("utf-8").split("\n"))
    told = complaint("replay", partial, status=1)
    assert told.startswith(f"{partial}: line {last}: the record ends before the end of the game (rule 8.4)")
    assert "The game is unfinished: it is the turn of seat " in output("replay", partial, "--partial")


def test_a_wrong_record_is_refused_with_its_line_the_rule_and_the_reason(record: Path, tmp_path: Path) -> None:
    lines = record.read_text("utf-8").split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith(("1 take", "2 take", "1 buy", "2 buy")))
    seat = lines[first][0]
    lines[first] = f"{seat} take y1 y1 y1 y1"
    wrong = tmp_path / "wrong.record"
    wrong.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    told = complaint("replay", wrong, status=1)
    assert told.startswith(f"{wrong}: line {first + 1}: ")
    assert "breaks rule 3.2: y1 is not on the display" in told


def test_a_complaint_stays_on_one_bearable_line(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.record"
    wrong.write_text("granada-record 1\nedition: " + 100_000 * "x\x1b" + "\nplayers: a, b\n\n", "utf-8", newline="\n")
    told = complaint("replay", wrong, status=1)
    assert len(told) < 500
    assert "\x1b" not in told
