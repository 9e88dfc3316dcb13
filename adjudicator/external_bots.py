"""Bots in other programs: a process gets the position, and answers with orders in players' notation."""

import json
import os
import secrets
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

from adjudicator import judge
from adjudicator.config.service import OwnBot
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from adjudicator.turns.bots import BotFailure, has_open_positions
from games.dice import Dice, SealedDice
from games.options import settle
from games.protocol import Bot, Choice, Due, Game, Invalid, Judge, Order, Seat, State, View
from games.record import Value

# A process that plays a seat reads each question as a JSON line and answers with one.


ANSWER_TIMEOUT_SECONDS = 10.0
"""The time limit for an answer, in seconds."""

MAX_BOT_ANSWER_BYTES = 1_000_000
"""The maximum length of an answer."""

MAX_LINES_PER_ANSWER, MAX_WAITING_LINES = 1000, 4
"""The maximum number of lines that are read for one answer, and that wait to be read."""


class NoAnswerError(Exception):
    """Raised without an answer. why: the reason in words. is_unreadable: whether something came."""

    def __init__(self, why: str, *, is_unreadable: bool = False) -> None:
        super().__init__(why)
        self.why, self.is_unreadable = why, is_unreadable


def program(command: str, folder: Path = Path()) -> list[str]:
    """Return the words of a command line. Raises Refusal if no program can be started by it.

    folder: where it is started.
    """
    try:
        words = shlex.split(command)
    except ValueError as fault:
        raise Refusal(f"Can't run {command}", "its quotation marks don't match") from fault
    if not words:
        raise Refusal("The command is empty", "", 'Write the command that starts the bot: "python3 mybot.py"')
    if shutil.which(str(folder / words[0]) if "/" in words[0] else words[0]) is None:
        raise Refusal(
            f"Can't run {command}", f"the program {words[0]} isn't installed", "Give its path, or install it"
        )
    return words


class BotProcess:
    """One process, which starts with the first question and ends with `close`.

    Each question has a number that its answer must repeat, so that a late answer never counts for the next
    question. limits: its limits, if it isn't the user's own program of this moment.
    """

    def __init__(
        self, command: str, patience: float = ANSWER_TIMEOUT_SECONDS, limits: "ProcessLimits | None" = None
    ) -> None:
        self._words = program(command, limits.folder if limits is not None else Path())
        self._patience = patience
        self._limits = limits
        self._family: ProcessFamily | None = None
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: Queue[bytes | None] = Queue(MAX_WAITING_LINES)
        self._asked: SimpleQueue[bytes | None] = SimpleQueue()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question. Raises NoAnswerError if it is late or unreadable."""
        if self._process is None:
            self._begin()
        number = next(self._numbers)
        self._asked.put(json.dumps({"id": number, **question}).encode() + b"\n")
        for count_of_lines, line in enumerate(self._lines()):
            if count_of_lines >= MAX_LINES_PER_ANSWER:
                raise NoAnswerError(f"it wrote more than {MAX_LINES_PER_ANSWER} lines without the answer")
            answer = _read(line)
            if answer.get("id") == number:
                return answer
        raise NoAnswerError(f"no answer came within {self._patience:g} seconds")

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            self._asked.put(None)
            process.kill()
            process.wait()
            if self._family is not None:
                self._family.close()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None, "both are pipes"
                with suppress(OSError):
                    pipe.close()

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines that the process writes until the time limit."""
        until = monotonic() + self._patience
        while (seconds := until - monotonic()) > 0:
            try:
                line = self._answers.get(timeout=seconds)
            except Empty:
                return
            if line is None:
                self.close()
                if self._family is not None and self._family.is_too_large:
                    raise NoAnswerError(f"it needed more than {self._family.memory_mb} MB of memory")
                raise NoAnswerError("the process ended without an answer")
            yield line

    def _begin(self) -> None:
        try:
            words, limits = self._words, self._limits
            if limits is not None:
                self._family = ProcessFamily(limits.memory_mb)
                process = limits.start(words, self._family.mark)
            else:
                process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as fault:
            raise NoAnswerError(f"the process can't be started: {fault.strerror}") from fault
        self._process, self._answers, self._asked = process, Queue(MAX_WAITING_LINES), SimpleQueue()
        # Two threads, so that a process that neither reads nor writes can't block us.
        Thread(target=_deliver, args=(process, self._asked), daemon=True).start()
        Thread(target=_collect, args=(process, self._answers), daemon=True).start()
        if self._family is not None:
            Thread(target=self._family.watch, daemon=True).start()


def _deliver(process: "subprocess.Popen[bytes]", asked: "SimpleQueue[bytes | None]") -> None:
    assert process.stdin is not None, "it is a pipe"
    with suppress(OSError, ValueError):
        while (line := asked.get()) is not None:
            process.stdin.write(line)
            process.stdin.flush()


def _collect(process: "subprocess.Popen[bytes]", lines: "Queue[bytes | None]") -> None:
    """Queue the lines that a process writes. While the queue is full, the process has to wait."""
    assert process.stdout is not None, "it is a pipe"
    with suppress(OSError, ValueError):
        while (line := process.stdout.readline(MAX_BOT_ANSWER_BYTES)) and _put(process, lines, line):
            pass
    _put(process, lines, None)


def _put(process: "subprocess.Popen[bytes]", lines: "Queue[bytes | None]", line: bytes | None) -> bool:
    """Queue a line. Return False if the process ends before there is room."""
    while True:
        try:
            lines.put(line, timeout=0.5)
        except Full:
            if process.poll() is not None:
                return False
        else:
            return True


class ProcessLimits(Value, frozen=True):
    """The limits of a program that plays at a table.

    It starts in a folder, with a bounded memory and without the service's environment, which may hold
    passwords. Its standard error is dropped. The bound is that of each process; `ProcessFamily` holds that of
    all together.
    """

    folder: Path
    memory_mb: int

    def start(self, words: Sequence[str], mark: str) -> "subprocess.Popen[bytes]":
        """Start a program within the limits. mark: identifies it and all that it starts. Raises OSError."""
        # The shell sets the limit and becomes the program. Other ways aren't safe with threads.
        bounded = ["/bin/sh", "-c", 'ulimit -d "$0" && exec "$@"', str(self.memory_mb * 1024), *words]
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TZ")}
        return subprocess.Popen(
            bounded,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env={**kept, _MARK_VARIABLE: mark},
            start_new_session=True,
        )


_MARK_VARIABLE = "TURNPOST_BOT"
_WATCH_SECONDS = 0.1
_KILL_ROUNDS = 50
_PROCESSES = Path("/proc")


class ProcessFamily:
    """A program within limits and everything that it has started.

    They have a mark in their environment, by which Linux finds them also after they have left their parent
    and its session. On other systems none is found, and only the program itself ends.
    """

    def __init__(self, memory_mb: int) -> None:
        self.mark, self.memory_mb = secrets.token_hex(8), memory_mb
        self.is_too_large = False
        self._closed = Event()

    def watch(self) -> None:
        """Kill all of it as soon as it needs more memory than it may. Returns after `close`."""
        while not self._closed.wait(_WATCH_SECONDS):
            if sum(map(_memory_kb, self._members())) > self.memory_mb * 1024:
                self.is_too_large = True
                self._kill()

    def close(self) -> None:
        """Kill what is left of it."""
        self._closed.set()
        self._kill()

    def _kill(self) -> None:
        for _ in range(_KILL_ROUNDS):  # one may start another while we look
            members = self._members()
            for number in members:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            if not members:
                return
            sleep(_WATCH_SECONDS / 10)

    def _members(self) -> list[int]:
        """Return the numbers of its processes. A process that has ended has no environment any more."""
        marked, members = f"{_MARK_VARIABLE}={self.mark}".encode(), []
        for folder in _PROCESSES.glob("[0-9]*"):
            with suppress(OSError):  # it has ended, or is another user's
                if marked in (folder / "environ").read_bytes().split(b"\0"):
                    members.append(int(folder.name))
        return members


def _memory_kb(number: int) -> int:
    """Return the memory of a process in kB, with its part of the memory that it shares with others."""
    with suppress(OSError, ValueError):
        rows = (_PROCESSES / str(number) / "smaps_rollup").read_text().splitlines()
        return sum(int(row.split()[1]) for row in rows if row.startswith(("Pss:", "SwapPss:")))
    return 0


def _read(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise NoAnswerError("the answer isn't JSON", is_unreadable=True) from fault
    if not isinstance(answer, dict):
        why = 'the answer isn\'t a JSON object: write {"id": ..., "orders": [...]}'
        raise NoAnswerError(why, is_unreadable=True)
    return answer


MAX_UNANSWERED = 3
"""After this many unanswered questions in a row we stop asking."""

_MAX_REASON_LENGTH = 200
"""The maximum length of a reason, in characters."""


class ExternalBot(Bot[View, Order]):
    """Asks a process for the orders of one seat: implements `protocol.Bot`.

    Where an answer is missing, the rules' default applies, as for a player who sent nothing. remarks: the
    problems with its answers.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        command: str,
        patience: float = ANSWER_TIMEOUT_SECONDS,
        limits: ProcessLimits | None = None,
    ) -> None:
        self._game, self._name = game, name
        self._bridge = BotProcess(command, patience, limits)
        self._parse_text = judge.build_order_reader(game)
        self._missed = 0
        self.remarks: list[str] = []

    def orders(self, view: View, due: Due, _dice: Dice) -> tuple[Choice[Order], ...]:
        """Return its legal orders. Remarks on all others."""
        if self._missed >= MAX_UNANSWERED:
            return ()
        try:
            choices = self.orders_or_raise(view, due)
        except NoAnswerError as silence:
            self._missed += 1
            self._remark(view, due, silence.why)
            if self._missed >= MAX_UNANSWERED:
                self._remark(view, due, "too many answers are missing, so we stop asking it in this game")
                self._bridge.close()
            return ()
        self._missed = 0
        return choices

    def orders_or_raise(self, view: View, due: Due) -> tuple[Choice[Order], ...]:
        """Return its legal orders. Raises NoAnswerError without an answer that can be read."""
        answer = self._bridge.ask(self._question(view, due))
        reason = " ".join(str(answer.get("reason") or "chosen by its bot").split())
        shown = "".join(char for char in reason if char.isprintable())[:_MAX_REASON_LENGTH]
        return self._read(view, due, _texts(answer), shown)

    def close(self) -> None:
        """End the process."""
        self._bridge.close()

    def _question(self, view: View, due: Due) -> dict[str, Any]:
        judge, rules = self._game.whatif, self._game.rules
        assert isinstance(judge, Judge), "check refuses others"
        possible: dict[str, list[str]] = {}
        for candidate in rules.legal_orders(view, due.seat) or ():
            possible.setdefault(candidate.of, []).append(self._game.notation.write(candidate.order))
        owed = {"kind": due.kind, "takes": due.takes, "owes": [owed_order.name for owed_order in due.owes]}
        asked = {"kind": self._game.about.kind, "seat": due.seat, "due": owed, "possible": possible}
        return {**asked, **judge.question(view)}

    def _read(self, view: View, due: Due, texts: Sequence[str], reason: str) -> tuple[Choice[Order], ...]:
        """Return the orders in some texts, the first for each slot, and not more than are due."""
        orders: list[Order] = []
        for text in texts:
            order, problem = self._parse_order(view, due, text)
            if order is None:
                self._remark(view, due, f"{text}: {problem}")
            elif due.takes is None and order.slot in {other.slot for other in orders}:
                self._remark(view, due, f"{text}: it already has an order")
            elif due.takes is not None and len(orders) >= due.takes:
                self._remark(view, due, f"{text}: only {due.takes} are due")
            else:
                orders.append(order)
        given = {other.slot for other in orders}
        missing = [owed_order.name for owed_order in due.owes if owed_order.slot not in given]
        if missing:
            self._remark(view, due, f"no order for {', '.join(missing)}")
        return tuple(Choice(order=order, reason=reason) for order in orders)

    def _parse_order(self, view: View, due: Due, text: str) -> tuple[Order | None, str]:
        parsed = self._parse_text(view, due.seat, text)
        if parsed.order is None or parsed.problem is not None:
            return None, parsed.problem or "this isn't an order"
        objection = self._game.rules.check(view, due.seat, parsed.order)
        if objection is not None:
            return None, f"it is against the rules: {objection.code}"
        return parsed.order, ""

    def _remark(self, view: View, due: Due, what: str) -> None:
        self.remarks.append(f"{self._name} as {due.seat}, {self._game.rules.turn(view).short}: {what}")


def _texts(answer: Mapping[str, Any]) -> list[str]:
    texts = answer.get("orders")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        why = 'the answer has no orders: write {"id": ..., "orders": ["A PAR - BUR"]}'
        raise NoAnswerError(why, is_unreadable=True)
    return texts


# The GM's own bots at a table.


MAX_SECONDS_PER_TURN = 60.0
"""How long all of them together may take for one deadline or email, so that other games needn't wait long."""


class TablePrograms:
    """The GM's own bots at one table, for the turns of one deadline or email: a `ProgramAsker`.

    Each seat has its own process, which ends with `close`, or when it fails once.
    """

    def __init__(self, bots: Sequence[OwnBot]) -> None:
        self._bots = {bot.name: bot for bot in bots}
        self._until = monotonic() + MAX_SECONDS_PER_TURN
        self._processes: dict[Seat, ExternalBot] = {}
        self._failures: dict[Seat, BotFailure] = {}

    def ask(self, game: Game, name: str, view: View, due: Due) -> tuple[Choice[Order], ...] | BotFailure:
        """Return the orders of the bot with a name, or why there are none."""
        if due.seat not in self._failures:
            answer = self._ask(game, name, view, due)
            if not isinstance(answer, str):
                return answer
            self._failures[due.seat] = answer
        return self._failures[due.seat]

    def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.close()

    def _ask(self, game: Game, name: str, view: View, due: Due) -> tuple[Choice[Order], ...] | BotFailure:
        bot = self._bots.get(name)
        if bot is None:
            return "not-there"
        if not bot.is_agreed:
            return "not-agreed"
        seconds = min(bot.seconds, self._until - monotonic())
        if seconds <= 0:
            return "no-answer"
        try:
            process = self._processes.get(due.seat)
            if process is None:
                limits = ProcessLimits(bot.folder, bot.memory_mb)
                process = ExternalBot(game, bot.name, bot.command, seconds, limits)
                self._processes[due.seat] = process
            choices = process.orders_or_raise(view, due)
        except Refusal:
            return "not-there"
        except NoAnswerError as fault:
            process = self._processes[due.seat]
            process.close()
            return "unreadable" if fault.is_unreadable else "no-answer"
        return choices if choices or not due.owes else "unreadable"


def check(game: Game, options: Mapping[str, Any], foreign: Mapping[str, str]) -> None:
    """Check names for bots, and that a kind's positions are fully public. Raises Refusal."""
    taken = (*game.bots, *game.sparring, "hold")
    for name in foreign:
        if name in taken or not name.replace("-", "").isalnum():
            raise Refusal(
                f'Can\'t call a bot "{name}"', "a bot can't have that name", "Use letters, digits and hyphens"
            )
    if not has_open_positions(game, settle(game.about.options, options)):
        raise Refusal(
            f"Can't play {game.about.kind} with another program",
            "it has hidden information, so its positions can't be sent",
        )


def ask_external(
    kind: str, command: str, patience: float = ANSWER_TIMEOUT_SECONDS
) -> "tuple[judge.Ask, ExternalBot]":
    """Return a function that answers positions with a process's orders, and the bot behind it.

    The function is like that of `judge.find_bot`. Its answers have one more key: `remarks`, the problems.
    """
    game = find_kind(kind)
    check(game, {}, {})
    foreign = ExternalBot(game, command, command, patience)

    def ask(question: Any) -> dict[str, Any]:
        judge = game.whatif
        assert judge is not None, "check refuses others"
        seat = question.get("seat") if isinstance(question, dict) else None
        if not isinstance(seat, str):
            raise Invalid("seat", "is missing")
        state: State = judge.position({key: value for key, value in question.items() if key != "seat"})
        before = len(foreign.remarks)
        choices = [
            choice
            for due in game.rules.due(state)
            if due.seat.casefold() == seat.casefold()
            for choice in foreign.orders(game.rules.view(state, due.seat), due, SealedDice(b"", kind, 0))
        ]
        texts = [game.notation.write(choice.order) for choice in choices]
        reasons = {text: choice.reason for text, choice in zip(texts, choices, strict=True)}
        return {"orders": texts, "reasons": reasons, "remarks": foreign.remarks[before:]}

    return ask, foreign
