"""15: which options can be combined."""

from __future__ import annotations

import pytest

from granada import BadOptions, Options, new_game
from granada.rules.options import EDITIONS, MODULES
from tests.kit import all_options, luck, module_sets, plies, rule


@rule("15")
def test_15_vizier_and_exchange_with_everything_bonus_and_huts_with_alhambra_tiles() -> None:
    assert len(module_sets("alhambra")) == len(module_sets("combined")) == 16
    assert len(module_sets("granada")) == 4
    for options in all_options():
        assert new_game(options, luck(0)).options.modules == options.modules


@rule("15")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 5])
def test_15_all_modules_of_an_edition_are_played_together(edition: str, players: int) -> None:
    options = Options(edition, players, module_sets(edition)[-1])
    played = {type(action).__name__ for seed in range(4) for _, action in plies(options, seed, 60)}
    assert {"Take", "Buy", "UseVizier", "Decline", "Wake"} <= played
    assert ("TakeHut" in played) == (edition != "granada")


@rule("15", "7.5", "10.11")
@pytest.mark.parametrize("edition", ["granada", "combined"])
def test_15_simplified_scoring_with_granada_tiles(edition: str) -> None:
    assert Options(edition, 3, scoring="simplified").scoring == "simplified"


@rule("15")
def test_15_the_order_of_modules_does_not_matter() -> None:
    assert Options("alhambra", 3, reversed(MODULES)) == Options("alhambra", 3, MODULES)
    assert Options("alhambra", 3, ["huts"]) != Options("alhambra", 3, ["bonus"])


@rule("15", "2.1", "2.4", "7.5")
@pytest.mark.parametrize(
    ("edition", "players", "modules", "scoring", "ages", "message"),
    [
        ("granada", 3, ["bonus"], "regular", [], r"'bonus' needs Alhambra tiles.*\(15\)"),
        ("granada", 3, ["vizier", "huts"], "regular", [], r"'huts' needs Alhambra tiles.*\(15\)"),
        ("alhambra", 3, [], "simplified", [], r"simplified scoring needs Granada tiles.*\(7\.5, 15\)"),
        ("cordoba", 3, [], "regular", [], r"'cordoba' is none of alhambra, granada, combined \(15\)"),
        ("alhambra", 3, ["camps"], "regular", [], r"'camps' is none of vizier, exchange, bonus, huts \(15\)"),
        ("alhambra", 3, ["huts", "huts"], "regular", [], r"'huts' is named twice \(15\)"),
        ("granada", 3, [], "fixed", [], r"'fixed' is none of regular, simplified \(7\.5\)"),
        ("alhambra", 1, [], "regular", [], r"two to six players.*not 1 \(2\.1\)"),
        ("alhambra", 7, [], "regular", [], r"two to six players.*not 7 \(2\.1\)"),
        ("alhambra", 3, [], "regular", [30, 31], r"2 ages are given for 3 players \(2\.4\)"),
        ("alhambra", 2, [], "regular", [30, -1], r"0 to 150 \(2\.4\)"),
        ("alhambra", 2, [], "regular", [30, 151], r"0 to 150 \(2\.4\)"),
    ],
)
def test_15_anything_else_is_refused_with_a_clear_message(
    edition: str, players: int, modules: list[str], scoring: str, ages: list[int], message: str
) -> None:
    with pytest.raises(BadOptions, match=message):
        Options(edition, players, modules, scoring, ages)
