"""A web server for posts: it replies correctly, slowly, never, with a redirect, or breaks off midway."""

import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.kit.servers import HANGING_SECONDS


@dataclass(frozen=True)
class Answer:
    """The reply to one post. status 0: the connection closes after the post. headers: its headers.

    slow: the reply waits until `Noticeboard.go_on` is set.
    """

    status: int = 204
    headers: tuple[tuple[str, str], ...] = ()
    slow: bool = False


GOOD, BROKEN = Answer(), Answer(0)


@dataclass
class WebhookServer:
    """A web server that records posts. script: the next replies, after which all succeed.

    taken: each document once, by its id, as a careful reader counts them. asked: every attempt, with its
    path, headers and body.
    """

    port: int = 0
    script: list[Answer] = field(default_factory=list)
    asked: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    taken: dict[str, Any] = field(default_factory=dict)
    go_on: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """Return the address for posts."""
        return f"http://127.0.0.1:{self.port}/turns/s3cr3t-path"

    @property
    def attempts(self) -> Counter[str]:
        """Return how often each document was posted, by its id."""
        return Counter(headers["webhook-id"] for _, headers, _ in self.asked)

    def note(self, path: str, headers: dict[str, str], body: bytes) -> Answer:
        """Record a post, and return the reply."""
        with self._lock:
            answer = self.script.pop(0) if self.script else GOOD
            self.asked.append((path, headers, body))
            if answer.status == 0 or 200 <= answer.status < 300:
                self.taken.setdefault(headers.get("webhook-id", str(len(self.asked))), json.loads(body))
        self.arrived.set()
        return answer


@contextmanager
def webhook_server() -> Iterator[WebhookServer]:
    """Run the server on this machine."""
    it = WebhookServer()

    class Desk(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = it.note(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            if answer.slow:
                it.go_on.wait(HANGING_SECONDS)
            if answer.status == 0:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """The client has closed the connection, as told."""

    server = Server(("127.0.0.1", 0), Desk)
    it.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield it
    finally:
        it.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def closed_port() -> Iterator[int]:
    """Return a port where nothing listens, and where nothing will until the end of the context."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
