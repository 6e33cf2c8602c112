"""Compression of sockets: a setting, negotiated with a real client."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.running import Guest, running


@pytest.mark.parametrize(("setting", "expected"), [("", []), ("0", []), ("1", ["permessage-deflate"])])
def test_a_socket_is_compressed_if_the_operator_wants_it_and_the_client_asks(
    setting: str, expected: list[str], tmp_path: Path
) -> None:
    with running(tmp_path, GRANADA_COMPRESSION=setting) as server, Guest(server) as guest:
        table = guest.open_table(["person", "person"])
        guest.start(table)
        with guest.socket(table) as socket:  # it offers compression, as browsers do
            assert [one.name for one in socket.connection.protocol.extensions] == expected
            message = socket.next()
            assert message["view"]["players"]
            assert socket.ask(type="look")["view"] == message["view"]
