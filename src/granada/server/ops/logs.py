"""The log of the server on the standard error: an object a line, or plain lines where a person reads them."""

from __future__ import annotations

import logging
import logging.config
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

Style = Literal["json", "plain"]
#: What every line has; a field with such a name is written with an underscore behind it.
_ALWAYS: Final = frozenset({"time", "level", "event", "error", "where"})
#: No line is longer: whoever can make the server log can make it log much.
_LONGEST: Final = 2_000
#: How lines of uvicorn begin that hold the path of a socket, or say of each that it is open, closed or refused; of one
#: that is refused with an answer it complains, wrongly, that it got none.
_OF_SOCKETS: Final = ('%s - "WebSocket %s"', "connection ", "ASGI callable returned without completing handshake.")


def style_of(wish: str) -> Style:
    """The style of a setting; without one, plain lines on a terminal and objects elsewhere."""
    if wish in ("json", "plain"):
        return "json" if wish == "json" else "plain"
    return "plain" if sys.stderr is not None and sys.stderr.isatty() else "json"


def log_config(style: Style) -> dict[str, Any]:
    """The configuration for `logging`, and for uvicorn, which hands it to its workers."""
    formatter = "granada.server.ops.logs.JsonLines" if style == "json" else "granada.server.ops.logs.PlainLines"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": formatter}},
        "filters": {"redact": {"()": "granada.server.ops.logs.RedactingFilter"}},
        "handlers": {
            "lines": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stderr",
                "formatter": "lines",
                "filters": ["redact"],
            }
        },
        "root": {"handlers": ["lines"], "level": "WARNING"},
        "loggers": {
            "granada": {"level": "INFO"},
            # Its handlers are taken away: uvicorn would otherwise write lines of its own kind.
            "uvicorn": {"handlers": [], "level": "INFO", "propagate": True},
            "uvicorn.error": {"level": "INFO"},
            # Its lines hold paths.
            "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
        },
    }


def configure(style: Style) -> None:
    """Log in a process that uvicorn does not start."""
    logging.config.dictConfig(log_config(style))


class RedactingFilter(logging.Filter):
    """Keeps back what uvicorn tells of single sockets; the access log tells their routes."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.name.startswith("uvicorn") and str(record.msg).startswith(_OF_SOCKETS))


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return msgspec.json.encode(_told(record), enc_hook=_kind).decode()


class PlainLines(logging.Formatter):
    """The same for people: time, level, event, fields."""

    def format(self, record: logging.LogRecord) -> str:
        told = _told(record)
        moment, level, event = told.pop("time"), told.pop("level"), told.pop("event")
        fields = "".join([f" {key}={_plain(value)}" for key, value in told.items()])
        return f"{str(moment)[11:19]} {level:7} {_printable(str(event))}{fields}"


def _told(record: logging.LogRecord) -> dict[str, object]:
    told: dict[str, object] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "event": _event(record),
    }
    if record.name != "granada":
        told["logger"] = record.name
    for key, value in getattr(record, "fields", {}).items():
        told[f"{key}_" if key in _ALWAYS else key] = value[:_LONGEST] if isinstance(value, str) else value
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        told["error"] = _names(error)
        told["where"] = _places(error)
    return told


def _event(record: logging.LogRecord) -> str:
    text = record.getMessage().strip()
    if record.name == "asyncio":
        text = text.partition("\n")[0]  # the lines after it show tasks with all they hold
    return text[:_LONGEST]


def _chain(error: BaseException) -> list[BaseException]:
    """An exception and those behind it, the first cause last."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain and len(chain) < 5:
        chain.append(current)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return chain


def _names(error: BaseException) -> str:
    """What was raised, without its text: that can hold a table's id, a token, or what was asked of the database."""
    names = []
    for one in _chain(error):
        reason = f" ({one.strerror})" if isinstance(one, OSError) and isinstance(one.strerror, str) else ""
        names.append(type(one).__qualname__ + reason)
    return " from ".join(names)


def _places(error: BaseException) -> list[str]:
    """Where it was raised, the innermost call first, without any value."""
    places: list[str] = []
    for one in _chain(error):
        frames = traceback.extract_tb(one.__traceback__)
        places += [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames)]
    return places[:60]


def _kind(value: object) -> str:
    """In place of what has no JSON form: what it is, not what it holds."""
    return f"<{type(value).__name__}>"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return "".join([f"\n    {_printable(str(item))}" for item in value])
    text = value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=_kind).decode()
    if text and " " not in text and text.isprintable():
        return text
    return f'"{_printable(text)}"'


def _printable(text: str) -> str:
    """A text in which nothing begins a new line or moves a terminal's cursor; tracebacks keep their lines."""
    return "".join([char if char.isprintable() else ascii(char)[1:-1] for char in text])
