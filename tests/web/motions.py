"""Records and holds the motions of pieces in a page."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from playwright.sync_api import APIRequestContext, Page

from tests.web import api
from tests.web.driver import Table
from tests.web.screens import NAMES, ready, upload, visit_first

#: Records the id of every motion and the elements of rings; while `motionsAreHeld`, motions stay at their beginning.
RECORD = """(() => {
  window.motions = [];
  window.rung = [];
  window.motionsAreHeld = false;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const animation = animate.call(this, frames, options);
    if (!options?.id?.startsWith("motion-")) return animation;
    window.motions.push(options.id.slice("motion-".length));
    if (options.id === "motion-ring") window.rung.push(this);
    if (window.motionsAreHeld) animation.pause();
    return animation;
  };
})()"""

#: Where the copies of a kind are at the beginning and at the end of their way.
WAYS = """(kind) => document.getAnimations().filter(({ id }) => id === `motion-${kind}`).map((animation) => {
  const { delay, duration } = animation.effect.getTiming();
  const at = (time) => {
    animation.currentTime = time;
    const { x, y, width, height } = animation.effect.target.getBoundingClientRect();
    return { x, y, width, height };
  };
  return [at(delay), at(delay + duration - 0.001)];
})"""

#: Whether nothing glides: motions end where a cell will be when the view of the city has moved.
RESTING = """() => !document.getAnimations().some(
  (one) => one instanceof CSSTransition && one.playState === "running")"""

#: What is left of motions: copies, animations, and pieces that are hidden.
LEFT = """() => [
  document.querySelector(".motion-layer").childElementCount,
  document.getAnimations().filter(({ id }) => id.startsWith("motion-")).length,
  [...document.querySelectorAll("[data-piece]")].filter((piece) => getComputedStyle(piece).opacity !== "1").length,
]"""


@dataclass(frozen=True)
class Box:
    """A place on the screen."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def is_at(self, other: Box, slack: float = 2) -> bool:
        """Whether both are the same place."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(abs(one - another) <= slack for one, another in pairs)

    def is_within(self, other: Box, slack: float = 2) -> bool:
        """Whether the middle of this box is in another one."""
        x, y = self.middle
        return (
            other.x - slack <= x <= other.x + other.width + slack
            and other.y - slack <= y <= other.y + other.height + slack
        )


class Motions:
    """The motions of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @staticmethod
    def record(page: Page) -> None:
        """Record the motions of all pages that are opened from now on."""
        page.add_init_script(RECORD)

    def hold(self) -> None:
        """Let all further motions stay at their beginning."""
        self.page.wait_for_selector(".motion-layer", state="attached")
        self.page.evaluate("() => { window.motionsAreHeld = true; window.motions = []; window.rung = []; }")

    def seen(self) -> list[str]:
        """Return the kinds of motions since they were held or cleared."""
        found: list[str] = self.page.evaluate("() => window.motions")
        return found

    def wait_for(self, kind: str) -> None:
        self.page.wait_for_function("(kind) => window.motions.includes(kind)", arg=kind)

    def wait_for_rings(self, count: int, selector: str) -> None:
        """Wait until this number of rings was drawn around elements, even if they have already faded."""
        self.page.wait_for_function(
            "([count, selector]) => window.rung.filter((target) => target.matches(selector)).length === count",
            arg=[count, selector],
        )

    def ways(self, kind: str) -> list[tuple[Box, Box]]:
        """Return where the pieces of a kind begin and end."""
        self.wait_for(kind)
        self.page.wait_for_function(RESTING)
        return [(Box(**begin), Box(**end)) for begin, end in self.page.evaluate(WAYS, kind)]

    def left(self) -> list[int]:
        """Return the number of copies, animations and hidden pieces that are left."""
        found: list[int] = self.page.evaluate(LEFT)
        return found


def box_of(page: Page, selector: str) -> Box:
    """Return where an element is when the view of the city has come to rest."""
    page.wait_for_function(RESTING)
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return Box(**found)


class Duel:
    """A table in a page where another browser has all other seats, so that nothing happens by itself."""

    def __init__(self, page: Page, other: APIRequestContext, record: str, n: int, is_deciding: bool = True) -> None:
        self.page, self._other = page, other
        self._commands = itertools.count()
        visit_first(page)
        uploaded = upload(page, record)
        deciding = api.get(page, f"/tables/{uploaded}/positions/{n}")["view"]["deciding"]
        players = len(api.table_message(page, uploaded)["table"]["seats"])
        self.seat = deciding if is_deciding else deciding % players + 1
        seats = [
            {"kind": "person", "name": NAMES[seat - 1]} if seat == self.seat else {"kind": "open"}
            for seat in range(1, players + 1)
        ]
        self.id: str = api.post(page, f"/tables/{uploaded}/fork", {"n": n, "seats": seats})["table"]["id"]
        for seat in range(1, players + 1):
            if seat != self.seat:
                self._send(f"seats/{seat}/take", {"name": NAMES[seat - 1]})
        api.post(page, f"/tables/{self.id}/start")
        page.goto(f"/t/{self.id}")
        ready(page)
        self.table = Table(page)

    def act(self, action: str, hold: bool = False) -> None:
        """Play an action for the seat that decides."""
        message = api.table_message(self.page, self.id)
        deciding = message["view"]["deciding"]
        body = {"id": f"played-{next(self._commands)}", "type": "act", "n": message["n"], "hold": hold}
        body |= {"action": action, "seat": deciding}
        if deciding == self.seat:
            api.post(self.page, f"/tables/{self.id}/commands", body)
        else:
            self._send("commands", body)

    def _send(self, path: str, body: object) -> None:
        reply = self._other.post(
            f"/api/tables/{self.id}/{path}", data=api.encoded(body), headers={"content-type": api.JSON}
        )
        assert reply.ok, reply.text()
