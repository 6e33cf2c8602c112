"""The end of the game (8, 10.8, 10.9): left-over tiles, scoring C, the winners."""

from __future__ import annotations

from typing import Final, final

from granada.rules.chance import Chance
from granada.rules.end_of_turn import push_scoring
from granada.rules.events import DIRK, NOBODY, Awarded, Ended
from granada.rules.options import SPACES
from granada.rules.placing import PLACING_AWARD
from granada.rules.state import State, Step, Task
from granada.rules.tiles import GRANADA, Tile


@final
class CheckEnd(Step):
    """6.4, 8.1, 10.8: the game ends if a space of the yard has no tile."""

    def __init__(self) -> None:
        super().__init__("check_end")

    def run(self, state: State, seat: int, chance: Chance) -> None:
        if not state.has_gap() or all([_tiles_on(state, space) for space in range(SPACES)]):
            return
        state.agenda = Task(THE_END, seat, None)
        push_scoring(state, "C")
        for space in reversed(range(SPACES)):
            if space == SPACES - 1 or GRANADA in state.options.kinds:
                state.push(HAND_OVER, seat)  # 8.3: in Alhambra after the last space, otherwise after each one
            state.push(GIVE_AWAY[space], seat)


def _tiles_on(state: State, space: int) -> list[Tile]:
    halves = len(state.options.kinds)
    return [tile for tile in state.yard[space * halves : (space + 1) * halves] if tile is not None]


@final
class GiveAway(Step):
    """8.2, 10.9: the tiles left on a space go to the player with the most money of its currency."""

    def __init__(self, space: int) -> None:
        super().__init__(f"give_away_{space + 1}")
        self.space: Final = space

    def run(self, state: State, seat: int, chance: Chance) -> None:
        winner = _richest(state, self.space)
        for tile in _tiles_on(state, self.space):
            state.emit(Awarded(self.space, tile, winner))
            if winner != NOBODY:
                state.yard[state.slot_of(tile)] = None
                state.awards = (*state.awards, (winner, tile))


def _richest(state: State, currency: int) -> int:
    """8.2: return the seat with the most money of a currency; NOBODY if it is tied or nobody has any."""
    money = [player.money(currency) for player in state.players]
    most = max(money)
    return money.index(most) if most and money.count(most) == 1 else NOBODY


@final
class HandOver(Step):
    """8.3: the tiles given away are placed seat by seat, in turn order from the player next on turn."""

    def __init__(self) -> None:
        super().__init__("hand_over")

    def run(self, state: State, seat: int, chance: Chance) -> None:
        for owner in state.order_from((state.turn + 1) % len(state.players)):
            tiles = [tile for winner, tile in state.awards if winner == owner]
            if tiles:
                state.awards = tuple([award for award in state.awards if award[0] != owner])
                state.tray = tuple(tiles)
                state.push(HAND_OVER, seat)  # the other seats place after this one
                state.push(PLACING_AWARD, owner)
                return


@final
class TheEnd(Step):
    """8.4, 9.7: the player with the most points wins; tied players share the victory; Dirk cannot win."""

    def __init__(self) -> None:
        super().__init__("the_end")

    def run(self, state: State, seat: int, chance: Chance) -> None:
        totals = tuple([player.score for player in state.players])
        dirk = state.dirk
        state.emit(Ended(totals, -1 if dirk is None else dirk.score, winners(state)))


def winners(state: State) -> tuple[int, ...]:
    """8.4: return the seats with the most points."""
    totals = [player.score for player in state.players]
    return tuple([seat for seat, score in enumerate(totals) if score == max(totals)])


def victory(state: State) -> list[float]:
    """8.4: return each seat's share of the victory; tied winners have equal shares."""
    won = winners(state)
    return [1.0 / len(won) if seat in won else 0.0 for seat in range(len(state.players))]


def standings(state: State) -> list[tuple[int, int, int]]:
    """9.7: return rank, seat and points, best first; equal points share a rank, and Dirk is ranked too."""
    points = [(player.score, seat) for seat, player in enumerate(state.players)]
    if state.dirk is not None:
        points.append((state.dirk.score, DIRK))
    points.sort(key=lambda entry: -entry[0])
    return [(1 + len([p for p, _ in points if p > score]), seat, score) for score, seat in points]


CHECK_END: Final = CheckEnd()
GIVE_AWAY: Final = tuple([GiveAway(space) for space in range(SPACES)])
HAND_OVER: Final = HandOver()
THE_END: Final = TheEnd()
