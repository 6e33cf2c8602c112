"""The turn as an agenda in rulebook order (3, 4, 6, 11)."""

from __future__ import annotations

from typing import Final, final

from granada.rules.acting import PASS, Buy, Pass, Take
from granada.rules.bonus import Reveal
from granada.rules.chance import Chance
from granada.rules.end_of_turn import push_announced_scorings, refill_display, refill_yard
from granada.rules.huts import TakeHut
from granada.rules.leftovers import CHECK_END
from granada.rules.placing import PLACING
from granada.rules.rebuilding import Add, Remove, Swap, offer_rebuilding
from granada.rules.state import Action, State, Step, Task
from granada.rules.verdict import LEGAL, Verdict
from granada.rules.vizier import ASK_VIZIERS, Wake


@final
class Act(Step):
    """3.1: the player on turn chooses one action; after an exact payment, another one (3.4)."""

    def waits(self, state: State, seat: int) -> bool:
        return True

    def offer(self, state: State, seat: int, part: int, offers: list[Action]) -> bool:
        if part == 0:
            Take.offer(state, seat, offers)
            Buy.offer(state, seat, offers)
        elif part == 1:
            offer_rebuilding(state, seat, offers)
        elif part == 2:
            TakeHut.offer(state, seat, offers)
            Wake.offer(state, seat, offers)
            if not state.display and not self._has_action(state, seat):
                offers.append(PASS)
            Reveal.offer(state, seat, offers)
        return part < 3

    def _has_action(self, state: State, seat: int) -> bool:
        """3.7: whether there is any action but to pass."""
        actions: list[Action] = []
        self.offer(state, seat, 0, actions)
        self.offer(state, seat, 1, actions)
        TakeHut.offer(state, seat, actions)
        Wake.offer(state, seat, actions)
        return bool(actions)

    def admits(self, action: Action) -> Verdict:
        if isinstance(action, (Take, Buy, Add, Remove, Swap, TakeHut, Wake, Pass, Reveal)):
            return LEGAL
        return Verdict("3.1", "step", "the player on turn must choose an action of the turn now")


@final
class EndOfTurn(Step):
    """6: display and yard are refilled; what else there is to do goes on the agenda, the last thing first."""

    def run(self, state: State, seat: int, chance: Chance) -> None:
        refill_display(state, chance)  # 6.1
        is_full = refill_yard(state, chance)  # 6.2
        next_seat = (seat + 1) % len(state.players)
        with_viziers = state.players[seat].vizier is not None
        if is_full and not state.announced and not with_viziers:
            begin_turn(state, next_seat)  # 6.6 at once, as after most turns
            return
        state.push(NEXT_TURN, next_seat)  # 6.6
        if with_viziers:
            state.push(ASK_VIZIERS, seat)  # 6.5
        if not is_full:
            state.push(CHECK_END, seat)  # 6.4
        push_announced_scorings(state)  # 6.3


@final
class NextTurn(Step):
    """6.6: a seat is on turn."""

    def run(self, state: State, seat: int, chance: Chance) -> None:
        begin_turn(state, seat)


def begin_turn(state: State, seat: int) -> None:
    """3, 4, 6: what a turn consists of becomes the agenda, on which nothing is left."""
    state.turn = seat
    state.turns += 1
    state.agenda = _TURN_OF[seat]


ACT: Final = Act()
END_OF_TURN: Final = EndOfTurn()
NEXT_TURN: Final = NextTurn()

#: 3, 4, 6: the turn of each seat.
_TURN_OF: Final = [Task(ACT, seat, Task(PLACING, seat, Task(END_OF_TURN, seat, None))) for seat in range(6)]
