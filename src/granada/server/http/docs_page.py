"""The API documentation as a web page without scripts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from granada.server.http import samples
from granada.server.http.openapi import TAGS
from granada.tables.errors import CODES

STYLE: Final = Path(__file__).with_name("docs.css")
_START: Final = """\
POST /api/programs                          {"name": "my bot"}          returns a token
GET  /api/tables/{table_id}                                             the table, and which seats are open
POST /api/tables/{table_id}/seats/2/take    {"name": "my bot"}          with Authorization: Bearer TOKEN from now on
GET  /api/tables/{table_id}/stream                                      one message per line, from now on
POST /api/tables/{table_id}/commands        {"type": "act", "id": "1", "n": 0, "action": "take y3"}
GET  /api/tables/{table_id}/record                                      when the game is over"""


def page(document: dict[str, Any]) -> str:
    """Return the page as HTML."""
    info = document["info"]
    schemas: dict[str, Any] = document["components"]["schemas"]
    main = [
        f"<h1>{_text(info['title'])} API <small>{_text(info['version'])}</small></h1>",
        *[f"<p>{_prose(paragraph)}</p>" for paragraph in info["description"].split("\n\n")],
        '<p>For programs: <a href="openapi.json">OpenAPI 3.1</a>, <a href="socket.json">JSON Schema of the socket</a>.'
        "</p>",
        _contents(),
        f'<h2 id="start">A program plays</h2><pre>{_text(_START)}</pre>',
        *[_section(section, document["paths"]) for section in TAGS],
        _socket(),
        _codes(),
        '<h2 id="schemas">Schemas</h2>',
        *[_schema(name, schema) for name, schema in schemas.items()],
    ]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        '<title>Granada API</title><link rel="stylesheet" href="docs.css">'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body><main>{"".join(main)}</main></body></html>\n'


def _contents() -> str:
    items = [("start", "A program plays"), *[(section.lower(), section) for section in TAGS]]
    items += [("messages", "Messages of the socket"), ("problems", "Problems"), ("schemas", "Schemas")]
    links = "".join([f'<li><a href="#{anchor}">{_text(title)}</a></li>' for anchor, title in items])
    return f'<nav aria-label="Contents"><ul>{links}</ul></nav>'


def _section(section: str, paths: dict[str, Any]) -> str:
    parts = [f'<h2 id="{section.lower()}">{section}</h2>']
    for path, operations in paths.items():
        for method, operation in operations.items():
            if section in operation["tags"]:
                parts.append(_operation(path, method, operation))
    return "".join(parts)


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    title = f'<span class="method">{method.upper()}</span> <code>{_text(path)}</code>'
    parts = [f'<h3 id="do-{_text(operation["operationId"])}">{title}</h3><p>{_prose(operation["summary"])}</p>']
    parameters = [
        (f"<code>{_text(one['name'])}</code>", _type(one["schema"]), _prose(one.get("description", "")))
        for one in operation.get("parameters", [])
    ]
    if parameters:
        parts.append(_table(("Parameter", "Type", ""), parameters))
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        parts.append(f"<p>Takes <code>{_text(media)}</code>: {_type(content['schema'])}</p>")
        if "example" in content:
            parts.append(_json(content["example"]))
    rows = []
    for status, response in operation["responses"].items():
        kinds = [_type(content["schema"]) for content in response.get("content", {}).values()]
        rows.append((_text(status), " ".join(kinds), _prose(response["description"])))
    parts.append(f"<details><summary>Responses</summary>{_table(('Status', 'Type', ''), rows)}</details>")
    return "".join(parts)


def _socket() -> str:
    parts = ['<h2 id="messages">Messages of the socket</h2><p>Sent by clients:</p>']
    for name, sample in samples.commands().items():
        parts.append(f"<p>{_link(name)}</p>{_json(sample)}")
    parts.append("<p>Sent by the server:</p>")
    for name, sample in samples.messages().items():
        parts.append(f"<details><summary>{_text(name)}</summary><p>{_link(name)}</p>{_json(sample)}</details>")
    return "".join(parts)


def _codes() -> str:
    rows = [
        (f'<code id="problem-{code}">{code}</code>', str(meaning.status), _text(meaning.title))
        for code, meaning in CODES.items()
    ]
    return (
        '<h2 id="problems">Problems</h2><p>An error is <code>application/problem+json</code>:'
        f" {_link('ProblemDocument')}; over the socket {_link('Problem')}. Codes never change.</p>"
        + _table(("Code", "Status", "Meaning"), rows)
    )


def _schema(name: str, schema: dict[str, Any]) -> str:
    parts = [f'<h3 id="schema-{_text(name)}">{_text(name)}</h3>']
    if "description" in schema:
        parts.append(f"<p>{_prose(schema['description'])}</p>")
    if "oneOf" in schema:
        parts.append(f"<p>{_type(schema)}</p>")
    required = schema.get("required", [])
    rows = []
    for field, one in schema.get("properties", {}).items():
        default = f" = <code>{_text(json.dumps(one['default']))}</code>" if "default" in one else ""
        is_optional = "" if field in required else "?"
        rows.append(
            (f"<code>{_text(field)}{is_optional}</code>", _type(one) + default, _prose(one.get("description", "")))
        )
    if rows:
        parts.append(_table(("Field", "Type", ""), rows))
    return "".join(parts)


def _type(schema: dict[str, Any]) -> str:
    """Describe a schema in a few words."""
    if "$ref" in schema:
        return _link(schema["$ref"].rpartition("/")[2])
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join([_type(one) for one in schema[several]])
    if "enum" in schema:
        return " or ".join([f"<code>{_text(json.dumps(value))}</code>" for value in schema["enum"]])
    if "prefixItems" in schema:
        return f"[{', '.join([_type(one) for one in schema['prefixItems']])}]"
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}{_limits(schema, 'minItems', 'maxItems')}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    limits = _limits(schema, "minimum", "maximum") + _limits(schema, "minLength", "maxLength")
    pattern = f" <code>{_text(schema['pattern'])}</code>" if "pattern" in schema else ""
    return _text(schema.get("type", "anything")) + limits + pattern


def _limits(schema: dict[str, Any], least: str, most: str) -> str:
    if least not in schema and most not in schema:
        return ""
    return f" ({schema.get(least, '')}…{schema.get(most, '')})"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; the cells are HTML."""
    titles = "".join([f'<th scope="col">{title}</th>' if title else "<td></td>" for title in head])
    lines = "".join(["<tr>" + "".join([f"<td>{cell}</td>" for cell in row]) + "</tr>" for row in rows])
    return f'<div class="wide"><table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table></div>'


def _link(name: str) -> str:
    return f'<a href="#schema-{_text(name)}">{_text(name)}</a>'


def _json(value: object) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return f"<pre>{_text(text if len(text) > 100 else json.dumps(value, ensure_ascii=False))}</pre>"


def _prose(text: str) -> str:
    """Return escaped text in which `this` is code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", _text(text))


def _text(text: str) -> str:
    return html.escape(text)
