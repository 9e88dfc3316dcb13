"""Bots in other programs: a process gets the position, and answers with orders in players' notation."""

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from adjudicator import judge
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from games.dice import Dice, SealedDice
from games.options import settle
from games.protocol import Bot, Choice, Due, Game, Invalid, Judge, Order, State, View

# A process that plays a seat reads each question as a JSON line and answers with one.


ANSWER_TIMEOUT_SECONDS = 10.0
"""The time limit for an answer, in seconds."""

MAX_BOT_ANSWER_BYTES = 1_000_000
"""The maximum length of an answer."""


class NoAnswerError(Exception):
    """Raised without an answer. why: the reason in words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def program(command: str) -> list[str]:
    """Return the words of a command line. Raises Refusal if no program can be started by it."""
    try:
        words = shlex.split(command)
    except ValueError as fault:
        raise Refusal(f"Can't run {command}", "its quotation marks don't match") from fault
    if not words:
        raise Refusal("The command is empty", "", 'Write the command that starts the bot: "python3 mybot.py"')
    if shutil.which(words[0]) is None:
        raise Refusal(
            f"Can't run {command}", f"the program {words[0]} isn't installed", "Give its path, or install it"
        )
    return words


class BotProcess:
    """One process, which starts with the first question and ends with `close`.

    Each question has a number that its answer must repeat, so that a late answer never counts for the next
    question.
    """

    def __init__(self, command: str, patience: float = ANSWER_TIMEOUT_SECONDS) -> None:
        self._words = program(command)
        self._patience = patience
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._said: SimpleQueue[bytes | None] = SimpleQueue()
        self._asked: SimpleQueue[bytes | None] = SimpleQueue()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question. Raises NoAnswerError if it is late or unreadable."""
        if self._process is None:
            self._begin()
        number = next(self._numbers)
        self._asked.put(json.dumps({"id": number, **question}).encode() + b"\n")
        for line in self._lines():
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
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None, "both are pipes"
                with suppress(OSError):
                    pipe.close()

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines that the process writes until the time limit."""
        until = monotonic() + self._patience
        while (seconds := until - monotonic()) > 0:
            try:
                line = self._said.get(timeout=seconds)
            except Empty:
                return
            if line is None:
                self.close()
                raise NoAnswerError("the process ended without an answer")
            yield line

    def _begin(self) -> None:
        try:
            process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as fault:
            raise NoAnswerError(f"the process can't be started: {fault.strerror}") from fault
        self._process, self._said, self._asked = process, SimpleQueue(), SimpleQueue()
        # Two threads, so that a process that neither reads nor writes can't block us.
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
        raise NoAnswerError("the answer isn't JSON") from fault
    if not isinstance(answer, dict):
        raise NoAnswerError('the answer isn\'t a JSON object: write {"id": ..., "orders": [...]}')
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

    def __init__(self, game: Game, name: str, command: str, patience: float = ANSWER_TIMEOUT_SECONDS) -> None:
        self._game, self._name = game, name
        self._bridge = BotProcess(command, patience)
        self._parse_text = judge.build_order_reader(game)
        self._missed = 0
        self.remarks: list[str] = []

    def orders(self, view: View, due: Due, _dice: Dice) -> tuple[Choice[Order], ...]:
        """Return its legal orders. Remarks on all others."""
        if self._missed >= MAX_UNANSWERED:
            return ()
        try:
            answer = self._bridge.ask(self._question(view, due))
            texts = _texts(answer)
        except NoAnswerError as silence:
            self._missed += 1
            self._remark(view, due, silence.why)
            if self._missed >= MAX_UNANSWERED:
                self._remark(view, due, "too many answers are missing, so we stop asking it in this game")
                self._bridge.close()
            return ()
        self._missed = 0
        return self._read(
            view, due, texts, str(answer.get("reason") or "chosen by its bot")[:_MAX_REASON_LENGTH]
        )

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
        raise NoAnswerError('the answer has no orders: write {"id": ..., "orders": ["A PAR - BUR"]}')
    return texts


def check(game: Game, options: Mapping[str, Any], foreign: Mapping[str, str]) -> None:
    """Check names for bots, and that a kind's positions are fully public. Raises Refusal."""
    taken = (*game.bots, *game.sparring, "hold")
    for name in foreign:
        if name in taken or not name.replace("-", "").isalnum():
            raise Refusal(
                f'Can\'t call a bot "{name}"', "a bot can't have that name", "Use letters, digits and hyphens"
            )
    settled = settle(game.about.options, options)
    state = game.rules.setup(settled, SealedDice(b"", game.about.kind, 0)).state
    seats = game.about.seats(settled)
    # With hidden information, a view is never the state itself, even if it is equal so far.
    is_open = all(game.rules.view(state, seat) is state for seat in seats)
    view = game.rules.view(state, seats[0])
    can_list = game.rules.legal_orders(view, seats[0]) is not None
    if not (isinstance(game.whatif, Judge) and can_list and is_open):
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
