from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from granada.server.http import samples
from granada.server.http.openapi import as_text, documents
from granada.tables.errors import CODES
from tests.server.running import Guest, RunningServer, new_id, prefer_building, running

DRAFT = "https://json-schema.org/draft/2020-12/schema"
CHECKED_IN = Path(__file__).parent.parent.parent / "docs" / "api"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("documents")) as found:
        yield found


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return documents()["openapi.json"]


@pytest.fixture(scope="module")
def socket_schema() -> dict[str, Any]:
    return documents()["socket.json"]


def validator(socket_schema: dict[str, Any], name: str) -> jsonschema_rs.Draft202012Validator:
    """Validate against one definition, without additional properties."""
    closed = json.loads(json.dumps(socket_schema))
    for definition in closed["$defs"].values():
        if definition.get("type") == "object":
            definition["additionalProperties"] = False
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": closed["$defs"]})


@pytest.mark.parametrize("name", ["openapi.json", "socket.json"])
def test_the_documents_in_the_repository_are_those_of_the_server(server: RunningServer, name: str) -> None:
    made = documents()[name]
    assert (CHECKED_IN / name).read_text("utf-8") == as_text(made), "run make api"
    with Guest(server) as guest:
        assert guest.get(f"/{name}") == made


def test_the_document_is_sound_openapi(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    assert {"title", "version"} <= document["info"].keys()
    operations = [one for path in document["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            named = [one["name"] for one in operation.get("parameters", []) if one["in"] == "path"]
            assert named == re.findall(r"\{(\w+)\}", path)
            assert operation["summary"]
            assert operation["tags"][0] in {tag["name"] for tag in document["tags"]}
            for name in [key for one in operation.get("security", []) for key in one]:
                assert name in document["components"]["securitySchemes"]
    for reference in re.findall(r'"\$ref": "#/([^"]*)"', json.dumps(document)):
        found: Any = document
        for key in reference.split("/"):
            found = found[key]


def test_all_schemas_are_sound_and_their_examples_fit(document: dict[str, Any]) -> None:
    components = {"components": document["components"]}
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": DRAFT, **schema})
    for path in document["paths"].values():
        for operation in path.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                if "example" in content:
                    jsonschema_rs.Draft202012Validator({**content["schema"], **components}).validate(content["example"])


def test_every_route_refuses_with_codes_that_exist_and_documents_each_status(document: dict[str, Any]) -> None:
    for path in document["paths"].values():
        for operation in path.values():
            errors = {status: one for status, one in operation["responses"].items() if int(status) >= 400}
            assert {"400", "413", "429", "500"} <= errors.keys()
            for status, response in errors.items():
                codes = re.findall(r"`(\w+)`: ", response["description"])
                assert codes or (status == "503" and "Health" in json.dumps(response))
                assert {str(CODES[code].status) for code in codes} <= {status}


def test_the_samples_of_the_page_fit_the_schema(socket_schema: dict[str, Any]) -> None:
    for name, sample in {**samples.commands(), **samples.messages()}.items():
        validator(socket_schema, name).validate(sample)
    assert samples.messages() == samples.messages()


class Reader(HTMLParser):
    """Collects the links and embedded resources of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id" and value:
                self.ids.append(value)
            if name in ("href", "src") and value:
                self.links.add(value)


def test_the_page_is_whole_without_scripts_and_foreign_files(server: RunningServer, document: dict[str, Any]) -> None:
    with Guest(server) as guest:
        response = guest.http.get("/api/docs")
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        page = Reader()
        page.feed(response.text)
        assert not page.tags & {"script", "style", "iframe", "img", "form"}
        assert "style" not in page.attributes
        assert len(page.ids) == len(set(page.ids))
        for link in page.links:
            if link.startswith("#"):
                assert link[1:] in page.ids
            else:
                assert guest.http.get(f"/api/{link}").status_code == 200
        assert guest.http.get("/api/docs.css").headers["content-type"] == "text/css; charset=utf-8"
        assert {f"schema-{name}" for name in document["components"]["schemas"]} <= set(page.ids)
        for path in document["paths"]:
            assert f"<code>{path}</code>" in response.text


@pytest.mark.parametrize("code", [*CODES, "nonsense"])
def test_the_type_of_a_problem_leads_to_the_page(server: RunningServer, code: str) -> None:
    with Guest(server) as guest:
        response = guest.http.get(f"/api/problems/{code}", follow_redirects=True)
        assert response.status_code == (404 if code == "nonsense" else 200)
        if code != "nonsense":
            assert response.url.path == "/api/docs"
            assert f'id="problem-{code}"' in response.text


@pytest.mark.parametrize(
    ("edition", "modules", "options"),
    [
        ("alhambra", ["vizier", "exchange", "bonus", "huts"], {"open_money": True}),
        ("granada", ["vizier", "exchange"], {"aids": "purist", "clock": {"mode": "bank", "seconds": 900}}),
        ("combined", ["bonus", "huts"], {}),
    ],
)
def test_every_message_of_a_game_fits_the_schema(
    server: RunningServer, socket_schema: dict[str, Any], edition: str, modules: list[str], options: dict[str, Any]
) -> None:
    answer, sent = validator(socket_schema, "FromServer"), validator(socket_schema, "Command")
    choose = random.Random(edition)
    kinds: set[str] = set()
    with Guest(server) as guest:
        table = guest.open_table(["person", "greedy"], edition=edition, modules=modules, **options)
        answer.validate(guest.get(f"/tables/{table}"))
        guest.start(table)
        with guest.socket(table) as socket:
            message = socket.next()
            while True:
                answer.validate(message)
                kinds.add(message["type"])
                if message["type"] == "table" and message["table"]["phase"] == "over":
                    break
                own = message["own"] if message["type"] == "table" else None
                if not own or not own["actions"]:
                    message = socket.next()
                    continue
                for command in commands_at(message, choose):
                    sent.validate(command)
                    socket.connection.send(json.dumps(command))
                    while (message := socket.next()).get("answers") != command["id"]:
                        answer.validate(message)
                        kinds.add(message["type"])
                    answer.validate(message)
                    kinds.add(message["type"])
                while message["type"] != "table":
                    message = socket.next()
        answer.validate(guest.get(f"/tables/{table}/positions/3?seat=2"))
    assert kinds == {"table", "problem", "answer"}


def commands_at(message: dict[str, Any], choose: random.Random) -> list[dict[str, Any]]:
    """Return a legal action, sometimes preceded by a question, a stale action and an illegal one."""
    action = choose.choice(prefer_building(message["own"]["actions"]))
    commands: list[dict[str, Any]] = []
    if choose.random() < 0.2:
        commands.append({"type": "ask", "id": new_id(), "how": "remove", "cell": "0,0"})
        commands.append({"type": "act", "id": new_id(), "n": message["n"] + 1, "action": action})
        commands.append({"type": "act", "id": new_id(), "n": message["n"], "action": "take y99"})
    return [*commands, {"type": "act", "id": new_id(), "n": message["n"], "action": action}]
