"""The log: one line per event, for people or as JSON, without tokens or passwords.

`log_context` gives an event's context: the email, the game, the seat, the turn, an outgoing email.
"""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import IO, Any, Literal

from adjudicator.auth import tokens

Format = Literal["text", "json"]
LOG_CONTEXT_KEYS = ("letter", "ours", "game", "seat", "turn")
"""The context keys of an event: the number of an incoming email, the key of an outgoing one, a seat's turn.
"""

NOISY_LOGGERS = ("apscheduler", "mail.log", "imapclient", "dkimpy", "peewee")
"""Loggers that would write a line for every poll or connection, and one that would log tokens."""


def log_context(**ids: object) -> Mapping[str, object]:
    """Return an event's context for a logger's `extra`.

    Keys are LOG_CONTEXT_KEYS. None values are left out.
    """
    return {"about": {key: ids[key] for key in LOG_CONTEXT_KEYS if ids.get(key) is not None}}


def configure_logging(format_: Format = "text", stream: IO[str] | None = None) -> None:
    """Write every log record to a stream (default: standard error), one line per event."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter() if format_ == "json" else TextFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in NOISY_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)


class TextFormatter(logging.Formatter):
    """``2026-01-05T18:00:00.000Z INFO service: letter 3: read (letter=3 game=beaver)``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event as one line. Line breaks are replaced."""
        context = " ".join(f"{key}={value}" for key, value in _context_of(record).items())
        text = (
            f"{record.levelname} {_short_logger_name(record)}: "
            f"{_message(record)}{f' ({context})' if context else ''}"
        )
        if record.exc_info:
            text += " | " + self.formatException(record.exc_info)
        return f"{_timestamp(record)} {_one_line(tokens.redact_text(text))}"


class JsonFormatter(logging.Formatter):
    """One JSON object per line: at, level, logger, event, its context, and fault if there was one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event as one line."""
        fields: dict[str, Any] = {
            "at": _timestamp(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": tokens.redact_text(_message(record)),
            **_context_of(record),
        }
        if record.exc_info:
            fields["fault"] = tokens.redact_text(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False, default=str)


def _context_of(record: logging.LogRecord) -> Mapping[str, object]:
    return getattr(record, "about", {})


def _message(record: logging.LogRecord) -> str:
    return record.getMessage().strip()


def _short_logger_name(record: logging.LogRecord) -> str:
    return record.name.removeprefix("adjudicator.")


def _timestamp(record: logging.LogRecord) -> str:
    # The machine's clock, because the log is read together with those of other programs.
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _one_line(text: str) -> str:
    return " | ".join(line.strip() for line in text.splitlines() if line.strip())
