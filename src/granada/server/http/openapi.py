"""The documents of the API: OpenAPI 3.1 for requests, JSON Schema for the messages of sockets; made of the classes."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from granada import __version__
from granada.server.http.field_notes import field_notes
from granada.tables import levels, messages, pad_messages, requests
from granada.tables.errors import CODES, MEDIA_TYPE

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
    requests.SeatWish,
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
JSON: Final = "application/json"
TEXT: Final = "text/plain"
#: How any request can be refused, one that changes something, one that brings JSON, and one that looks at a table.
_ANY: Final = ("malformed", "too_large", "too_many", "internal")
CHANGING: Final = ("forbidden_origin", "unauthorized", "unavailable")
WITH_BODY: Final = (*CHANGING, "unsupported_media")
READING: Final = ("unauthorized", "spectators_off", "not_found", "old_rules", "unavailable")
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


def ref(name: str) -> dict[str, str]:
    """A reference to a schema of the document."""
    return {"$ref": _PREFIX + name}


def takes(kind: type | str, media: str = JSON, example: object = None) -> dict[str, Any]:
    """What a route takes, for its entry in the document: a class, a schema by its name, or a text."""
    if media == TEXT:
        schema: dict[str, Any] = {"type": "string", "description": str(kind)}
    else:
        schema = dict(ref(kind.__name__ if isinstance(kind, type) else kind))
    content: dict[str, Any] = {"schema": schema}
    if example is not None:
        content["example"] = msgspec.to_builtins(example)
    return {"requestBody": {"required": True, "content": {media: content}}}


def gives(
    kind: type | str | None, status: int = 200, media: str = JSON, what: str = "", refuses: tuple[str, ...] = ()
) -> dict[int | str, dict[str, Any]]:
    """What a route gives: this, or a problem with one of the codes."""
    name = kind.__name__ if isinstance(kind, type) else kind
    schema = ref(name) if name is not None else {"type": "string"}
    content = {} if status == 204 else {"content": {media: {"schema": schema}}}
    found: dict[int | str, dict[str, Any]] = {status: {"description": what or name or "Text", **content}}
    by_status: dict[int, list[str]] = {}
    for code in sorted({*_ANY, *refuses}):
        by_status.setdefault(CODES[code].status, []).append(code)
    for refused, codes in sorted(by_status.items()):
        found[refused] = {
            "description": "; ".join([f"`{code}`: {CODES[code].title}" for code in codes]),
            "content": {MEDIA_TYPE: {"schema": ref("ProblemDocument")}},
        }
        if refused in _HEADERS:
            found[refused]["headers"] = _HEADERS[refused]
    return found


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
    return dict(sorted(components.items()))


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


def openapi(app: FastAPI) -> dict[str, Any]:
    """The whole document."""
    document = get_openapi(
        title="Granada",
        version=__version__,
        openapi_version="3.1.0",
        description=_DESCRIPTION,
        license_info={"name": "MIT", "identifier": "MIT"},
        routes=app.routes,
    )
    document["servers"] = [{"url": "/"}]
    document["components"] = {
        "schemas": schemas(),
        "securitySchemes": {
            "browser": {"type": "apiKey", "in": "cookie", "name": "granada", "description": "Set by the server"},
            "program": {"type": "http", "scheme": "bearer", "description": "The token that POST /api/programs gives"},
        },
    }
    document["security"] = [{}, {"browser": []}, {"program": []}]
    document["tags"] = [{"name": tag} for tag in ("Tables", "Play", "Afterwards", "Scoring", "Programs", "Server")]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _tidy(path, method, operation)
    return document


def _tidy(path: str, method: str, operation: dict[str, Any]) -> None:
    """Leave out what the framework adds and the server does otherwise."""
    operation["responses"].pop("422", None)
    operation.setdefault("tags", ["Server"])
    operation["operationId"] = operation["operationId"].partition("_api_")[0].removesuffix(f"_{path[1:]}_{method}")
    operation["summary"] = operation.pop("description").partition("\n")[0]
    for parameter in operation.get("parameters", []):
        schema = parameter["schema"]
        schema.pop("title", None)
        schema.pop("description", None)
        # A parameter that is left out is no null: that cannot be written in an address.
        for one in schema.pop("anyOf", []):
            if one.get("type") != "null":
                schema.update(one)


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


def page(document: dict[str, Any]) -> str:
    """The document for people."""
    from granada.server.http.docs_page import (
        page as page_of,  # its samples are made of tables, which this file knows not
    )

    return page_of(document)


def as_text(document: dict[str, Any]) -> str:
    """A document as it lies in the repository."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
