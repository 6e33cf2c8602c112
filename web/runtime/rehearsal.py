"""A whole game as the page plays it, to find the modules that it needs. Runs in Pyodide: pack.js calls `rehearse`.

Everything that a visitor of the page can do should happen here once: modules that are not imported are not packed.
"""

from __future__ import annotations

import hashlib
import random
import traceback

import granada
from granada.bots import LEVELS, PERSONALITIES
from granada.drawing.svg import svg_table
from granada.engine.model import install, read_weights
from granada.locales import LANGUAGES
from granada.tables import components as box
from granada.tables import operations, service
from granada.tables.bot_jobs import AdviceJob, AnalysisJob, Failure, Job
from granada.tables.bot_work import answer


async def rehearse() -> dict[str, str]:
    """Play, and return what must be the same when the packed modules do it."""
    assert service
    assert operations
    # The page computes the network in JavaScript (web/src/device/network.ts); here its outputs do not matter.
    install(lambda _features, _outputs: None)
    luck = granada.Luck(random.Random(7))
    state = granada.new_game(granada.Options("granada", players=2), luck)
    record = granada.Record(state.options)
    record.add(state.events)
    while not state.is_over:
        actions = list(state.legal_actions)
        record.add(state.play(actions[luck.below(len(actions))], luck))
    text = str(record)
    opening = "\n".join(text.split("\n")[:30])
    for name in (*LEVELS, *PERSONALITIES):
        given = answer(Job(opening, f"{name}:0.05s", "seed"), lambda _: None)
        assert not isinstance(given, Failure), given
    answer(AdviceJob(opening, "strongest:0.05s", "seed"), lambda _: None)
    answer(AnalysisJob(text, "strongest", "seed", 0.1), lambda _: None)
    pictures = [svg_table(state, language=language) for language in LANGUAGES]
    return {
        "record": _hash(text.encode()),
        "trace": _trace(),
        "pictures": _hash("".join(pictures).encode()),
        "weights": _hash(read_weights()),
    }


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def components() -> str:
    """Return the body of GET /api/components."""
    return box.components().decode()


def _trace() -> str:
    try:
        granada.new_game(None, None)  # type: ignore[arg-type]
    except Exception:
        return traceback.format_exc().rpartition("\n  File")[2].partition("\n")[0].rpartition("/")[2]
    return ""
