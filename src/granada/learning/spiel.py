"""OpenSpiel games: `python_granada_alhambra` and so on, with explicit chance; importing this module registers them.

Every draw of the rules is a chance node with equally likely outcomes. A move with several draws is played again, from
the position before it, after each of them, so a step is slower than in the other environments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from granada.learning.draws import Draws, NextDraw
from granada.learning.encoder import Encoder
from granada.learning.illegal import block_of
from granada.learning.layout import offsets, size_of
from granada.learning.missing import missing
from granada.learning.names import OPEN_SPIEL
from granada.learning.partial_word import PartialWord
from granada.learning.rewards import final_rewards
from granada.learning.token_game import Terms
from granada.learning.tokens import CELL, REACH, TOKENS, WIDTH
from granada.learning.variants import set_up
from granada.records.notation import event_text
from granada.rules.events import NOBODY, Event
from granada.rules.options import Options
from granada.rules.state import Action, State

try:
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error, "open_spiel") from None

#: The parameters of a game with their defaults; the modules are separated by `+`.
PARAMETERS: Final[dict[str, int | str | bool]] = {
    "players": 2,
    "modules": "",
    "scoring": "regular",
    "variant": "",
    "memory": False,
    "max_turns": 1_000,
}
#: The most outcomes of a draw: the cards of the deck (1.1).
_OUTCOMES: Final = 108
#: More tokens than a turn can take: nine actions and nine tiles to place, each a word of at most 25 tokens.
_TOKENS_OF_A_TURN: Final = 450


def _game_type(short_name: str, edition: str) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=short_name,
        long_name=f"Granada: {edition}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def _terms(edition: str, params: Mapping[str, Any]) -> Terms:
    """Return what is played; the reward is the rank, which is zero-sum."""
    chosen = {**PARAMETERS, **params}
    modules = [word for word in str(chosen["modules"]).split("+") if word]
    options = Options(edition, int(chosen["players"]), modules, str(chosen["scoring"]))
    return Terms(options, str(chosen["variant"]), bool(chosen["memory"]), max_turns=int(chosen["max_turns"]))


class GranadaGame(pyspiel.Game):  # type: ignore[misc]
    """An edition with options; each subclass has its edition and its type."""

    edition: str
    type: pyspiel.GameType

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.terms = _terms(self.edition, params or {})
        if self.terms.seats != self.terms.options.players:
            raise ValueError(f"OpenSpiel plays no variant with one seat, such as '{self.terms.variant_name}' (2.1)")
        info = pyspiel.GameInfo(
            num_distinct_actions=TOKENS,
            max_chance_outcomes=_OUTCOMES,
            num_players=self.terms.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.terms.max_turns * _TOKENS_OF_A_TURN,
        )
        super().__init__(self.type, info, dict(params or {}))

    def new_initial_state(self) -> GranadaState:
        """Return the game before its first draw."""
        return GranadaState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> GranadaObserver:
        """Return an observer."""
        return GranadaObserver(iig_obs_type, self.terms)


class GranadaState(pyspiel.State):  # type: ignore[misc]
    """A position of a game, or a chance node inside the set-up or a move."""

    def __init__(self, game: GranadaGame) -> None:
        super().__init__(game)
        self.terms = game.terms
        #: The position before the move, the move, and its draws so far; without a position, the set-up.
        self.table: State | None = None
        self._move: Action | None = None
        self._draws: list[int] = []
        self._outcomes = 0
        self._decision: PartialWord | None = None
        self.events: tuple[Event, ...] = ()
        self._run()

    # What OpenSpiel asks

    def current_player(self) -> int:
        """Return the seat that has to choose, or that it is a chance node or the end."""
        if self._outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position().seat

    def is_terminal(self) -> bool:
        """Return whether the game has ended (8.4) or was stopped (3.7)."""
        return not self._outcomes and (self.position().is_over or self.position().turns > self.terms.max_turns)

    def returns(self) -> list[float]:
        """Return the reward of each seat by its rank; 0 for a game that was stopped."""
        if not self.is_terminal() or not self.position().is_over:
            return [0.0] * self.terms.seats
        return final_rewards(self.terms.reward, [player.score for player in self.position().players])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the next draw, which are equally likely."""
        return [(outcome, 1 / self._outcomes) for outcome in range(self._outcomes)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.decision().tokens)

    def _apply_action(self, action: int) -> None:
        if self._outcomes:
            self._draws.append(action)
            self._run()
            return
        decision = self.decision()
        decision.choose(action)
        if decision.action is not None:
            self._begin(decision.action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        block = block_of(action)
        if action >= CELL:
            y, x = divmod(action - CELL, WIDTH)
            return f"CELL {x - REACH},{y - REACH}"
        return block.name if block.size == 1 else f"{block.name} {action - block.first}"

    def __str__(self) -> str:
        """Return all events so far, and the current word, or the move and its draws at a chance node."""
        text = _text(self, NOBODY, shows_everything=True)
        if not self._outcomes:
            return text
        return "\n".join([text, f"move {self._move or 'set-up'}", *[f"draw {number}" for number in self._draws]])

    # The game

    def position(self) -> State:
        """Return the position; at a chance node, that before the move."""
        assert self.table is not None
        return self.table

    def decision(self) -> PartialWord:
        """Return the current decision."""
        assert self._decision is not None
        return self._decision

    def _begin(self, move: Action) -> None:
        self._move = move
        self._draws = []
        self._decision = None
        self._run()

    def _run(self) -> None:
        """Play the set-up or the move with the draws so far; then play on to the next choice or draw."""
        while True:
            chance = Draws(self._draws)
            try:
                table, events = self._attempt(chance)
            except NextDraw as draw:
                if draw.count > 1:
                    self._outcomes = draw.count
                    return
                self._draws.append(0)
                continue
            self.table = table
            self.events = (*self.events, *events)
            self._outcomes = 0
            decision = PartialWord(table)
            if table.turns > self.terms.max_turns or decision.action is None:
                self._decision = decision
                return
            self._move = decision.action
            self._draws = []

    def _attempt(self, chance: Draws) -> tuple[State, list[Event]]:
        if self.table is None:
            table = set_up(self.terms.options, self.terms.variant, chance)
            return table, table.events
        assert self._move is not None
        table = self.table.copy()
        return table, table.play(self._move, chance)

    def word(self, player: int) -> list[int]:
        """Return the tokens that a seat has chosen of its current word."""
        is_choosing = self._decision is not None and not self.is_terminal() and self.position().seat == player
        return self.decision().word if is_choosing else []


def _text(state: GranadaState, player: int, shows_everything: bool = False) -> str:
    lines = [event_text(event if shows_everything else event.shown_to(player)) for event in state.events]
    seat = player
    if shows_everything and state.table is not None and not state.table.is_over:
        seat = state.table.seat
    return "\n".join([*lines, *[f"token {token}" for token in state.word(seat)]])


def _private_text(state: GranadaState, player: int) -> str:
    """Return what only a seat has seen, and its own tokens."""
    pairs = [(event_text(event.shown_to(player)), event_text(event.shown_to(NOBODY))) for event in state.events]
    return "\n".join([own for own, shown in pairs if own != shown] + [f"token {token}" for token in state.word(player)])


class GranadaObserver:
    """Writes the observation of a seat (`layout`) as numbers, or all that it has seen as text.

    Public information alone is the same for all seats, in the order of seat 0: without hidden hands, bonus cards and
    the current word. Private information alone is the hand, the bonus cards and the word; all other numbers are 0.
    """

    def __init__(self, iig_obs_type: pyspiel.IIGObservationType | None, terms: Terms) -> None:
        self._is_public = iig_obs_type is None or iig_obs_type.public_info
        private = pyspiel.PrivateInfoType.SINGLE_PLAYER if iig_obs_type is None else iig_obs_type.private_info
        if private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("rule 16.1: an observer sees the hidden cards of one seat or of none, not of all seats")
        self._is_private = private == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._seats = terms.seats
        self._places = offsets(terms.seats)
        self._encoder = Encoder(terms.options, terms.memory)
        self._bytes = bytearray(size_of(terms.seats))
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = np.zeros(0 if self._recalls else len(self._bytes), np.float32)
        self.dict = {} if self._recalls else {"observation": self.tensor}

    def set_from(self, state: GranadaState, player: int) -> None:
        """Write what may be seen into the tensor; 0 before the game has begun."""
        if self._recalls:
            return
        self.tensor.fill(0)
        if state.table is None:
            return
        if self._is_private:
            found = self._observed(state.table, player, state.word(player))
            if self._is_public:
                self.tensor[:] = found
                return
            for name in ("hand 0", "money 0", "bonus 0", "word"):
                self._part(self.tensor, name)[:] = self._part(found, name)
        elif self._is_public:
            self.tensor[:] = self._observed(state.table, 0, [])
            # The next seat sees of seat 0 what everybody does.
            others = self._observed(state.table, 1, [])
            own = self._part(self.tensor, "hand 0").copy()
            for name in ("hand", "money", "bonus", "hidden bonus"):
                self._part(self.tensor, f"{name} 0")[:] = self._part(others, f"{name} {self._seats - 1}")
            self._part(self.tensor, "unseen")[:] += own - self._part(self.tensor, "hand 0")

    def _observed(self, table: State, seat: int, word: list[int]) -> NDArray[np.uint8]:
        self._encoder.observe(table, seat, memoryview(self._bytes), 0, word)
        return np.frombuffer(bytes(self._bytes), np.uint8)

    def _part(self, numbers: NDArray[Any], name: str) -> NDArray[Any]:
        at, size = self._places[name]
        return numbers[at : at + size]

    def string_from(self, state: GranadaState, player: int) -> str:
        """Return everything that has been seen, line by line: the seat, the events and its own tokens."""
        if not self._is_private:
            return _text(state, NOBODY) if self._is_public else ""
        return f"p{player}\n{_text(state, player) if self._is_public else _private_text(state, player)}"


for _short_name, _edition in OPEN_SPIEL.items():
    _type = _game_type(_short_name, _edition)
    pyspiel.register_game(
        _type, type(f"{_edition.capitalize()}Game", (GranadaGame,), {"edition": _edition, "type": _type})
    )
