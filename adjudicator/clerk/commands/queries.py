"""STATUS, ORDERS, LIST, HELP, RULES, GET: questions that change nothing."""

from collections.abc import Callable, Iterable
from itertools import islice

import games
from adjudicator.clerk.commands.case import Caller, Case, Done, listed, told
from adjudicator.clerk.commands.looking import ask_history, ask_map, plays_in, seen_game
from adjudicator.clock import spoken
from adjudicator.ledger.positions import Position, outcome_of
from adjudicator.ledger.society import Offer
from adjudicator.referee.gather import is_in
from adjudicator.reports.help import TOPICS, help_text, rules_text
from adjudicator.reports.times import span, standing
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
        return Done(answered=(Answer(title=f"Status of {name}", text=_of_offer(caller, offer)),))
    position = seen_game(caller, name)
    if isinstance(position, Done):
        return position
    game = games.kinds()[position.kind]
    lines = [f"{game.about.title}, game {position.name}.", *_present(caller, game, position)]
    lines += [f"  {seat:<16}{said}" for seat, said in _seats(caller, game, position)]
    lines += _away(caller, position) if plays_in(caller, position) else ()
    return Done(answered=(Answer(title="Status", text="\n".join(lines)),))


def _away(caller: Caller, position: Position) -> list[str]:
    """Who is away, or will be, and until which day."""
    society = caller.books.society
    anonymous = society.customs(position.name).anonymous
    there = [one for one in society.absences(position.name) if one.last >= caller.received]
    ends = [span(one.first, one.last, caller.zone, anywhere=anonymous)[1] for one in there]
    return [f"{one.seat} is away until {last}." for one, last in zip(there, ends, strict=True)]


def _present(caller: Caller, game: Game, position: Position) -> list[str]:
    if not position.running:
        result = outcome_of(game, position)
        if result is None:
            return ["The game is halted for the moment."]
        if result.winners:
            return [f"The game is over. Won by: {', '.join(result.winners)}."]
        return [f"The game is over, a draw ({result.reason})."]
    lines = [f"Now: {game.rules.turn(position.state).name}."]
    if position.timing.stop is not None:
        told_why = plays_in(caller, position)
        lines.append(standing(position.timing.stop) if told_why else "No deadline runs for the moment.")
    elif position.deadline is not None:
        lines.append(f"Deadline: {spoken(position.deadline, caller.zone)}.")
    return lines


def _seats(caller: Caller, game: Game, position: Position) -> list[tuple[str, str]]:
    """Each seat with who plays it and how its orders stand; to strangers whether anybody does."""
    society, plays = caller.books.society, plays_in(caller, position)
    vacant, anonymous = society.vacancies(position.name), society.customs(position.name).anonymous
    dues = game.rules.due(position.state) if position.running else ()
    rows: list[tuple[str, str]] = []
    for seat, chair in position.chairs.items():
        owing = [due for due in dues if due.seat == seat]
        filed = position.filed.get(seat, ())
        if seat in vacant:
            said = f"free: JOIN {position.name} {seat}"
        elif not chair.is_person:
            said = "played by a bot"
        elif not plays:
            said = "played by a person"
        elif not owing:
            said = "nothing due"
        else:
            done = all(is_in(game, position.state, due, chair, filed) for due in owing)
            said = "orders in" if done else "orders awaited"
        known = plays and not anonymous
        person = society.person(chair.address) if chair.address and known else None
        rows.append((seat, f"{said} ({person.name})" if person and person.name else said))
    return rows


def _of_offer(caller: Caller, offer: Offer) -> str:
    """How a game that waits for people stands."""
    game = games.kinds()[offer.kind]
    there = len(caller.books.society.signups(offer.name))
    lines = [
        f"{game.about.title}, game {offer.name}: it waits for people.",
        f"{there} of {offer.needed} have signed up.",
    ]
    if offer.starts is not None:
        lines.append(
            f"It begins at the latest on {spoken(offer.starts, caller.zone)}, bots in the free seats."
        )
    lines += [f"Seats: {', '.join(game.about.seats(offer.options))}.", f"To play: JOIN {offer.name}"]
    return "\n".join(lines)


def ask_orders(case: Case, command: Command) -> Done:
    """Every answer lists all orders on file already; so this only says where to look."""
    return told("All your orders on file are listed below.")


def ask_list(caller: Caller, command: Command) -> Done:
    """Which games may be joined, watched, or are the caller's own."""
    books, society = caller.books, caller.books.society
    own = books.seats_of(caller.address)
    parts = []
    if own:
        parts += ["Your seats:", _rows((name, f"you play {seat}") for name, seat in own)]
    offers = society.offers()
    if offers:
        rows = [(one.name, _offered(caller, one)) for one in offers]
        parts += ["Games that wait for people; JOIN and the name of one:", _rows(rows)]
    free = [(name, society.vacancies(name)) for name in books.games()]
    rows = [(name, f"{listed(seats)} may be taken over") for name, seats in free if seats]
    if rows:
        parts += ["Seats of running games; JOIN, the game and the seat:", _rows(rows)]
    elsewhere = (books.position(name) for name in books.games() if name not in dict(own))
    running = (one for one in elsewhere if one is not None and one.running)
    others = [(one.name, _running(one)) for one in islice(running, MOST_LISTED)]
    if others:
        parts += ["Games that others play; OBSERVE and the name of one to get its reports:", _rows(others)]
    text = "\n\n".join(parts) or "There is no game here yet. NEW and a kind of game begins one of your own."
    return Done(answered=(Answer(title="List of games", text=text),))


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"  {name:<20}{said}" for name, said in rows)


def _offered(caller: Caller, offer: Offer) -> str:
    there = len(caller.books.society.signups(offer.name))
    return f"{games.kinds()[offer.kind].about.title}, {there} of {offer.needed} are there"


def _running(position: Position) -> str:
    game = games.kinds()[position.kind]
    return f"{game.about.title}, {game.rules.turn(position.state).name}"


def ask_help(caller: Caller, command: Command) -> Done:
    """A help text."""
    topic = command.args[0] if command.args else "general"
    return Done(answered=(_help_answer(caller, topic),))


def _help_answer(caller: Caller, topic: str) -> Answer:
    """The help on a topic, or the general one; a seat sees how orders are written in its own game."""
    if not isinstance(caller, Case):
        return Answer(title=f"Help: {topic}", text=help_text(topic))
    view = caller.game.rules.view(caller.seated.position.state, caller.seated.seat)
    return Answer(title=f"Help: {topic}", text=help_text(topic, caller.game, view))


def ask_rules(caller: Caller, command: Command) -> Done:
    """What a kind of game is about, and how its orders are written; a seat asks of its own."""
    said = command.args[0] if command.args else None
    if said is None:
        game = caller.game if isinstance(caller, Case) else None
    else:
        game = games.find(said.strip(" .")) or games.find("-".join(said.strip(" .").split()))
    if game is None:
        kinds = "\n".join(f"  RULES {kind:<24}{one.about.title}" for kind, one in games.kinds().items())
        unknown = f"There is no kind of game called {said}.\n\n" if said else ""
        return Done(answered=(Answer(title="Rules", text=f"{unknown}The kinds of games here:\n\n{kinds}"),))
    return Done(answered=(Answer(title=f"Rules of {game.about.title}", text=rules_text(game)),))


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
    return told(f"There is nothing called {word} to get. There are: {known}.")


def _names(caller: Caller) -> Done:
    """The names that may stand in orders, with their short forms."""
    if not isinstance(caller, Case):
        return told("The names of provinces belong to a game: answer a letter of yours with GET PROVINCES.")
    view = caller.game.rules.view(caller.seated.position.state, caller.seat)
    rows = sorted({(one.names[0], ", ".join(one.names[1:])) for one in caller.game.notation.lexicon(view)})
    wide = max(len(name) for name, _ in rows) + 2
    text = "\n".join(f"  {name:<{wide}}{others}" for name, others in rows)
    return Done(answered=(Answer(title="Names, and what else they may be called", text=text),))


_SHELF: dict[str, Callable[[Caller, Command], Done]] = {
    "map": ask_map,
    "history": ask_history,
    "rules": ask_rules,
    "list": ask_list,
    "status": ask_status,
}
"""What GET hands out that has a command of its own."""
