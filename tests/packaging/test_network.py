"""What tests without a network can reach."""

from __future__ import annotations

import socket
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.packaging import network
from tests.packaging.installing import PATIENCE
from tests.packaging.network import without_network

#: Prints the interfaces of a process.
INTERFACES = [sys.executable, "-c", "import socket; print(*[name for _, name in socket.if_nameindex()])"]


def interfaces() -> list[str]:
    """Return the interfaces that this thread has, and check that its processes have the same."""
    found = [name for _, name in socket.if_nameindex()]
    assert subprocess.run(INTERFACES, capture_output=True, text=True, timeout=PATIENCE).stdout.split() == found
    return found


def test_only_the_machine_itself_can_be_reached() -> None:
    before = interfaces()
    with without_network() as is_away:
        if not is_away:
            assert interfaces() == before
            pytest.skip("needs Linux, and root with all its rights")
        assert interfaces() == ["lo"]
        with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
            pass
        with pytest.raises(OSError, match="unreachable"):
            socket.create_connection(("192.0.2.1", 443), timeout=1)
    assert interfaces() == before


def test_without_the_right_to_start_the_loopback_interface_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    before = interfaces()
    monkeypatch.setattr(network, "fcntl", SimpleNamespace(ioctl=refuse))
    with without_network() as is_away:
        assert not is_away
        assert interfaces() == before
    assert interfaces() == before
