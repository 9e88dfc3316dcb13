"""An IMAP server with an empty INBOX that treats IDLE as a test says, and records its logins."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HANGING_SECONDS = 300
"""A limit against hanging: no client takes as long on the slowest machine."""

Manner = Callable[["Connection"], None]
"""The server's reaction to one IDLE, from the command to its end."""


class Connection:
    """A client that has logged in.

    forward: advances the test's clock, in seconds. is_heard: set by the test when the client has noticed that
    its IDLE was accepted.
    """

    def __init__(self, line: socket.socket, forward: Callable[[float], None]) -> None:
        self._line = line
        self._file = line.makefile("rwb")
        self.forward = forward
        self.is_heard = threading.Event()
        self.tag = ""

    def say(self, text: str) -> None:
        """Send a line."""
        self._file.write(f"{text}\r\n".encode())
        self._file.flush()

    def hear(self) -> str:
        """Return the client's next line, or nothing after it has hung up."""
        # The library sends a command in parts, and would wait for our confirmation before the second one.
        self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        return self._file.readline().decode().rstrip("\r\n")

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(OSError):
            self._file.close()


def refuse(connection: Connection) -> None:
    """Answer IDLE with NO."""
    connection.say(f"{connection.tag} NO IDLE is not for you")


def misunderstand(connection: Connection) -> None:
    """Answer IDLE with BAD."""
    connection.say(f"{connection.tag} BAD unknown command")


def hang_up(connection: Connection) -> None:
    """Accept IDLE, and hang up at once."""
    connection.say("+ idling")
    connection.close()


def accept(connection: Connection) -> None:
    """Accept IDLE, and keep it until the client is done."""
    connection.say("+ idling")
    connection.hear()
    connection.say(f"{connection.tag} OK IDLE is over")


def idle_for(seconds: float) -> Manner:
    """Accept IDLE and keep it for so long, then hang up."""

    def idle(connection: Connection) -> None:
        connection.say("+ idling")
        assert connection.is_heard.wait(HANGING_SECONDS)
        connection.forward(seconds)
        connection.say("* OK still here")
        connection.close()

    return idle


class ImapServer:
    """The server. manner: its reaction to IDLE. login: its reaction to a login.

    idling: the last client that sent IDLE. dialled_at: the times of the logins, in seconds.
    """

    def __init__(self, now: Callable[[], float], forward: Callable[[float], None]) -> None:
        self.manner: Manner = refuse
        self.login = "OK logged in"
        self.idling: Connection | None = None
        self.dialled_at: list[float] = []
        self._now = now
        self._forward = forward
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._answering = threading.Thread(target=self._answer, daemon=True)
        self._answering.start()

    def close(self) -> None:
        """Stop listening, and wait until the last client is served."""
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._answering.join()

    def _answer(self) -> None:
        clients: list[threading.Thread] = []
        while True:
            try:
                line, _ = self._door.accept()
            except OSError:
                break
            clients.append(threading.Thread(target=self._serve, args=(line,), daemon=True))
            clients[-1].start()
        for client in clients:
            client.join()

    def _serve(self, line: socket.socket) -> None:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(line, self._forward)
        with line, contextlib.suppress(OSError, ValueError):
            connection.say("* OK ready")
            while command := connection.hear():
                self._obey(connection, command)
        connection.close()

    def _obey(self, connection: Connection, command: str) -> None:
        connection.tag, _, words = command.partition(" ")
        verb = words.upper().removeprefix("UID ").split()[0] if words else "DONE"
        match verb:
            case "CAPABILITY":
                connection.say("* CAPABILITY IMAP4rev1 IDLE MOVE")
            case "LOGIN":
                self.dialled_at.append(self._now())
                connection.say(f"{connection.tag} {self.login}")
                return
            case "LIST":
                connection.say(f'* LIST () "/" {words.split()[-1]}')
            case "SELECT" | "EXAMINE":
                connection.say("* 0 EXISTS")
                connection.say("* OK [UIDVALIDITY 1] valid")
            case "SEARCH":
                connection.say("* SEARCH")
            case "IDLE":
                self.idling = connection
                self.manner(connection)
                return
            case "LOGOUT":
                connection.say("* BYE")
        connection.say(f"{connection.tag} OK done")


@contextmanager
def imap_server(now: Callable[[], float], forward: Callable[[float], None]) -> Iterator[ImapServer]:
    """Run a server. now, forward: the test's clock, in seconds."""
    server = ImapServer(now, forward)
    try:
        yield server
    finally:
        server.close()
