"""Reviewed emails of the first years of Indianomacy."""

from dataclasses import replace

import pytest

import games
from adjudicator.model.addresses import reply_address
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.reports import messages
from adjudicator.reports.messages import help_text
from adjudicator.reports.render import letter_text
from adjudicator.reports.report import compile_report, opening_report
from adjudicator.turns.runner import play_turns, position_after
from games.dice import SealedDice, commitment
from games.options import settle
from games.protocol import Seat
from orders.commands import PLAYER_COMMANDS
from orders.mail.body import FreshLine, sheet_of
from orders.mail.html_rows import rows_of
from orders.reading.letter_reader import ParseContext, read_lines
from tests.kit.game_emails import rows_without_sheet
from tests.kit.suggested_lines import offered_lines, refused_lines

IROQUOIS = Seat("Iroquois")
DEADLINE = 1_784_910_000_000
DAY = 86_400_000
SECRET = b"under the longhouse 6"


@pytest.fixture(scope="module")
def game():
    return games.kinds()["indianomacy"]


@pytest.fixture(scope="module")
def start(game):
    """The opening, in which only the Iroquois have a player."""
    options = settle(game.about.options, {})
    state = game.rules.setup(options, SealedDice(SECRET, "beaver", 0)).state
    assignments = {
        seat: SeatAssignment(seat=seat, address="iroquois@example.org" if seat == IROQUOIS else None)
        for seat in game.about.seats(options)
    }
    return GamePosition(
        name="beaver",
        kind="indianomacy",
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


@pytest.fixture(scope="module")
def turns(game, start):
    """Each deadline with the position after it, until every kind of turn was played; bots have all seats."""
    found, kinds = [], set()
    position = start
    while kinds < {"moves", "retreats", "builds"} and position.state.phase.year < 9:
        orders = []
        for due in game.rules.due(position.state):
            if due.seat == IROQUOIS:
                dice = SealedDice(b"iroquois", "beaver", position.entries)
                view = game.rules.view(position.state, IROQUOIS)
                orders += [choice.order for choice in game.bots["intermediate"].orders(view, due, dice)]
        played = play_turns(
            game, replace(position, filed={IROQUOIS: tuple(orders)}), position.deadline, ripe=True
        )
        position = position_after(position, played)
        found.append((position, played))
        kinds |= {step.turn.kind for step in played.steps}
    return found


def reader(game, position):
    turn = game.rules.turn(position.state).short
    address = reply_address("gm@example.org", "beaver", IROQUOIS, "abcdefghijkl2")
    return messages.LetterReader(
        address="iroquois@example.org",
        game="beaver",
        seat=IROQUOIS,
        turn=turn,
        token="abcdefghijkl2",
        reply_address=address,
    )


@pytest.fixture(scope="module")
def welcome(game, start):
    told = opening_report(game, start, IROQUOIS, commitment=commitment(SECRET))
    return messages.welcome(game, told, reader(game, start), password="kestrel-seven")


@pytest.fixture(scope="module")
def reports(game, turns):
    """The last email of each kind of turn."""
    found = {}
    for position, played in turns:
        told = compile_report(game, position, played, IROQUOIS)
        letter = messages.turn_report(game, told, reader(game, position), messages.Enclosed(picture=b"PNG"))
        for step in played.steps:
            found[step.turn.kind] = letter
    return found


def test_a_report_of_each_kind_of_turn_is_as_it_was_reviewed(reports, golden):
    assert set(reports) == {"moves", "retreats", "builds"}
    for kind, letter in reports.items():
        golden(f"indianomacy-{kind}.txt", letter.text)
        golden(f"indianomacy-{kind}.html", letter.html)


def test_the_welcome_and_the_help_are_as_they_were_reviewed(game, welcome, golden):
    golden("indianomacy-welcome.txt", welcome.text)
    golden("indianomacy-welcome.html", welcome.html)
    golden("indianomacy-help.txt", letter_text(help_text("orders", game)) + "\n")


def test_what_the_welcome_and_the_reports_tell_to_write_is_taken(game, start, turns, welcome):
    assert "W MHK - DEL" in offered_lines(welcome.text)
    assert refused_lines(start, IROQUOIS, welcome.text) == []
    for position, played in turns:
        letter = messages.turn_report(
            game, compile_report(game, position, played, IROQUOIS), reader(game, position)
        )
        assert refused_lines(position, IROQUOIS, letter.text) == []


def test_all_keep_to_their_width_and_weight(welcome, reports):
    for letter in (welcome, *reports.values()):
        assert [row for row in letter.text.split("\n") if len(row) > 72] == []
        assert len(letter.html.encode()) < 60_000


def test_no_sentence_of_a_report_reads_as_an_order(game, start, turns, welcome, reports):
    """Not even in a copy without marks of quotation; bars count as marks in plain text."""
    for letter, position in [(welcome, start), *((reports[kind], turns[-1][0]) for kind in reports)]:
        view = game.rules.view(position.state, IROQUOIS)
        parse_context = ParseContext(
            commands=PLAYER_COMMANDS,
            forms=game.notation.forms,
            conditions=game.notation.conditions,
            lexicon=game.notation.lexicon(view),
            build=lambda form, slots, view=view: game.notation.build(view, form, slots),
            write=game.notation.write,
            titles=(IROQUOIS,),
        )
        page = "\n".join(row.text for row in rows_of(letter.html))
        for whole in (letter.text, page):
            rest = rows_without_sheet(whole, sheet_of(letter.text))
            rows = [row for row in rest if not row.startswith(("|", ">"))]
            reading = read_lines([FreshLine(text=row) for row in rows], parse_context)
            assert [one.line for one in reading.orders if one.in_force] == []
            assert reading.commands == ()
