"""The address of a client, also behind proxies."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

#: For a client without an address, for example over a Unix socket.
NO_ADDRESS: Final = "none"
#: The key under which the middleware stores the address in the scope.
_SCOPE_KEY: Final = "granada.address"


def note_address(scope: Scope, proxies: int) -> str:
    """Return the client's address, and store it in the scope for `address_of`."""
    found = scope[_SCOPE_KEY] = client_key(scope, proxies)
    return found


def address_of(scope: Scope) -> str:
    """Return the client's address from the middleware, or that of the connection if there is no middleware."""
    found = scope.get(_SCOPE_KEY)
    return found if isinstance(found, str) else client_key(scope)


def client_key(scope: Scope, proxies: int = 0) -> str:
    """Return the client's address for rate limits; all addresses of an IPv6 network (/64) count as one.

    Each trusted proxy appends the address of its client to X-Forwarded-For; anything before that may be forged.
    """
    if proxies > 0:
        lines = Headers(scope=scope).getlist("x-forwarded-for")
        entries = [entry for entry in ",".join(lines).split(",") if entry.strip()]
        if entries:
            found = _key(entries[max(0, len(entries) - proxies)])
            if found is not None:
                return found
    client = scope.get("client")
    return NO_ADDRESS if client is None else _key(client[0]) or str(client[0])


def _key(text: str) -> str | None:
    """Return the key of an address with or without a port; None if it is not an address."""
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
