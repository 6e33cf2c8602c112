"""The server log on standard error: one JSON object per line, or plain lines on a terminal."""

from __future__ import annotations

import logging
import logging.config
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

Style = Literal["json", "plain"]
#: Standard fields; another field with such a name gets a trailing underscore.
_STANDARD_FIELDS: Final = frozenset({"time", "level", "event", "error", "where"})
#: The most characters of an event or a field, because clients can cause log lines.
_MAX_LENGTH: Final = 2_000
#: Prefixes of uvicorn's messages about single sockets: some contain paths, and the last one is a wrong complaint about
#: sockets that were rejected with a response.
_SOCKET_MESSAGES: Final = ('%s - "WebSocket %s"', "connection ", "ASGI callable returned without completing handshake.")


def style_of(setting: str) -> Style:
    """Return the style of a setting; by default plain lines on a terminal, JSON otherwise."""
    if setting in ("json", "plain"):
        return "json" if setting == "json" else "plain"
    return "plain" if sys.stderr is not None and sys.stderr.isatty() else "json"


def log_config(style: Style) -> dict[str, Any]:
    """Return the configuration for `logging`; uvicorn passes it to its workers."""
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
            # Without its own handlers, so that its messages have our format.
            "uvicorn": {"handlers": [], "level": "INFO", "propagate": True},
            "uvicorn.error": {"level": "INFO"},
            # Its messages contain paths.
            "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
        },
    }


def configure(style: Style) -> None:
    """Configure logging in a process that uvicorn did not start."""
    logging.config.dictConfig(log_config(style))


class RedactingFilter(logging.Filter):
    """Drops uvicorn's messages about single sockets; the access log has their routes."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.name.startswith("uvicorn") and str(record.msg).startswith(_SOCKET_MESSAGES))


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        return msgspec.json.encode(_fields(record), enc_hook=_kind).decode()


class PlainLines(logging.Formatter):
    """The same as plain text: time, level, event, fields."""

    def format(self, record: logging.LogRecord) -> str:
        fields = _fields(record)
        moment, level, event = fields.pop("time"), fields.pop("level"), fields.pop("event")
        others = "".join([f" {key}={_plain(value)}" for key, value in fields.items()])
        return f"{str(moment)[11:19]} {level:7} {_printable(str(event))}{others}"


def _fields(record: logging.LogRecord) -> dict[str, object]:
    fields: dict[str, object] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "event": _event(record),
    }
    if record.name != "granada":
        fields["logger"] = record.name
    for key, value in getattr(record, "fields", {}).items():
        fields[f"{key}_" if key in _STANDARD_FIELDS else key] = value[:_MAX_LENGTH] if isinstance(value, str) else value
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        fields["error"] = _names(error)
        fields["where"] = _places(error)
    return fields


def _event(record: logging.LogRecord) -> str:
    text = record.getMessage().strip()
    if record.name == "asyncio":
        text = text.partition("\n")[0]  # the following lines contain the values of tasks
    return text[:_MAX_LENGTH]


def _chain(error: BaseException) -> list[BaseException]:
    """Return an exception and its causes, the root cause last."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain and len(chain) < 5:
        chain.append(current)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return chain


def _names(error: BaseException) -> str:
    """Return the exception types without messages, which may contain table ids, tokens or SQL parameters."""
    names = []
    for one in _chain(error):
        reason = f" ({one.strerror})" if isinstance(one, OSError) and isinstance(one.strerror, str) else ""
        names.append(type(one).__qualname__ + reason)
    return " from ".join(names)


def _places(error: BaseException) -> list[str]:
    """Return the stack of an exception, the innermost call first, without values."""
    places: list[str] = []
    for one in _chain(error):
        frames = traceback.extract_tb(one.__traceback__)
        places += [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames)]
    return places[:60]


def _kind(value: object) -> str:
    """Return the type of a value that cannot be encoded as JSON."""
    return f"<{type(value).__name__}>"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return "".join([f"\n    {_printable(str(item))}" for item in value])
    text = value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=_kind).decode()
    if text and " " not in text and text.isprintable():
        return text
    return f'"{_printable(text)}"'


def _printable(text: str) -> str:
    """Escape control characters, so that a text cannot start a new line or move the cursor of a terminal."""
    return "".join([char if char.isprintable() else ascii(char)[1:-1] for char in text])
