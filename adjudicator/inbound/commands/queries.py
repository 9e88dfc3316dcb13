"""STATUS, ORDERS, LIST, HELP, RULES, GET: questions that change nothing."""

from collections.abc import Callable, Iterable
from itertools import islice

import games
from adjudicator.clock import format_instant
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.looking import ask_history, ask_map, find_game_asked_about, has_seat_in
from adjudicator.messages import sentence
from adjudicator.model.filed_orders import Untaken
from adjudicator.model.games import GamePosition, outcome_of
from adjudicator.model.overdue import overdue
from adjudicator.model.people import GameOffer
from adjudicator.model.solo_games import is_solo
from adjudicator.reports.help import HELP_TOPICS, games_text, help_text, rules_text
from adjudicator.reports.in_forum import thread_of, thread_paragraphs_for
from adjudicator.reports.suggestions import SeatView, possible_orders
from adjudicator.reports.times import join_names, overdue_line, span, why_no_deadline
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.bots import default_level
from adjudicator.turns.deadlines import without_waits
from adjudicator.turns.gather import has_all_orders
from games.protocol import Game
from orders.commands import Command

MAX_LISTED_GAMES = 40
"""No more games of others than that are shown to whoever asks for a list."""


def ask_status(caller: CommandContext, command: Command) -> CommandResult:
    """Answer with the state of a game: the turn, its deadline, the seats.

    Its own seats are told who sits where, who has said everything and who is away; others nothing of
    people.
    """
    name = command.args[0].lower() if command.args else None
    if name is not None and (offer := caller.books.people.offer(name)) is not None:
        title = sentence("clerk.queries.status_of_game", game=name)
        return CommandResult(answered=(CommandAnswer(title=title, text=_offer_status(caller, offer)),))
    position = find_game_asked_about(caller, name)
    if isinstance(position, CommandResult):
        return position
    game = games.kinds()[position.kind]
    lines = [
        sentence("clerk.queries.game", title=game.about.title, game=position.name),
        *_present_turn_lines(caller, game, position),
    ]
    lines += [f"  {seat:<16}{words}" for seat, words in _describe_seats(caller, game, position)]
    lines += _absence_lines(caller, position) if has_seat_in(caller, position) else ()
    lines += _rejected_lines(caller, position)
    stands = CommandAnswer(title=sentence("clerk.queries.status_title"), text="\n".join(lines))
    return CommandResult(answered=(stands, *_answer_thread(caller, position)))


def _answer_thread(caller: CommandContext, position: GamePosition) -> tuple[CommandAnswer, ...]:
    """Tell a seat's own player about the thread in which the game is played, with their word in it."""
    if not (isinstance(caller, SeatCommandContext) and has_seat_in(caller, position)):
        return ()
    customs = caller.books.people.policy(position.name)
    thread = thread_of(position.name, games.kinds()[position.kind], customs, caller.office)
    if thread is None:
        return ()
    paragraphs = thread_paragraphs_for(thread, position.chairs[caller.seat], caller.books, caller.office)
    return (CommandAnswer(title=sentence("clerk.queries.thread_title"), text="\n\n".join(paragraphs)),)


def _absence_lines(caller: CommandContext, position: GamePosition) -> list[str]:
    """Return who is away, or will be, and until which day."""
    society = caller.books.people
    anonymous = society.policy(position.name).anonymous
    absences = [absence for absence in society.absences(position.name) if absence.last >= caller.received]
    ends = [span(absence.first, absence.last, caller.zone, anywhere=anonymous)[1] for absence in absences]
    return [
        sentence("clerk.queries.away", seat=absence.seat, last=last)
        for absence, last in zip(absences, ends, strict=True)
    ]


def _rejected_lines(caller: CommandContext, position: GamePosition) -> list[str]:
    """Return the rejected lines of the seat's own newest letter, while nothing is played for them.

    Nobody else learns what they wrote.
    """
    if not (isinstance(caller, SeatCommandContext) and has_seat_in(caller, position) and position.is_running):
        return []
    found = [item for item in position.filed.get(caller.seat, ()) if isinstance(item, Untaken)]
    lines = [item.line for item in found if not item.left_out]
    left_out = [item.line for item in found if item.left_out]
    return [
        *([sentence("clerk.queries.untaken", lines=lines)] if lines else []),
        *([sentence("clerk.queries.left_out", lines=left_out)] if left_out else []),
    ]


def _present_turn_lines(caller: CommandContext, game: Game, position: GamePosition) -> list[str]:
    if not position.is_running:
        result = outcome_of(game, position)
        if result is None:
            return [sentence("clerk.queries.halted")]
        if result.winners:
            return [sentence("clerk.queries.won", winners=result.winners)]
        return [sentence("clerk.queries.drawn", why=result.reason)]
    lines = [sentence("clerk.queries.now", turn=game.rules.turn(position.state).name)]
    if position.timing.stop is not None:
        told_why = has_seat_in(caller, position)
        lines.append(
            why_no_deadline(position.timing.stop) if told_why else sentence("clerk.queries.no_deadline")
        )
    elif is_solo(position):
        lines.append(sentence("clerk.queries.no_clock"))
    elif (over := overdue(position, caller.time)) is not None:
        lines.append(overdue_line(over, caller.zone))
    elif position.deadline is not None:
        lines.append(sentence("clerk.queries.deadline", at=format_instant(position.deadline, caller.zone)))
    return lines


def _describe_seats(caller: CommandContext, game: Game, position: GamePosition) -> list[tuple[str, str]]:
    """Return each seat with its player and the state of its orders;

    to strangers only whether it has a player.
    """
    position = without_waits(position, caller.time)
    society, plays = caller.books.people, has_seat_in(caller, position)
    vacant, anonymous = society.vacancies(position.name), society.policy(position.name).anonymous
    dues = game.rules.due(position.state) if position.is_running else ()
    rows: list[tuple[str, str]] = []
    for seat, chair in position.chairs.items():
        owing = [due for due in dues if due.seat == seat]
        filed = position.filed.get(seat, ())
        if seat in vacant:
            words = sentence("clerk.queries.free", game=position.name, seat=seat)
        elif not chair.is_person:
            words = sentence("clerk.queries.by_a_bot")
        elif not plays:
            words = sentence("clerk.queries.by_a_person")
        elif not owing:
            words = sentence("clerk.queries.nothing_due")
        else:
            done = all(has_all_orders(game, position.state, due, chair, filed) for due in owing)
            words = sentence("clerk.queries.orders_in") if done else sentence("clerk.queries.orders_awaited")
        known = plays and not anonymous
        person = society.person(chair.address) if chair.address and known else None
        rows.append((seat, f"{words} ({person.name})" if person and person.name else words))
    return rows


def _offer_status(caller: CommandContext, offer: GameOffer) -> str:
    """Return the state of a game that is open for players."""
    game = games.kinds()[offer.kind]
    there = len(caller.books.people.signups(offer.name))
    lines = [
        sentence("clerk.queries.waits_for_people", title=game.about.title, game=offer.name),
        sentence("clerk.queries.signed_up", there=there, needed=offer.needed),
    ]
    if offer.starts is not None:
        lines.append(sentence("clerk.queries.begins", at=format_instant(offer.starts, caller.zone)))
    lines += [
        sentence("clerk.queries.seats", seats=game.about.seats(offer.options)),
        sentence("clerk.queries.to_play", game=offer.name),
    ]
    return "\n".join(lines)


def ask_orders(case: SeatCommandContext, command: Command) -> CommandResult:
    """Refer to the reply itself: every reply lists all saved orders already."""
    return reply_with(sentence("clerk.queries.all_listed_below"))


def ask_list(caller: CommandContext, command: Command) -> CommandResult:
    """List the games that may be joined or watched, and the sender's own."""
    books, society = caller.books, caller.books.people
    own = books.seats_of(caller.address)
    parts = []
    if own:
        rows = [(name, sentence("clerk.queries.own", seat=seat)) for name, seat in own]
        parts += [sentence("clerk.queries.list_of_own"), _format_rows(rows)]
    offers = society.offers()
    if offers:
        rows = [(offer.name, _describe_offer(caller, offer)) for offer in offers]
        parts += [sentence("clerk.queries.list_of_offers"), _format_rows(rows)]
    free = society.vacant_seats().items()
    rows = [(name, sentence("clerk.queries.vacant", seats=join_names(seats))) for name, seats in free]
    if rows:
        parts += [sentence("clerk.queries.list_of_vacancies"), _format_rows(rows)]
    held = {name for name, _ in own}
    elsewhere = (books.position(name) for name in books.running_games() if name not in held)
    running = (position for position in elsewhere if position is not None)
    others = [
        (position.name, _describe_running_game(position)) for position in islice(running, MAX_LISTED_GAMES)
    ]
    if others:
        parts += [sentence("clerk.queries.list_of_others"), _format_rows(others)]
    text = "\n\n".join(parts) or sentence("clerk.queries.list_of_none")
    return CommandResult(answered=(CommandAnswer(title=sentence("clerk.queries.list_title"), text=text),))


def _format_rows(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"  {name:<20}{words}" for name, words in rows)


def _describe_offer(caller: CommandContext, offer: GameOffer) -> str:
    there = len(caller.books.people.signups(offer.name))
    title = games.kinds()[offer.kind].about.title
    return sentence("clerk.queries.offer", title=title, there=there, needed=offer.needed)


def _describe_running_game(position: GamePosition) -> str:
    game = games.kinds()[position.kind]
    return f"{game.about.title}, {game.rules.turn(position.state).name}"


def ask_help(caller: CommandContext, command: Command) -> CommandResult:
    """Answer with a help text."""
    topic = command.args[0] if command.args else "general"
    return CommandResult(answered=(_help_answer(caller, topic),))


def _help_answer(caller: CommandContext, topic: str) -> CommandAnswer:
    """Return the help on a topic, or the general one; a seat sees how orders are written in its own game."""
    title = sentence("clerk.queries.help_title", topic=topic)
    if not isinstance(caller, SeatCommandContext):
        text = help_text(topic)
        # Who has no game yet is told first of all which there are.
        return CommandAnswer(
            title=title, text=f"{games_text()}\n\n{text}" if topic == HELP_TOPICS[0] else text
        )
    game, state, seat = caller.game, caller.seated.position.state, caller.seated.seat
    asked = SeatView.of(game, state, seat)
    return CommandAnswer(title=title, text=help_text(topic, game, asked.view, possible_orders(asked)))


def ask_rules(caller: CommandContext, command: Command) -> CommandResult:
    """Explain a kind of game and how its orders are written; a seat asks about its own."""
    kind_text = command.args[0] if command.args else None
    if kind_text is None:
        game = caller.game if isinstance(caller, SeatCommandContext) else None
    else:
        game = games.find(kind_text.strip(" .")) or games.find("-".join(kind_text.strip(" .").split()))
    if game is None:
        kinds = "\n".join(f"  RULES {kind:<24}{other.about.title}" for kind, other in games.kinds().items())
        unknown = [sentence("clerk.queries.no_such_kind", kind=kind_text)] if kind_text else []
        text = "\n\n".join([*unknown, sentence("clerk.queries.kinds"), kinds])
        return CommandResult(
            answered=(CommandAnswer(title=sentence("clerk.queries.rules_title"), text=text),)
        )
    title = sentence("clerk.queries.rules_of", title=game.about.title)
    view = None
    if isinstance(caller, SeatCommandContext) and caller.game is game:
        view = SeatView.of(game, caller.seated.position.state, caller.seat).view
    return CommandResult(
        answered=(CommandAnswer(title=title, text=rules_text(game, default_level(game), view)),)
    )


def ask_get(caller: CommandContext, command: Command) -> CommandResult:
    """Answer with a text or a picture by its name."""
    word, _, rest = command.args[0].strip(" .").partition(" ")
    topic = word.lower()
    again = Command(line=command.line, verb=topic.upper(), args=(rest.strip(),) if rest.strip() else ())
    if topic in _GET_COMMANDS:
        return _GET_COMMANDS[topic](caller, again)
    if topic in ("provinces", "names"):
        return _list_names(caller)
    if topic in HELP_TOPICS:
        return CommandResult(answered=(_help_answer(caller, topic),))
    known = join_names([*(name.upper() for name in (*_GET_COMMANDS, "provinces")), *HELP_TOPICS])
    return reply_with(sentence("clerk.queries.nothing_called_so", word=word, known=known))


def _list_names(caller: CommandContext) -> CommandResult:
    """List the names that may stand in orders, with their short forms."""
    if not isinstance(caller, SeatCommandContext):
        return reply_with(sentence("clerk.queries.names_of_a_game"))
    view = caller.game.rules.view(caller.seated.position.state, caller.seat)
    rows = sorted({(term.names[0], ", ".join(term.names[1:])) for term in caller.game.notation.lexicon(view)})
    wide = max(len(name) for name, _ in rows) + 2
    text = "\n".join(f"  {name:<{wide}}{others}" for name, others in rows)
    return CommandResult(answered=(CommandAnswer(title=sentence("clerk.queries.names_title"), text=text),))


_GET_COMMANDS: dict[str, Callable[[CommandContext, Command], CommandResult]] = {
    "map": ask_map,
    "history": ask_history,
    "rules": ask_rules,
    "list": ask_list,
    "status": ask_status,
}
"""What GET hands out that has a command of its own."""
