"""An SMTP server from a library, in a thread, like the other test servers."""

from typing import Any

from aiosmtpd import controller
from aiosmtpd.smtp import SMTP


class Controller(controller.Controller):
    """A controller that leaves no connection open when it stops.

    The library would begin to close TLS, and end the loop before the client has replied. The socket would
    stay open until a much later test collects it.
    """

    def __init__(self, handler: Any, **options: Any) -> None:
        super().__init__(handler, **options)
        self._doors: list[SMTP] = []

    def door(self) -> SMTP:
        """Return the handler of one client."""
        return SMTP(self.handler, **self.SMTP_kwargs)

    def factory(self) -> SMTP:
        """As in the library."""
        self._doors.append(self.door())
        return self._doors[-1]

    def cancel_tasks(self, stop_loop: bool = True) -> None:
        """As in the library. It is called in the loop."""
        for door in self._doors:
            if door.transport is not None:
                door.transport.abort()
        super().cancel_tasks(stop_loop)
