"""A server on loopback that issues access tokens and checks them for mail servers."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


@dataclass
class TokenServer:
    """Issues access tokens for refresh tokens.

    users: by refresh token. good: the users of valid access tokens. asked: the requests for tokens. lasts: in
    seconds. broken: a status with which it fails all requests. rotates: whether each reply has a new refresh
    token.
    """

    users: dict[str, str] = field(default_factory=dict)
    good: dict[str, str] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)
    lasts: float = 3_600
    broken: int | None = None
    rotates: bool = False
    port: int = 0

    @property
    def url(self) -> str:
        """Return the address for token requests."""
        return f"http://127.0.0.1:{self.port}/token"

    def take_back(self) -> None:
        """Revoke every access token."""
        self.good.clear()

    def answer(self, path: str, asked: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Return the status and the document of a reply."""
        if path == "/introspect":
            user = self.good.get(asked.get("token", ""))
            return 200, {"active": user is not None, "username": user} if user else {"active": False}
        self.asked.append(asked)
        if self.broken is not None:
            return self.broken, {"error": "temporarily_unavailable"}
        user = self.users.get(asked.get("refresh_token", ""))
        if user is None:
            return 400, {"error": "invalid_grant", "error_description": "Token has been revoked."}
        token = f"access-{len(self.asked)}"
        self.good[token] = user
        more = {}
        if self.rotates:
            more = {"refresh_token": f"refresh-{len(self.asked)}"}
            self.users[more["refresh_token"]] = user
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": self.lasts, **more}


@contextmanager
def token_server() -> Iterator[TokenServer]:
    """Run a token server."""
    it = TokenServer()

    class Desk(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            asked = {key: values[0] for key, values in parse_qs(body).items()}
            status, document = it.answer(self.path, asked)
            content = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Desk)
    it.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield it
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
