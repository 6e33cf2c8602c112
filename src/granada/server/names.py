"""Names to suggest: people of many times who had to do with the palace, its builders, poets and travellers."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Final

NAMES: Final = (
    "Aixa", "Alma", "Amina", "Bahira", "Carmen", "Dalia", "Elvira", "Fatima", "Ginebra", "Hafsa", "Ines", "Jamila",
    "Karima", "Leonor", "Layla", "Mencia", "Nadia", "Nur", "Oria", "Paloma", "Rocio", "Salma", "Soraya", "Tarub",
    "Ursula", "Violante", "Wallada", "Ximena", "Yasmin", "Zahra", "Abdul", "Adil", "Boabdil", "Cid", "Diego", "Emre",
    "Farid", "Gonzalo", "Hamid", "Idris", "Ismail", "Jusuf", "Kadir", "Lope", "Malik", "Nasir", "Omar", "Pedro",
    "Qasim", "Rafiq", "Rodrigo", "Said", "Tarik", "Usman", "Vasco", "Walid", "Xavier", "Yunus", "Zaki", "Zirjab",
)  # fmt: skip


def suggest(taken: Collection[str] = ()) -> str:
    """A name that is not taken; which one does not matter and cannot be foreseen."""
    free = [name for name in NAMES if name not in taken]
    return secrets.choice(free) if free else f"{secrets.choice(NAMES)} {len(taken) + 1}"
