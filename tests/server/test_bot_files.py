"""Third-party bots on a server: a club's file of bots (docs/bots.md)."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from granada import BadOptions
from granada.server.ops.settings import Settings, settings_from
from tests.server.running import Guest, play_on, running

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot_file.py"
BROKEN = "def choose(view, actions):\n    raise KeyError('nowhere')\n"


def test_a_server_offers_the_bots_of_its_files_and_plays_with_them(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(BROKEN, "utf-8")
    files = os.pathsep.join([str(EXAMPLE), str(broken)])
    with running(tmp_path / "data", GRANADA_BOT_FILES=files) as server, Guest(server) as host:
        assert [level["id"] for level in host.get("/components")["levels"]][-3:] == ["thrifty", "first", "broken"]
        table = host.open_table(["person", "thrifty", "first", "broken"])
        host.start(table)
        with host.socket(table) as socket:
            message = play_on(socket, random.Random(1), until=24)
        assert message["n"] >= 24
        log = server.log()
    assert "bot failed" in log
    assert "the bot 'broken'" in log
    assert "the bot 'thrifty'" not in log
    assert "the bot 'first'" not in log


def test_files_are_named_like_folders_of_the_path(tmp_path: Path) -> None:
    names = [str(tmp_path / "one.py"), "two.py"]
    settings = settings_from({"GRANADA_BOT_FILES": os.pathsep.join(names)})
    assert settings.bot_paths() == [names[0], str(Path("two.py").resolve())]
    assert Settings().bot_paths() == []
    with pytest.raises(BadOptions, match=r"cannot read .*one.py: No such file or directory"):
        replace(settings, data_dir=str(tmp_path)).check()
