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
from granada.server.http.problems import MEDIA_TYPE
from granada.server.http.routing import TEXT, Endpoint, Parameter
from granada.tables import levels, messages, pad_messages, requests
from granada.tables.errors import CODES

_PREFIX: Final = "#/components/schemas/"
#: What goes out over a socket or stream, and what comes in.
OUTGOING: Final = (messages.Message, messages.Problem, messages.Farewell, messages.Answer)
INCOMING: Final = (
    messages.Act,
    messages.Confirm,
    messages.Undo,
    messages.Restart,
    messages.Back,
    messages.Here,
    messages.Look,
    messages.Ask,
)
_AROUND: Final = (
    requests.NewTable,
    requests.SitDown,
    requests.SeatRequest,
    requests.Rematch,
    requests.Fork,
    requests.AskHint,
    requests.Hint,
    requests.Analysis,
    requests.Log,
    pad_messages.ScorePad,
    pad_messages.PadResult,
    requests.NewProgram,
    requests.ProgramToken,
    requests.TableList,
    requests.NameSuggestions,
    requests.Components,
    requests.Health,
)
#: The sections of the document.
TAGS: Final = ("Tables", "Play", "Afterwards", "Scoring", "Programs", "Server")
#: The errors of any request.
_ANY: Final = ("malformed", "too_large", "too_many", "internal")
#: Some errors come with a header.
_HEADERS: Final = {
    429: {"Retry-After": {"description": "Seconds to wait before the next attempt", "schema": {"type": "string"}}},
}
_DESCRIPTION: Final = """\
Tables of the board games Alhambra and Granada. Not affiliated with the publisher of the games.

The server knows the rules; a client knows none. It gets one message, always whole: the table, what everybody may see,
and what the own seat may see with every action that it may play now. It answers with one of these actions.

The socket `/api/tables/{table_id}/socket` takes `Command` and gives `FromServer`, as text frames of JSON. Programs can
do the same with a stream of JSON lines and a POST for each command.

A browser is known by a cookie that it gets when it opens a table or sits down; a program by the token that
`POST /api/programs` gives. Every error is a problem document (RFC 9457) with a stable code."""

_FIELD: Final = re.compile(r"    (\w+): ")


def ref(name: str) -> dict[str, str]:
    """A reference to a schema of the document."""
    return {"$ref": _PREFIX + name}


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    """The entry of an endpoint."""
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


def _request_body(endpoint: Endpoint, takes: type | str) -> dict[str, Any]:
    if endpoint.takes_media == TEXT:
        content: dict[str, Any] = {"schema": {"type": "string", "description": str(takes)}}
    else:
        content = {"schema": ref(_name(takes))}
    if endpoint.example is not None:
        content["example"] = _without_nulls(msgspec.to_builtins(endpoint.example))
    return {"required": True, "content": {endpoint.takes_media: content}}


def _responses(endpoint: Endpoint) -> dict[str, dict[str, Any]]:
    """What an endpoint returns: its result, or a problem with one of its codes."""
    name = None if endpoint.gives is None else _name(endpoint.gives)
    schema = {"type": "string"} if name is None else ref(name)
    content = {} if endpoint.status == 204 else {"content": {endpoint.gives_media: {"schema": schema}}}
    found: dict[str, dict[str, Any]] = {
        str(endpoint.status): {"description": endpoint.description or name or "Text", **content}
    }
    by_status: dict[int, list[str]] = {}
    for code in sorted({*_ANY, *endpoint.errors}):
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
    """An example without the fields that it leaves out."""
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _name(kind: type | str) -> str:
    return kind if isinstance(kind, str) else kind.__name__


def schemas() -> dict[str, Any]:
    """All schemas by name."""
    kinds = [*OUTGOING, *INCOMING, *_AROUND]
    _, components = msgspec.json.schema_components(kinds, ref_template=_PREFIX + "{name}")
    for name, schema in components.items():
        for module in (messages, requests, levels, pad_messages):
            kind = getattr(module, name, None)
            if isinstance(kind, type):
                for field, note in field_notes(kind).items():
                    schema["properties"][field]["description"] = note
    components["Command"] = _one_of(INCOMING, "What a client sends.")
    components["FromServer"] = _one_of(OUTGOING, "What the server sends.")
    components["Reply"] = _one_of((messages.Message, messages.Answer), "What a command brings.")
    components["ProblemDocument"] = _problem_document()
    # As JSON has it: a default of a message class may be a tuple.
    return msgspec.json.decode(msgspec.json.encode(dict(sorted(components.items()))), type=dict[str, Any])


def _one_of(kinds: tuple[type, ...], what: str) -> dict[str, Any]:
    """One of several messages, told from the others by its type."""
    mapping = {str(kind.__struct_config__.tag): _PREFIX + kind.__name__ for kind in kinds}  # type: ignore[attr-defined]
    return {
        "description": what,
        "oneOf": [ref(kind.__name__) for kind in kinds],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _problem_document() -> dict[str, Any]:
    properties = {
        "type": {"type": "string", "description": "Where the code is explained"},
        "title": {"type": "string", "description": "The same for every problem with the code"},
        "status": {"type": "integer", "description": "The status of the response", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "description": "A sentence about this problem"},
        "code": {"enum": sorted(CODES), "description": "What clients rely on"},
        "rule": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "The rule that forbids the action"},
        "reason": {
            "anyOf": [ref("Reason"), {"type": "null"}],
            "description": "Why an action or a record is refused, for sentences in any language",
        },
    }
    current = {**ref("Message"), "description": "The current message, after a refused command"}
    return {
        "title": "ProblemDocument",
        "description": "An error (RFC 9457).",
        "type": "object",
        "properties": {**properties, "current": current},
        "required": list(properties),
    }


def openapi(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The OpenAPI document of some endpoints; those without a tag are left out."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        if endpoint.tag is not None:
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
    """The messages of sockets and streams as one JSON Schema."""
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
    """Find the definitions that some need."""
    for name in names:
        if name not in found:
            found[name] = definitions[name]
            words = msgspec.json.encode(definitions[name]).decode().split('"#/$defs/')[1:]
            _collect(definitions, [word.partition('"')[0] for word in words], found)


def as_text(document: dict[str, Any]) -> str:
    """A document as it is in the repository."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def field_notes(kind: type) -> dict[str, str]:
    """The `#:` comments of the fields of a message, so that each is written only once."""
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
    """The documents by the names of their files."""
    from granada.server.http.app import all_endpoints  # app imports this module
    from granada.server.ops.settings import Settings
    from granada.server.server import Server

    # Nothing is opened before the server starts, so no database is touched.
    endpoints = all_endpoints(Server(Settings(database="sqlite:///never.sqlite")))
    return {"openapi.json": openapi(endpoints), "socket.json": socket_schema()}


def main(directory: Path) -> None:
    """Write the files."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        (directory / name).write_text(as_text(document), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/api"))
