"""Who asks: the address of a client, also behind proxies."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

#: A client without an address, as through a Unix socket.
NOWHERE: Final = "nowhere"
#: Where the edge leaves the address in the scope, so that proxies are looked through once.
_FOUND: Final = "granada.address"


def note_address(scope: Scope, proxies: int) -> str:
    """Find the client's address, and leave it in the scope for the application."""
    found = scope[_FOUND] = client_key(scope, proxies)
    return found


def address_of(scope: Scope) -> str:
    """The client's address as the edge found it; without an edge the one that the connection has."""
    found = scope.get(_FOUND)
    return found if isinstance(found, str) else client_key(scope)


def client_key(scope: Scope, proxies: int = 0) -> str:
    """The client's address as limits count it: all addresses of one IPv6 network (/64) are one.

    Each trusted proxy appends the address that asked it; what stands before that, anybody can have written.
    """
    if proxies > 0:
        lines = Headers(scope=scope).getlist("x-forwarded-for")
        entries = [entry for entry in ",".join(lines).split(",") if entry.strip()]
        if entries:
            found = _key(entries[max(0, len(entries) - proxies)])
            if found is not None:
                return found
    client = scope.get("client")
    return NOWHERE if client is None else _key(client[0]) or str(client[0])


def _key(text: str) -> str | None:
    """The key of an address, perhaps with a port; None if it is no address."""
    host = text.strip().strip('"')
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Network((int(address), 64), strict=False))
    return str(address)
