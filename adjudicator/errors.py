"""Errors, by who must act: the GM must fix a Refusal, but a Fault passes by itself.

A player's mistake is a value (Verdict, Objection) and is never raised. A bug is a plain exception.
"""

import json
import sys


class Refusal(Exception):
    """The service can't do what it was asked to do.

    what, why: the thing that failed and the reason. instead: what to write or do.
    """

    def __init__(self, what: str, why: str, instead: str | None = None) -> None:
        super().__init__(error_text(what, why, instead))
        self.what = what
        self.why = why
        self.instead = instead


class Fault(Exception):
    """Raised when a server is down or a lock is held. retry_after: seconds, or None if it is unknown."""

    def __init__(self, what: str, why: str, retry_after: float | None = None) -> None:
        super().__init__(f"{what}: {why}")
        self.what = what
        self.why = why
        self.retry_after = retry_after


class PostFault(Fault):
    """A mail server or a Maildir failed."""


class LoginFault(PostFault):
    """A server rejects our login or can't be trusted. The GM must fix this."""


class StoreFault(Fault):
    """The database failed."""


class WriteConflict(Exception):
    """Raised when the data behind a result has changed meanwhile. Discard the result and compute it again."""


def error_text(what: str, why: str, instead: str | None = None) -> str:
    """Return an error as it is printed: what failed, why, and what to type.

    The words come in any capitals and with or without full stops; the result has both.
    """
    text = _as_sentence(f"{what}: {why}" if why else what)
    return f"{text} {_as_sentence(instead)}" if instead else text


def _as_sentence(text: str) -> str:
    first, space, rest = text.partition(" ")
    # File names, commands, options and settings stay as they are typed: gm.toml, gm, --seat, moves=soon.
    if first.rstrip(":").isalpha() and first.islower() and first != "gm":
        text = f"{first.capitalize()}{space}{rest}"
    return text if text.endswith((".", "!", "?", '."')) else f"{text}."


def print_failure(fault: Refusal | Fault, as_json: bool) -> None:
    """Print what failed, why, and what to type."""
    instead = getattr(fault, "instead", None)
    if as_json:
        error = {
            "error": f"{fault.what}: {fault.why}" if fault.why else fault.what,
            "what": fault.what,
            "why": fault.why,
            "instead": instead,
        }
        print(json.dumps(error, ensure_ascii=False), flush=True)
        return
    print(error_text(fault.what, fault.why, instead), file=sys.stderr, flush=True)
