"""Every example and every suggestion in our emails is accepted when it is sent back."""

from itertools import islice

import pytest

import games
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.messages import sentence
from adjudicator.reports import messages
from adjudicator.reports.messages import help_text
from adjudicator.reports.order_sheet import SeatView, possible_orders
from adjudicator.reports.render import letter_text
from adjudicator.reports.report import compile_report, opening_report
from tests.kit.game_emails import DAY, DEADLINE, PLAYER, LettersOfTurn, letters_of_turns
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import NOON, OFFICE, MemoryRepository, address_for, new_position
from tests.kit.suggested_lines import offered_lines, refused_lines

KINDS = tuple(games.kinds())
DEADLINES = 8
SLIPS = {
    "indianomacy": "W MHK to Grand Canyon",
    "standard": "A BUD quickly to PIX",
    "war-chest": "Swordsman - k3, quickly",
    "great-war": "ATTACK 1ST: Heavy Howitzer of Mars",
    "boer-war": "MOVE BUL MOON",
    "plains-indian-wars": "move 2 Blue Nowhere - N3",
}
GAMES = [
    *((kind, {}) for kind in KINDS),
    *(("plains-indian-wars", {"scenario": f"2.{number}"}) for number in range(1, 8)),
    *(("boer-war", {"mode": mode}) for mode in ("both", "table")),
    ("war-chest", {"opponent": "human", "units": "first-game"}),
]


@pytest.mark.parametrize(("kind", "options"), GAMES)
def test_every_example_of_a_welcome_is_taken(kind: str, options: dict[str, str]) -> None:
    """For each seat with due orders, in its first turn; HELP ORDERS shows the same."""
    game = games.kinds()[kind]
    position = new_position(kind, options=options)
    for seat in {due.seat: None for due in game.rules.due(position.state)}:
        if seat == "ai":
            continue
        asked = SeatView.of(game, position.state, seat)
        reader = messages.LetterReader(address=PLAYER, game=position.name, seat=seat)
        welcome = messages.welcome(
            game, opening_report(game, position, seat), reader, password="three-canoes"
        )
        help_ = letter_text(help_text("orders", game, asked.view, possible_orders(asked)))
        assert sentence("outbound.welcome.examples_title").upper() in welcome.text
        assert len(offered_lines(welcome.text)) >= len(offered_lines(help_)) > 0
        assert refused_lines(position, seat, welcome.text) == []
        assert refused_lines(position, seat, help_) == []


@pytest.fixture(scope="module", params=SLIPS)
def turns(request: pytest.FixtureRequest) -> list[LettersOfTurn]:
    """The first deadlines of a game of each kind, as long as it goes on."""
    return [one for one in islice(letters_of_turns(request.param), DEADLINES) if one.position.is_running]


def test_whatever_a_report_offers_is_taken(turns: list[LettersOfTurn]) -> None:
    """Its order sheet, and what it says instead of orders that have become impossible."""
    for one in turns:
        report = compile_report(one.game, one.position, one.played, one.seat)
        text = messages.turn_report(one.game, report, one.reader).text
        assert refused_lines(one.position, one.seat, text) == []


def test_whatever_an_answer_offers_is_taken(turns: list[LettersOfTurn]) -> None:
    """Beside a slip, and where HELP ORDERS was asked for."""
    for one in turns:
        raw = letter(
            f"{SLIPS[one.game.about.kind]}\nHELP orders",
            sender=PLAYER,
            to=address_for(one.position, one.seat),
            date=DEADLINE - DAY,
        )
        repository = MemoryRepository({one.position.name: one.position})
        (answer,) = handle_letter(
            stored_letter(raw, DEADLINE - DAY), repository, OFFICE, DEADLINE - DAY
        ).answers
        assert refused_lines(one.position, one.seat, answer.text) == []


def test_what_would_be_refused_is_noticed() -> None:
    """So the tests above can fail."""
    position = new_position("standard", people={"France": PLAYER})
    title = sentence("outbound.welcome.examples_title")
    shown = f"{title}:\n\n| move: A BUD - GAL\n\n  write:  A PAR - BUR\n"
    (row,) = refused_lines(position, games.kinds()["standard"].about.seats({})[2], shown)
    assert position.deadline is not None
    assert position.deadline > NOON
    assert row.startswith("A BUD - GAL: ")
