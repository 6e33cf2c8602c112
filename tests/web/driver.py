"""Plays actions of the notation at a table in a browser: by mouse, touch, keyboard or command line."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from playwright.sync_api import Locator, Page, expect

from tests.web import api

#: Milliseconds to wait for the next turn, while bots play.
TURN = 60_000
PLAIN = ("wake", "decline", "keep", "pass")


@dataclass(frozen=True)
class Action:
    """A parsed action of the notation."""

    text: str
    verb: str
    tile: str = ""
    cell: str = ""
    face: str = ""
    cards: tuple[str, ...] = ()


def read(text: str) -> Action:
    """Parse an action.

    >>> read("place school-10 at 1,0 as arena-11 with b3 b1")
    Action(text='place school-10 at 1,0 as arena-11 with b3 b1', verb='place', tile='school-10', cell='1,0',
           face='arena-11', cards=('b3', 'b1'))
    """
    verb, *words = text.split(" ")
    if verb == "take":
        return Action(text, verb, cards=tuple(words))
    if verb == "remove":
        return Action(text, verb, cell=words[0])
    parts: dict[str, list[str]] = {"": []}
    part = ""
    for word in words:
        if word in ("at", "as", "with"):
            part = word
            parts[part] = []
        else:
            parts[part].append(word)
    first = {key: (found[0] if found else "") for key, found in parts.items()}
    return Action(
        text, verb, first[""], first.get("at", ""), first.get("as", ""), tuple(parts.get("with", ())) if words else ()
    )


class Table:
    """A table in a page, read from its data attributes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("[data-table]")

    @property
    def id(self) -> str:
        found = re.search(r"/t/([A-Za-z0-9_-]{16})", self.page.url)
        assert found, self.page.url
        return found[1]

    def state(self) -> dict[str, str]:
        """Return its data attributes: phase, n, step, deciding, yours, held; only the phase if the game is over."""
        found: dict[str, str] = self.page.evaluate(
            "() => ({ phase: 'over', ...document.querySelector('[data-table]')?.dataset })"
        )
        return found

    def message(self) -> dict[str, Any]:
        """Return the current message of the server for this browser."""
        return api.table_message(self.page, self.id)

    def offers(self) -> list[str]:
        """Return the actions offered to this browser."""
        own = self.message()["own"]
        return list(own["actions"]) if own else []

    def log(self) -> list[str]:
        """Return the log of the game, in the notation."""
        lines = api.get(self.page, f"/tables/{self.id}/log")["lines"]
        return [line["line"] for line in lines]

    def is_over(self) -> bool:
        return self.state()["phase"] == "over"

    def wait_for_turn(self) -> bool:
        """Wait for the turn of this browser; False if the game is over."""
        self.page.wait_for_function(
            """() => {
              const table = document.querySelector("[data-table]");
              return document.querySelector("[data-act=lift]") || !table || table.dataset.phase === "over"
                || table.dataset.yours === "true" || table.dataset.held || table.dataset.scoring;
            }""",
            timeout=TURN,
        )
        if self.state().get("scoring"):  # the game continues when it is closed
            self.close_scoring()
            return self.wait_for_turn()
        lift = self.page.locator("[data-act=lift]")
        if lift.count() > 0:  # hot seat: pass the device
            lift.click()
            return self.wait_for_turn()
        return not self.is_over()

    def close_scoring(self) -> None:
        """Close a scoring that is shown over the table."""
        while shown := self.state().get("scoring"):
            self.page.locator("[data-table] .scoring .closer").first.click()
            self.page.wait_for_function(
                "(shown) => (document.querySelector('[data-table]')?.dataset.scoring ?? '') !== shown", arg=shown
            )

    def wait_after(self, n: str) -> None:
        """Wait until an action has been played or must be confirmed."""
        self.page.wait_for_function(
            """(n) => {
              const table = document.querySelector("[data-table]");
              return !table || table.dataset.n !== n || table.dataset.held || table.dataset.asking === "true";
            }""",
            arg=n,
        )

    def wait_after_confirming(self) -> None:
        """Wait until no action must be confirmed."""
        self.page.wait_for_function(
            """() => {
              const table = document.querySelector("[data-table]");
              return !table || (!table.dataset.held && table.dataset.asking !== "true");
            }"""
        )

    def must_confirm(self) -> bool:
        """Whether an action must be confirmed: one that the server holds, or a purchase that looks like a mistake."""
        state = self.state()
        return bool(state.get("held")) or state.get("asking") == "true"


class Hands(Protocol):
    """A way to play: pointer, keyboard or command line."""

    def act(self, action: Action) -> None:
        """Play an action."""

    def confirm(self) -> None:
        """Confirm the end of the turn."""


class Pointer:
    """Plays with the mouse or by touch."""

    def __init__(self, table: Table, is_touch: bool = False) -> None:
        self._table = table
        self._page = table.page
        self._is_touch = is_touch

    def act(self, action: Action) -> None:
        """Play an action."""
        if action.verb in PLAIN:
            plain = self._page.locator(f"[data-act={action.verb}]")
            self._hit(plain if plain.count() else self._main())
        elif action.verb == "take":
            self._deselect_all()
            is_at_once = self._is_taken_at_once(action)
            self._end_double_tap()
            for card in action.cards:
                self._hit(self._page.locator(f'[data-display="{card}"][aria-pressed=false]').first)
            if not is_at_once:
                self._hit(self._main())
        elif action.verb in ("buy", "vizier"):
            self._pick("yard", action.tile)
            self._pay(action.cards)
            self._hit(self._main())
        elif action.verb in ("place", "reserve", "give"):
            self._pick("tray", action.tile)
            self._turn(bool(action.face))
            if action.face and action.verb != "reserve":
                self._pay(action.cards)
            if action.verb == "place":
                self._build(action.cell)
            else:
                self._hit(self._page.locator(f"[data-act={action.verb}]"))
        elif action.verb in ("add", "swap"):
            self._pick("reserve", action.tile)
            self._build(action.cell)
        elif action.verb == "remove":
            self._deselect_all()
            self._hit(self._cell(action.cell))
            self._hit(self._main())
        else:
            self._pick({"hut": "hut", "reveal": "bonus"}[action.verb], action.tile)
            self._hit(self._main())

    def confirm(self) -> None:
        """Confirm the end of the turn."""
        self._end_double_tap()
        self._hit(self._main())

    def _end_double_tap(self) -> None:
        """Tap somewhere else, so that the next tap is not the second of a double tap; clicks are single ones anyway."""
        if self._is_touch:
            self._hit(self._page.locator("[data-sentence]"))

    def _hit(self, place: Locator) -> None:
        self._table.close_scoring()  # it may appear after the start of the turn
        if self._is_touch:
            place.tap()
        else:
            place.click()

    def _is_taken_at_once(self, action: Action) -> bool:
        """3.2: Whether a click takes a card, because no other card could be taken with it."""
        takings = [read(text).cards for text in self._table.offers() if text.startswith("take ")]
        return len(action.cards) == 1 and not any(len(cards) > 1 and action.cards[0] in cards for cards in takings)

    def _main(self) -> Locator:
        return self._page.locator("[data-act=main]")

    def _cell(self, cell: str) -> Locator:
        return self._page.locator(f'[data-cell="{cell}"]')

    def _build(self, cell: str) -> None:
        if not self._is_visible(cell):
            self._show(cell)
        self._hit(self._cell(cell))
        if self._is_touch:  # the first tap only shows a preview
            expect(self._cell(cell)).to_have_attribute("data-state", "ghost")
            self._hit(self._cell(cell))

    def _show(self, cell: str) -> None:
        """Bring a cell into view: by showing the whole city if that is enough, else by dragging."""
        self._hit(self._page.locator("[data-act=whole]"))
        if not self._is_visible(cell):
            self._scroll_to(cell)

    def _is_visible(self, cell: str) -> bool:
        """Whether a cell is in the visible part of the board."""
        board = self._page.locator(".boardwrap").bounding_box()
        assert board is not None
        x, y = _middle(self._cell(cell))
        return board["x"] <= x <= board["x"] + board["width"] and board["y"] <= y <= board["y"] + board["height"]

    def _scroll_to(self, cell: str) -> None:
        """Drag the city until a cell is in the middle of the board."""
        self._table.close_scoring()
        x, y = _middle(self._page.locator(".boardwrap"))
        from_x, from_y = _middle(self._cell(cell))
        self._page.mouse.move(x, y)
        self._page.mouse.down()
        self._page.mouse.move(2 * x - from_x, 2 * y - from_y, steps=5)
        self._page.mouse.up()
        assert self._is_visible(cell), f"{cell} cannot be moved into view"

    def _deselect_all(self) -> None:
        """Deselect everything."""
        for picked in self._page.locator(
            "[data-yard][aria-pressed=true], [data-tray][aria-pressed=true], [data-reserve][aria-pressed=true],"
            " [data-hut][aria-pressed=true], [data-bonus][aria-pressed=true]"
        ).all():
            self._hit(picked)
        self._release("hand")
        self._release("display")

    def _pick(self, place: str, tile: str) -> None:
        piece = self._page.locator(f'[data-{place}="{tile}"]').first
        if piece.get_attribute("aria-pressed") != "true":
            self._hit(piece)
        expect(piece).to_have_attribute("aria-pressed", "true")

    def _release(self, place: str) -> None:
        picked = self._page.locator(f"[data-{place}][aria-pressed=true]")
        while picked.count() > 0:
            self._hit(picked.first)

    def _pay(self, cards: tuple[str, ...]) -> None:
        picked = self._page.locator("[data-hand][aria-pressed=true]")
        if sorted(one.get_attribute("data-hand") or "" for one in picked.all()) == sorted(cards):
            return
        self._release("hand")
        for card in cards:
            self._hit(self._page.locator(f'[data-hand="{card}"][aria-pressed=false]').first)

    def _turn(self, is_wanted: bool) -> None:
        flip = self._page.locator("[data-act=flip]")
        is_turned = flip.count() > 0 and flip.get_attribute("aria-pressed") == "true"
        if is_turned != is_wanted:
            self._hit(flip)


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Keys:
    """The keyboard alone: the shortcuts of the table, arrows in the city, Tab elsewhere."""

    #: Nothing at the table is further away by Tab.
    MAX_TABS = 150

    def __init__(self, table: Table) -> None:
        self._table = table
        self._page = table.page

    def act(self, action: Action) -> None:
        """Play an action."""
        if action.verb in PLAIN:
            self._key("p" if self._page.locator(f"[data-act={action.verb}]").count() else "g")
            return
        if action.verb not in ("place", "reserve", "give"):
            self._key("Escape")
        if action.verb == "take":
            self._take(action.cards)
        elif action.verb in ("buy", "vizier"):
            self._key(self._digit(action.tile))
            self._pay(action.cards)
        elif action.verb in ("place", "reserve", "give"):
            self._pick("tray", "t", action.tile)
            if action.face:
                self._key("v")
            if action.face and action.verb != "reserve":
                self._pay(action.cards)
            if action.verb == "place":
                self._build(action.cell)
            else:
                self._key({"reserve": "x", "give": "k"}[action.verb])
            return
        elif action.verb in ("add", "swap"):
            self._pick("reserve", "e", action.tile)
            self._build(action.cell)
            return
        elif action.verb == "remove":
            self._build(action.cell)
        else:
            place = {"hut": "hut", "reveal": "bonus"}[action.verb]
            self._press_on(f'[data-{place}="{action.tile}"]')
        self._key("g")

    def confirm(self) -> None:
        """Confirm the end of the turn; the button has the focus."""
        self._table.close_scoring()  # a scoring takes the focus
        expect(self._page.locator("[data-act=main]")).to_be_focused()
        self._key("Enter")

    def _key(self, key: str) -> None:
        self._page.keyboard.press(key)

    def _focus_is_on(self, selector: str) -> bool:
        found: bool = self._page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector)
        return found

    def _tab_to(self, selector: str) -> None:
        for _ in range(self.MAX_TABS):
            if self._focus_is_on(selector):
                return
            self._key("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def _press_on(self, selector: str) -> None:
        self._tab_to(selector)
        self._key("Enter")

    def _digit(self, tile: str) -> str:
        """Return the key of a tile in the yard: 1 to 4 for the spaces, 5 to 8 for their second tiles."""
        found: str = self._page.evaluate(
            """(tile) => {
              const at = [...document.querySelectorAll(".space")].map((space) => [...space.querySelectorAll(".ytile")]);
              const space = at.findIndex((tiles) => tiles.some((one) => one.dataset.yard === tile));
              return String(1 + space + 4 * at[space].findIndex((one) => one.dataset.yard === tile));
            }""",
            tile,
        )
        return found

    def _take(self, cards: tuple[str, ...]) -> None:
        display = [one.get_attribute("data-display") for one in self._page.locator("[data-display]").all()]
        for card in cards:
            place = display.index(card)
            display[place] = None
            self._key("asdf"[place])

    def _pay(self, cards: tuple[str, ...]) -> None:
        picked = "[data-hand][aria-pressed=true]"
        found = [one.get_attribute("data-hand") or "" for one in self._page.locator(picked).all()]
        if sorted(found) == sorted(cards):
            return
        while self._page.locator(picked).count() > 0:
            self._key("m")
            self._tab_to(picked)
            self._key("Space")
        for card in cards:
            self._key("m")
            self._tab_to(f'[data-hand="{card}"][aria-pressed=false]')
            self._key("Space")

    def _pick(self, place: str, key: str, tile: str) -> None:
        piece = f'[data-{place}="{tile}"]'
        if self._page.locator(piece).first.get_attribute("aria-pressed") != "true":
            self._key(key)
            self._tab_to(piece)
            self._key("Space")

    def _build(self, cell: str) -> None:
        """Move to a cell with the arrow keys."""
        self._key("c")
        expect(self._page.locator("[role=gridcell]:focus")).to_have_count(1)
        x, y = map(int, cell.split(","))
        at = self._page.locator("[role=gridcell]:focus").get_attribute("data-cell") or "0,0"
        from_x, from_y = map(int, at.split(","))
        for key, steps in (("ArrowRight", x - from_x), ("ArrowLeft", from_x - x)):
            for _ in range(steps):
                self._key(key)
        for key, steps in (("ArrowDown", y - from_y), ("ArrowUp", from_y - y)):
            for _ in range(steps):
                self._key(key)
        expect(self._page.locator(f'[data-cell="{cell}"]')).to_be_focused()
        self._key("Enter")


class Line:
    """Plays with the command line, in the notation."""

    def __init__(self, table: Table) -> None:
        self._page = table.page

    def act(self, action: Action) -> None:
        """Enter an action."""
        self._write(action.text)

    def confirm(self) -> None:
        """Confirm the end of the turn."""
        self._write("confirm")

    def _write(self, text: str) -> None:
        line = self._page.locator("[data-command]")
        if line.count() == 0 or not line.is_visible():
            self._page.keyboard.press("/")
        line.fill(text)
        line.press("Enter")


Choose = Callable[[list[str]], str]


def eager(seed: str) -> Choose:
    """Return a random choice that prefers building and avoids rebuilding, so that games end soon."""
    luck = random.Random(seed)

    def choose(offers: list[str]) -> str:
        for verbs in (("place", "buy", "vizier", "hut", "reveal"), ("reserve", "give", "take")):
            found = [text for text in offers if text.startswith(verbs)]
            if found:
                return luck.choice(found)
        return luck.choice([text for text in offers if not text.startswith(("remove", "swap", "add"))] or offers)

    return choose


def anything(seed: str) -> Choose:
    """Return a random choice of the verb, then of the action, so that every verb is used."""
    luck = random.Random(seed)

    def choose(offers: list[str]) -> str:
        verb = luck.choice(sorted({text.split(" ")[0] for text in offers}))
        return luck.choice([text for text in offers if text.split(" ")[0] == verb])

    return choose


@dataclass
class Game:
    """Plays a game in a page."""

    table: Table
    hands: Hands
    choose: Choose
    #: The actions played, in the notation.
    played: list[str] = field(default_factory=list)

    def step(self) -> bool:
        """Play one action; returns whether the game continues."""
        if not self.table.wait_for_turn():
            return False
        state = self.table.state()
        if not state.get("held"):
            action = self.choose(self.table.offers())
            self.played.append(action)
            self.hands.act(read(action))
            self.table.wait_after(state["n"])
        if not self.table.is_over() and self.table.must_confirm():
            self.hands.confirm()
            self.table.wait_after_confirming()
        return not self.table.is_over()

    def play(self, limit: int = 1000) -> int:
        """Play to the end or the limit; returns the number of actions played."""
        while len(self.played) < limit and self.step():
            pass
        return len(self.played)
