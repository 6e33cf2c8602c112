"""Routes at one address: whoever uses a wrong method there is told of all that can be used."""

from __future__ import annotations

from typing import Final

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

#: The methods by address.
_METHODS: Final[dict[str, set[str]]] = {}


class SharedRoute(APIRoute):
    """A route whose error names the methods of the others at its address, too; the framework forgets them."""

    def __init__(self, path: str, *arguments: object, **options: object) -> None:
        super().__init__(path, *arguments, **options)  # type: ignore[arg-type]
        _METHODS.setdefault(self.path, set()).update(self.methods or ())

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse its method."""
        if scope["method"] not in (self.methods or ()):
            raise HTTPException(405, headers={"allow": ", ".join(sorted(_METHODS[self.path]))})
        await super().handle(scope, receive, send)
