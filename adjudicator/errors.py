"""Errors by who has to act: a Refusal is the GM's to fix, a Fault passes by itself.

A player's slip is a value (Verdict, Objection), never raised. A bug is a plain exception.
"""


class Refusal(Exception):
    """Something asked of the service cannot be done. what, why, and instead: what to write or do."""

    def __init__(self, what: str, why: str, instead: str | None = None) -> None:
        super().__init__(f"{what}: {why}" + (f"; {instead}" if instead else ""))
        self.what = what
        self.why = why
        self.instead = instead


class Fault(Exception):
    """The world is not as we need it: a server down, a lock held. retry_after: seconds, or None."""

    def __init__(self, what: str, why: str, retry_after: float | None = None) -> None:
        super().__init__(f"{what}: {why}")
        self.what = what
        self.why = why
        self.retry_after = retry_after


class PostFault(Fault):
    """A mail server or a Maildir did not do its part."""


class LoginFault(PostFault):
    """A server does not let us in, or cannot be trusted: that does not pass before somebody sees to it."""


class StoreFault(Fault):
    """The database did not do its part."""


class WriteConflict(Exception):
    """The data that a result was computed from has changed meanwhile: discard it and compute it again."""
