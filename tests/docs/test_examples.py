"""Every example of an order or a condition for players can be read in its game."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.model.games import GamePosition
from adjudicator.reports.messages import help_text, rules_text
from adjudicator.reports.order_sheet import SeatView, possible_orders, sheet_lines
from games.protocol import Form, Game, Seat
from orders.conditions import text_of
from orders.mail.body import FreshLine
from orders.reading.condition_blocks import Conditions
from orders.reading.forms import compile_forms, match_text
from orders.reading.letter_reader import LetterReading, read_lines
from orders.reading.lexicon import index_lexicon as names_of
from tests.kit.game_emails import PLAYER
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import NOON, OFFICE, MemoryRepository, address_for, new_position

VARYING = ("scenario", "opponent", "side", "mode", "units", "turns")
"""The options of games that change who plays, or with what."""

GAMES: list[tuple[str, str]] = [
    (kind, f"{option.name}={value}")
    for kind, game in sorted(games.kinds().items())
    for option in game.about.options
    if option.name in VARYING
    for value in option.values
] + [(kind, "") for kind in sorted(games.kinds())]


@dataclass(frozen=True)
class Shown:
    """A game that has just begun, as the player of a seat is shown it."""

    position: GamePosition
    seat: Seat

    @cached_property
    def game(self) -> Game:
        return self.position.game

    @cached_property
    def book(self):
        return parse_context(self.game, AuthenticatedSeat(self.position, self.seat, "token"))

    @cached_property
    def conditions(self) -> Conditions:
        lexicon = names_of(self.book.lexicon)
        return Conditions(self.game.notation.conditions, lexicon, self.book.phrase, lambda text: False)

    @cached_property
    def forms(self):
        return compile_forms(self.book.forms)

    def answer(self, *lines: str) -> str:
        """The text that answers a letter of this seat."""
        raw = letter("\n".join(lines), sender=PLAYER, to=address_for(self.position, self.seat), date=NOON)
        repository = MemoryRepository({self.position.name: self.position})
        return "\n".join(
            reply.text for reply in handle_letter(stored_letter(raw, NOON), repository, OFFICE, NOON).answers
        )

    def texts(self) -> Iterator[tuple[str, str]]:
        """Return the answers to HELP and RULES for this seat, before lines are broken."""
        asked = SeatView.of(self.game, self.position.state, self.seat)
        for topic in ("orders", "forms"):
            yield topic, help_text(topic, self.game, asked.view, possible_orders(asked))
        yield "orders", help_text("orders", self.game, asked.view)
        yield "rules", rules_text(self.game, None, asked.view)

    def read(self, *lines: str) -> LetterReading:
        return read_lines([FreshLine(text=line, source="body") for line in lines], self.book)

    def reads_order(self, text: str) -> bool:
        return bool(match_text(text, self.forms, names_of(self.book.lexicon))) or any(
            row.order is not None and row.grade == "taken" for row in self.read(text).orders
        )

    def reads_suggestion(self, text: str) -> bool:
        """Return whether the text that an error suggests can be read: one order or one of several."""
        return self.reads_order(text)

    def reads_condition(self, text: str) -> bool:
        return self.conditions.read(text) is not None


@cache
def list_readers(kind: str, choice: str) -> tuple[Shown, ...]:
    """A game of a kind, to the player of each seat that may be told other things."""
    name, _, value = choice.partition("=")
    options = {name: value} if choice else {}
    seats = new_position(kind, options=options).assignments
    people = {seat: PLAYER for seat in seats if seat != "ai"}
    return tuple(
        Shown(new_position(kind, people={seat: PLAYER}, options=options), seat) for seat in list(people)[:3]
    )


def rows_of(text: str) -> Iterator[str]:
    return (line.removeprefix("| ") for line in text.splitlines() if line.startswith("|"))


def by_name(text: str, names: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Return the rows of a list or a table about forms, with the text beside each."""
    for row in rows_of(text):
        for name in sorted(names, key=len, reverse=True):
            found = re.match(rf"{re.escape(name)}(?::|  ) *(.+)", row)
            if found:
                yield name, found[1]
                break


def form_names(forms: tuple[Form, ...]) -> dict[str, Form]:
    return {form.name.replace("-", " "): form for form in forms}


@pytest.mark.parametrize(("kind", "choice"), GAMES)
def test_the_lists_of_help_are_read_where_they_are_shown(kind: str, choice: str) -> None:
    """HELP ORDERS, HELP FORMS and RULES, to each seat."""
    for page in list_readers(kind, choice):
        names = form_names(page.book.forms) | {"IF may ask": None}
        unread, count = [], 0
        for asked, text in page.texts():
            for name, cell in by_name(text, names):
                for example in re.split(r"  or  ", cell):
                    reads = page.reads_condition if name == "IF may ask" else page.reads_order
                    count += 1
                    if not reads(example.strip()):
                        unread.append((asked, name, example.strip()))
        assert count
        assert unread == [], (page.seat, unread)


@pytest.mark.parametrize(("kind", "choice"), GAMES)
def test_every_condition_has_an_example_and_is_written_back(kind: str, choice: str) -> None:
    """Replies show it in a form that is read as the same condition."""
    for page in list_readers(kind, choice):
        read = {form.name: False for form in page.game.notation.conditions}
        for form in page.game.notation.conditions:
            tree = page.conditions.read(form.example)
            if tree is not None:
                read[form.name] = True
                assert page.conditions.read(text_of(tree)) == tree, (page.seat, form.example)
        assert [name for name, is_read in read.items() if not is_read] == [], page.seat


@pytest.mark.parametrize(("kind", "choice"), GAMES)
def test_the_blocks_that_help_shows_are_read(kind: str, choice: str) -> None:
    """IF, THEN, ELSE and ENDIF with orders between them: nothing of it is a mistake of form."""
    for page in list_readers(kind, choice):
        text = page.answer("HELP orders")
        (block,) = re.findall(r"^\| IF .*?^\| ENDIF", text, re.MULTILINE | re.DOTALL)
        reading = page.read(*rows_of(block))
        assert len(reading.orders) >= 2
        for row in reading.orders:
            assert row.order is not None or page.reads_order(row.line), (page.seat, row)


@pytest.mark.parametrize(("kind", "choice"), GAMES)
def test_what_errors_say_to_write_is_read(kind: str, choice: str) -> None:
    """For conditions that no game knows, and for each order with an unknown name."""
    for page in list_readers(kind, choice):
        faulty = page.read("IF pigs can fly THEN", "ENDIF", "ELSE", "STOP IF pigs can fly")
        told = [row.instead for row in faulty.orders if row.instead]
        assert told
        for instead in told:
            condition = re.fullmatch(r"(?:STOP )?IF (.*?)(?: THEN)?", instead)
            assert condition is not None, instead
            assert page.reads_condition(condition[1]), (page.seat, instead)
        unread = []
        for form in page.game.notation.forms:
            words = form.example.split(" ")
            for place in range(len(words)):
                line = " ".join([*words[:place], "Xyzzyq", *words[place + 1 :]])
                unread.extend(
                    (line, row.instead)
                    for row in page.read(line).orders
                    if row.grade == "unread" and row.instead and not page.reads_suggestion(row.instead)
                )
        assert unread == [], (page.seat, unread)


@pytest.mark.parametrize(("kind", "choice"), GAMES)
def test_the_first_order_sheet_is_read(kind: str, choice: str) -> None:
    for page in list_readers(kind, choice):
        position, game = page.position, page.game
        dues = [due for due in game.rules.due(position.state) if due.seat == page.seat]
        lines = sheet_lines(game, position.state, dues, (), page.seat)
        for row in page.read(*lines).orders:
            assert row.order is not None or page.reads_order(row.line), (page.seat, row)
