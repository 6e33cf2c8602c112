"""What belongs to the page of the API: its style, and where the types of problem documents lead."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from granada.tables.errors import CODES, TableError

router: Final = APIRouter(include_in_schema=False)
_STYLE: Final = Path(__file__).with_name("docs.css")


@router.get("/docs.css")
async def style() -> Response:
    """How the page looks: a file of its own, for no page of the server may bring its own style."""
    return Response(_STYLE.read_text("utf-8"), media_type="text/css")


@router.get("/problems/{code}")
async def problem(code: str) -> Response:
    """Where the type of a problem document leads."""
    if code not in CODES:
        raise TableError("not_found", "there is no such code")
    return RedirectResponse(f"../docs#problem-{code}")
