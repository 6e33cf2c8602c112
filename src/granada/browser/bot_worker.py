"""The second worker of a page: answers one job at a time (web/src/device/bots_worker.ts)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from granada.tables import bot_work
from granada.tables.bot_jobs import Progress, Work

_encoder: Final = msgspec.json.Encoder()
_decoder: Final[msgspec.json.Decoder[Work]] = msgspec.json.Decoder(Work)


def answer(text: str, report: Callable[[str], object]) -> str:
    """Return the answer to a job; `report` is called with progress messages before it."""

    def progress(part: float) -> None:
        report(_encoder.encode(Progress(part)).decode())

    return _encoder.encode(bot_work.answer(_decoder.decode(text), progress)).decode()
