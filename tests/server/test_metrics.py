"""Metrics of the server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from granada.server.ops import metrics

PROMISED = {
    "granada_actions": "counter",
    "granada_errors": "counter",
    "granada_sockets": "gauge",
    "granada_tables": "gauge",
    "granada_memory_blocks": "gauge",
    "granada_commit_seconds": "histogram",
    "granada_answer_seconds": "histogram",
    "granada_bot_seconds": "histogram",
    "granada_bot_failures": "counter",
    "granada_entries": "counter",
    "granada_database_errors": "counter",
    "granada_garbage_seconds": "histogram",
    "granada_garbage_objects": "counter",
    "granada_http_requests": "counter",
}


def test_every_promised_figure_is_rendered_and_counts() -> None:
    metrics.ACTIONS.labels("person").inc(2)
    metrics.BOT_SECONDS.labels("snail").observe(0.3)
    families = {family.name: family for family in text_string_to_metric_families(metrics.render().decode())}
    assert {name: families[name].type for name in PROMISED} == PROMISED
    assert (metrics.REGISTRY.get_sample_value("granada_actions_total", {"who": "person"}) or 0) >= 2
    text = metrics.render().decode()
    assert 'granada_bot_seconds_bucket{le="0.25",level="snail"} 0.0' in text
    assert 'granada_bot_seconds_bucket{le="0.5",level="snail"} 1.0' in text
    assert "process_start_time_seconds" in families or sys.platform != "linux"


WORKER = """
import os, sys
from granada.server.ops import metrics
metrics.ACTIONS.labels("bot").inc(3)
metrics.SOCKETS.inc(5)
if sys.argv[1] == "leaves":
    metrics.mark_worker_stopped()
if sys.argv[1] == "renders":
    print(metrics.render().decode())
"""


def test_several_workers_count_together_and_only_the_living_have_sockets(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "counter_1.db").write_bytes(b"of an earlier run")
    before = os.environ.get(metrics.SHARED_DIRECTORY)
    try:
        metrics.share(shared)
        printed = ""
        for way in ("leaves", "is killed", "renders"):
            run = [sys.executable, "-c", WORKER, way]
            printed = subprocess.run(run, check=True, capture_output=True, text=True, timeout=60).stdout
    finally:
        os.environ.pop(metrics.SHARED_DIRECTORY, None)
        if before is not None:
            os.environ[metrics.SHARED_DIRECTORY] = before
    assert 'granada_actions_total{who="bot"} 9.0' in printed
    assert "granada_sockets 5.0" in printed
