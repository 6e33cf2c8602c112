"""Third-party bots from files and installed packages."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from granada import BadOptions, Options, Replay, new_game
from granada.arena.simulation import play_game, simulate
from granada.arena.tournament import FIXED, Tournament
from granada.bots import BOTS, Bot, make_bot
from granada.bots.external.plugins import load_bots, load_file, load_installed
from granada.bots.external.third_party import BotError
from tests.kit import luck

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot_file.py"
HEAD = "from granada.bots import Bot\n"


def file(folder: Path, text: str, name: str = "my_bot.py") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def chosen(name: str) -> str:
    """Return what a bot chooses at the beginning of a game."""
    state = new_game(Options(), luck("chosen"))
    actions = state.offers()
    return f"action {actions.index(make_bot(name, 1).choose(state.view(state.seat, remembers=True), actions))}"


def failure(name: str) -> str:
    with pytest.raises(BotError) as error:
        chosen(name)
    return str(error.value)


def refusal(path: str) -> str:
    before = dict(BOTS)
    with pytest.raises(BadOptions) as error:
        load_file(path)
    assert before == BOTS
    return str(error.value)


# Files


def test_subclasses_of_bot_are_named_by_their_class_or_by_their_attribute(tmp_path: Path) -> None:
    text = """
from granada.bots import Bot, GreedyBot
class Base(Bot):
    pass
class _Hidden(Bot):
    def choose(self, view, actions): return actions[0]
class LastBot(Base):
    def choose(self, view, actions): return actions[-1]
class Other(GreedyBot):
    NAME = "my-own"
"""
    assert load_file(file(tmp_path, text)) == ["last", "my-own"]
    assert chosen("last") != "action 0"
    assert chosen("my-own").startswith("action ")
    assert isinstance(make_bot("last:0.5s", 1), Bot)
    assert make_bot("last:0.5s", 1).budget.seconds == 0.5


def test_a_function_that_chooses_is_named_like_its_file(tmp_path: Path) -> None:
    assert load_file(file(tmp_path, "def choose(view, actions):\n    return actions[1]\n", "second.py")) == ["second"]
    assert chosen("second") == "action 1"


def test_a_dictionary_says_which_bots_there_are(tmp_path: Path) -> None:
    text = HEAD + "class OneBot(Bot):\n    def choose(self, v, a): return a[0]\n"
    text += "BOTS = {'uno': OneBot, 'due': lambda view, actions: actions[1]}\n"
    assert load_file(file(tmp_path, text)) == ["uno", "due"]
    assert "one" not in BOTS
    assert (chosen("uno"), chosen("due")) == ("action 0", "action 1")


def test_a_file_can_import_its_neighbours_and_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", sys.path.copy())
    file(tmp_path, "NUMBER = 2\n", "beside_the_bot.py")
    text = "import beside_the_bot\ndef choose(view, actions):\n    return actions[beside_the_bot.NUMBER]\n"
    path = file(tmp_path, text, "third.py")
    assert load_file(path) == load_file(path) == ["third"]
    monkeypatch.chdir(tmp_path)
    assert load_file("third.py") == ["third"]
    assert chosen("third") == "action 2"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1\ndef choose(view actions)\n", "my_bot.py, line 2: not valid Python: invalid syntax"),
        ("\0", "my_bot.py, line 1: not valid Python: "),
        ("x = 1\n\nimport no_such_module\n", "my_bot.py, line 3: ModuleNotFoundError: No module named"),
        ("def f():\n    return 1 / 0\n\nf()\n", "my_bot.py, line 2: ZeroDivisionError: division by zero"),
        ("raise SystemExit\n", "my_bot.py, line 1: SystemExit"),
        ("x = 1\n", "my_bot.py has no bot: neither a subclass of Bot, nor a function choose(view, actions), nor BOTS"),
        ("BOTS = {}\n", "my_bot.py has no bot"),
        ("\nBOTS = [1]\n", "my_bot.py, line 2: BOTS must be a dictionary"),
        ("BOTS = {'mine': 7}\n", "my_bot.py, line 1: the bot 'mine' is neither a subclass of granada.bots.Bot nor a"),
        ("def f(v): pass\nBOTS = {'mine': f}\n", "line 2: the function of the bot 'mine' must take two arguments"),
        ("def choose(view): pass\n", "line 1: the function of the bot 'my_bot' must take two arguments"),
        ("def f(v, a): pass\nBOTS = {'b': f, 'greedy': f}\n", "my_bot.py, line 2: the name 'greedy' is taken"),
        ("def f(v, a): pass\nBOTS = {'you': f}\n", "my_bot.py, line 2: the name 'you' is taken"),
        ("def f(v, a): pass\nBOTS = {'a:1s': f}\n", "my_bot.py, line 2: 'a:1s' cannot be the name of a bot"),
        (
            HEAD + "class GreedyBot(Bot):\n    def choose(self, v, a): pass\n",
            "my_bot.py, line 2: the name 'greedy' is taken",
        ),
        (
            HEAD + "class A(Bot):\n    NAME = 'a'\n    def choose(self, v, a): pass\nclass B(A):\n    pass\n",
            "my_bot.py, line 5: two bots of this file are called 'a'",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(text: str, reason: str, tmp_path: Path) -> None:
    assert reason in refusal(file(tmp_path, text))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert refusal(str(tmp_path / "missing.py")) == f"cannot read {tmp_path / 'missing.py'}: No such file or directory"
    assert refusal(str(tmp_path)) == f"cannot read {tmp_path}: Is a directory"
    (tmp_path / "latin.py").write_bytes(b"x = '\xe9'\n")
    assert "latin.py, line 1: not valid Python: " in refusal(str(tmp_path / "latin.py"))


# What they do wrong


def test_what_a_bot_does_wrong_is_said_with_its_name_and_line(tmp_path: Path) -> None:
    text = """
import sys
from granada.bots import Bot
from granada.rules.rebuilding import Remove
class Raises(Bot):
    def choose(self, view, actions):
        return {}["nowhere"]
class Leaves(Bot):
    def choose(self, view, actions): sys.exit("enough")
class Cheats(Bot):
    def choose(self, view, actions): return Remove(0)
class Sleeps(Bot):
    def choose(self, view, actions): return None
class Unmade(Bot):
    def __init__(self, seed): pass
    def choose(self, view, actions): return actions[0]
"""
    path = file(tmp_path, text)
    load_file(path)
    verdict = "rule 1.5: the start tile is never removed"
    assert failure("raises") == f"the bot 'raises' ({path}, line 7) failed: KeyError: 'nowhere'"
    assert failure("leaves") == f"the bot 'leaves' ({path}, line 9) failed: SystemExit: enough"
    assert failure("cheats") == f"the bot 'cheats' ({path}) chose remove 0,0, which is not allowed: {verdict}"
    assert failure("sleeps") == f"the bot 'sleeps' ({path}) chose None, which is not an action"
    assert failure("unmade").startswith(f"the bot 'unmade' ({path}) failed: TypeError: ")


def test_advice_is_checked_too(tmp_path: Path) -> None:
    text = """
from granada.bots import Advice, Bot
class Good(Bot):
    def choose(self, view, actions): return actions[0]
class Bad(Good):
    def advise(self, view, actions, count=3): return [Advice(actions[0]), Advice("dance")]
"""
    load_file(file(tmp_path, text))
    state = new_game(Options(), luck("advice"))
    view, actions = state.view(state.seat, remembers=True), state.offers()
    assert [advice.action for advice in make_bot("good", 1).advise(view, actions)] == actions[:1]
    with pytest.raises(BotError, match="chose 'dance', which is not an action"):
        make_bot("bad", 1).advise(view, actions)


def test_the_seed_of_a_bot_of_others_does_not_tell_what_chance_will_bring(tmp_path: Path) -> None:
    text = """
from granada.bots import Bot
class Curious(Bot):
    def __init__(self, seed, budget=None):
        super().__init__(seed, budget)
        self.told = seed
    def choose(self, view, actions): return self.pick(actions)
"""
    load_file(file(tmp_path, text))
    one, same, other = [make_bot("curious", seed) for seed in ("7/1/2", "7/1/2", "7/1/3")]
    told = [vars(bot)["told"] for bot in (one, same, other)]
    assert told[0] == told[1] != told[2]
    assert "7/1" not in told[0]


# The example


def test_the_example_plays_in_one_process_and_in_several(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        tournament = Tournament(
            ("thrifty", "first", "greedy"),
            seats=3,
            games=2,
            seed=5,
            mode=FIXED,
            max_turns=60,
            bot_files=(str(EXAMPLE),),
        )
        assert len(list(simulate(tournament, jobs, str(tmp_path / str(jobs))))) == 2
        found.append([path.read_text("utf-8") for path in sorted((tmp_path / str(jobs)).iterdir())])
    assert found[0] == found[1]
    assert len(EXAMPLE.read_text("utf-8").splitlines()) < 40


def test_the_example_plays_better_than_chance() -> None:
    load_bots([str(EXAMPLE)])
    game = play_game(Options("combined", 2), [make_bot("thrifty", 1), make_bot("random", 2)], luck("thrifty"))
    assert game.is_finished
    assert game.state.players[0].score > game.state.players[1].score
    assert Replay(str(game.record)).run().key() == game.state.key()


def test_a_failure_in_another_process_is_raised_here(tmp_path: Path) -> None:
    path = file(tmp_path, "def choose(view, actions):\n    raise ValueError('two words')\n")
    tournament = Tournament(("my_bot", "random"), games=2, mode=FIXED, bot_files=(path,))
    for jobs in (1, 2):
        with pytest.raises(BotError, match=r"'my_bot' \(.*my_bot.py, line 2\) failed: ValueError: two words"):
            list(simulate(tournament, jobs))
    with pytest.raises(BadOptions, match=r"cannot read .*missing"):
        simulate(replace(tournament, bot_files=(str(tmp_path / "missing.py"),)))


# Installed packages


def installed(folder: Path, entries: str, code: str = "") -> None:
    """Write the files of an installed package with entry points."""
    facts = folder / "club_bots-1.2.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: club-bots\nVersion: 1.2\n")
    (facts / "entry_points.txt").write_text(f"[granada.bots]\n{entries}")
    (folder / "club_bots.py").write_text(code)


CLUB = """
from granada.bots import Bot
class Last(Bot):
    def choose(self, view, actions): return actions[-1]
class Broken(Bot):
    def choose(self, view, actions): return 1 / 0
def first(view, actions): return actions[0]
number = 7
"""


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "club_bots", raising=False)
    return tmp_path


def test_bots_of_installed_packages_join(club: Path, caplog: pytest.LogCaptureFixture) -> None:
    installed(club, "club-last = club_bots:Last\nclub-first = club_bots:first\nclub-x = club_bots:Broken\n", CLUB)
    assert sorted(load_installed()) == ["club-first", "club-last", "club-x"]
    assert load_installed() == []
    assert caplog.records == []
    assert (chosen("club-first"), chosen("club-last") != "action 0") == ("action 0", True)
    assert failure("club-x") == ("the bot 'club-x' (club-bots 1.2, line 6) failed: ZeroDivisionError: division by zero")


def test_a_broken_one_is_left_out_with_a_warning(club: Path, caplog: pytest.LogCaptureFixture) -> None:
    entries = "greedy = club_bots:Last\ngone = club_bots:Gone\nlost = no_such_package:Bot\nseven = club_bots:number\n"
    installed(club, entries + "club-last = club_bots:Last\n", CLUB)
    greedy = BOTS["greedy"]
    with caplog.at_level(logging.WARNING):
        assert load_installed() == ["club-last"]
        assert load_installed() == []
    assert BOTS["greedy"] is greedy
    told = sorted([record.getMessage() for record in caplog.records])
    assert [text.partition("(")[0] for text in told] == [
        f"The installed bot '{name}' " for name in ("gone", "greedy", "lost", "seven")
    ]
    assert "(club-bots 1.2) is skipped: AttributeError: " in told[0]
    assert told[1].endswith("is skipped: the name 'greedy' is taken.")
    assert "is skipped: ModuleNotFoundError: No module named 'no_such_package'." in told[2]
    assert "'seven' is neither a subclass of granada.bots.Bot nor a function." in told[3]
