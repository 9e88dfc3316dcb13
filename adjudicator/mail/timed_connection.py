"""One connection to a server, with one deadline for all of it; what breaks it."""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from adjudicator.errors import PostFault


@contextmanager
def told_apart(ends: float) -> Iterator[None]:
    """Whatever breaks a connection, as a PostFault that names neither address nor what the server said.

    ends: by the monotonic clock, when the time for it is over.
    """
    try:
        yield
    except ssl.SSLCertVerificationError as fault:
        raise PostFault("channel", "its server's certificate cannot be trusted") from fault
    except TimeoutError as fault:
        raise PostFault("channel", "its server does not answer in time") from fault
    except (OSError, http.client.HTTPException, ValueError) as fault:
        late = time.monotonic() >= ends
        why = "its server does not answer in time" if late else _describe_break(fault)
        raise PostFault("channel", why) from fault


class TimedConnection(http.client.HTTPConnection):
    """One connection to addresses that were looked at, cut when the time for all of it is over."""

    def __init__(self, host: str, port: int, addresses: list[str], safe: bool, ends: float) -> None:
        super().__init__(host, port)
        self._addresses, self._safe, self._ends = addresses, safe, ends
        self._cut: threading.Timer | None = None

    def connect(self) -> None:
        """Dial the first address that answers."""
        plain = self._dial()
        if self._safe:
            try:
                plain = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
            except BaseException:
                plain.close()
                raise
        self.sock = plain
        # The socket's own timeout is for each read; a server may send a byte now and then for ever.
        self._cut = threading.Timer(self._remaining_seconds(), _hang_up, [plain])
        self._cut.daemon = True
        self._cut.start()

    def close(self) -> None:
        """Close it; nothing is left to cut."""
        if self._cut is not None:
            self._cut.cancel()
        super().close()

    def _dial(self) -> socket.socket:
        for address in self._addresses[:-1]:
            with suppress(OSError):
                return socket.create_connection((address, self.port), timeout=self._remaining_seconds())
        return socket.create_connection((self._addresses[-1], self.port), timeout=self._remaining_seconds())

    def _remaining_seconds(self) -> float:
        remaining = self._ends - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        return remaining


def _hang_up(plain: socket.socket) -> None:
    with suppress(OSError):
        # An SSL socket's own method would take away what the reading thread uses.
        socket.socket.shutdown(plain, socket.SHUT_RDWR)


def _describe_break(fault: Exception) -> str:
    if isinstance(fault, ConnectionRefusedError):
        return "nobody answers at its server"
    if isinstance(fault, ssl.SSLError):
        return "its server does not speak TLS as it should"
    return f"the connection to its server broke ({type(fault).__name__})"
