"""A proxy between a client and a server on this machine, which can cut, block and change the data."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class BreakableProxy:
    """Passes bytes both ways, with separate threads for each connection.

    replaced: bytes of the server and what the client gets instead (equal lengths keep literals whole).
    jammed: while true, nothing passes and nobody notices. connections: the number so far.
    """

    def __init__(self, to_port: int) -> None:
        self.replaced: dict[bytes, bytes] = {}
        self.jammed = False
        self.connections = 0
        self._to_port = to_port
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        threading.Thread(target=self._answer, daemon=True).start()

    def cut(self) -> None:
        """End all current connections. New ones are possible."""
        ends, self._ends = self._ends, []
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        """End everything."""
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.cut()

    def _answer(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            self.connections += 1
            try:
                server = socket.create_connection(("127.0.0.1", self._to_port), 300)
            except OSError:
                client.close()
                continue
            self._ends += [client, server]
            for one, other, tampered in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._carry, args=(one, other, tampered), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, tampered: bool) -> None:
        with contextlib.suppress(OSError):
            one.settimeout(None)
            while piece := one.recv(65536):
                if self.jammed:
                    continue
                for said, heard in self.replaced.items() if tampered else ():
                    piece = piece.replace(said, heard)
                other.sendall(piece)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def breakable_proxy(to_port: int) -> Iterator[BreakableProxy]:
    """Run a proxy to a port of 127.0.0.1."""
    running = BreakableProxy(to_port)
    try:
        yield running
    finally:
        running.close()
