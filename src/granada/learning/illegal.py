"""Why a token cannot come next, with the number of the rule."""

from __future__ import annotations

from granada.learning.partial_word import PartialWord
from granada.learning.tokens import (
    BLOCKS,
    CELL,
    DECLINE,
    HUT,
    KEEP,
    PASS,
    REACH,
    REVEAL,
    SHIFT,
    TAKE,
    TOKENS,
    WAKE,
    WIDTH,
    Block,
    token_at,
)
from granada.rules import acting, bonus, vizier
from granada.rules.acting import Take
from granada.rules.bonus import Reveal
from granada.rules.cells import cell
from granada.rules.huts import TakeHut
from granada.rules.placing import Place
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action, State


def block_of(token: int) -> Block:
    """Return the block of a token."""
    for block in BLOCKS:
        if block.first <= token < block.first + block.size:
            return block
    raise ValueError(f"there are {TOKENS} tokens, not {token}")


def reason(partial: PartialWord, token: int) -> str:
    """Return why a token cannot come next in a word: `rule 3.2: …`."""
    if not 0 <= token < TOKENS:
        return f"there are {TOKENS} tokens, from 0 to {TOKENS - 1}, not {token}"
    state = partial.state
    if state.is_over:
        return "rule 8.4: the game is over"
    action = _action_on_cell(partial, token) if token >= CELL else None if partial.word else _single(state, token)
    if action is not None:
        verdict = state.is_legal(action)
        if not verdict:
            return str(verdict)
    block = block_of(token)
    number = f" {token - block.first}" if block.size > 1 else ""
    return f"rule {block.rules.split(',')[0]}: {block.name}{number} cannot come next"


def _single(state: State, token: int) -> Action | None:
    """Return the action of a word with this token only, or None."""
    if TAKE <= token < TAKE + 15:
        display = sorted(state.display, key=lambda card: card.order)
        chosen = token - TAKE + 1
        if chosen >> len(display):
            return None
        return Take(tuple([card for i, card in enumerate(display) if chosen >> i & 1]))
    if HUT <= token < HUT + 6:
        return TakeHut(token - HUT)
    if REVEAL <= token < REVEAL + 10:
        return Reveal(state.options.components.bonus[token - REVEAL])
    return {PASS: acting.PASS, WAKE: vizier.WAKE, DECLINE: vizier.DECLINE, KEEP: bonus.KEEP}.get(token)


def _action_on_cell(partial: PartialWord, token: int) -> Action | None:
    """Return the action that this cell would complete, or None if the word is not that far."""
    north, east, south, west = [partial.word.count(SHIFT + side) for side in range(4)]
    down, across = divmod(token - CELL, WIDTH)
    where = cell(across - REACH + WIDTH * (east - west), down - REACH + WIDTH * (south - north))
    state = partial.state
    for action in partial.actions_left():
        if token_at(state, action, len(partial.word)) < SHIFT:
            continue  # not followed by a cell
        if isinstance(action, Place):
            return Place(action.tile, where, action.face, action.cards)
        if isinstance(action, Add | Swap):
            is_free = state.players[state.seat].city.tile_at(where) is None
            return Add(action.tile, where) if is_free else Swap(action.tile, where)
        return Remove(where)
    return None
