"""Fair queues: addresses share scarce work equally, regardless of how much they request."""

from __future__ import annotations

import asyncio

import pytest

from granada.tables.fair_queue import FairQueue, FairTurns, Owner


def order(queue: FairQueue[str], cost: float = 1.0) -> str:
    """Return items of equal cost in the order in which they are served; an item starts with its address."""
    found = ""
    while queue:
        item = queue.pop()
        found += item
        queue.charge(Owner(item.lower()), cost)
    return found


def test_addresses_take_turns_however_many_items_one_has() -> None:
    queue = FairQueue[str]()
    for _ in range(4):
        queue.put(Owner("a"), "a")
    for _ in range(2):
        queue.put(Owner("b"), "b")
    queue.put(Owner("c"), "c")
    assert order(queue) == "abcabaa"


def test_the_tables_of_an_address_take_turns() -> None:
    queue = FairQueue[str]()
    for item in ("x1", "x2", "x3"):
        queue.put(Owner("a", "x"), item)
    queue.put(Owner("a", "y"), "y1")
    queue.put(Owner("a", "z"), "z1")
    assert [queue.pop() for _ in range(5)] == ["x1", "y1", "z1", "x2", "x3"]


def test_who_uses_more_at_a_time_comes_less_often() -> None:
    queue = FairQueue[str]()
    for _ in range(3):
        queue.put(Owner("slow"), "slow")
    for _ in range(6):
        queue.put(Owner("quick"), "quick")
    done = []
    while queue:
        done.append(item := queue.pop())
        queue.charge(Owner(item), 3.0 if item == "slow" else 1.0)
    assert done == ["slow", "quick", "quick", "quick", "slow", "quick", "quick", "quick", "slow"]


def test_nobody_saves_up_while_away_nor_pays_for_a_time_when_nobody_else_wanted_anything() -> None:
    queue = FairQueue[str]()
    for _ in range(10):
        queue.put(Owner("a"), "a")
        queue.pop()
        queue.charge(Owner("a"), 1.0)
    for _ in range(3):
        queue.put(Owner("a"), "a")
        queue.put(Owner("b"), "b")
    assert order(queue) == "ababab"


def test_who_asks_for_one_thing_at_a_time_waits_only_for_what_is_being_done() -> None:
    queue, done = FairQueue[str](), ""
    for _ in range(20):
        queue.put(Owner("many"), "m")
    for _ in range(5):
        done += queue.pop()
        queue.put(Owner("one"), "1")
        queue.charge(Owner("many"), 1.0)
        done += queue.pop()
        queue.charge(Owner("one"), 5.0)  # regardless of how long its own items take
    assert done == "m1" * 5


def test_nothing_is_remembered_of_who_does_not_wait() -> None:
    queue = FairQueue[str]()
    for number in range(50):
        queue.put(Owner(f"a{number}"), "x")
        queue.put(Owner(f"b{number}"), "y")
        queue.remove(Owner(f"b{number}"), "y")
        queue.pop()
        queue.charge(Owner(f"a{number}"), 1.0)
    assert (queue._used, queue._waiting) == ({}, {})


def test_what_is_taken_out_is_not_done() -> None:
    queue = FairQueue[str]()
    queue.put(Owner("a", "x"), "1")
    queue.put(Owner("a", "x"), "2")
    queue.put(Owner("b"), "3")
    for item in ("1", "never there"):
        queue.remove(Owner("a", "x"), item)
    queue.remove(Owner("c"), "1")
    assert [queue.pop(), queue.pop()] == ["2", "3"]
    assert len(queue) == 0


# Turns


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class Workshop:
    """Work that ends on demand; each piece takes a second."""

    def __init__(self, places: int) -> None:
        self.now = 0.0
        self.turns = FairTurns(places, lambda: self.now)
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    def work(self, name: str, address: str, table: str = "") -> asyncio.Task[None]:
        self.ends[name] = asyncio.Event()

        async def run() -> None:
            async with self.turns.turn(Owner(address, table)):
                self.begun.append(name)
                await self.ends[name].wait()
                self.now += 1.0

        return asyncio.create_task(run())

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await settled()


def test_the_next_job_of_another_address_waits_only_for_the_one_that_is_running() -> None:
    async def run() -> None:
        shop = Workshop(1)
        many = [shop.work(f"a{i}", "a", f"t{i}") for i in range(45)]
        await settled()
        mine = shop.work("b", "b")
        await settled()
        assert (shop.begun, shop.turns.waiting, shop.turns.busy) == (["a0"], 45, 1)
        await shop.end("a0")
        assert shop.begun == ["a0", "b"]
        await shop.end("b")
        await mine
        for task in many:
            task.cancel()
        await asyncio.gather(*many, return_exceptions=True)
        assert (shop.turns.waiting, shop.turns.busy) == (0, 0)

    asyncio.run(run())


def test_there_are_as_many_turns_at_once_as_places() -> None:
    async def run() -> None:
        shop = Workshop(2)
        tasks = [shop.work(name, name) for name in "abc"]
        await settled()
        assert shop.begun == ["a", "b"]
        await shop.end("b")
        assert shop.begun == ["a", "b", "c"]
        for name in "ac":
            await shop.end(name)
        await asyncio.gather(*tasks)
        await shop.turns.idle()

    asyncio.run(run())


@pytest.mark.parametrize("rounds", range(4))
def test_who_is_cancelled_takes_no_turn_away_from_the_others(rounds: int) -> None:
    async def run() -> None:
        shop = Workshop(1)
        tasks = {name: shop.work(name, name) for name in "abcd"}
        await settled()
        shop.ends["a"].set()
        for _ in range(rounds):
            await asyncio.sleep(0)
        tasks["b"].cancel()  # it may just have got its place
        tasks["c"].cancel()  # and this one has not left the queue yet
        await settled()
        assert [name for name in shop.begun if name != "b"] == ["a", "d"]
        await shop.end("d")
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        assert (shop.turns.waiting, shop.turns.busy) == (0, 0)

    asyncio.run(run())


def test_patience_ends() -> None:
    async def run() -> None:
        shop = Workshop(1)
        first = shop.work("a", "a")
        await settled()
        with pytest.raises(TimeoutError):
            async with shop.turns.turn(Owner("b"), 0.001):
                raise AssertionError("there is no turn")
        assert shop.turns.waiting == 0
        await shop.end("a")
        await first
        async with shop.turns.turn(Owner("b"), 0.001):
            assert shop.turns.busy == 1

    asyncio.run(run())
