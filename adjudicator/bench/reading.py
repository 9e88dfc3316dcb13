"""Benchmark of reading a letter: parsed, cleaned, matched and judged."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.bench.figures import Figure, middle, time_actions
from adjudicator.inbound.dry_run import opening_of, position_of
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.kinds import find_kind
from adjudicator.model.games import GamePosition
from adjudicator.reports.order_sheet import sheet
from games.dice import SealedDice
from games.protocol import Game, Seat
from orders.mail.body import SHEET_TITLE, fresh_lines
from orders.mail.letter import open_letter
from orders.reading.letter_reader import read_lines

READING_AIM_MS = 0.8
"""Of processor time, from the bytes of a letter to the verdicts."""

SIZE_BYTES = 4_096
"""A typical letter: some orders, a greeting, and the report that it answers."""

_LETTER_HEAD = (
    "From: player@example.net\r\nTo: gm@example.org\r\nSubject: Re: [bench {turn} {seat}] {name}\r\n"
    "Message-ID: <{number}@example.net>\r\nIn-Reply-To: <0@example.org>\r\n"
    "Date: Mon, 5 Jan 2026 10:00:00 +0100\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
)
_TEXT_ABOVE_ORDERS = ("", "Hello all,\n\nhere are my orders for this turn:\n\n", "1. ")
_TEXT_BELOW_ORDERS = (
    "",
    "\nI hope that nobody attacks me next year. Good luck!\n",
    "\nSent from my iPhone\n",
)


def measure(kind: str, letters: int) -> tuple[Figure, ...]:
    """The medians over some letters of every seat of a kind of game, each step alone and all together.

    Raises Refusal for a kind that there is not.
    """
    game = find_kind(kind)
    position = position_of(game, opening_of(game))
    seats = list(position.chairs)
    work = [ReadingSteps(game, position, seats[number % len(seats)], number) for number in range(letters)]
    for reading in work[: len(seats)]:
        reading.whole()
    note = f"{letters} letters of {SIZE_BYTES / 1024:.0f} KB"
    whole = middle(time_actions([reading.whole for reading in work]), "a letter read and judged", note)
    verdict = "within the aim" if whole.value <= READING_AIM_MS else "above the aim"
    return (
        whole,
        Figure(
            what="of that, against the aim", value=whole.value / READING_AIM_MS, unit="times", note=verdict
        ),
        *(middle(time_actions(steps), what) for what, steps in _steps(work)),
    )


class ReadingSteps:
    """One letter, and the steps in which it is read; each step keeps what it found for the next.

    raw: its bytes; filed, once it was judged: what became of its orders.
    """

    def __init__(self, game: Game, position: GamePosition, seat: Seat, number: int) -> None:
        self.game, self.seated = game, AuthenticatedSeat(position, seat, "bench")
        self.sheet = sheet(game, position, seat)
        self.raw = _letter(game, position, seat, self.sheet, number)

    def whole(self) -> None:
        """The way of the letter from its bytes to the verdicts."""
        for step in (self.parse, self.clean, self.match, self.judge):
            step()

    def parse(self) -> None:
        """Find the letter in its bytes."""
        self.letter = open_letter(self.raw)

    def clean(self) -> None:
        """Find the lines of it that are new."""
        self.lines = fresh_lines(self.letter, self.sheet)

    def match(self) -> None:
        """Find the orders in them."""
        self.reading = read_lines(self.lines, parse_context(self.game, self.seated))

    def judge(self) -> None:
        """Find what becomes of the orders."""
        self.filed = file_orders(self.game, self.seated, self.reading.orders, (), 0)


def _steps(work: Sequence[ReadingSteps]) -> Iterator[tuple[str, list[Callable[[], None]]]]:
    yield "its bytes parsed", [reading.parse for reading in work]
    yield "what is new in it found", [reading.clean for reading in work]
    yield "its orders matched", [reading.match for reading in work]
    yield "its orders judged", [reading.judge for reading in work]


def _letter(game: Game, position: GamePosition, seat: Seat, printed: Sequence[str], number: int) -> bytes:
    """A letter with a bot's orders above the quoted report."""
    turn = game.rules.turn(position.state)
    head = _LETTER_HEAD.format(turn=turn.short, seat=seat, name=turn.name, number=number)
    orders = "\n".join(_orders(game, position, seat, number))
    body = (
        f"{_TEXT_ABOVE_ORDERS[number % 3]}{orders}\n{_TEXT_BELOW_ORDERS[number % 3]}\nOn Monday, 5 January "
        f"2026, Turnpost wrote:\n"
    )
    tail = [f"> {SHEET_TITLE}", ">", *(f"> {line}" for line in printed), ">"]
    space = SIZE_BYTES - len(head) - len(body) - sum(len(line) + 1 for line in tail)
    # No two letters have a line in common but their orders, so that nothing is remembered of the last one.
    story = [f"> {printed[0] if printed else seat}: line {line} of report {number}" for line in range(199)]
    while sum(len(line) + 1 for line in story) > space:
        story.pop()
    return (head + body + "\n".join((*story, *tail)) + "\n").encode()


def _orders(game: Game, position: GamePosition, seat: Seat, number: int) -> list[str]:
    bot, view = next(iter(game.bots.values())), game.rules.view(position.state, seat)
    dice = SealedDice(b"bench", "reading", number)
    ask = partial(bot.orders, view, dice=dice)
    dues = [due for due in game.rules.due(position.state) if due.seat == seat]
    return [game.notation.write(choice.order) for due in dues for choice in ask(due)]
