"""A server that replays one recorded exchange: it gives the recorded replies to exactly these requests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass
class Playing:
    """A recorded conversation. left: the exchanges still to come. astray: requests that weren't recorded."""

    left: list[dict[str, Any]]
    port: int = 0
    astray: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Return the address."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def playing(file: Path) -> Iterator[Playing]:
    """Replay a file, whose `exchanges` are requests with their replies."""
    it = Playing(list(json.loads(file.read_text(encoding="utf-8"))["exchanges"]))

    class Player(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

        def do_GET(self) -> None:
            self._plays()

        def do_POST(self) -> None:
            self._plays()

        def _plays(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            said = {"method": self.command, "path": self.path, **_request_content(self.headers, content)}
            if not it.left or it.left[0]["request"] != said:
                it.astray.append(json.dumps(said))
                self.send_error(500)
                return
            answer = it.left.pop(0)["answer"]
            body = b"" if answer["body"] is None else json.dumps(answer["body"]).encode()
            self.send_response(answer["status"])
            for name, value in {**answer["headers"], "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Player)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    it.port = server.server_address[1]
    try:
        yield it
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _request_content(headers: Any, content: bytes) -> dict[str, Any]:
    """Return the content of a request in its recorded form: a JSON object, or the fields of a form."""
    if not content:
        return {}
    media = str(headers["Content-Type"])
    if media == "application/json":
        return {"body": json.loads(content)}
    form = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {media}\r\n\r\n".encode() + content)
    fields = {}
    for part in form.iter_parts():
        name = part.get_param("name", header="Content-Disposition")
        fields[name] = part.get_filename() or part.get_content().strip()
    return {"form": fields}
