"""The API documents, generated from the code: OpenAPI 3.1 for requests, JSON Schema for the messages of sockets.

`python -m granada.server.http.openapi docs/api` writes them into a directory.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from granada import __version__
from granada.api.endpoints import TEXT, Endpoint, Parameter
from granada.api.problems import MEDIA_TYPE
from granada.tables import daily_messages, levels, messages, pad_messages, puzzle_messages, requests
from granada.tables.errors import CODES

_PREFIX: Final = "#/components/schemas/"
#: Messages sent over a socket or stream, and commands received.
OUTGOING: Final = (messages.Message, messages.Problem, messages.Reconnect, messages.Answer, messages.Reacted)
INCOMING: Final = (
    messages.Act,
    messages.Confirm,
    messages.Undo,
    messages.Restart,
    messages.Back,
    messages.Here,
    messages.LetBot,
    messages.Look,
    messages.Pace,
    messages.Ask,
    messages.React,
)
_REQUESTS: Final = (
    requests.NewTable,
    requests.SitDown,
    requests.SeatRequest,
    requests.Rematch,
    requests.Fork,
    requests.AskHint,
    requests.Hint,
    requests.GameFacts,
    requests.Analysis,
    requests.Log,
    daily_messages.DailyStart,
    daily_messages.DailyDay,
    puzzle_messages.PuzzleList,
    puzzle_messages.PuzzleRatings,
    puzzle_messages.PuzzleInfo,
    puzzle_messages.OpenPuzzle,
    puzzle_messages.PuzzleAttempt,
    puzzle_messages.PuzzleVerdict,
    pad_messages.ScorePad,
    pad_messages.PadResult,
    requests.NewProgram,
    requests.NewIdentityCode,
    requests.EnterIdentityCode,
    requests.ProgramToken,
    requests.IdentityCode,
    requests.Identity,
    requests.TableList,
    requests.OwnTables,
    requests.NameSuggestions,
    requests.ComponentFacts,
    requests.Health,
)
#: The sections of the document.
TAGS: Final = ("Tables", "Play", "Afterwards", "Daily", "Puzzles", "Scoring", "Identity", "Programs", "Server")
#: The order of the paths in the document, by section.
_PATH_ORDER: Final = ("Tables", "Identity", "Programs", "Play", "Afterwards", "Daily", "Puzzles", "Scoring", "Server")
#: Error codes of every endpoint.
_COMMON_ERRORS: Final = ("malformed", "too_large", "too_many", "internal")
#: Response headers by status.
_HEADERS: Final = {
    429: {"Retry-After": {"description": "Seconds to wait before the next attempt", "schema": {"type": "string"}}},
}
_DESCRIPTION: Final = """\
Tables for the board games Alhambra and Granada. Not affiliated with the publisher of the games.

The server implements the rules, so clients need none. Each message is complete: the table, what everyone may see, and
what your seat may see, with every action that is legal now. A client replies with one of these actions.

The socket `/api/tables/{table_id}/socket` accepts `Command` and sends `FromServer`, as JSON text frames. Programs can
also use a stream of JSON lines, and a POST request for each command.

A browser is identified by a cookie that it gets when it opens a table or takes a seat, a program by the token from
`POST /api/programs`. Every error is a problem document (RFC 9457) with a stable code."""

_FIELD: Final = re.compile(r"    (\w+): ")


def ref(name: str) -> dict[str, str]:
    """Return a reference to a schema of the document."""
    return {"$ref": _PREFIX + name}


def _operation(endpoint: Endpoint[object]) -> dict[str, Any]:
    """Return the operation object of an endpoint."""
    operation: dict[str, Any] = {
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "operationId": endpoint.name,
    }
    if endpoint.parameters:
        operation["parameters"] = [_parameter(parameter) for parameter in endpoint.parameters]
    if endpoint.takes is not None:
        operation["requestBody"] = _request_body(endpoint, endpoint.takes)
    operation["responses"] = _responses(endpoint)
    if endpoint.security:
        operation["security"] = [{scheme: []} for scheme in endpoint.security]
    return operation


def _parameter(parameter: Parameter) -> dict[str, Any]:
    schema = msgspec.json.schema(parameter.kind)
    description = schema.pop("description")
    if parameter.default is not None:
        schema["default"] = parameter.default
    is_path = parameter.place == "path"
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": is_path,
        "schema": schema,
        "description": description,
    }


def _request_body(endpoint: Endpoint[object], takes: type | str) -> dict[str, Any]:
    if endpoint.takes_media == TEXT:
        content: dict[str, Any] = {"schema": {"type": "string", "description": str(takes)}}
    else:
        content = {"schema": ref(_name(takes))}
    if endpoint.example is not None:
        content["example"] = _without_nulls(msgspec.to_builtins(endpoint.example))
    return {"required": True, "content": {endpoint.takes_media: content}}


def _responses(endpoint: Endpoint[object]) -> dict[str, dict[str, Any]]:
    """Return the response objects of an endpoint: its result, and its errors by status."""
    name = None if endpoint.gives is None else _name(endpoint.gives)
    schema = {"type": "string"} if name is None else ref(name)
    content = {} if endpoint.status == 204 else {"content": {endpoint.gives_media: {"schema": schema}}}
    found: dict[str, dict[str, Any]] = {
        str(endpoint.status): {"description": endpoint.description or name or "Text", **content}
    }
    by_status: dict[int, list[str]] = {}
    for code in sorted({*_COMMON_ERRORS, *endpoint.errors}):
        by_status.setdefault(CODES[code].status, []).append(code)
    for status, codes in sorted(by_status.items()):
        problem: dict[str, Any] = {
            "description": "; ".join([f"`{code}`: {CODES[code].title}" for code in codes]),
            "content": {MEDIA_TYPE: {"schema": ref("ProblemDocument")}},
        }
        if status in _HEADERS:
            problem["headers"] = _HEADERS[status]
        found[str(status)] = problem
    return found


def _without_nulls(value: Any) -> Any:
    """Return an example without null fields."""
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _name(kind: type | str) -> str:
    return kind if isinstance(kind, str) else kind.__name__


def schemas() -> dict[str, Any]:
    """Return all schemas by name."""
    kinds = [*OUTGOING, *INCOMING, *_REQUESTS]
    _, components = msgspec.json.schema_components(kinds, ref_template=_PREFIX + "{name}")
    for name, schema in components.items():
        for module in (messages, requests, levels, daily_messages, pad_messages):
            kind = getattr(module, name, None)
            if isinstance(kind, type):
                for field, note in field_notes(kind).items():
                    schema["properties"][field]["description"] = note
    components["Command"] = _one_of(INCOMING, "A command from a client.")
    components["FromServer"] = _one_of(OUTGOING, "A message from the server.")
    components["Reply"] = _one_of((messages.Message, messages.Answer, messages.Reacted), "The response to a command.")
    components["ProblemDocument"] = _problem_document()
    # Encode and decode, because a default value may be a tuple.
    return msgspec.json.decode(msgspec.json.encode(dict(sorted(components.items()))), type=dict[str, Any])


def _one_of(kinds: tuple[type, ...], what: str) -> dict[str, Any]:
    """Return a schema for one of several messages, discriminated by `type`."""
    mapping = {str(kind.__struct_config__.tag): _PREFIX + kind.__name__ for kind in kinds}  # type: ignore[attr-defined]
    return {
        "description": what,
        "oneOf": [ref(kind.__name__) for kind in kinds],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _problem_document() -> dict[str, Any]:
    properties = {
        "type": {"type": "string", "description": "The address of the explanation of the code"},
        "title": {"type": "string", "description": "A summary, the same for every problem with this code"},
        "status": {"type": "integer", "description": "The HTTP status", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "description": "A sentence that explains this problem"},
        "code": {"enum": sorted(CODES), "description": "A stable code for clients"},
        "rule": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "The rule that forbids the action"},
        "reason": {
            "anyOf": [ref("Reason"), {"type": "null"}],
            "description": "Why an action or a record was rejected, to be translated",
        },
    }
    current = {**ref("Message"), "description": "The current message, after a rejected command"}
    return {
        "title": "ProblemDocument",
        "description": "An error (RFC 9457).",
        "type": "object",
        "properties": {**properties, "current": current},
        "required": list(properties),
    }


def openapi(endpoints: Iterable[Endpoint[object]]) -> dict[str, Any]:
    """Return the OpenAPI document of the endpoints that have a tag."""
    paths: dict[str, dict[str, Any]] = {}
    documented = [endpoint for endpoint in endpoints if endpoint.tag is not None]
    for endpoint in sorted(documented, key=lambda endpoint: _PATH_ORDER.index(str(endpoint.tag))):
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Granada",
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
            "version": __version__,
        },
        "paths": paths,
        "servers": [{"url": "/"}],
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "browser": {"type": "apiKey", "in": "cookie", "name": "granada", "description": "Set by the server"},
                "program": {"type": "http", "scheme": "bearer", "description": "The token of POST /api/programs"},
            },
        },
        "security": [{}, {"browser": []}, {"program": []}],
        "tags": [{"name": tag} for tag in TAGS],
    }


def socket_schema() -> dict[str, Any]:
    """Return the JSON Schema of the messages of sockets and streams."""
    text = msgspec.json.encode(schemas()).decode().replace(_PREFIX, "#/$defs/")
    definitions = msgspec.json.decode(text)
    used: dict[str, Any] = {}
    _collect(definitions, ["FromServer", "Command"], used)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The messages of a table's socket",
        "anyOf": [{"$ref": "#/$defs/FromServer"}, {"$ref": "#/$defs/Command"}],
        "$defs": dict(sorted(used.items())),
    }


def _collect(definitions: dict[str, Any], names: list[str], found: dict[str, Any]) -> None:
    """Add the named definitions and all that they refer to."""
    for name in names:
        if name not in found:
            found[name] = definitions[name]
            words = msgspec.json.encode(definitions[name]).decode().split('"#/$defs/')[1:]
            _collect(definitions, [word.partition('"')[0] for word in words], found)


def as_text(document: dict[str, Any]) -> str:
    """Return a document as formatted JSON."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def field_notes(kind: type) -> dict[str, str]:
    """Return the `#:` comments of the fields of a message class."""
    notes: dict[str, str] = {}
    note: list[str] = []
    for line in inspect.getsource(kind).splitlines():
        text = line.strip()
        if text.startswith("#:"):
            note.append(text[2:].strip())
            continue
        found = _FIELD.match(line)
        if found and note:
            notes[found[1]] = " ".join(note)
        note = []
    return notes


def documents() -> dict[str, dict[str, Any]]:
    """Return the documents by file name."""
    from granada.server.http.app import all_endpoints  # app imports this module
    from granada.server.ops.settings import Settings
    from granada.server.server import Server

    # The server is not started, so the database is never opened.
    endpoints = all_endpoints(Server(Settings(database="sqlite:///never.sqlite")))
    return {"openapi.json": openapi(endpoints), "socket.json": socket_schema()}


def main(directory: Path) -> None:
    """Write the documents into a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        (directory / name).write_text(as_text(document), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/api"))
