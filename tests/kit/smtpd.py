"""The SMTP server of a library, in a thread, as the servers of tests are."""

from typing import Any

from aiosmtpd import controller
from aiosmtpd.smtp import SMTP


class Controller(controller.Controller):
    """One that leaves no connection open when it is stopped.

    The library would have TLS take its leave, and end the loop before whoever called has answered: the socket
    would stay, until some test far from here collects it.
    """

    def __init__(self, handler: Any, **options: Any) -> None:
        super().__init__(handler, **options)
        self._doors: list[SMTP] = []

    def door(self) -> SMTP:
        """Return what speaks to one caller."""
        return SMTP(self.handler, **self.SMTP_kwargs)

    def factory(self) -> SMTP:
        """As in the library."""
        self._doors.append(self.door())
        return self._doors[-1]

    def cancel_tasks(self, stop_loop: bool = True) -> None:
        """As in the library; it is called in the loop."""
        for door in self._doors:
            if door.transport is not None:
                door.transport.abort()
        super().cancel_tasks(stop_loop)
