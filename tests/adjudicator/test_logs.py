"""The log: a line per event, with its subject, and without secrets that let someone act for a seat."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from adjudicator import logs
from adjudicator.auth.tokens import redact_text
from adjudicator.logs import log_context

TOKEN = "abcdefghijkl2"
SECRETS = (
    f"gm+demo.iroquois.{TOKEN}@example.org",
    f"gm+b.0123456789abcdef.{TOKEN}@example.org",
    f"Re: [demo S1M Iroquois #{TOKEN}] orders",
    f"<demo.iroquois.{TOKEN}.0123456789abcdef@example.org>",
    f"SIGNON demo Iroquois {TOKEN}",
    f"> sign-on demo Iroquois {TOKEN} and more",
)


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The root logger, put back as it was."""
    logger = logging.getLogger()
    handlers, level = logger.handlers[:], logger.level
    yield logger
    logger.handlers[:] = handlers
    logger.setLevel(level)


def configure_stream(root: logging.Logger, form: logs.Format) -> io.StringIO:
    stream = io.StringIO()
    logs.configure_logging(form, stream)
    return stream


def test_an_event_is_a_line(root: logging.Logger) -> None:
    stream = configure_stream(root, "text")
    log = logging.getLogger("adjudicator.service")
    log.info("letter %d: read", 3, extra=log_context(letter=3, game="demo", seat=None, turn="S1M"))
    log.warning("two\nlines\r\nof it")
    first, second = stream.getvalue().splitlines()
    assert first.endswith("Z INFO service: letter 3: read (letter=3 game=demo turn=S1M)")
    assert second.endswith("Z WARNING service: two | lines | of it")


def test_an_event_is_an_object(root: logging.Logger) -> None:
    stream = configure_stream(root, "json")
    log = logging.getLogger("adjudicator.service")
    log.info("letter %d: read", 3, extra=log_context(letter=3, game="demo", seat="Iroquois"))
    try:
        raise ValueError("gone\nwrong")
    except ValueError:
        log.exception("letter 4")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first["at"].endswith("Z")
    del first["at"]
    assert first == {
        **{"level": "info", "logger": "adjudicator.service", "event": "letter 3: read"},
        **{"letter": 3, "game": "demo", "seat": "Iroquois"},
    }
    assert (second["level"], second["event"]) == ("error", "letter 4")
    assert "gone\nwrong" in second["fault"]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("secret", SECRETS)
def test_no_token_and_no_password_is_written(root: logging.Logger, form: logs.Format, secret: str) -> None:
    stream = configure_stream(root, form)
    log = logging.getLogger("somebody.else")
    log.info("letter with %s", secret)
    try:
        raise ValueError(secret)
    except ValueError:
        log.exception("it failed")
    assert stream.getvalue().count("\n") == 2
    assert TOKEN not in stream.getvalue()
    assert TOKEN not in redact_text(secret)


def test_loggers_that_would_write_tokens_are_quiet(root: logging.Logger) -> None:
    stream = configure_stream(root, "text")
    logging.getLogger("mail.log").info("a letter for somebody")
    logging.getLogger("imapclient").debug("LOGIN gm secret")
    assert stream.getvalue() == ""
