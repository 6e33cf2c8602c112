"""The line protocol of docs/bots.md: programs as bots, and our bots as a program."""

from __future__ import annotations

import copy
import pickle
import random
import re
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from granada import Action, BadOptions, NotationError, Options, Record, State, View, action_text, new_game
from granada.arena.simulation import play_game, simulate
from granada.arena.tournament import FIXED, Tournament
from granada.bots import BOTS, Bot, GreedyBot, make_bot
from granada.bots.bot import Advice
from granada.bots.external import program as programs
from granada.bots.external.line_protocol import Engine
from granada.bots.external.plugins import load_program
from granada.bots.external.position_reader import read_position
from granada.bots.external.position_text import position_text
from granada.bots.external.third_party import BotError, own_seed
from granada.rules.options import EDITIONS
from granada.rules.view import resample
from tests.cli.command import ENVIRONMENT, PATIENCE, output
from tests.kit import bonus, last_plies, luck, module_sets, plies, position, rule, settle

ROOT = Path(__file__).parents[2]
OURS = shlex.join([sys.executable, "-m", "granada", "bot", "greedy"])
EXAMPLE = shlex.join([sys.executable, str(ROOT / "examples" / "line_bot.py")])


@pytest.fixture(autouse=True)
def _same_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])


def seen(state: State) -> tuple[View, list[Action]]:
    return state.view(state.seat, remembers=True), state.offers()


# Positions


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_position_reads_back_to_the_same_view_and_actions(edition: str, players: int) -> None:
    for modules in (module_sets(edition)[0], module_sets(edition)[-1]):
        options = Options(edition, players, modules, ages=range(20, 20 + players), open_money=players == 3)
        for state, _ in plies(options, f"positions {modules}", 300):
            if state.n % 9 == 0 or len(state.tasks()) != 3:
                view, actions = seen(state)
                found = read_position(position_text(view, actions).splitlines())
                assert (found.view, found.actions) == (view, actions)
                assert found.view.table.options == options
                assert found.view.table.offers() == actions


@rule("8.3")
def test_8_3_a_position_holds_the_left_over_tiles_that_wait_for_other_players() -> None:
    waiting = 0
    for seed in range(20):
        for state, _ in last_plies(Options("alhambra", 4, ("bonus",)), f"waiting {seed}"):
            view, actions = seen(state)
            found = read_position(position_text(view, actions).splitlines())
            assert (found.view, found.actions) == (view, actions)
            waiting += bool(state.awards)
    assert waiting


@rule("16.2")
@pytest.mark.parametrize("edition", ["alhambra", "combined"])
@pytest.mark.parametrize("players", [2, 4])
def test_16_2_a_position_reveals_nothing_about_hidden_bonus_cards(edition: str, players: int) -> None:
    rng = random.Random("hidden")
    differing = 0
    for state, _ in plies(Options(edition, players, ("bonus", "huts")), "hidden", 150):
        text = position_text(*seen(state))
        other = resample(state, state.seat, rng)  # the same table with other bonus cards in the other hands
        differing += [player.bonus for player in other.players] != [player.bonus for player in state.players]
        assert position_text(*seen(other)) == text
        for seat, player in enumerate(state.players):
            cards = re.findall(rf"^bonus {seat + 1} (.*)$", text, re.M)[0].split()
            assert len(cards) == len(player.bonus)
            assert seat == state.seat or set(cards) <= {"?", *[card.name for card in player.seen_bonus]}
    assert differing > 50


def test_only_views_of_a_perfect_memory_are_written() -> None:
    state = position()
    with pytest.raises(ValueError, match="only a view that remembers the hands"):
        position_text(state.view(0), state.offers())


def test_every_word_of_a_position_is_explained() -> None:
    state = position("combined", 2, "vizier", "exchange", "bonus", "huts")
    ages = Options("combined", 2, ("vizier", "exchange", "bonus", "huts"), ages=(30, 40))
    texts = position_text(*seen(state)), position_text(*seen(new_game(ages, luck("ages"))))
    words = {line.split()[0] for text in texts for line in text.splitlines()[1:]}
    assert {"ages", "pile", "dirk_tiles", "huts_left", "bonus_seen"} <= words
    explained = (ROOT / "docs" / "bots.md").read_text("utf-8")
    assert [word for word in sorted(words) if not re.search(rf"`{word}( [^`]*)?`", explained)] == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("granada-position 1", "granada-position 2"), "a position begins with the line 'granada-position 1'"),
        (("hand 2", "hant 2"), "the line 'hand 2 …' is missing"),
        (("score 1 0", "score 1 x"), "'x' after 'score 1' is not a number"),
        (("players 3", "players 9"), "two to six players can play, not 9"),
        (("marker odd", "marker blue"), "'marker blue' is neither even nor odd"),
        (("agenda act:1", "agenda dance:1"), "the step 'dance' of the agenda is none of act, "),
        (("agenda act:1", "agenda act:7"), "there is no seat 7 ('agenda')"),
        (("agenda act:1", "agenda act:2"), "it is not seat 1 that has to decide"),
        (("agenda act:1", "agenda end_of_turn:1"), "it is not seat 1 that has to decide"),
        (("agenda act:1", "agenda place:1"), "it is not seat 1 that has to decide"),
        (("seat 1", "seat 1\nseat 1"), "line 8 repeats 'seat'"),
        (("city 1 start-alhambra@0,0", "city 1 start-alhambra"), "'' is not a cell"),
        (("city 1 start-alhambra@0,0", "city 1 palace@0,0"), "'palace' is not a tile of this game"),
        (("action take", "action steal"), "'steal"),
        (("action take", "action take y9 y9 y9 y9\naction take"), "an action breaks rule 3.2"),
        (("display", "display y10"), "'y10'"),
    ],
)
def test_what_is_wrong_with_a_position_is_said(change: tuple[str, str], reason: str) -> None:
    text = position_text(*seen(position()))
    assert change[0] in text
    with pytest.raises(NotationError, match=re.escape(reason)):
        read_position(text.replace(*change, 1).splitlines())


def test_no_cut_or_shuffled_position_is_anything_but_read_or_refused() -> None:
    rng = random.Random("cut")
    for state, _ in plies(Options("combined", 2, ("vizier", "exchange", "bonus", "huts")), "cut", 20):
        words = position_text(*seen(state)).split(" ")
        for _ in range(5):
            del words[rng.randrange(len(words))]
            words.insert(rng.randrange(1, len(words)), words[rng.randrange(len(words))])
        try:
            read_position(" ".join(words).splitlines())
        except NotationError:
            continue


# Our bots as a program


def answers(*lines: str, spec: str = "greedy", seed: str = "1") -> list[str]:
    sent: list[str] = []
    Engine(spec, seed, sent.append, "0.1").run(lines)
    return sent


def test_the_handshake() -> None:
    assert answers("granada\n", "", "stop", "quit", "granada") == ["id name greedy", "id version 0.1", "ready"]


def test_it_chooses_what_the_bot_chooses() -> None:
    state = new_game(Options("combined", 3, ("vizier", "exchange", "bonus", "huts")), luck("chooses"))
    view, actions = seen(state)
    expected = action_text(GreedyBot("seed of 3 words").choose(view, actions))
    lines = ["newgame seed seed of 3 words", "position", *position_text(view, actions).splitlines(), "end", "go"]
    assert answers(*lines) == [f"bestaction {expected}"]
    # CRLF line ends are accepted.
    assert answers(*[f"{line}\r\n" for line in lines]) == [f"bestaction {expected}"]


def test_a_record_as_the_seat_may_see_it_is_a_position_too() -> None:
    chance = luck("record")
    state = new_game(Options("alhambra", 3, ("bonus",)), chance)
    events = list(state.events)
    for _ in range(20):
        events += state.play(GreedyBot(1).choose(*seen(state)), chance)
    record = Record(state.options)
    record.add([event.shown_to(state.seat) for event in events])
    assert "?" in str(record)
    expected = action_text(GreedyBot("1").choose(*seen(state)))
    assert answers("position", *str(record).splitlines(), "end", "go seconds 1") == [f"bestaction {expected}"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["dance"], "'dance' is none of the commands granada, newgame, position, go, stop and quit"),
        (["go"], "'go' needs a position before it"),
        (["newgame luck 3"], "'newgame' can only be followed by 'seed' and a text"),
        (["position", "end"], "the position cannot be read: a position begins with the line 'granada-position 1'"),
        (["position", "granada-record 1", "end"], "line 2: the header has no line 'edition: …'"),
        (["POSITION", "go seconds"], "'' after 'seconds' is not a valid number"),
        (["POSITION", "go seconds -1"], "'-1' after 'seconds' is not a valid number"),
        (["POSITION", "go nodes 1.5"], "'1.5' after 'nodes' is not a valid number"),
        (
            ["POSITION", "go fast"],
            "'go' is followed by 'seconds S', 'nodes N', 'cores N' and 'ideas N', each once or not at all",
        ),
        (["POSITION", "go nodes 5 nodes 5"], "each once or not at all"),
        (["POSITION", "go ideas 1000"], "at most 100 ideas are possible"),
        (["POSITION", "newgame", "go"], "'go' needs a position before it"),
    ],
)
def test_a_bad_line_is_reported_and_the_program_continues(lines: list[str], reason: str) -> None:
    block = ["position", *position_text(*seen(position())).splitlines(), "end"]
    given = [part for line in lines for part in (block if line == "POSITION" else [line])]
    *sent, error, ready = answers(*given, "granada")[: -2 or None]
    assert (sent, ready) == ([], "id name greedy")
    assert error.startswith("error ")
    assert reason in error


class Ponders(Bot):
    """Thinks until it is cancelled or its budget is spent."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.budget.begin()
        nodes = 0
        while not self.budget.is_spent(nodes):
            nodes += 1
            time.sleep(0.001)
        return actions[0 if self.budget.is_cancelled else min(nodes, len(actions) - 1)]

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return [Advice(action, 3.456, 0.61) for action in actions[:count]]


class Fails(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        raise KeyError("two\nlines")


def thinking(spec: str, sent: list[str]) -> Engine:
    engine = Engine(spec, "1", sent.append)
    for line in ("position", *position_text(*seen(position())).splitlines(), "end"):
        engine.handle(line)
    return engine


def test_stop_calls_a_bot_off_and_nothing_else_is_obeyed_meanwhile() -> None:
    BOTS["ponders"] = Ponders
    first = action_text(position().offers()[0])
    sent: list[str] = []
    engine = thinking("ponders", sent)
    start = time.monotonic()
    engine.handle("go seconds 60")
    for line in ("go", "newgame", "position"):
        engine.handle(line)
    assert sent == [
        f"error '{word}' is not possible while the bot is thinking: send 'stop' first"
        for word in ("go", "newgame", "position")
    ]
    engine.handle("stop")
    assert sent[3:] == [f"bestaction {first}"]
    engine.handle("go seconds 60")
    assert not engine.handle("quit")
    assert time.monotonic() - start < 30


def test_budgets_of_the_host_and_of_the_spec_both_hold() -> None:
    BOTS["ponders"] = Ponders
    texts = [action_text(action) for action in position().offers()]
    sent: list[str] = []
    for spec, go in (
        ("ponders", "go nodes 1"),
        ("ponders:1n", "go seconds 60"),
        ("ponders:60s", "go nodes 1 seconds 9"),
    ):
        thinking(spec, sent).run([go])
    assert sent == 3 * [f"bestaction {texts[1]}"]


def test_cores_of_the_host_or_of_the_spec_hold() -> None:
    BOTS["ponders"] = Ponders
    sent: list[str] = []
    for spec, go, cores in (
        ("ponders", "go nodes 1", 1),
        ("ponders:3c", "go nodes 1", 3),
        ("ponders:3c", "go nodes 1 cores 2", 2),
    ):
        engine = thinking(spec, sent)
        engine.run([go])
        assert engine._bot.budget.cores == cores


def test_ideas_are_sent_with_their_expected_results() -> None:
    BOTS["ponders"] = Ponders
    texts = [action_text(action) for action in position().offers()]
    sent: list[str] = []
    thinking("ponders", sent).run(["go ideas 2"])
    assert sent == [
        f"info action {texts[0]} lead 3.46 win 0.6100",
        f"info action {texts[1]} lead 3.46 win 0.6100",
        f"bestaction {texts[0]}",
    ]


def test_a_bot_that_fails_is_reported_in_one_line() -> None:
    BOTS["fails"] = Fails
    sent: list[str] = []
    thinking("fails", sent).run(["go"])
    assert sent == ["error the bot 'fails' failed: KeyError: 'two\\nlines'"]


# Programs as our bots


def script(folder: Path, body: str) -> str:
    """Return the command of a program that answers the handshake and then runs this code for every line."""
    path = folder / "program.py"
    head = "import os, sys, time\nactions = []\nfor line in sys.stdin:\n    line = line.strip()\n"
    head += "    if line == 'granada': print('hello', 'ready', sep='\\n', flush=True)\n"
    head += "    if line.startswith('action '): actions.append(line[7:])\n"
    path.write_text(head + "".join([f"    {line}\n" for line in body.split("\n")]), "utf-8")
    return shlex.join([sys.executable, str(path)])


def failure(command: str, spec: str = "mine:0.1s") -> str:
    load_program(f"mine={command}")
    with pytest.raises(BotError) as error:
        make_bot(spec, 1).choose(*seen(position()))
    assert str(error.value).startswith(f"the program 'mine' ({command}) ")
    return str(error.value).removeprefix(f"the program 'mine' ({command}) ")


def test_our_own_program_plays_as_our_own_bot_does() -> None:
    load_program(f"me={OURS}")
    for options in (Options("alhambra", 2), Options("combined", 3, ("vizier", "exchange", "bonus", "huts"))):
        records = []
        for spec, seed in (("me", "a"), ("greedy", own_seed("a"))):
            bots = [make_bot(spec, seed), *[GreedyBot(seat) for seat in range(1, options.players)]]
            records.append(str(play_game(options, bots, luck("me"), 60).record))
        assert records[0] == records[1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_programs_play_whole_simulations_and_end_with_them(jobs: int, tmp_path: Path) -> None:
    tournament = Tournament(
        ("me", "line", "greedy"),
        "combined",
        ("vizier", "bonus"),
        seats=3,
        games=2,
        seed=1,
        mode=FIXED,
        max_turns=30,
        bot_programs=(f"me={OURS}", f"line={EXAMPLE}"),
    )
    assert len(list(simulate(tournament, jobs, str(tmp_path)))) == 2
    assert [thread.name for thread in threading.enumerate() if "_read" in thread.name] == []


def test_the_example_program_pays_exactly_and_needs_nothing_of_ours(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "line_bot.py").read_text("utf-8")
    assert re.findall(r"^(?:import|from) (\S+)", text, re.M) == ["__future__", "sys"]
    load_program(f"line={EXAMPLE}")
    game = play_game(Options("granada", 2), [make_bot("line", 1), make_bot("random", 2)], luck("example"))
    assert game.is_finished
    assert game.state.players[0].score > game.state.players[1].score


def test_a_copy_of_a_running_program_starts_its_own_with_the_same_seed(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    body = f"if line.startswith('newgame'): open({str(heard)!r}, 'a').write(line + '\\n')\n"
    body += "if line.startswith('go'): print('bestaction', actions[-1], flush=True)"
    load_program(f"copied={script(tmp_path, body)}")
    bot = make_bot("copied:7n", "a")
    bots = [bot]
    for _ in range(2):  # copies are copied, too, whether they have started or not
        bot.choose(*seen(position()))
        bots += [copy.deepcopy(bots[-1]), pickle.loads(pickle.dumps(bots[-1]))]
    chosen = {action_text(bot.choose(*seen(position()))) for bot in bots}
    assert len(chosen) == 1
    assert heard.read_text("utf-8").splitlines() == [f"newgame seed {own_seed('a')}"] * len(bots)
    assert {bot.budget.nodes for bot in bots} == {7}


@rule("16.2")
def test_16_2_nothing_hidden_goes_to_a_program(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    body = f"open({str(heard)!r}, 'a').write(line + '\\n')\n"
    body += "if line.startswith('go'): print('bestaction', actions[-1], flush=True)"
    load_program(f"spy={script(tmp_path, body)}")
    state = position("alhambra", 3, "bonus")
    bonus(state, 0, "pavilion-8")
    bonus(state, 1, "tower-11")
    settle(state, 0, "pavilion-8 at 1,0")
    state.bags[0][:] = [tile for tile in state.bags[0] if tile.name not in ("tower-11", "pavilion-8")]
    assert action_text(make_bot("spy", "7/1/2").choose(*seen(state))) == "reveal pavilion-8"
    text = heard.read_text("utf-8")
    assert "bonus 1 pavilion-8\n" in text
    assert "bonus 2 ?\n" in text
    assert "tower-11\n" not in text
    assert "7/1" not in text  # the seed of the game would reveal all chance events
    assert re.search(r"^go seconds 1$", text, re.M)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if line.startswith('go'): sys.exit(3)", "ended with code 3"),
        ("if line.startswith('go'): print('bestaction take x', flush=True)", "chose 'take x', which is not offered"),
        ("if line.startswith('go'): print('bestaction', flush=True)", "chose '', which is not offered"),
        ("if line.startswith('go'): print('error I am tired', flush=True)", "reports: I am tired"),
        ("if line.startswith('go'): os.close(1); time.sleep(9)", "closed its output"),
        ("if line.startswith('go'): print('x' * 10**6, flush=True); sys.exit(4)", "ended with code 4"),
    ],
)
def test_what_a_program_does_wrong_is_said_with_its_command(body: str, reason: str, tmp_path: Path) -> None:
    assert failure(script(tmp_path, body)) == reason


def test_a_slow_program_is_given_up_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", 0.3)
    monkeypatch.setattr(programs, "END_LIMIT", 0.2)
    ended: list[int] = []
    kill = subprocess.Popen.kill

    def noted(process: subprocess.Popen[bytes]) -> None:
        ended.append(process.pid)
        kill(process)

    monkeypatch.setattr(subprocess.Popen, "kill", noted)
    assert failure(script(tmp_path, "if line.startswith('go'): time.sleep(60)")) == "did not answer in time"
    assert len(ended) == 1


def test_a_program_that_is_never_ready_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "START_LIMIT", 0.5)
    assert failure(f"{shlex.quote(sys.executable)} -c 'input(); input()'") == "did not answer in time"


def test_a_program_that_reads_nothing_does_not_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", 0.3)
    monkeypatch.setattr(programs, "END_LIMIT", 0.2)
    monkeypatch.setattr(programs, "position_text", lambda *_: "word\n" * 100_000)  # more than a pipe holds
    assert failure(script(tmp_path, "if line == 'position': time.sleep(60)")) == "did not answer in time"


def test_a_program_that_is_just_being_started_is_killed_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal to end can arrive while a program is starting and its process is not known yet."""
    start, then = subprocess.Popen, list[str]()
    processes: list[subprocess.Popen[bytes]] = []

    def interrupted(*command: Any, **options: Any) -> subprocess.Popen[bytes]:
        processes.append(start(*command, **options))
        programs.kill_programs(lambda: then.append("ended"))  # like the handler of that signal
        assert then == []
        return processes[0]

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    programs.Program("thinker", [sys.executable, "-c", "while True: pass"])
    assert then == ["ended"]
    assert processes[0].poll() is not None


def test_a_program_can_be_cancelled(tmp_path: Path) -> None:
    thinking = tmp_path / "thinking"
    body = "if line == 'stop': print('bestaction', actions[1], flush=True)\n"
    body += f"if line.startswith('go'): open({str(thinking)!r}, 'w').close()"
    load_program(f"patient={script(tmp_path, body)}")
    state = position()
    bot = make_bot("patient:60s", 1)

    def call_off() -> None:
        while not thinking.exists():
            time.sleep(0.01)
        bot.cancel()

    threading.Thread(target=call_off, daemon=True).start()
    assert bot.choose(*seen(state)) == state.offers()[1]


def test_a_program_hears_how_many_cores_it_may_use(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    body = f"open({str(heard)!r}, 'a').write(line + '\\n')\n"
    body += "if line.startswith('go'): print('bestaction', actions[0], flush=True)"
    load_program(f"many={script(tmp_path, body)}")
    make_bot("many:2s:4c", 1).choose(*seen(position()))
    assert re.search(r"^go seconds 2 cores 4$", heard.read_text("utf-8"), re.M)


def test_the_ideas_of_a_program_are_advice(tmp_path: Path) -> None:
    body = "if 'ideas 2' in line:\n    for a in actions[:2]: print('info action', a, 'lead -2.5 win 0.25')\n"
    body += "    print('info action', actions[2], 'lead nan win 7', 'info depth 3', 'info', sep='\\n')\n"
    body += "if line.startswith('go'): print('bestaction', actions[0], flush=True)"
    load_program(f"wise={script(tmp_path, body)}")
    view, actions = seen(position())
    assert make_bot("wise", 1).advise(view, actions, 2) == [Advice(action, -2.5, 0.25) for action in actions[:2]]
    assert make_bot("wise", 1).advise(view, actions, 1) == [Advice(actions[0])]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("me", "'me' is not a program: use NAME=COMMAND"),
        ("me= ", "'me= ' is not a program: use NAME=COMMAND"),
        ("=ls", "'' cannot be the name of a bot"),
        ("greedy=ls", "the name 'greedy' is taken"),
        ("me=no-such-program --fast", "the program 'no-such-program' of the bot 'me' does not exist or cannot be run"),
        ("me='ls", "the command of the bot 'me' cannot be read: no closing quotation: 'ls"),
    ],
)
def test_what_is_no_program_is_refused(text: str, reason: str) -> None:
    before = dict(BOTS)
    with pytest.raises(BadOptions, match=re.escape(reason)):
        load_program(text)
    assert before == BOTS


def test_the_same_program_can_be_named_again_another_not() -> None:
    assert load_program(f"me={EXAMPLE}") == load_program(f"me={EXAMPLE}") == "me"
    with pytest.raises(BadOptions, match="the name 'me' is taken"):
        load_program(f"me={OURS}")


def test_the_real_program_speaks_the_protocol_and_nothing_else(tmp_path: Path) -> None:
    bots = tmp_path / "chatty.py"
    bots.write_text("def choose(view, actions):\n    print('hm')\n    return actions[0]\n", "utf-8")
    text = position_text(*seen(position()))
    finished = subprocess.run(
        [sys.executable, "-m", "granada", "bot", "chatty", "--bot-file", str(bots)],
        input=f"granada\nhm\nposition\n{text}end\ngo\n".encode(),
        capture_output=True,
        timeout=PATIENCE,
        env=ENVIRONMENT,
    )
    first = action_text(position().offers()[0])
    assert finished.stdout.decode().splitlines()[0] == "id name chatty"
    assert finished.stdout.decode().splitlines()[2:] == [
        "ready",
        "error 'hm' is none of the commands granada, newgame, position, go, stop and quit",
        f"bestaction {first}",
    ]
    assert (finished.returncode, finished.stderr) == (0, b"hm\n")


def test_bytes_that_are_not_text_are_reported_and_the_program_continues() -> None:
    sent = output("bot", "greedy", given=b"granada\nxyz \xff\xfe\nstop\ngo\n").splitlines()
    assert sent[2:] == [
        "ready",
        "error 'xyz' is none of the commands granada, newgame, position, go, stop and quit",
        "error 'go' needs a position before it",
    ]
