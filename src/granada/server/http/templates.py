"""Paths with places in braces, as routes are written: `/api/tables/{id}`."""

from __future__ import annotations

import re
from typing import Final

from starlette.types import Scope

#: A route that nobody wrote; a path is never told in its place, because it may be somebody's secret.
UNKNOWN: Final = "unknown"
_PLACE: Final = re.compile(r"\\\{[^}]*\}")


def path_pattern(template: str) -> re.Pattern[str]:
    """What matches the whole paths of a template; a place matches anything but a slash."""
    return re.compile(_PLACE.sub("[^/]+", re.escape(template)))


def route_template(scope: Scope) -> str:
    """The template of the route that answered a request, as far as the router has told."""
    # A route of an included router knows its own template only; FastAPI keeps the whole one next to it.
    context = scope.get("fastapi", {}).get("effective_route_context")
    for owner in (getattr(context, "starlette_route", None), context, scope.get("route")):
        template = getattr(owner, "path_format", None) or getattr(owner, "path", None)
        if isinstance(template, str) and template:
            return template
    root = scope.get("root_path", "")
    if root != scope.get("app_root_path", root) and not scope.get("path_params"):
        return f"{root}/*"  # files of a mounted folder
    return UNKNOWN
