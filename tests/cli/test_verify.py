"""`granada verify`."""

from __future__ import annotations

from pathlib import Path

import pytest

from granada import replay
from granada.records.shuffle import COMMITMENT, commitment
from tests.cli.command import complaint, has_reason, output
from tests.test_shuffle import GAMES, KNOWN, ONE, OTHER, chance_lines, changed, forked, played

GRANADA = KNOWN / "granada.record"


def written(text: str, folder: Path) -> Path:
    path = folder / "some.record"
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def test_it_tells_what_is_proven() -> None:
    text = GRANADA.read_text("utf-8")
    reading = replay(text)
    published = reading.record.extra[COMMITMENT]
    told = (
        f"The seed gives the {len(chance_lines(text))} lines of chance of the set-up and {reading.state.n} actions.\n"
    )
    hint = f"This is proof only if the commitment shown at the start of the game was {published}.\n"
    assert output("verify", GRANADA) == told + hint
    assert output("verify", "-", given=text) == told + hint
    for noted in (published, published.upper()):
        assert output("verify", GRANADA, "--commitment", noted) == told + "The commitment matches.\n"


def test_it_tells_what_is_not_proven(tmp_path: Path) -> None:
    text = str(played(GAMES[0]))
    assert "actions; the game is unfinished.\n" in output("verify", written(text, tmp_path))
    told = output("verify", written(str(forked(text, 9, OTHER)), tmp_path))
    assert "; the set-up and 9 actions of another record are not verified; the game is unfinished.\n" in told
    assert "set-up and" not in told.split(";")[0]


def test_another_commitment_than_the_noted_one_is_refused() -> None:
    published = replay(GRANADA.read_text("utf-8")).record.extra[COMMITMENT]
    told = complaint("verify", GRANADA, "--commitment", OTHER, status=1)
    assert told == f"{GRANADA}: the commitment is {published}, not {OTHER}\n"


def test_a_record_that_is_not_the_seeds_is_refused_with_its_line(tmp_path: Path) -> None:
    text = str(played(GAMES[0]))
    index = chance_lines(text)[-1]
    path = written(changed(text, index, "! reshuffle"), tmp_path)
    told = complaint("verify", path, status=1)
    assert told == f"{path}: line {index + 1}: the seed gives '{text.split(chr(10))[index]}', not '! reshuffle'\n"
    path = written(text.replace(f"seed: {ONE}", f"seed: {OTHER}"), tmp_path)
    told = complaint("verify", path, status=1)
    assert told.startswith(f"{path}: the seed does not match the commitment: it gives {commitment(OTHER)}, not ")


def test_a_record_without_a_seed_or_against_the_rules_is_refused(record: Path, tmp_path: Path) -> None:
    told = complaint("verify", record, status=1)
    assert told == f"{record}: the header has no line 'commitment: …', so the shuffle cannot be verified\n"
    path = written(str(played(GAMES[0])) + "1 take y1 y1 y1\n", tmp_path)
    assert ": line " in complaint("verify", path, status=1)
    path = written("garbage\n", tmp_path)
    assert (
        complaint("verify", path, status=1)
        == f"{path}: line 1: the first line of a record must be 'granada-record 1'\n"
    )


@pytest.mark.parametrize("noted", ["", "g" * 64, "f" * 63 + "\n"])
def test_a_commitment_has_64_digits(noted: str) -> None:
    assert "is not a commitment, which has 64 hexadecimal digits" in complaint("verify", GRANADA, "--commitment", noted)


def test_bad_input_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    assert "cannot read missing: No such file or directory" in complaint("verify", "missing", cwd=tmp_path)
    assert has_reason(complaint("verify", ".", cwd=tmp_path), "cannot read .: Is a directory")
    assert "binary is not a record: it is not UTF-8 text" in complaint("verify", "binary", cwd=tmp_path)
    assert "arguments are required: FILE" in complaint("verify")
