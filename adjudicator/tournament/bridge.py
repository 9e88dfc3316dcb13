"""A process that plays a seat: one JSON line in for each question, one out for each answer."""

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from adjudicator.errors import Refusal

ANSWER_TIMEOUT_SECONDS = 10.0
"""So many seconds an answer may take."""

MAX_BOT_ANSWER_BYTES = 1_000_000
"""A line of more bytes than these is no answer."""


class NoAnswer(Exception):
    """There is no answer; why says it in words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def program(command: str) -> list[str]:
    """The words of a command line. Raises Refusal where no program can be started by it."""
    try:
        words = shlex.split(command)
    except ValueError as fault:
        raise Refusal(f"command {command}", "its quotation marks do not match") from fault
    if not words:
        raise Refusal("command", "is empty", 'write the command that starts the bot: "python3 mybot.py"')
    if shutil.which(words[0]) is None:
        raise Refusal(f"command {command}", f"there is no program {words[0]}", "give its path, or install it")
    return words


class BotProcess:
    """One process. It is begun with the first question, and ended by `close`.

    Each question has a number, and an answer must repeat it: so one that comes too late is never taken for
    that of the next question.
    """

    def __init__(self, command: str, patience: float = ANSWER_TIMEOUT_SECONDS) -> None:
        self._words = program(command)
        self._patience = patience
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._said: SimpleQueue[bytes | None] = SimpleQueue()
        self._asked: SimpleQueue[bytes | None] = SimpleQueue()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a question. Raises Silent where there is none in time, or it cannot be read."""
        if self._process is None:
            self._begin()
        number = next(self._numbers)
        self._asked.put(json.dumps({"id": number, **question}).encode() + b"\n")
        for line in self._lines():
            answer = _read(line)
            if answer.get("id") == number:
                return answer
        raise NoAnswer(f"no answer came within {self._patience:g} seconds")

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            self._asked.put(None)
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None, "both are pipes"
                with suppress(OSError):
                    pipe.close()

    def _lines(self) -> Iterator[bytes]:
        """Yield what the process writes until the time is over."""
        until = monotonic() + self._patience
        while (seconds := until - monotonic()) > 0:
            try:
                line = self._said.get(timeout=seconds)
            except Empty:
                return
            if line is None:
                self.close()
                raise NoAnswer("the process ended without an answer")
            yield line

    def _begin(self) -> None:
        try:
            process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as fault:
            raise NoAnswer(f"the process cannot be started: {fault.strerror}") from fault
        self._process, self._said, self._asked = process, SimpleQueue(), SimpleQueue()
        # Two threads, since a process that neither reads nor writes must not hold anybody up.
        Thread(target=_deliver, args=(process, self._asked), daemon=True).start()
        Thread(target=_collect, args=(process, self._said), daemon=True).start()


def _deliver(process: "subprocess.Popen[bytes]", asked: "SimpleQueue[bytes | None]") -> None:
    assert process.stdin is not None, "it is a pipe"
    with suppress(OSError, ValueError):
        while (line := asked.get()) is not None:
            process.stdin.write(line)
            process.stdin.flush()


def _collect(process: "subprocess.Popen[bytes]", lines: "SimpleQueue[bytes | None]") -> None:
    assert process.stdout is not None, "it is a pipe"
    with suppress(OSError, ValueError):
        while line := process.stdout.readline(MAX_BOT_ANSWER_BYTES):
            lines.put(line)
    lines.put(None)


def _read(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise NoAnswer("the answer is no JSON") from fault
    if not isinstance(answer, dict):
        raise NoAnswer('the answer is no JSON object: write {"id": ..., "orders": [...]}')
    return answer
