"""A proxy before a server, whose connections can be cut."""

import socket
import threading
from contextlib import suppress
from typing import Self

_CHUNK = 65_536


class CuttableProxy:
    """A proxy on 127.0.0.1 before a server; use it as a context. port: its port. cuts: how many so far."""

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.cuts = 0
        self._lock = threading.Lock()
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._begin(self._accept)
        return self

    def __exit__(self, *fault: object) -> None:
        # A listener that is only closed still accepts one connection.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join()

    def cut(self) -> int:
        """Cut all connections, in the middle of any data. Returns how many there were."""
        with self._lock:
            pairs, self._pairs = self._pairs, set()
        for pair in pairs:
            _close(pair)
        self.cuts += len(pairs)
        return len(pairs)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:  # the server is down, so the proxy is too
                near.close()
                continue
            pair = (near, far)
            with self._lock:
                self._pairs.add(pair)
            self._begin(self._carry, near, far, pair)
            self._begin(self._carry, far, near, pair)

    def _carry(
        self, source: socket.socket, target: socket.socket, pair: tuple[socket.socket, socket.socket]
    ) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                target.sendall(data)
        with self._lock:
            self._pairs.discard(pair)
        _close(pair)

    def _begin(self, what: object, *given: object) -> None:
        thread = threading.Thread(target=what, args=given, daemon=True)
        thread.start()
        self._threads.append(thread)


def _close(pair: tuple[socket.socket, socket.socket]) -> None:
    for end in pair:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
