"""Whole games between bots, one or many, in one process or several."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Final, cast

from granada.arena.game_loop import play_bots
from granada.bots import Bot, check_bot, make_bot
from granada.bots.external.plugins import load_bots
from granada.bots.external.third_party import BotError
from granada.bots.gc_control import no_collecting
from granada.records.luck import Luck
from granada.records.playout import MAX_TURNS
from granada.records.record import Record
from granada.rules.chance import Chance
from granada.rules.components import load
from granada.rules.events import Row
from granada.rules.leftovers import winners
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import State

#: So many seconds a process may still need for its last game and record when a simulation is stopped.
PATIENCE: Final = 5.0
#: What was gained in a game for one reason: the seat (DIRK for Dirk), the scoring, the item, the points.
Points = tuple[int, str, str, int]


@dataclass(frozen=True)
class Game:
    """A game that was played, with its record; it is unfinished if it was stopped (3.7)."""

    record: Record
    state: State
    decisions: int

    @property
    def is_finished(self) -> bool:
        """8.4: whether it came to its end."""
        return self.state.is_over


def play_game(
    options: Options,
    bots: Sequence[Bot],
    chance: Chance,
    max_turns: int = MAX_TURNS,
    names: Sequence[str] = (),
) -> Game:
    """Play a game between bots, one a seat, to its end or for so many turns."""
    state = new_game(options, chance)
    record = Record(options, names)
    record.add(state.events)
    play_bots(state, bots, chance, max_turns, record)
    return Game(record, state, state.n)


@dataclass(frozen=True)
class Result:
    """What a series notes of one game; plain data, so that it can come from another process."""

    game: int
    decisions: int
    turns: int
    is_finished: bool
    winners: tuple[int, ...]
    points: tuple[Points, ...]


@dataclass(frozen=True)
class Series:
    """What is simulated: the table, one bot a seat, and the seed; plain data, so that it can go to other processes."""

    players: tuple[str, ...]
    edition: str = "alhambra"
    modules: tuple[str, ...] = ()
    scoring: str = "regular"
    games: int = 1
    seed: int | str = 0
    max_turns: int = MAX_TURNS
    #: Where the record of each game is written: `000001.record`, and so on; existing ones are overwritten.
    records: str | None = None
    #: The reader's own lists of components (1.4, 1.8).
    granada_tiles: str | None = None
    huts: str | None = None
    #: Bots of others, which every process has to load.
    bot_files: tuple[str, ...] = ()
    bot_programs: tuple[str, ...] = ()

    def options(self) -> Options:
        """The options of every game; BadOptions or BadComponents say what is wrong."""
        load_bots(self.bot_files, self.bot_programs)
        for spec in self.players:
            check_bot(spec)
        components = load(self.granada_tiles, self.huts) if self.granada_tiles or self.huts else None
        return Options(self.edition, len(self.players), self.modules, self.scoring, components=components)

    def play(self, game: int, options: Options) -> Game:
        """One game of the series, counted from 1; its luck and its bots depend on the seed and its number alone."""
        names = [f"{spec} {seat + 1}" for seat, spec in enumerate(self.players)]
        return play_game(options, self._bots(game), self._luck(game), self.max_turns, names)

    def play_unwritten(self, game: int, options: Options) -> State:
        """The same game without its record, which takes a third of the time of random games."""
        chance = self._luck(game)
        state = new_game(options, chance)
        play_bots(state, self._bots(game), chance, self.max_turns)
        return state

    def _bots(self, game: int) -> list[Bot]:
        return [make_bot(spec, f"{self.seed}/{game}/{seat + 1}") for seat, spec in enumerate(self.players)]

    def _luck(self, game: int) -> Luck:
        return Luck(random.Random(f"{self.seed}/{game}"))


def simulate(series: Series, jobs: int = 1) -> Iterator[Result]:
    """Play all games of a series in so many processes; results come as they are ready, in no certain order."""
    options = series.options()
    if series.records is not None:
        Path(series.records).mkdir(parents=True, exist_ok=True)
    if min(jobs, series.games) == 1:
        return _results(series, range(1, series.games + 1), options)
    return _results_of_processes(series, min(jobs, series.games))


def _results(series: Series, games: Iterable[int], options: Options) -> Iterator[Result]:
    """The results of some games, one after the other."""
    for number in games:
        with no_collecting():  # game by game: bots of others may leave something to collect
            if series.records is None:
                state = series.play_unwritten(number, options)
            else:
                game = series.play(number, options)
                state = game.state
                path = Path(series.records) / f"{number:06}.record"
                path.write_text(str(game.record), encoding="utf-8", newline="\n")
        yield _result(number, state)


def _result(number: int, state: State) -> Result:
    points = tuple([_points(row) for row in state.rows])
    won = winners(state) if state.is_over else ()
    return Result(number, state.n, state.turns, state.is_over, won, points)


def _points(row: Row) -> Points:
    return (row.seat, row.scoring, row.item, row.points)


# Processes ------------------------------------------------------------------------------------------------------------


def _results_of_processes(series: Series, jobs: int) -> Iterator[Result]:
    """Each process plays every so-manieth game; one that cannot write any more, because nobody reads, stops."""
    context = get_context("spawn")  # the same on every system, and no process holds the pipes of another
    processes = []
    pipes: list[connection.Connection] = []
    try:
        for first in range(1, jobs + 1):
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(series, first, jobs, sender), daemon=True)
            process.start()
            sender.close()
            processes.append(process)
            pipes.append(receiver)
        while pipes:
            for ready in connection.wait(pipes):
                pipe = cast(connection.Connection, ready)  # nothing else was put in
                received = _receive(pipe)
                if received is None:
                    pipes.remove(pipe)
                    pipe.close()
                else:
                    yield received
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.join(PATIENCE)
            process.terminate()


def _receive(pipe: connection.Connection) -> Result | None:
    """The next result of a process, None after its last; an error that happened there is raised here."""
    try:
        received: Result | Exception | None = pipe.recv()
    except EOFError:
        raise ChildProcessError("a process that played games was ended from outside") from None
    if isinstance(received, Exception):
        raise received
    return received


def _work(series: Series, first: int, step: int, sender: connection.Connection) -> None:
    """The work of one process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is answered by the process that started this one
    send: Callable[[object], None] = sender.send
    try:
        try:
            for result in _results(series, range(first, series.games + 1, step), series.options()):
                send(result)
            send(None)
        except (ValueError, OSError, BotError) as error:
            send(error)
        except Exception as error:  # a fault of ours shall be told as what it is
            send(ChildProcessError(f"a game could not be played: {type(error).__name__}: {error}"))
    except OSError:
        pass  # nobody reads any more
