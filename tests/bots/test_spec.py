"""Valid and invalid specs of bots."""

from __future__ import annotations

import pytest

from granada import BadOptions
from granada.bots import BOTS, check_bot, make_bot
from granada.bots.budget import DEFAULT_SECONDS
from granada.bots.spec import Spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("novice", Spec("novice")),
        ("  greedy ", Spec("greedy")),
        ("search:0.5s", Spec("search", seconds=0.5)),
        ("search:2s", Spec("search", seconds=2.0)),
        ("search:3600s", Spec("search", seconds=3600.0)),
        ("search:0.001s", Spec("search", seconds=0.001)),
        ("search:400n", Spec("search", nodes=400)),
        ("search:1n", Spec("search", nodes=1)),
        ("search:999999999n", Spec("search", nodes=999_999_999)),
        ("strongest:2s:4c", Spec("strongest", seconds=2.0, cores=4)),
        ("strongest:4c:2s", Spec("strongest", seconds=2.0, cores=4)),
        ("strongest:2s:100n", Spec("strongest", seconds=2.0, nodes=100)),
        ("strongest:256c", Spec("strongest", cores=256)),
        ("file_bot", Spec("file_bot")),
    ],
)
def test_good_specs(text: str, spec: Spec) -> None:
    assert Spec.parse(text) == spec
    budget = spec.budget()
    assert (budget.nodes, budget.cores) == (spec.nodes, spec.cores)
    assert budget.seconds == (DEFAULT_SECONDS if spec.seconds is None and spec.nodes is None else spec.seconds)


NO_SECONDS = ["0s", "0.0s", "-1s", "3601s", "1e3s", "1,5s", ".5s", "5.s", "infs", "nans", "s", "2 s", "2s\n", "2s2s"]
NO_NODES = ["0n", "-4n", "1.5n", "01n", "1000000000n", "n"]
NO_CORES = ["0c", "257c", "c", "2C"]


@pytest.mark.parametrize("part", ["", "2", "fast", *NO_SECONDS, *NO_NODES, *NO_CORES])
def test_bad_budgets_are_refused_in_one_sentence(part: str) -> None:
    for text in (f"search:{part}:2c", f"search:2c:{part}:1n"):
        with pytest.raises(BadOptions) as refusal:
            Spec.parse(text)
        sentence = f"'{part}' in '{text}' is not a budget: use seconds (0.5s), nodes (400n) or cores (2c)"
        assert str(refusal.value) == sentence


@pytest.mark.parametrize("text", ["", ":2s", "Search", "search 2s", "deep:2s"])
def test_unknown_names_are_refused_with_those_that_there_are(text: str) -> None:
    for refuse in (check_bot, lambda spec: make_bot(spec, 1)):
        with pytest.raises(BadOptions, match=f"is none of {', '.join(BOTS)}$"):
            refuse(text)


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_is_made_with_and_without_a_budget(name: str) -> None:
    for spec in (name, f"{name}:0.5s", f"{name}:30n:2c"):
        check_bot(spec)
        assert type(make_bot(spec, 1)) is BOTS[name]


def test_every_bot_has_a_budget_of_its_own() -> None:
    one, other = make_bot("search:5s", 1), make_bot("search:5s", 1)
    one.cancel()
    assert one.budget.is_cancelled
    assert not other.budget.is_cancelled
