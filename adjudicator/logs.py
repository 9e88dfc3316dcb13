"""The log: one line for each event, for people or as JSON, without any token or password.

An event may name what it is about by `about`: the letter, the game, the seat, the turn, a letter of ours.
"""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import IO, Any, Literal

from adjudicator.signs import redaction

Format = Literal["text", "json"]
KEYS = ("letter", "ours", "game", "seat", "turn")
"""What an event may be about: a letter that came in (its number), one of ours (its key), a seat's turn."""

NOISY = ("apscheduler", "mail.log", "imapclient", "dkimpy", "peewee")
"""Loggers that would write a line for every tick or connection, and one with a token for every letter."""


def about(**ids: object) -> Mapping[str, object]:
    """What an event is about, for `extra` of a logger; keys are KEYS, what is None is left out."""
    return {"about": {key: ids[key] for key in KEYS if ids.get(key) is not None}}


def set_up(format_: Format = "text", stream: IO[str] | None = None) -> None:
    """Have all that is logged from now on written to a stream (standard error), a line for each event."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Json() if format_ == "json" else Text())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)


class Text(logging.Formatter):
    """``2026-01-05T18:00:00.000Z INFO house: letter 3: read (letter=3 game=beaver)``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of an event. What spans lines is brought into one."""
        named = " ".join(f"{key}={value}" for key, value in _about(record).items())
        said = f"{record.levelname} {_place(record)}: {_said(record)}{f' ({named})' if named else ''}"
        if record.exc_info:
            said += " | " + self.formatException(record.exc_info)
        return f"{_moment(record)} {_one_line(redaction.redacted(said))}"


class Json(logging.Formatter):
    """One JSON object a line: at, level, logger, event, what it is about, and fault where one was."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of an event."""
        fields: dict[str, Any] = {
            "at": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": redaction.redacted(_said(record)),
            **_about(record),
        }
        if record.exc_info:
            fields["fault"] = redaction.redacted(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False, default=str)


def _about(record: logging.LogRecord) -> Mapping[str, object]:
    return getattr(record, "about", {})


def _said(record: logging.LogRecord) -> str:
    return record.getMessage().strip()


def _place(record: logging.LogRecord) -> str:
    return record.name.removeprefix("adjudicator.")


def _moment(record: logging.LogRecord) -> str:
    # By the machine's clock, since a log is read beside those of other programs.
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _one_line(text: str) -> str:
    return " | ".join(line.strip() for line in text.splitlines() if line.strip())
