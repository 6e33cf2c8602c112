"""Hooks for schemathesis: real tables, records and actions, and checks of the responses.

Schemathesis loads this file through SCHEMATHESIS_HOOKS; `fuzzing` passes its data in GRANADA_FUZZ.
"""

from __future__ import annotations

import json
import os
import re
import urllib.request
import zlib
from typing import Any

import schemathesis

PREPARED: dict[str, Any] = json.loads(os.environ.get("GRANADA_FUZZ", "{}"))
#: Errors that the rules of the game may cause for requests that match the schema.
REASONS = {
    "POST /api/tables": {"bad_options"},
    "PUT /api/tables/{table_id}/seats/{seat}": {"bad_options"},
    "POST /api/tables/{table_id}/fork": {"bad_options"},
    "POST /api/tables/{table_id}/rematch": {"bad_options"},
    "POST /api/records": {"bad_record"},
    "POST /api/identity/enter": {"bad_code"},
    # The required number of entries depends on the number of players.
    "POST /api/score": {"bad_options", "malformed"},
    # The schema has no pattern for actions and cells.
    "POST /api/tables/{table_id}/commands": {"malformed"},
    "POST /api/puzzles/{number}/attempt": {"malformed"},
    # Nor does a pattern say which days a month has.
    "GET /api/daily/{edition}/{date}": {"malformed"},
    "POST /api/daily/{edition}/{date}/table": {"malformed"},
    "POST /api/daily/{edition}/{date}/results": {"malformed", "bad_record", "bad_result"},
}


@schemathesis.hook
def map_path_parameters(context: schemathesis.HookContext, path_parameters: dict[str, Any]) -> dict[str, Any]:
    """Replace most well-formed ids by those of real tables."""
    found = (path_parameters or {}).get("table_id")
    if isinstance(found, str) and re.fullmatch("[A-Za-z0-9_-]{16}", found):
        tables = [*PREPARED["tables"], found]
        return {**path_parameters, "table_id": tables[_number(found) % len(tables)]}
    return path_parameters


@schemathesis.hook
def map_body(context: schemathesis.HookContext, body: Any) -> Any:
    """Replace many uploads by valid records or records with a small error."""
    if context.operation is None or context.operation.label != "POST /api/records" or not isinstance(body, str):
        return body
    number = _number(body)
    if number % 4 == 0:
        return body
    lines = PREPARED["records"][number % len(PREPARED["records"])].split("\n")
    at = number // 16 % len(lines)
    if number % 4 == 1:
        return "\n".join(lines[:at]) + "\n"
    if number % 4 == 2:
        lines[at] = body or "?"
        return "\n".join(lines)
    return "\n".join(lines)


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, Any]) -> None:
    """Replace some commands by legal actions at a real table."""
    if case.operation.label == "POST /api/tables/{table_id}/commands" and isinstance(case.body, dict):
        if case.body.get("type") == "act" and _number(str(case.body)) % 2:
            table = PREPARED["running"]
            message = _ask(f"/api/tables/{table}")
            own = message["own"]
            if own and own["actions"]:
                case.path_parameters["table_id"] = table
                case.body["n"] = message["n"]
                case.body["action"] = own["actions"][_number(str(case.body)) % len(own["actions"])]


@schemathesis.check
def is_refused_for_a_reason(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]
) -> None:
    """Check that a request that matches the schema is only rejected for reasons of the game."""
    meta = case.meta
    if meta is None or response.status_code != 400 or not meta.generation.mode.is_positive:
        return
    problem = response.json()
    # JSON Schema accepts 1.0 as an integer, msgspec does not.
    if problem["code"] not in REASONS.get(case.operation.label, set()) and "got `float`" not in problem["detail"]:
        raise AssertionError(f"{case.operation.label} refuses what its schema allows: {problem['detail']}")


@schemathesis.check
def is_a_problem_document(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]
) -> None:
    """Check that every error is a problem document with the status of the response."""
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"], response.headers["content-type"]
        assert response.json()["status"] == response.status_code


def _number(text: str) -> int:
    """Return a number that is the same for the same text in every run."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) >> 4


def _ask(path: str) -> dict[str, Any]:
    asked = urllib.request.Request(PREPARED["url"] + path, headers={"authorization": f"Bearer {PREPARED['token']}"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found
