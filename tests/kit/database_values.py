"""Values that tests of the database store."""

import hashlib
from importlib import import_module

from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import AdjudicationResult, LogEntry, PlayedTurn, SeatAssignment
from adjudicator.model.mail import IncomingLetter, OutgoingMessage
from adjudicator.storage import inbox
from adjudicator.storage.stored_games import NewGame
from games.protocol import Due, GameResult, Seat, Turn
from games.record import canonical, plain
from orders.mail.letter import fingerprint

NOW = 1_795_000_000_000
RED, BLUE = Seat("Red"), Seat("Blue")


def take(count):
    """Return an order of the game, as its own value."""
    return import_module("games.pebbles").Take(count=count)


def heap(pebbles, turns=0):
    """Return a state of the game."""
    return import_module("games.pebbles").Heap(pebbles=pebbles, turns=turns)


def entry(number, state, previous="", **fields):
    """Return a log entry that leads to a state."""
    sha = hashlib.sha256(canonical(state)).hexdigest()
    kind = "turn" if number else "setup"
    return LogEntry(
        number=number, kind=kind, turn=f"T{number}", at=NOW, state_sha=sha, previous_sha=previous, **fields
    )


def new_game(name="demo", **fields):
    """Return a game with a player as Red and a bot as Blue."""
    state = heap(10)
    assignments = (SeatAssignment(seat=RED, address="red@example.org"), SeatAssignment(seat=BLUE, bot="easy"))
    deadlines = Deadlines(lengths={"moves": 3_600_000}, grace=60_000)
    values = {
        "name": name,
        "kind": "pebbles",
        "options": {"pebbles": 10},
        "state": state,
        "entry": entry(0, state),
        "assignments": assignments,
        "deadlines": deadlines,
        "early": True,
        "deadline": NOW + 3_600_000,
        "secret": b"s" * 32,
    }
    return NewGame(**{**values, **fields})


def played_turns(position, *, left=(), silent=(), result=None, turns=1):
    """Return the results of some turns of a game, from its position."""
    steps, state, head = [], position.state, position.head_sha
    for number in range(position.entries, position.entries + turns):
        after = heap(state.pebbles - 1, state.turns + 1)
        logged = entry(number, after, head, silent=silent, orders={"Red": [plain(take(1))]})
        turn = Turn(name="Turn", short=f"T{state.turns}", kind="moves")
        steps.append(PlayedTurn(entry=logged, turn=turn, before=state, after=after, events=()))
        state, head = after, logged.sha
    due = () if result else (Due(seat=RED, kind="move", accepts=("Take",)),)
    return AdjudicationResult(
        steps=tuple(steps),
        state=state,
        filed={RED: tuple(left)} if left else {},
        due=due,
        result=GameResult(winners=(RED,), reason="the last pebble") if result else None,
        deadline=None if result else NOW + 7_200_000,
    )


def keep(database, arrived):
    """Store an email. Returns its stored form, or None if it was in the database already."""
    if not inbox.store_letters(database, [arrived], NOW):
        return None
    mark = fingerprint(arrived.raw)
    return next(kept for kept in inbox.waiting_letters(database) if kept.fingerprint == mark)


def letter(body="Take 1", *, message_id="<1@example.org>", received=NOW, place="new/1", extra=""):
    """Return an email as a mailbox delivers it."""
    text = (
        f"{extra}From: red@example.org\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n"
        f"Message-ID: {message_id}\r\nSubject: orders\r\n\r\n{body}\r\n"
    )
    return IncomingLetter(mailbox="box", place=place, received=received, raw=text.encode())


def outgoing_letter(key="demo/1/report/Red", to="red@example.org", **fields):
    """Return an outgoing email."""
    return OutgoingMessage(
        key=key,
        message_id=f"<{hashlib.sha256(key.encode()).hexdigest()[:16]}@service.example>",
        sender="gm@service.example",
        to=to,
        raw=f"To: {to}\r\n\r\n{key}\r\n".encode(),
        game="demo",
        seat=RED,
        **fields,
    )
