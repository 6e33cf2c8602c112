"""The options of a game, and which of them can be combined (15)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from granada.rules.components import Components, standard
from granada.rules.errors import BadOptions
from granada.rules.tiles import ALHAMBRA, GRANADA

#: The editions, with the kinds of tile that they use.
EDITIONS: Final[dict[str, tuple[int, ...]]] = {
    "alhambra": (ALHAMBRA,),
    "granada": (GRANADA,),
    "combined": (ALHAMBRA, GRANADA),
}
#: 1.9: the number of spaces of the yard.
SPACES: Final = 4
MODULES: Final = ("vizier", "exchange", "bonus", "huts")
SCORINGS: Final = ("regular", "simplified")
#: 2.1: the numbers of players.
PLAYERS: Final = range(2, 7)
#: 2.4: the highest age that can be given, in whole years.
OLDEST: Final = 150


@final
class Options:
    """The edition, the number of players, the modules and the agreements of a game."""

    __slots__ = ("ages", "components", "edition", "kinds", "modules", "open_money", "players", "scoring")

    def __init__(
        self,
        edition: str = "alhambra",
        players: int = 4,
        modules: Iterable[str] = (),
        scoring: str = "regular",
        ages: Iterable[int] = (),
        open_money: bool = False,
        components: Components | None = None,
    ) -> None:
        if isinstance(modules, str):
            raise BadOptions(f"the modules must be a list of words, not the text '{modules}' (15)")
        chosen = list(modules)
        known_ages = tuple(ages)
        box = components if components is not None else standard()
        if edition not in EDITIONS:
            raise BadOptions(f"the edition '{edition}' is none of {', '.join(EDITIONS)} (15)")
        for module in chosen:
            if module not in MODULES:
                raise BadOptions(f"the module '{module}' is none of {', '.join(MODULES)} (15)")
            if chosen.count(module) > 1:
                raise BadOptions(f"the module '{module}' is named twice (15)")
            if module in ("bonus", "huts") and edition == "granada":
                raise BadOptions(
                    f"the module '{module}' needs Alhambra tiles, which edition granada does not have (15)"
                )
        if scoring not in SCORINGS:
            raise BadOptions(f"the scoring '{scoring}' is none of {', '.join(SCORINGS)} (7.5)")
        if scoring == "simplified" and edition == "alhambra":
            raise BadOptions(
                "the simplified scoring needs Granada tiles, which edition alhambra does not have (7.5, 15)"
            )
        if players not in PLAYERS:
            raise BadOptions(f"two to six players can play, not {players} (2.1)")
        if known_ages and len(known_ages) != players:
            raise BadOptions(f"{len(known_ages)} ages are given for {players} players (2.4)")
        if any([age < 0 or age > OLDEST for age in known_ages]):
            raise BadOptions(f"ages must be whole years from 0 to {OLDEST} (2.4)")
        if edition == "combined" and len([tile for tile in box.granada if tile.walls]) < SPACES:
            raise BadOptions("in the combined game at least four Granada tiles must have a moat (10.2)")
        self.edition: Final = edition
        self.kinds: Final = EDITIONS[edition]
        self.players: Final = players
        self.modules: Final = tuple([module for module in MODULES if module in chosen])
        self.scoring: Final = scoring
        #: 2.4: the ages by seat; empty if unknown.
        self.ages: Final = known_ages
        #: 16.1: whether the players agreed to play with open hands.
        self.open_money: Final = open_money
        self.components: Final = box

    def with_open_money(self) -> Options:
        """16.1: return the same options with open hands."""
        return Options(self.edition, self.players, self.modules, self.scoring, self.ages, True, self.components)

    def __copy__(self) -> Options:
        return self

    def __deepcopy__(self, memo: object) -> Options:
        return self

    def __reduce__(self) -> tuple[type[Options], tuple[object, ...]]:
        return Options, self._key()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (
            self.edition,
            self.players,
            self.modules,
            self.scoring,
            self.ages,
            self.open_money,
            self.components,
        )

    def __repr__(self) -> str:
        parts = [repr(self.edition), f"players={self.players}"]
        if self.modules:
            parts.append(f"modules={self.modules!r}")
        if self.scoring != "regular":
            parts.append(f"scoring={self.scoring!r}")
        if self.ages:
            parts.append(f"ages={self.ages!r}")
        if self.open_money:
            parts.append("open_money=True")
        if self.components is not standard():
            parts.append(f"components={self.components!r}")
        return f"Options({', '.join(parts)})"
