"""Games between bots without time limits or forfeits: a single recorded game, or all games of a tournament."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from granada.arena.match import Watch, outcome_of, play_bots
from granada.arena.outcome import VOID, GameOutcome
from granada.arena.tournament import Pairing, Tournament
from granada.arena.workers import play_in_processes
from granada.bots import Bot, make_bot
from granada.bots.gc_control import without_gc
from granada.records.luck import Luck
from granada.records.playout import MAX_TURNS
from granada.records.record import Record
from granada.rules.chance import Chance
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import State


@dataclass(frozen=True)
class PlayedGame:
    """The record and the last state of a game; it is unfinished if it was stopped (3.7)."""

    record: Record
    state: State

    @property
    def decisions(self) -> int:
        """How many actions were played."""
        return self.state.n

    @property
    def is_finished(self) -> bool:
        """8.4: whether the game came to its end."""
        return self.state.is_over


def play_game(
    options: Options,
    bots: Sequence[Bot],
    chance: Chance,
    max_turns: int = MAX_TURNS,
    names: Sequence[str] = (),
) -> PlayedGame:
    """Play a game between bots, one for each seat, to its end or for `max_turns`."""
    state = new_game(options, chance)
    record = Record(options, names)
    record.add(state.events)
    play_bots(state, bots, chance, max_turns, record)
    return PlayedGame(record, state)


def simulate(tournament: Tournament, jobs: int = 1, records: str | None = None) -> Iterator[GameOutcome]:
    """Play all games in up to `jobs` processes; outcomes come as games end, and the first error of a bot is raised.

    The record of each game is written to the folder `records`: `000001.record`, and so on.
    """
    options = tournament.prepare()
    if records is not None:
        Path(records).mkdir(parents=True, exist_ok=True)
    play = partial(_play, records=records)
    if min(jobs, tournament.size) == 1:
        return (play(tournament, pairing, options) for pairing in tournament.pairings())
    return _without_void(play_in_processes(tournament, tournament.pairings(), jobs, play))


def _without_void(outcomes: Iterable[GameOutcome]) -> Iterator[GameOutcome]:
    for outcome in outcomes:
        if outcome.end == VOID:
            raise ChildProcessError(f"game {outcome.pairing.number} could not be played: {outcome.reason}")
        yield outcome


@without_gc()
def _play(
    tournament: Tournament,
    pairing: Pairing,
    options: Options,
    watch: Watch = lambda seat: None,
    records: str | None = None,
) -> GameOutcome:
    """Play one game; errors of bots are raised."""
    specs = tournament.seated(pairing)
    bots = [make_bot(spec, tournament.bot_seed(pairing, seat)) for seat, spec in enumerate(specs)]
    chance = Luck(random.Random(tournament.deal_seed(pairing)))
    if records is None:
        state = new_game(options, chance)
        play_bots(state, bots, chance, tournament.max_turns)
    else:
        names = [f"{spec} {seat + 1}" for seat, spec in enumerate(specs)]
        game = play_game(options, bots, chance, tournament.max_turns, names)
        state = game.state
        path = Path(records) / f"{pairing.number:06}.record"
        path.write_text(str(game.record), encoding="utf-8", newline="\n")
    return outcome_of(pairing, state)
