"""An identity that is taken to another browser: once, within a time, with its seats, and without leaking a secret."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path

import httpx
import pytest

from granada.server.identity import transfers
from granada.server.identity.codes import ALPHABET, WORDS, code_of, new_secret_part, read_code
from granada.server.identity.sealing import row_of, seal, unseal
from granada.server.identity.transfers import TRIES, VALID, Transfers
from granada.tables.clock import clock
from granada.tables.daily_deals import EPOCH
from granada.tables.errors import TableError
from granada.tables.holders import hash_of, new_secret
from granada.tables.lobby import adopt, leave_seat, take_seat
from granada.tables.requests import LONGEST_PROFILE
from tests.server.databases import Cluster
from tests.server.running import Guest, RunningServer, running
from tests.server.tables import ANA, BEN, Log
from tests.server.test_store import opened
from tests.server.test_workers import several

#: Codes that the web client reads as well (web/tests/codes.test.ts).
CODES = json.loads((Path(__file__).parents[2] / "web" / "tests" / "codes.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("identity")) as found:
        yield found


@pytest.fixture
def ana(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as guest:
        guest.http.get("/")
        yield guest


@pytest.fixture
def ben(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as guest:
        guest.http.get("/")
        yield guest


def code_for(guest: Guest, profile: str = "") -> str:
    code: str = guest.post("/identity/code", {"profile": profile}, 201)["code"]
    return code


def own_seats(guest: Guest, table: str) -> list[int]:
    return [seat["seat"] for seat in guest.get(f"/tables/{table}")["table"]["seats"] if seat["is_yours"]]


# The code


def test_codes_are_read_as_they_are_written_and_typed() -> None:
    for part, code in CODES.items():
        assert code_of(part) == code
        halves = code.replace("0", "O").replace("1", "l")
        for typed in (code, code.upper(), code.replace("-", ""), f" {code.replace('-', ' ')}.", halves):
            assert read_code(typed) == part, typed
    assert set("".join(CODES)) == set(ALPHABET)
    assert not [(one, other) for one in WORDS for other in WORDS if one != other and other.startswith(one)]
    assert {word for code in CODES.values() for word in code.split("-") if word in WORDS} == set(WORDS)


def test_a_damaged_code_is_recognised() -> None:
    for part in [*CODES, *[new_secret_part() for _ in range(3)]]:
        first, a, b, second, c, d = code_of(part).split("-")
        for i, right in enumerate(part):
            for wrong in set(ALPHABET) - {right}:
                changed = part[:i] + wrong + part[i + 1 :]
                assert read_code(f"{first}{changed[:8]}{second}{changed[8:]}") is None
        for i in range(15):
            swapped = part[:i] + part[i + 1] + part[i] + part[i + 2 :]
            assert swapped == part or read_code(f"{first}{swapped[:8]}{second}{swapped[8:]}") is None
        for text in (
            f"{first}-{a}-{b}",
            f"{second}-{a}-{b}-{first}-{c}-{d}-{a}",
            f"{a}-{b}-{c}-{d}",
            "",
            "owl",
            "é" * 99,
        ):
            assert read_code(text) is None


def test_a_sealed_deposit_opens_with_its_code_only() -> None:
    part, plain = new_secret_part(), b"a secret"
    sealed = seal(part, plain)
    assert unseal(part, sealed) == plain
    assert plain not in sealed
    assert unseal(new_secret_part(), sealed) is None
    assert unseal(part, sealed[:-1] + bytes([sealed[-1] ^ 1])) is None
    assert unseal(part, b"") is None


# From one browser to another


def test_a_second_browser_becomes_the_same_person(ana: Guest, ben: Guest) -> None:
    table = ana.open_table(["person", "greedy"])
    ana.start(table)
    profile = json.dumps({"name": "Ana", "games": ["é" * 1000]})
    found = ben.post("/identity/enter", {"code": code_for(ana, profile).lower()})
    assert found == {"profile": profile, "tables": []}
    assert ben.cookie() == ana.cookie()
    assert own_seats(ana, table) == own_seats(ben, table) == [1]
    message = ben.get(f"/tables/{table}")
    assert message["own"]["seat"] == 1
    if message["view"]["deciding"] == 1:
        ben.command(table, type="act", n=message["n"], action=message["own"]["actions"][0])
        assert ana.get(f"/tables/{table}")["n"] > message["n"]


def test_a_code_is_valid_once(ana: Guest, ben: Guest, server: RunningServer) -> None:
    code = code_for(ana)
    ben.post("/identity/enter", {"code": code})
    with Guest(server) as third:
        assert third.post("/identity/enter", {"code": code}, 404)["code"] == "unknown_code"
        assert third.cookie() == ""


def test_a_new_code_replaces_the_one_before(ana: Guest, ben: Guest) -> None:
    first, second = code_for(ana, "first"), code_for(ana, "second")
    assert ben.post("/identity/enter", {"code": first}, 404)["code"] == "unknown_code"
    assert ben.post("/identity/enter", {"code": second})["profile"] == "second"


def test_a_damaged_code_is_refused_with_a_sentence(ana: Guest, ben: Guest) -> None:
    code = code_for(ana)
    for damaged in (code[:-1], code.replace("-", "-X", 2), "myrtle-court-41", ""):
        found = ben.post("/identity/enter", {"code": damaged}, 400)
        assert found["code"] == "bad_code"
        assert found["detail"] == "The code is damaged: a part is missing or wrong."
    ben.post("/identity/enter", {"code": code})


def test_unknown_codes_are_limited_for_each_address(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana, Guest(server) as ben:
        ana.http.get("/")
        unknown = [code_of(new_secret_part()) for _ in range(TRIES)]
        for code in unknown:
            ben.post("/identity/enter", {"code": "nonsense"}, 400)  # not counted
            assert ben.post("/identity/enter", {"code": code_for(ana)})  # neither
            ben.post("/identity/enter", {"code": code}, 404)
        last = code_for(ana)
        assert ben.post("/identity/enter", {"code": last}, 429)["code"] == "too_many"


def test_making_codes_is_limited_like_opening_tables(tmp_path: Path) -> None:
    with running(tmp_path, GRANADA_CREATIONS="1") as server, Guest(server) as ana:
        ana.http.get("/")
        statuses = [ana.http.post("/api/identity/code", json={}).status_code for _ in range(22)]
        assert statuses[0] == 201
        assert statuses[-1] == 429


def test_an_expired_code_is_unknown(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with opened(sqlite_url) as store:
            moves = Transfers(store)
            secret, now = new_secret(), clock()
            code = await moves.deposit(secret, "profile")
            monkeypatch.setattr(transfers, "clock", lambda: now + VALID - 1000)
            assert (await moves.redeem(code, "here")).secret == secret
            code = await moves.deposit(secret, "profile")
            monkeypatch.setattr(transfers, "clock", lambda: now + 3 * VALID)
            with pytest.raises(TableError, match="used, has expired, or is of another server"):
                await moves.redeem(code, "here")
            # Deposits that have expired are removed.
            await moves.deposit(secret, "profile")
            await store.remove_unused(now + 5 * VALID)
            assert await store.take_deposit(row_of(read_code(code) or ""), now) is None

    asyncio.run(run())


def test_there_is_a_limit_of_deposits(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(transfers, "MAX_DEPOSITS", 2)
        async with opened(sqlite_url) as store:
            moves, secrets = Transfers(store), [new_secret() for _ in range(3)]
            for secret in (*secrets[:2], secrets[0]):
                await moves.deposit(secret, "")
            with pytest.raises(TableError, match="Try again in some minutes"):
                await moves.deposit(secrets[2], "")
            await moves.forget(secrets[0])
            await moves.deposit(secrets[2], "")

    asyncio.run(run())


def test_a_profile_is_bounded(ana: Guest, ben: Guest) -> None:
    longest = "é" * LONGEST_PROFILE
    assert ben.post("/identity/enter", {"code": code_for(ana, longest)})["profile"] == longest
    assert ana.post("/identity/code", {"profile": "x" * (LONGEST_PROFILE + 1)}, 413)["code"] == "too_large"
    assert ana.post("/identity/code", {"profile": "x" * 3 * LONGEST_PROFILE}, 413)["code"] == "too_large"


def test_only_browsers_and_pages_of_this_site_move_identities(server: RunningServer, ana: Guest) -> None:
    with Guest(server) as stranger:
        assert stranger.post("/identity/code", {}, 401)["code"] == "unauthorized"
        token = stranger.post("/programs", {"name": "Robot"})["token"]
    with Guest(server, token) as program:
        assert program.post("/identity/code", {}, 401)["code"] == "unauthorized"
        assert program.http.delete("/api/identity").status_code == 401
    for path, body in (("code", {}), ("enter", {"code": code_for(ana)})):
        response = ana.http.post(f"/api/identity/{path}", json=body, headers={"origin": "https://elsewhere.example"})
        assert response.json()["code"] == "forbidden_origin"


# What the second browser had before


def test_its_seats_become_seats_of_the_person(ana: Guest, ben: Guest, server: RunningServer) -> None:
    before = Guest(server)
    before.http.cookies = httpx.Cookies(ben.http.cookies)
    playing, lobby, foreign = ben.open_table(["person", "greedy"]), ben.open_table(["person", "open"]), "A" * 16
    ben.start(playing)
    with Guest(server) as other:
        watched = other.open_table(["person", "open"])
    tables = [playing, lobby, watched, foreign]
    assert ben.post("/identity/enter", {"code": code_for(ana), "tables": tables})["tables"] == [playing, lobby]
    with before:
        for table in (playing, lobby):
            assert own_seats(ana, table) == own_seats(ben, table) == [1]
            assert ana.get(f"/tables/{table}")["table"]["is_host"]
            assert own_seats(before, table) == []
            assert not before.get(f"/tables/{table}")["table"]["is_host"]


def test_the_hands_that_it_has_seen_stay_seen() -> None:
    log = Log(("person", "open"))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    log.start()
    log.store(leave_seat(log.table, BEN, 1))
    log.store(adopt(log.table, BEN, ANA))
    for table in (log.table, log.again()):
        assert table.seats_of(ANA.hash) == [0]
        assert table.seats[1].plan.left_by == ANA.hash
        assert table.seen == {ANA.hash: {0, 1}}
        assert table.may_take(ANA.hash, 1)
        assert table.created.host == ANA.hash
    with pytest.raises(TableError, match="no part"):
        adopt(log.table, BEN, ANA)
    with pytest.raises(TableError, match="no part"):
        adopt(log.table, ANA, ANA)


def test_a_shared_device_stays_shared() -> None:
    log = Log(("person", "person"), holder=BEN)
    log.store(adopt(log.table, BEN, ANA))
    log.start()
    log.act(log.offers()[0])
    assert log.table.created.host == ANA.hash
    assert log.table.seats_of(ANA.hash) == [0, 1]
    assert log.again().spent == log.table.spent


# Secrets


def log_with(server: RunningServer, words: str) -> str:
    """Return the log as soon as it contains some words: a request is logged after it has been answered."""
    end = time.monotonic() + 20
    while words not in (log := server.log()):
        assert time.monotonic() < end, f"the log does not contain {words}"
        time.sleep(0.05)
    return log


def test_nothing_secret_is_stored_logged_or_sent(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana, Guest(server) as ben:
        ana.http.get("/")
        secret = ana.http.cookies["granada"]
        response = ana.http.post("/api/identity/code", json={"profile": "the profile of Ana"})
        code = response.json()["code"]
        assert set(response.json()) == {"code", "seconds"}
        assert secret not in response.text
        assert response.headers["cache-control"] == "no-store"
        stored = b"".join(path.read_bytes() for path in tmp_path.glob("granada.sqlite*"))
        part = read_code(code)
        assert part is not None
        assert hash_of(secret).encode() in stored
        for text in (secret, code, part, "the profile of Ana"):
            assert text.encode() not in stored, text
        response = ben.http.post("/api/identity/enter", json={"code": code})
        assert secret not in response.text
        assert "HttpOnly; SameSite=Lax" in response.headers["set-cookie"]
        assert response.headers["cache-control"] == "private, no-store"
        log = log_with(server, "/api/identity/enter")
        for text in (secret, code, part, "the profile of Ana"):
            assert text not in log, text


# Forgetting


def test_a_forgotten_browser_leaves_the_games_of_others_alone(ana: Guest, ben: Guest) -> None:
    table = ana.open_table(["person", "open"])
    ben.sit(table, 2, "Ben")
    ana.start(table)
    code = code_for(ben)
    response = ben.http.delete("/api/identity")
    assert response.status_code == 204
    assert ben.cookie() == ""
    seats = ana.get(f"/tables/{table}")["table"]["seats"]
    assert [(seat["name"], seat["kind"]) for seat in seats][1] == ("Ben", "person")
    assert ben.post("/identity/enter", {"code": code}, 404)["code"] == "unknown_code"
    assert own_seats(ben, table) == []


def test_a_forgotten_browser_leaves_the_lists_of_the_daily_deals(server: RunningServer, ana: Guest, ben: Guest) -> None:
    day = ana.get("/daily/alhambra/today")["date"]  # once only, because midnight may pass
    path = f"/daily/alhambra/{day}"
    table = ana.post(f"{path}/table", {"name": "Ana"})["table"]["id"]
    assert ana.get(path)["table"] == table
    number = (date.fromisoformat(day) - EPOCH).days
    with closing(sqlite3.connect(server.data / "granada.sqlite")) as database, database:
        [[holder]] = database.execute("SELECT holder FROM daily_attempts").fetchall()
        row = ("alhambra", number, holder, "Ana", 100, 5, clock(), "{}")
        database.execute(f"INSERT INTO daily_results VALUES ({', '.join(['?'] * 8)})", row)
    assert ben.get(path)["players"] == 1
    assert ana.http.delete("/api/identity").status_code == 204
    assert ben.get(path)["players"] == 0
    with closing(sqlite3.connect(server.data / "granada.sqlite")) as database:
        assert database.execute("SELECT holder FROM daily_attempts").fetchall() == []


# Several workers


def test_a_code_of_one_process_is_entered_once_at_all_of_them(cluster: Cluster, tmp_path: Path) -> None:
    with several(cluster, tmp_path, 2) as servers, Guest(servers[0]) as ana:
        ana.http.get("/")
        table = ana.open_table(["person", "greedy"])
        for _ in range(3):
            entry = {"code": code_for(ana, "profile")}
            guests = [Guest(servers[i % 2]) for i in range(4)]

            def enter(guest: Guest, entry: dict[str, str] = entry) -> int:
                return guest.http.post("/api/identity/enter", json=entry).status_code

            with ThreadPoolExecutor(4) as pool:
                statuses = list(pool.map(enter, guests))
            assert sorted(statuses) == [200, 404, 404, 404]
            assert own_seats(guests[statuses.index(200)], table) == [1]
            for guest in guests:
                guest.close()
