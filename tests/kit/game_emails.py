"""Emails of real games: what one seat's player reads about turns that bots have played."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import games
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.model.addresses import reply_address
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import AdjudicationResult, GamePosition, SeatAssignment
from adjudicator.model.mail import LetterDraft
from adjudicator.model.people import DEFAULT_STYLE
from adjudicator.outbound.composer import draw_map, map_caption
from adjudicator.reports import messages, phone
from adjudicator.reports.messages import LetterReader
from adjudicator.reports.order_sheet import missing, sheet
from adjudicator.reports.report import PressItem, compile_report, opening_report, without_proof
from adjudicator.turns.runner import play_turns, position_after
from games.dice import SealedDice, commitment
from games.options import settle
from games.protocol import Game, Order, Seat
from games.record import replace_fields
from orders.mail.body import SHEET_TITLE
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import OFFICE, MemoryRepository, address_for

PLAYER = "player@example.org"
DEADLINE, DAY = 1_784_910_000_000, 86_400_000
SECRET = b"what the kit's dice rest on"
PRESS = (
    PressItem("From somebody to all", "Whoever reads this: trust nobody.\n\nNot even this letter."),
    PressItem("From the gamesmaster to all", "Have a fine season."),
)


@dataclass(frozen=True)
class LettersOfTurn:
    """The turns of one deadline: the game, the position after it, and the results."""

    game: Game
    position: GamePosition
    played: AdjudicationResult

    @property
    def seat(self) -> Seat:
        """The player's seat."""
        return next(seat for seat, assignment in self.position.assignments.items() if assignment.is_person)

    def report(self, *, whole: bool = False, sheet_page: str = "") -> LetterDraft:
        """Return the report to that seat, with press and a map, as it is by default.

        whole: as a reader gets it who asked for LETTERS FULL. sheet_page: the address of the order page.
        """
        report = compile_report(
            self.game,
            self.position,
            self.played,
            self.seat,
            commitment=commitment(SECRET),
            press=PRESS,
        )
        report = replace_fields(report, sheet_page=sheet_page)
        enclosed = messages.Enclosed(picture=self.map[1], front=self.map[2])
        if whole or report.result:
            return messages.turn_report(self.game, report, self.reader, enclosed)
        earlier, now = (
            self.game.telling.tables(self.game.rules.view(state, self.seat))
            for state in (self.played.steps[0].before, self.played.state)
        )
        page = phone.fit_phone(self.game, report, DEFAULT_STYLE, earlier, now)
        return messages.turn_report(self.game, without_proof(report), self.reader, enclosed, on_page=page)

    @property
    def reader(self) -> LetterReader:
        """Return that player as a reader."""
        return LetterReader(
            address=PLAYER,
            game=self.position.name,
            seat=self.seat,
            turn=self.game.rules.turn(self.position.state).short,
            token="abcdefghijkl2",
            reply_address=reply_address("gm@example.org", self.position.name, self.seat, "abcdefghijkl2"),
        )

    def welcome(self) -> LetterDraft:
        """Return the welcome to a new player of the seat, with a password."""
        begins = opening_report(self.game, self.position, self.seat, commitment=commitment(SECRET))
        return messages.welcome(
            self.game,
            begins,
            self.reader,
            password="three-canoes",
            enclosed=messages.Enclosed(picture=self.map[1]),
        )

    def reminder(self) -> LetterDraft:
        """Return the reminder to that seat, which has no saved orders."""
        return messages.reminder(
            self.game,
            self.reader,
            "reminder",
            messages.OverdueOrders(
                turn=self.game.rules.turn(self.position.state),
                deadline=DEADLINE,
                missing=missing(self.game, self.position.state, (), self.seat),
                sheet=sheet(self.game, self.position, self.seat),
                now=DEADLINE - DAY,
            ),
        )

    def verdict(self) -> LetterDraft:
        """Return the reply to an email with a bot's orders, a mistake and every possible request."""
        written = map(self.game.notation.write, _choices(self.game, self.position, self.seat))
        asked = (*written, "Winnipesaukee - Mississippi", "STATUS", "ORDERS", "HELP orders", "HELP press")
        to = address_for(self.position, self.seat)
        raw = letter("\n".join(asked), sender=PLAYER, to=to, date=DEADLINE - DAY)
        repository = MemoryRepository({self.position.name: self.position})
        (answer,) = handle_letter(
            stored_letter(raw, DEADLINE - DAY), repository, OFFICE, DEADLINE - DAY
        ).answers
        return answer

    @cached_property
    def map(self) -> tuple[str, bytes, bytes | None]:
        """Return the map of the turns as SVG and as PNG, and the seat's part of the map."""
        events = tuple(event for step in self.played.steps for event in step.events)
        names = map_caption(self.played.steps)
        drawn = draw_map(
            self.game, self.played.state, events, self.seat, names, self.seat, close=self.seat is not None
        )
        assert drawn is not None, "every game of ours has a map"
        return drawn.svg, drawn.png, drawn.front


def begin_game(kind: str) -> tuple[Game, GamePosition]:
    """Return a game in its opening, with a player on the first seat."""
    game = games.kinds()[kind]
    options = settle(game.about.options, {})
    state = game.rules.setup(options, SealedDice(SECRET, "kit", 0)).state
    seats = game.about.seats(options)
    assignments = {
        seat: SeatAssignment(seat=seat, address=PLAYER if seat == seats[0] else None) for seat in seats
    }
    position = GamePosition(
        name="kit",
        kind=kind,
        options=options,
        status="running",
        entries=1,
        rev=1,
        head_sha="0" * 64,
        state=state,
        filed={},
        assignments=assignments,
        deadline=DEADLINE,
        deadlines=Deadlines({"moves": 3 * DAY}, DAY // 2),
        early=True,
        secret=SECRET,
    )
    return game, position


def letters_of_turns(kind: str) -> Iterator[LettersOfTurn]:
    """Yield one deadline after the other of a game in which a bot gives the player's orders too."""
    game, position = begin_game(kind)
    while game.rules.result(position.state) is None:
        played = play_turns(game, _with_orders(game, position), DEADLINE, ripe=True)
        assert played is not None, "nobody is waited for"
        position = position_after(position, played)
        yield LettersOfTurn(game, position, played)


def _with_orders(game: Game, position: GamePosition) -> GamePosition:
    people = [seat for seat, assignment in position.assignments.items() if assignment.is_person]
    filed = {seat: _choices(game, position, seat) for seat in people}
    return replace(position, filed={seat: orders for seat, orders in filed.items() if orders})


def _choices(game: Game, position: GamePosition, seat: Seat) -> tuple[Order, ...]:
    """Return a bot's orders for the seat."""
    bot = next(iter(game.bots.values()))
    view = game.rules.view(position.state, seat)
    dice = SealedDice(SECRET, "person", position.entries)
    dues = [due for due in game.rules.due(position.state) if due.seat == seat]
    return tuple(choice.order for due in dues for choice in bot.orders(view, due, dice))


def rows_without_sheet(text: str, sheet: tuple[str, ...]) -> list[str]:
    """Return the rows of an email without its order sheet and the sheet's title."""
    rows = text.split("\n")
    if SHEET_TITLE not in rows:
        return rows
    title = rows.index(SHEET_TITLE)
    end = title + 1
    for line in sheet:
        end = rows.index(line, end) + 1
    return rows[:title] + rows[end:]
