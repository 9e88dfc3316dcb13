"""STATUS, ORDERS, LIST, HELP, RULES, GET: questions that change nothing."""

from collections.abc import Callable, Iterable
from itertools import islice

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.clerk.commands.looking import ask_history, ask_map, plays_in, seen_game
from adjudicator.clock import spoken
from adjudicator.ledger.filed_orders import Untaken
from adjudicator.ledger.overdue import overdue
from adjudicator.ledger.positions import Position, outcome_of
from adjudicator.ledger.society import Offer
from adjudicator.ledger.solitude import is_solo
from adjudicator.referee.bots import usual
from adjudicator.referee.deadlines import without_waits
from adjudicator.referee.gather import is_in
from adjudicator.reports.help import TOPICS, games_text, help_text, rules_text
from adjudicator.reports.in_forum import thread_of, told_to
from adjudicator.reports.suggestions import Asked, open_to
from adjudicator.reports.times import listed, overdue_line, span, standing
from adjudicator.reports.transcript import Answer
from games.protocol import Game
from orders.commands import Command

MOST_LISTED = 40
"""No more games of others than that are shown to whoever asks for a list."""


def ask_status(caller: Caller, command: Command) -> Done:
    """How the game stands: the turn, its deadline, the seats.

    Its own seats are told who sits where, who has said everything and who is away; others nothing of people.
    """
    name = command.args[0].lower() if command.args else None
    if name is not None and (offer := caller.books.society.offer(name)) is not None:
        title = sentence("clerk.queries.status_of_game", game=name)
        return Done(answered=(Answer(title=title, text=_of_offer(caller, offer)),))
    position = seen_game(caller, name)
    if isinstance(position, Done):
        return position
    game = games.kinds()[position.kind]
    lines = [
        sentence("clerk.queries.game", title=game.about.title, game=position.name),
        *_present(caller, game, position),
    ]
    lines += [f"  {seat:<16}{said}" for seat, said in _seats(caller, game, position)]
    lines += _away(caller, position) if plays_in(caller, position) else ()
    lines += _untaken(caller, position)
    stands = Answer(title=sentence("clerk.queries.status_title"), text="\n".join(lines))
    return Done(answered=(stands, *_thread(caller, position)))


def _thread(caller: Caller, position: Position) -> tuple[Answer, ...]:
    """What a seat's own player is told of the thread in which his game is played, his word among it."""
    if not (isinstance(caller, Case) and plays_in(caller, position)):
        return ()
    customs = caller.books.society.customs(position.name)
    thread = thread_of(position.name, games.kinds()[position.kind], customs, caller.office)
    if thread is None:
        return ()
    said = told_to(thread, position.chairs[caller.seat], caller.books, caller.office)
    return (Answer(title=sentence("clerk.queries.thread_title"), text="\n\n".join(said)),)


def _away(caller: Caller, position: Position) -> list[str]:
    """Who is away, or will be, and until which day."""
    society = caller.books.society
    anonymous = society.customs(position.name).anonymous
    there = [one for one in society.absences(position.name) if one.last >= caller.received]
    ends = [span(one.first, one.last, caller.zone, anywhere=anonymous)[1] for one in there]
    return [
        sentence("clerk.queries.away", seat=one.seat, last=last)
        for one, last in zip(there, ends, strict=True)
    ]


def _untaken(caller: Caller, position: Position) -> list[str]:
    """The lines of the seat's own newest letter that were not taken, while nothing is played for them.

    Nobody else learns what he wrote.
    """
    if not (isinstance(caller, Case) and plays_in(caller, position) and position.running):
        return []
    found = [one for one in position.filed.get(caller.seat, ()) if isinstance(one, Untaken)]
    lines = [one.line for one in found if not one.left_out]
    left_out = [one.line for one in found if one.left_out]
    return [
        *([sentence("clerk.queries.untaken", lines=lines)] if lines else []),
        *([sentence("clerk.queries.left_out", lines=left_out)] if left_out else []),
    ]


def _present(caller: Caller, game: Game, position: Position) -> list[str]:
    if not position.running:
        result = outcome_of(game, position)
        if result is None:
            return [sentence("clerk.queries.halted")]
        if result.winners:
            return [sentence("clerk.queries.won", winners=result.winners)]
        return [sentence("clerk.queries.drawn", why=result.reason)]
    lines = [sentence("clerk.queries.now", turn=game.rules.turn(position.state).name)]
    if position.timing.stop is not None:
        told_why = plays_in(caller, position)
        lines.append(standing(position.timing.stop) if told_why else sentence("clerk.queries.no_deadline"))
    elif is_solo(position):
        lines.append(sentence("clerk.queries.no_clock"))
    elif (over := overdue(position, caller.time)) is not None:
        lines.append(overdue_line(over, caller.zone))
    elif position.deadline is not None:
        lines.append(sentence("clerk.queries.deadline", at=spoken(position.deadline, caller.zone)))
    return lines


def _seats(caller: Caller, game: Game, position: Position) -> list[tuple[str, str]]:
    """Each seat with who plays it and how its orders stand; to strangers whether anybody does."""
    position = without_waits(position, caller.time)
    society, plays = caller.books.society, plays_in(caller, position)
    vacant, anonymous = society.vacancies(position.name), society.customs(position.name).anonymous
    dues = game.rules.due(position.state) if position.running else ()
    rows: list[tuple[str, str]] = []
    for seat, chair in position.chairs.items():
        owing = [due for due in dues if due.seat == seat]
        filed = position.filed.get(seat, ())
        if seat in vacant:
            said = sentence("clerk.queries.free", game=position.name, seat=seat)
        elif not chair.is_person:
            said = sentence("clerk.queries.by_a_bot")
        elif not plays:
            said = sentence("clerk.queries.by_a_person")
        elif not owing:
            said = sentence("clerk.queries.nothing_due")
        else:
            done = all(is_in(game, position.state, due, chair, filed) for due in owing)
            said = sentence("clerk.queries.orders_in") if done else sentence("clerk.queries.orders_awaited")
        known = plays and not anonymous
        person = society.person(chair.address) if chair.address and known else None
        rows.append((seat, f"{said} ({person.name})" if person and person.name else said))
    return rows


def _of_offer(caller: Caller, offer: Offer) -> str:
    """How a game that waits for people stands."""
    game = games.kinds()[offer.kind]
    there = len(caller.books.society.signups(offer.name))
    lines = [
        sentence("clerk.queries.waits_for_people", title=game.about.title, game=offer.name),
        sentence("clerk.queries.signed_up", there=there, needed=offer.needed),
    ]
    if offer.starts is not None:
        lines.append(sentence("clerk.queries.begins", at=spoken(offer.starts, caller.zone)))
    lines += [
        sentence("clerk.queries.seats", seats=game.about.seats(offer.options)),
        sentence("clerk.queries.to_play", game=offer.name),
    ]
    return "\n".join(lines)


def ask_orders(case: Case, command: Command) -> Done:
    """Every answer lists all orders on file already; so this only says where to look."""
    return told(sentence("clerk.queries.all_listed_below"))


def ask_list(caller: Caller, command: Command) -> Done:
    """Which games may be joined, watched, or are the caller's own."""
    books, society = caller.books, caller.books.society
    own = books.seats_of(caller.address)
    parts = []
    if own:
        rows = [(name, sentence("clerk.queries.own", seat=seat)) for name, seat in own]
        parts += [sentence("clerk.queries.list_of_own"), _rows(rows)]
    offers = society.offers()
    if offers:
        rows = [(one.name, _offered(caller, one)) for one in offers]
        parts += [sentence("clerk.queries.list_of_offers"), _rows(rows)]
    free = society.vacant_seats().items()
    rows = [(name, sentence("clerk.queries.vacant", seats=listed(seats))) for name, seats in free]
    if rows:
        parts += [sentence("clerk.queries.list_of_vacancies"), _rows(rows)]
    held = {name for name, _ in own}
    elsewhere = (books.position(name) for name in books.running() if name not in held)
    running = (one for one in elsewhere if one is not None)
    others = [(one.name, _running(one)) for one in islice(running, MOST_LISTED)]
    if others:
        parts += [sentence("clerk.queries.list_of_others"), _rows(others)]
    text = "\n\n".join(parts) or sentence("clerk.queries.list_of_none")
    return Done(answered=(Answer(title=sentence("clerk.queries.list_title"), text=text),))


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"  {name:<20}{said}" for name, said in rows)


def _offered(caller: Caller, offer: Offer) -> str:
    there = len(caller.books.society.signups(offer.name))
    title = games.kinds()[offer.kind].about.title
    return sentence("clerk.queries.offer", title=title, there=there, needed=offer.needed)


def _running(position: Position) -> str:
    game = games.kinds()[position.kind]
    return f"{game.about.title}, {game.rules.turn(position.state).name}"


def ask_help(caller: Caller, command: Command) -> Done:
    """A help text."""
    topic = command.args[0] if command.args else "general"
    return Done(answered=(_help_answer(caller, topic),))


def _help_answer(caller: Caller, topic: str) -> Answer:
    """The help on a topic, or the general one; a seat sees how orders are written in its own game."""
    title = sentence("clerk.queries.help_title", topic=topic)
    if not isinstance(caller, Case):
        text = help_text(topic)
        # Who has no game yet is told first of all which there are.
        return Answer(title=title, text=f"{games_text()}\n\n{text}" if topic == TOPICS[0] else text)
    game, state, seat = caller.game, caller.seated.position.state, caller.seated.seat
    asked = Asked.of(game, state, seat)
    return Answer(title=title, text=help_text(topic, game, asked.view, open_to(asked)))


def ask_rules(caller: Caller, command: Command) -> Done:
    """What a kind of game is about, and how its orders are written; a seat asks of its own."""
    said = command.args[0] if command.args else None
    if said is None:
        game = caller.game if isinstance(caller, Case) else None
    else:
        game = games.find(said.strip(" .")) or games.find("-".join(said.strip(" .").split()))
    if game is None:
        kinds = "\n".join(f"  RULES {kind:<24}{one.about.title}" for kind, one in games.kinds().items())
        unknown = [sentence("clerk.queries.no_such_kind", kind=said)] if said else []
        text = "\n\n".join([*unknown, sentence("clerk.queries.kinds"), kinds])
        return Done(answered=(Answer(title=sentence("clerk.queries.rules_title"), text=text),))
    title = sentence("clerk.queries.rules_of", title=game.about.title)
    view = None
    if isinstance(caller, Case) and caller.game is game:
        view = Asked.of(game, caller.seated.position.state, caller.seat).view
    return Done(answered=(Answer(title=title, text=rules_text(game, usual(game), view)),))


def ask_get(caller: Caller, command: Command) -> Done:
    """A text or a picture by its name."""
    word, _, rest = command.args[0].strip(" .").partition(" ")
    topic = word.lower()
    again = Command(line=command.line, verb=topic.upper(), args=(rest.strip(),) if rest.strip() else ())
    if topic in _SHELF:
        return _SHELF[topic](caller, again)
    if topic in ("provinces", "names"):
        return _names(caller)
    if topic in TOPICS:
        return Done(answered=(_help_answer(caller, topic),))
    known = listed([*(name.upper() for name in (*_SHELF, "provinces")), *TOPICS])
    return told(sentence("clerk.queries.nothing_called_so", word=word, known=known))


def _names(caller: Caller) -> Done:
    """The names that may stand in orders, with their short forms."""
    if not isinstance(caller, Case):
        return told(sentence("clerk.queries.names_of_a_game"))
    view = caller.game.rules.view(caller.seated.position.state, caller.seat)
    rows = sorted({(one.names[0], ", ".join(one.names[1:])) for one in caller.game.notation.lexicon(view)})
    wide = max(len(name) for name, _ in rows) + 2
    text = "\n".join(f"  {name:<{wide}}{others}" for name, others in rows)
    return Done(answered=(Answer(title=sentence("clerk.queries.names_title"), text=text),))


_SHELF: dict[str, Callable[[Caller, Command], Done]] = {
    "map": ask_map,
    "history": ask_history,
    "rules": ask_rules,
    "list": ask_list,
    "status": ask_status,
}
"""What GET hands out that has a command of its own."""
