"""A forum that follows the published description of Discourse's API: topics, posts, uploads.

It isn't Discourse: nothing beyond the description is tested here.
"""

import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from adjudicator.clock import datetime_of

KEY, ACCOUNT = "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "turnpost"
OWN_ID = 2


@dataclass(frozen=True)
class Trouble:
    """A planned failure of a request. status 0: it succeeds, but the connection closes without a reply."""

    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    about: dict[str, Any] = field(default_factory=dict)


@dataclass
class Forum:
    """The content of the forum. script: the failures of the next requests, by method and path.

    raw: whether posts include their source if requested. asked, sent: all requests. allows: the number of
    requests before the rate limit, or None.
    """

    port: int = 0
    raw: bool = True
    allows: int | None = None
    now: int = 1_767_636_000_000
    script: list[tuple[str, Trouble]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    sent: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    topics: dict[int, dict[str, Any]] = field(default_factory=dict)
    posts: dict[int, dict[str, Any]] = field(default_factory=dict)
    uploads: Counter[str] = field(default_factory=Counter)
    accounts: dict[str, int] = field(default_factory=lambda: {ACCOUNT: OWN_ID})
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def url(self) -> str:
        """Return the forum's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def ours(self) -> list[str]:
        """Return the service's posts, oldest first."""
        return [one["raw"] for _, one in sorted(self.posts.items()) if one["username"] == ACCOUNT]

    def write(self, topic: int, username: str, raw: str) -> int:
        """Write a post as a user. Returns the number of the post."""
        with self._lock:
            number = 101 + 3 * len(self.posts)
            self.now += 1000
            self.posts[number] = {
                "id": number,
                "username": username,
                "user_id": self.accounts.setdefault(username, 10 + len(self.accounts)),
                "raw": raw,
                "cooked": f"<p>{raw}</p>",
                "version": 1,
                "post_type": 1,
                "post_number": 1 + sum(one["topic_id"] == topic for one in self.posts.values()),
                "topic_id": topic,
                "created_at": self._stamp(),
                "updated_at": self._stamp(),
            }
            return number

    def change(self, number: int, raw: str, version: int) -> None:
        """Replace the text of a post, as its author would."""
        self.now += 1000
        self.posts[number] |= {"raw": raw, "version": version, "updated_at": self._stamp()}

    def _stamp(self) -> str:
        return f"{datetime_of(self.now):%Y-%m-%dT%H:%M:%S}.{self.now % 1000:03d}Z"

    # The API.

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Trouble:
        """Return the reply to a request. status 0: none."""
        with self._lock:
            self.asked.append(f"{method} {path}")
            self.sent.append((f"{method} {path}", headers, body))
            trouble = self._trouble(f"{method} {path}") or self._too_often()
            if trouble is not None and trouble.status:
                return trouble
            if (headers.get("api-key"), headers.get("api-username")) != (KEY, ACCOUNT):
                return Trouble(403, about={"errors": ["no"], "error_type": "invalid_access"})
            done = self._write(path, body) if method == "POST" else self._read(path)
            return trouble if trouble is not None else done

    def _too_often(self) -> Trouble | None:
        if self.allows is None:
            return None
        self.allows -= 1
        return Trouble(429, (("Retry-After", "60"),)) if self.allows < 0 else None

    def _trouble(self, asked: str) -> Trouble | None:
        for place, (begins, trouble) in enumerate(self.script):
            if asked.startswith(begins):
                del self.script[place]
                return trouble
        return None

    def _read(self, path: str) -> Trouble:
        parts = urlsplit(path)
        said = parse_qs(parts.query)
        if found := re.fullmatch(r"/t/external_id/([\w-]+)\.json", parts.path):
            for number, topic in self.topics.items():
                if topic.get("external_id") == found[1]:
                    return Trouble(301, (("Location", f"/t/-/{number}.json"),))
            return _missing()
        if found := re.fullmatch(r"/t/(?:[\w-]+/)?(\d+)\.json", parts.path):
            return self._topic(int(found[1]), said)
        if found := re.fullmatch(r"/t/(\d+)/posts\.json", parts.path):
            wanted = [int(one) for one in said.get("post_ids[]", [])]
            posts = [self._shown(one, "include_raw" in said) for one in wanted if one in self.posts]
            return Trouble(200, about={"id": int(found[1]), "post_stream": {"posts": posts}})
        if parts.path == "/posts.json":
            latest = sorted(self.posts.items(), reverse=True)[:50]
            return Trouble(200, about={"latest_posts": [one for _, one in latest]})
        if found := re.fullmatch(r"/posts/(\d+)\.json", parts.path):
            number = int(found[1])
            return Trouble(200, about=self.posts[number]) if number in self.posts else _missing()
        if found := re.fullmatch(r"/u/([\w.-]+)\.json", parts.path):
            return Trouble(200, about={"user": {"id": 2}}) if found[1] in self.accounts else _missing()
        return _missing()

    def _topic(self, number: int, said: dict[str, list[str]]) -> Trouble:
        if number not in self.topics:
            return _missing()
        stream = sorted(one for one, post in self.posts.items() if post["topic_id"] == number)
        posts = [self._shown(one, "include_raw" in said) for one in stream[:20]]
        about = {"id": number, "title": self.topics[number]["title"]}
        return Trouble(200, about={**about, "post_stream": {"posts": posts, "stream": stream}})

    def _shown(self, number: int, with_raw: bool) -> dict[str, Any]:
        post = self.posts[number]
        return post if with_raw and self.raw else {key: post[key] for key in post if key != "raw"}

    def _write(self, path: str, body: bytes) -> Trouble:
        if path == "/uploads.json":
            content = body.split(b"Content-Type: image/png\r\n\r\n", 1)[1].rpartition(b"\r\n--")[0]
            self.uploads[content[:8].hex()] += 1
            return Trouble(200, about={"id": 1, "short_url": "upload://a1B2c3.png"})
        assert path == "/posts.json", path
        said = json.loads(body)
        if "topic_id" in said:
            if said["topic_id"] not in self.topics:
                return _missing()
            return Trouble(200, about=self.posts[self.write(said["topic_id"], ACCOUNT, said["raw"])])
        if len(said["title"]) < 15 or said["title"] in {one["title"] for one in self.topics.values()}:
            return Trouble(422, about={"errors": ["Title"]})
        number = 70 + len(self.topics)
        self.topics[number] = {key: said.get(key) for key in ("title", "external_id", "category")}
        return Trouble(200, about=self.posts[self.write(number, ACCOUNT, said["raw"])])


def _missing() -> Trouble:
    return Trouble(404, about={"errors": ["not there"], "error_type": "not_found"})


@contextmanager
def forum() -> Iterator[Forum]:
    """Run a forum on this machine."""
    it = Forum()

    class Desk(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("GET")

        def do_POST(self) -> None:
            self._answer("POST")

        def _answer(self, method: str) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            heads = {name.lower(): value for name, value in self.headers.items()}
            said = it.answer(method, self.path, heads, body)
            if said.status == 0:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            content = json.dumps(said.about).encode()
            self.send_response(said.status)
            for name, value in said.headers:
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

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
        server.shutdown()
        server.server_close()
        thread.join()
