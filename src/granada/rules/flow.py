"""The turn as an agenda in rulebook order (3, 4, 6, 11)."""

from __future__ import annotations

from typing import ClassVar, Final, final

from granada.rules.acting import Buy, Pass, Take
from granada.rules.bonus import REVEALING, Reveal
from granada.rules.chance import Chance
from granada.rules.end_of_turn import push_announced_scorings, refill_display, refill_yard
from granada.rules.huts import TakeHut
from granada.rules.leftovers import CHECK_END
from granada.rules.placing import PLACING, PLACING_AWARD
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action, State, Step, Task
from granada.rules.verdict import Verdict
from granada.rules.vizier import ASK_VIZIERS, USING_VIZIER, Wake


@final
class Acting(Step):
    """3.1: the player on turn chooses one action; after an exact payment, another one (3.4)."""

    is_of_turn: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__(
            "act",
            (Take, Buy, Add, Remove, Swap, TakeHut, Wake, Pass, Reveal),
            "3.1, 6.6",
            Verdict("3.1", "step", "the player on turn must choose an action of the turn now"),
        )

    def waits(self, state: State, seat: int) -> bool:
        return True


@final
class EndOfTurn(Step):
    """6: display and yard are refilled; the rest of the end of the turn is pushed on the agenda in reverse order."""

    def __init__(self) -> None:
        super().__init__("end_of_turn")

    def run(self, state: State, seat: int, chance: Chance) -> None:
        refill_display(state, chance)  # 6.1
        is_full = refill_yard(state, chance)  # 6.2
        next_seat = (seat + 1) % len(state.players)
        with_viziers = state.players[seat].vizier is not None
        if is_full and not state.announced and not with_viziers:
            begin_turn(state, next_seat)  # 6.6 directly, as after most turns
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

    def __init__(self) -> None:
        super().__init__("next_turn")

    def run(self, state: State, seat: int, chance: Chance) -> None:
        begin_turn(state, seat)


def begin_turn(state: State, seat: int) -> None:
    """3, 4, 6: replace the agenda, on which nothing is left, by the turn of a seat."""
    state.turn = seat
    state.turns += 1
    state.agenda = _TURN_OF[seat]


ACTING: Final = Acting()
END_OF_TURN: Final = EndOfTurn()
NEXT_TURN: Final = NextTurn()

#: 3, 4, 6: the agenda of a turn, by seat.
_TURN_OF: Final = [Task(ACTING, seat, Task(PLACING, seat, Task(END_OF_TURN, seat, None))) for seat in range(6)]

#: The steps at which a seat makes a choice.
CHOICES: Final = (ACTING, PLACING, PLACING_AWARD, USING_VIZIER, REVEALING)
#: All action classes by verb, in the order in which the steps list them.
ACTIONS: Final[dict[str, type[Action]]] = {action.verb: action for step in CHOICES for action in step.actions}
