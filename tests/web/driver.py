"""Playing at a table of the page by mouse, touch, keys or the command line: one action of the notation at a time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from playwright.sync_api import Locator, Page, expect

#: Milliseconds in which bots have played and it is somebody's turn again.
TURN = 60_000
PLAIN = ("wake", "decline", "keep", "pass")


@dataclass(frozen=True)
class Action:
    """An action of the notation, in its parts."""

    text: str
    verb: str
    tile: str = ""
    cell: str = ""
    face: str = ""
    cards: tuple[str, ...] = ()


def read(text: str) -> Action:
    """Take an action apart.

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
    """A table in a page, as its attributes tell."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("[data-table]")

    @property
    def id(self) -> str:
        found = re.search(r"/t/([A-Za-z0-9_-]{16})", self.page.url)
        assert found, self.page.url
        return found[1]

    def state(self) -> dict[str, str]:
        """All that the table tells of itself: phase, n, step, deciding, yours, held; after the game it may be gone."""
        found: dict[str, str] = self.page.evaluate(
            "() => ({ phase: 'over', ...document.querySelector('[data-table]')?.dataset })"
        )
        return found

    def message(self) -> dict[str, Any]:
        """What the server says to this browser."""
        found: dict[str, Any] = self.page.request.get(f"/api/tables/{self.id}").json()
        return found

    def offers(self) -> list[str]:
        """The actions that are offered to this browser."""
        own = self.message()["own"]
        return list(own["actions"]) if own else []

    def log(self) -> list[str]:
        """What happened in the game, in the notation."""
        lines = self.page.request.get(f"/api/tables/{self.id}/log").json()["lines"]
        return [line["line"] for line in lines]

    def is_over(self) -> bool:
        return self.state()["phase"] == "over"

    def wait_for_turn(self) -> bool:
        """Wait until this browser has to decide; whether it has, or the game is over."""
        self.page.wait_for_function(
            """() => {
              const table = document.querySelector("[data-table]");
              return document.querySelector("[data-act=lift]") || !table || table.dataset.phase === "over"
                || table.dataset.yours === "true" || table.dataset.held || table.dataset.scoring;
            }""",
            timeout=TURN,
        )
        if self.state().get("scoring"):  # the game goes on when it was closed
            self.close_scoring()
            return self.wait_for_turn()
        lift = self.page.locator("[data-act=lift]")
        if lift.count() > 0:  # the next player takes the device
            lift.click()
            return self.wait_for_turn()
        return not self.is_over()

    def close_scoring(self) -> None:
        """Let a scoring that lies over the table be; its picture may still be on the way."""
        while shown := self.state().get("scoring"):
            self.page.locator("[data-table] .scoring .closer").first.click()
            self.page.wait_for_function(
                "(shown) => (document.querySelector('[data-table]')?.dataset.scoring ?? '') !== shown", arg=shown
            )

    def wait_after(self, n: str) -> None:
        """Wait until an action has been played; one that waits for a confirmation is confirmed by who plays."""
        self.page.wait_for_function(
            """(n) => {
              const table = document.querySelector("[data-table]");
              return !table || table.dataset.n !== n || table.dataset.held;
            }""",
            arg=n,
        )

    def wait_after_confirming(self) -> None:
        """Wait until nothing waits for a confirmation any more."""
        self.page.wait_for_function("() => !document.querySelector('[data-table]')?.dataset.held")


class Hands(Protocol):
    """One way to do things at a table."""

    def act(self, action: Action) -> None:
        """Do what leads to an action."""

    def confirm(self) -> None:
        """End the turn that waits for it."""


class Pointer:
    """The mouse, or a finger."""

    def __init__(self, table: Table, is_touch: bool = False) -> None:
        self._table = table
        self._page = table.page
        self._is_touch = is_touch

    def act(self, action: Action) -> None:
        """Do what leads to an action."""
        if action.verb in PLAIN:
            plain = self._page.locator(f"[data-act={action.verb}]")
            self._hit(plain if plain.count() else self._main())
        elif action.verb == "take":
            self._free()
            for card in action.cards:
                self._hit(self._page.locator(f'[data-display="{card}"][aria-pressed=false]').first)
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
            self._free()
            self._hit(self._cell(action.cell))
            self._hit(self._main())
        else:
            self._pick({"hut": "hut", "reveal": "bonus"}[action.verb], action.tile)
            self._hit(self._main())

    def confirm(self) -> None:
        """End the turn that waits for it."""
        self._hit(self._main())

    def _hit(self, place: Locator) -> None:
        self._table.close_scoring()  # one may come after the turn has begun
        if self._is_touch:
            place.tap()
        else:
            place.click()

    def _main(self) -> Locator:
        return self._page.locator("[data-act=main]")

    def _cell(self, cell: str) -> Locator:
        return self._page.locator(f'[data-cell="{cell}"]')

    def _build(self, cell: str) -> None:
        if not self._is_in_sight(cell):
            self._hit(self._page.locator("[data-act=whole]"))
        if not self._is_in_sight(cell):
            self._move_into_sight(cell)
        self._hit(self._cell(cell))
        if self._is_touch:  # the first tap only shows what would come
            expect(self._cell(cell)).to_have_attribute("data-state", "ghost")
            self._hit(self._cell(cell))

    def _is_in_sight(self, cell: str) -> bool:
        """Whether a cell lies within the board: a large city on a small screen does not as a whole."""
        board = self._page.locator(".boardwrap").bounding_box()
        assert board is not None
        x, y = _middle(self._cell(cell))
        return board["x"] <= x <= board["x"] + board["width"] and board["y"] <= y <= board["y"] + board["height"]

    def _move_into_sight(self, cell: str) -> None:
        """Drag the city until a cell lies in the middle of the board."""
        self._table.close_scoring()
        x, y = _middle(self._page.locator(".boardwrap"))
        from_x, from_y = _middle(self._cell(cell))
        self._page.mouse.move(x, y)
        self._page.mouse.down()
        self._page.mouse.move(2 * x - from_x, 2 * y - from_y, steps=5)
        self._page.mouse.up()
        assert self._is_in_sight(cell), f"{cell} cannot be moved into sight"

    def _free(self) -> None:
        """Let go of what is picked."""
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
    FARTHEST = 150

    def __init__(self, table: Table) -> None:
        self._table = table
        self._page = table.page

    def act(self, action: Action) -> None:
        """Do what leads to an action."""
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
        """End the turn that waits for it: the button has the focus."""
        self._table.close_scoring()  # one that comes now takes it
        expect(self._page.locator("[data-act=main]")).to_be_focused()
        self._key("Enter")

    def _key(self, key: str) -> None:
        self._page.keyboard.press(key)

    def _focus_is_on(self, selector: str) -> bool:
        found: bool = self._page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector)
        return found

    def _tab_to(self, selector: str) -> None:
        for _ in range(self.FARTHEST):
            if self._focus_is_on(selector):
                return
            self._key("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def _press_on(self, selector: str) -> None:
        self._tab_to(selector)
        self._key("Enter")

    def _digit(self, tile: str) -> str:
        """The key of a tile of the yard: 1 to 4 for the spaces, 5 to 8 for their second tiles."""
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
        """Walk to a cell with the arrows."""
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
    """The command line, which takes the notation."""

    def __init__(self, table: Table) -> None:
        self._page = table.page

    def act(self, action: Action) -> None:
        """Write an action down."""
        self._write(action.text)

    def confirm(self) -> None:
        """End the turn that waits for it."""
        self._write("confirm")

    def _write(self, text: str) -> None:
        line = self._page.locator("[data-command]")
        if line.count() == 0 or not line.is_visible():
            self._page.keyboard.press("/")
        line.fill(text)
        line.press("Enter")


Choose = Callable[[list[str]], str]


def eager(seed: str) -> Choose:
    """Chooses at random, but builds rather than waits and never rebuilds, so that games end soon."""
    luck = random.Random(seed)

    def choose(offers: list[str]) -> str:
        for verbs in (("place", "buy", "vizier", "hut", "reveal"), ("reserve", "give", "take")):
            found = [text for text in offers if text.startswith(verbs)]
            if found:
                return luck.choice(found)
        return luck.choice([text for text in offers if not text.startswith(("remove", "swap", "add"))] or offers)

    return choose


def anything(seed: str) -> Choose:
    """Chooses at random by what is done, so that everything is tried."""
    luck = random.Random(seed)

    def choose(offers: list[str]) -> str:
        verb = luck.choice(sorted({text.split(" ")[0] for text in offers}))
        return luck.choice([text for text in offers if text.split(" ")[0] == verb])

    return choose


@dataclass
class Game:
    """Somebody who plays a game in a page."""

    table: Table
    hands: Hands
    choose: Choose
    #: What was played, in the notation.
    played: list[str] = field(default_factory=list)

    def step(self) -> bool:
        """Play one action; whether the game goes on."""
        if not self.table.wait_for_turn():
            return False
        state = self.table.state()
        if not state.get("held"):
            action = self.choose(self.table.offers())
            self.played.append(action)
            self.hands.act(read(action))
            self.table.wait_after(state["n"])
        if not self.table.is_over() and self.table.state().get("held"):
            self.hands.confirm()
            self.table.wait_after_confirming()
        return not self.table.is_over()

    def play(self, most: int = 1000) -> int:
        """Play to the end, or so many actions; returns how many were played."""
        while len(self.played) < most and self.step():
            pass
        return len(self.played)
