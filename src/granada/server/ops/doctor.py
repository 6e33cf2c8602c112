"""`granada doctor`: is this installation sound, and if not, what is to be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from granada.server.ops import doctor_program, doctor_site
from granada.server.ops.settings import Settings

Level = Literal["ok", "warn", "FAIL"]
#: What a check finds: its level and a sentence.
Found = tuple[Level, str]
Check = Callable[[Settings], Found]

CHECKS: Final[dict[str, Check]] = {
    "Python": doctor_program.python,
    "rules": doctor_program.rules,
    "packages": doctor_program.packages,
    "data": doctor_program.data,
    "games": doctor_program.games,
    "settings": doctor_site.settings_fit,
    "folder": doctor_site.folder,
    "SQLite": doctor_site.sqlite,
    "database": doctor_site.database,
    "port": doctor_site.port,
    "clock": doctor_site.clock,
}


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    what: str
    level: Level
    says: str


def examine(settings: Settings) -> Iterator[Finding]:
    """Run every check; one that breaks has failed."""
    for what, check in CHECKS.items():
        try:
            level, says = check(settings)
        except Exception as error:
            level, says = "FAIL", f"{type(error).__name__}: {error}"
        yield Finding(what, level, says)
