"""STATUS, ORDERS, LIST, HELP, RULES, GET: questions that change nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import games
from adjudicator.auth.correspondents import GM_SEAT
from adjudicator.clock import format_instant
from adjudicator.config.terms import length_text
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.orders import orders_due_now, render_trial_map
from adjudicator.inbound.commands.voting import open_votes
from adjudicator.inbound.game_history import build_history
from adjudicator.inbound.gm_mail import gm_help
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import TurnoutRecord, is_solo, overdue, turnout_record
from adjudicator.model.games import GamePosition, LogEntry, outcome_of
from adjudicator.model.orders_on_file import Untaken
from adjudicator.model.people import GameOffer
from adjudicator.reports.maps import map_of, map_picture, svg
from adjudicator.reports.messages import HELP_TOPICS, games_text, help_text, rules_text, table_rules
from adjudicator.reports.order_sheet import SeatView, possible_orders
from adjudicator.reports.posts import thread_of, thread_paragraphs_for
from adjudicator.reports.render import name_sides, table
from adjudicator.reports.report import History, may_know_why
from adjudicator.reports.results import choose_headline, result_counts, result_text, visible_events
from adjudicator.reports.solo_records import record_of, record_text
from adjudicator.reports.times import overdue_line, span, why_no_deadline
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.bots import default_level
from adjudicator.turns.deadlines import without_waits
from adjudicator.turns.gather import has_all_orders
from adjudicator.turns.log import events_of, step_at
from games.language import join_list
from games.protocol import Event, Game, LegalOrder, Lexicon, Seat, Turn, UnlistedOrders
from games.record import replace_fields
from orders.commands import Command, find_topic
from orders.words import keys

# MAP and HISTORY: a game's position and its past, as the sender may see them.


_ORDERS_WORD = "orders"


def find_game_asked_about(caller: CommandContext, name: str | None) -> GamePosition | CommandResult:
    """Return the game that a query names, or else the game of the email's seat."""
    if name is None:
        if isinstance(caller, SeatCommandContext):
            return caller.seated.position
        return reply_with(sentence("inbound.maps_and_history.say_which"))
    asked = name.lower().strip(" .")
    position = caller.visible.position(asked)
    if position is None and caller.visible.suspension(asked) is not None:
        return reply_with(sentence("inbound.maps_and_history.held", game=asked))
    return position or reply_with(sentence("inbound.maps_and_history.no_such_game", game=name))


def has_seat_in(caller: CommandContext, position: GamePosition) -> bool:
    """Return whether the email is for a seat of that game. In other games its sender is a stranger."""
    return isinstance(caller, SeatCommandContext) and caller.seated.position.name == position.name


def _viewer_of(caller: CommandContext, position: GamePosition) -> Seat | None:
    """Return the viewer: the seat, in its own game; elsewhere a spectator."""
    return caller.seat if isinstance(caller, SeatCommandContext) and has_seat_in(caller, position) else None


def ask_map(caller: CommandContext, command: Command) -> CommandResult:
    """Show the map as it is now, or after a turn; for MAP ORDERS with the seat's saved orders."""
    words = command.args[0] if command.args else ""
    if words.lower().strip(" .") == _ORDERS_WORD and isinstance(caller, SeatCommandContext):
        return _map_of_orders(caller)
    position, wanted = _split_game_and_turn(caller, words, turn_alone=any(char.isdigit() for char in words))
    if isinstance(position, CommandResult):
        return position
    if caller.mapped is not None:
        return _no_second_map(caller.mapped, position.name, wanted)
    game = position.game
    if wanted:
        return _map_of_turn(caller, game, position, wanted)
    picture = map_of(game, position.state, _viewer_of(caller, position))
    if picture is None:
        return reply_with(sentence("inbound.maps_and_history.no_map", game=position.name))
    turn = game.rules.turn(position.state)
    note = sentence("inbound.maps_and_history.map_shown", game=position.name, turn=turn.name)
    return _show_map(note, picture, position, turn)


def _split_game_and_turn(
    caller: CommandContext, text: str, *, turn_alone: bool
) -> tuple[GamePosition | CommandResult, str]:
    """Return the game that the words name first, or else the email's own, and the turn after it.

    turn_alone: whether a first word that names no game is a turn.
    """
    words = text.split()
    named = words[0].lower().strip(" .") if words else ""
    if words and (
        named in caller.visible.games() or not (turn_alone and isinstance(caller, SeatCommandContext))
    ):
        return find_game_asked_about(caller, named), " ".join(words[1:])
    return find_game_asked_about(caller, None), " ".join(words)


def _map_of_turn(caller: CommandContext, game: Game, position: GamePosition, wanted: str) -> CommandResult:
    """Show the map of a turn that was played, with what moved in it."""
    log = caller.repository.log(position.name)
    places = _find_places(log, wanted)
    if not places:
        return _no_such_turn(log, position, wanted)
    step = step_at(game, position, log, places[-1])
    viewer = _viewer_of(caller, position)
    seen = [event for event in step.events if event.seen_by is None or viewer in event.seen_by]
    scene = svg(game, game.rules.view(step.after, viewer), seen, step.turn.name)
    if scene is None:
        return reply_with(sentence("inbound.maps_and_history.no_map", game=position.name))
    note = sentence("inbound.maps_and_history.map_of_turn", game=position.name, turn=step.turn.name)
    return _show_map(note, map_picture(scene), position, step.turn)


def _show_map(note: str, picture: bytes, position: GamePosition, turn: Turn) -> CommandResult:
    file = f"{position.name}-{turn.short}"
    return CommandResult(notes=(note,), picture=picture, mapped=position.name, file=file)


def _map_of_orders(case: SeatCommandContext) -> CommandResult:
    """Draw the saved orders as arrows if the game can, otherwise their results as if nobody else moved."""
    position, game = case.seated.position, case.game
    if not position.is_running:
        return reply_with(sentence("inbound.ordering.game_over"))
    if case.mapped is not None:
        return reply_with(sentence("inbound.dry_runs.one_map"))
    given = orders_due_now(case, position.filed.get(case.seat, ()))
    if not given:
        return reply_with(sentence("inbound.maps_and_history.no_orders_to_draw"))
    view = game.rules.view(position.state, case.seat)
    caption = sentence("inbound.maps_and_history.orders_caption", seat=case.seat)
    picture = None
    if sketched := game.telling.sketch(view, case.seat, given):
        picture = render_trial_map(case, view, sketched, caption)
    elif (trial := game.rules.dry_run(view, {case.seat: given})) is not None:
        picture = render_trial_map(case, trial.after, trial.events, caption)
    if picture is None:
        return reply_with(sentence("inbound.maps_and_history.no_map", game=position.name))
    turn = game.rules.turn(position.state).name
    note = sentence("inbound.maps_and_history.orders_drawn", count=len(given), turn=turn)
    return CommandResult(notes=(note,), picture=picture, mapped=position.name, file=f"{position.name}-orders")


def _no_second_map(shown: str, wanted: str, turn: str = "") -> CommandResult:
    if shown == wanted and not turn:
        return CommandResult()
    return reply_with(sentence("inbound.maps_and_history.one_map", shown=shown, wanted=wanted, turn=turn))


def ask_history(caller: CommandContext, command: Command) -> CommandResult:
    """Tell what happened in a turn; without one, list the turns, and what each side had over time."""
    position, wanted = _split_game_and_turn(caller, command.args[0] if command.args else "", turn_alone=True)
    if isinstance(position, CommandResult):
        return position
    game = position.game
    log = caller.repository.log(position.name)
    played = [place for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    if not played:
        return reply_with(sentence("inbound.maps_and_history.nothing_played", game=position.name))
    viewer = _viewer_of(caller, position)
    if wanted:
        return _answer_turn(game, position, log, viewer, wanted)
    rows = _headlines(game, position, log, played, viewer)
    more = sentence("inbound.maps_and_history.history_of_a_turn", turn=log[played[-1]][0].turn)
    course = build_history(game, position, log)
    course = course and replace_fields(course, viewer=viewer)
    title = sentence("inbound.maps_and_history.history_title", game=position.name)
    text = "\n\n".join(["\n".join([*rows, "", more]), *_describe_history(course)])
    marks = course.badges_by_name if course else {}
    return CommandResult(answered=(CommandAnswer(title=title, text=text, badges=marks),), history=course)


def _describe_history(course: History | None) -> Iterator[str]:
    """Yield each side's counts as rows, then the story if there is one."""
    if course is None:
        return
    yield course.title
    yield table(course.table)
    for section in course.story:
        yield "\n".join([section.heading, *(f"  {text}" for text in section.sentences)])


Log = Sequence[tuple[LogEntry, bytes]]


def _headlines(
    game: Game, position: GamePosition, log: Log, places: Sequence[int], viewer: Seat | None
) -> list[str]:
    """Return a row for each turn: its short name, and its headline."""
    rows = []
    earlier = list[list[Event]]()
    for place in places:
        seen = _visible_events(game, position, log, place, viewer)
        view = game.rules.view(game.state_from(log[place][1]), viewer)
        rows.append(f"  {log[place][0].turn:<8}{choose_headline(game, view, seen, reversed(earlier))}")
        earlier.append(seen)
    return rows


def _visible_events(
    game: Game, position: GamePosition, log: Log, place: int, viewer: Seat | None
) -> list[Event]:
    return visible_events(events_of(game, position.name, position.secret, log, place), viewer)


def _answer_turn(
    game: Game, position: GamePosition, log: Log, viewer: Seat | None, wanted: str
) -> CommandResult:
    """Tell a turn in full, with the orders that failed."""
    places = _find_places(log, wanted)
    if not places:
        return _no_such_turn(log, position, wanted)
    parts = [_describe_turn(game, position, log, place, viewer) for place in places]
    before = game.state_from(log[places[0] - 1][1])
    name = game.rules.turn(before).name
    return CommandResult(answered=(CommandAnswer(title=f"{position.name}, {name}", text="\n\n".join(parts)),))


def _find_places(log: Log, wanted: str) -> list[int]:
    """Return the places in the log of a turn: by its short name, or its prefix, ``F1904`` for ``F1904M``."""
    name = wanted.strip(" .").lower()
    played = [(place, entry.turn.lower()) for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    meant = next((turn for _, turn in played if turn == name), None)
    if meant is None and name:
        meant = next((turn for _, turn in played if turn[:-1] == name), None)
    return [place for place, turn in played if turn == meant]


def _no_such_turn(log: Log, position: GamePosition, wanted: str) -> CommandResult:
    turns = tuple(dict.fromkeys(entry.turn for entry, _ in log if entry.kind == "turn"))
    return reply_with(
        sentence("inbound.maps_and_history.no_such_turn", turn=wanted, game=position.name, turns=turns)
    )


def _describe_turn(game: Game, position: GamePosition, log: Log, place: int, viewer: Seat | None) -> str:
    lines: dict[str, list[str]] = {}
    events = _visible_events(game, position, log, place, viewer)
    for event in events:
        line = game.telling.tell(event, viewer)
        if line is not None:
            lines.setdefault(line.heading, []).append(f"  {line.text}")
    if may_know_why(game, position, viewer):
        for seat, why in sorted(log[place][0].reasons.items()):
            heading = sentence("inbound.maps_and_history.why_bots", seat=seat)
            lines[heading] = [f"  {order}: {reason}" for order, reason in why.items()]
    passages = ["\n".join([heading, *under]) for heading, under in lines.items()]
    earlier = (
        _visible_events(game, position, log, there, viewer)
        for there in reversed(range(place))
        if log[there][0].kind == "turn"
    )
    view = game.rules.view(game.state_from(log[place][1]), viewer)
    return "\n\n".join([choose_headline(game, view, events, earlier), *passages])


MAX_LISTED_GAMES = 40
"""No more games of others than that are shown to whoever asks for a list."""


def explain_unknown(command: Command) -> CommandResult:
    """Say that a line that looks like a command isn't one of ours, and what to write instead."""
    typed, *instead = command.args
    topic = find_topic(typed)
    if instead or topic is None:
        return reply_with(sentence("inbound.unknown.nearly", typed=typed, instead=instead[0]))
    advice = sentence("inbound.unknown.advice", topic=topic)
    return reply_with(sentence("inbound.unknown.answer", typed=typed, advice=advice))


def ask_status(caller: CommandContext, command: Command) -> CommandResult:
    """Answer with the state of a game: the turn, its deadline, the seats.

    Its players also learn who plays which seat, whose orders are in and who is away. The player of a solo
    game gets every table of the position, because reports show only what changed.
    """
    name = command.args[0].lower() if command.args else None
    if name == SELF_WORD:
        return _own_turnout(caller)
    if name is not None and (offer := caller.visible.offer(name)) is not None:
        title = sentence("inbound.queries.status_of_game", game=name)
        return CommandResult(answered=(CommandAnswer(title=title, text=_offer_status(caller, offer)),))
    position = find_game_asked_about(caller, name)
    if isinstance(position, CommandResult):
        return position
    game = position.game
    lines = [
        sentence("inbound.queries.game", title=game.about.title, game=position.name),
        *_present_turn_lines(caller, game, position),
    ]
    lines += [f"  {seat:<16}{words}" for seat, words in _describe_seats(caller, game, position)]
    lines += _absence_lines(caller, position) if has_seat_in(caller, position) else ()
    lines += _rejected_lines(caller, position)
    lines += _open_vote_lines(caller, position)
    lines += table_rules(caller.repository.people.policy(position.name))
    paragraphs = ["\n".join(lines)]
    if game.campaign is not None and has_seat_in(caller, position):
        viewer = _viewer_of(caller, position)
        tables = name_sides(game.telling.tables(game.rules.view(position.state, viewer)), viewer)
        paragraphs += [f"{shown.title}\n\n{table(shown)}" for shown in tables if shown.rows]
    stands = CommandAnswer(title=sentence("inbound.queries.status_title"), text="\n\n".join(paragraphs))
    return CommandResult(answered=(stands, *_answer_thread(caller, position)))


SELF_WORD = "me"
"""What asks STATUS for the sender's own record."""


def _own_turnout(caller: CommandContext) -> CommandResult:
    """Answer with the record of turning up of the address that the reply goes to."""
    turnouts = caller.repository.people.turnouts(caller.address)
    marks = [mark for turnout in turnouts.values() for mark in turnout.marks]
    paragraphs = turnout_paragraphs(turnout_record(marks, caller.now), len(turnouts))
    title = sentence("inbound.turnout.title")
    return CommandResult(answered=(CommandAnswer(title=title, text="\n\n".join(paragraphs)),))


def turnout_paragraphs(record: TurnoutRecord, game_count: int) -> tuple[str, ...]:
    """Return a player's record of turning up for themselves, and how it is counted."""
    how = sentence("inbound.turnout.how")
    if record.percent is None:
        return sentence("inbound.turnout.empty"), how
    counts = sentence(
        "inbound.turnout.counts",
        games=game_count,
        turns=record.turns,
        in_time=record.in_time,
        late=record.late,
        missed=record.missed,
        taken_over=record.taken_over,
    )
    return sentence("inbound.turnout.share", percent=record.percent), counts, how


def _answer_thread(caller: CommandContext, position: GamePosition) -> tuple[CommandAnswer, ...]:
    """Describe the thread of a game to a seat's player, with the player's proof word."""
    if not (isinstance(caller, SeatCommandContext) and has_seat_in(caller, position)):
        return ()
    customs = caller.repository.people.policy(position.name)
    thread = thread_of(position.name, position.game, customs, caller.service_context)
    if thread is None:
        return ()
    paragraphs = thread_paragraphs_for(
        thread, position.assignments[caller.seat], caller.repository, caller.service_context
    )
    return (CommandAnswer(title=sentence("inbound.queries.thread_title"), text="\n\n".join(paragraphs)),)


def _absence_lines(caller: CommandContext, position: GamePosition) -> list[str]:
    """Return sentences about present and future absences."""
    people_repository = caller.repository.people
    anonymous = people_repository.policy(position.name).anonymous
    absences = [
        absence for absence in people_repository.absences(position.name) if absence.last >= caller.received
    ]
    ends = [span(absence.first, absence.last, caller.zone, anywhere=anonymous)[1] for absence in absences]
    return [
        sentence("inbound.queries.away", seat=absence.seat, last=last)
        for absence, last in zip(absences, ends, strict=True)
    ]


def _open_vote_lines(caller: CommandContext, position: GamePosition) -> list[str]:
    """Return sentences about the motions that a player of the game can vote for."""
    if not (isinstance(caller, SeatCommandContext) and has_seat_in(caller, position)):
        return []
    return [
        sentence("inbound.voting.open", motion=motion.motion, length=length_text(motion.length))
        for motion in open_votes(caller)
    ]


def _rejected_lines(caller: CommandContext, position: GamePosition) -> list[str]:
    """Return the rejected lines of the seat's newest email, until its turn has run.

    Only the player of the seat sees them.
    """
    if not (isinstance(caller, SeatCommandContext) and has_seat_in(caller, position) and position.is_running):
        return []
    rejected = [item for item in position.filed.get(caller.seat, ()) if isinstance(item, Untaken)]
    lines = [item.line for item in rejected if not item.left_out]
    left_out = [item.line for item in rejected if item.left_out]
    return [
        *([sentence("inbound.queries.untaken", lines=lines)] if lines else []),
        *([sentence("inbound.queries.left_out", lines=left_out)] if left_out else []),
    ]


def _present_turn_lines(caller: CommandContext, game: Game, position: GamePosition) -> list[str]:
    if not position.is_running:
        result = outcome_of(game, position)
        if result is None:
            return [sentence("inbound.queries.halted")]
        seat = caller.seat if isinstance(caller, SeatCommandContext) else None
        return [result_text(game, result, seat, result_counts(game, position.state))]
    lines = [sentence("inbound.queries.now", turn=game.rules.turn(position.state).name)]
    if position.timing.stop is not None:
        told_why = has_seat_in(caller, position)
        lines.append(
            why_no_deadline(position.timing.stop) if told_why else sentence("inbound.queries.no_deadline")
        )
    elif is_solo(position):
        lines.append(sentence("inbound.queries.no_clock"))
    elif (over := overdue(position, caller.now)) is not None:
        lines.append(overdue_line(over, caller.zone))
    elif position.deadline is not None:
        lines.append(sentence("inbound.queries.deadline", at=format_instant(position.deadline, caller.zone)))
    return lines


def _describe_seats(caller: CommandContext, game: Game, position: GamePosition) -> list[tuple[str, str]]:
    """Return each seat with its player and the state of its orders;

    to strangers only whether it has a player.
    """
    position = without_waits(position, caller.now)
    people_repository, plays = caller.repository.people, has_seat_in(caller, position)
    vacant, customs = (
        people_repository.vacancies(position.name),
        people_repository.policy(position.name),
    )
    dues = game.rules.due(position.state) if position.is_running else ()
    rows: list[tuple[str, str]] = []
    for seat, assignment in position.assignments.items():
        owing = [due for due in dues if due.seat == seat]
        filed = position.filed.get(seat, ())
        if seat in vacant:
            words = sentence("inbound.queries.free", game=position.name, seat=seat)
        elif not assignment.is_person:
            words = sentence("inbound.queries.by_a_bot")
        elif not plays:
            words = sentence("inbound.queries.by_a_person")
        elif not owing:
            words = sentence("inbound.queries.nothing_due")
        else:
            done = all(has_all_orders(game, position.state, due, assignment, filed) for due in owing)
            words = (
                sentence("inbound.queries.orders_in") if done else sentence("inbound.queries.orders_awaited")
            )
        known = plays and not customs.anonymous
        person = people_repository.person(assignment.address) if assignment.address and known else None
        name = sentence("reports.report.reader_mark", seat=seat)
        if known and customs.records and assignment.address is not None:
            words = f"{words}, {_describe_turnout(caller, assignment.address)}"
        rows.append((name, f"{words} ({person.name})" if person and person.name else words))
    return rows


def _describe_turnout(caller: CommandContext, address: str) -> str:
    """Return a player's share of turns with orders, as a game may show it to others."""
    turnouts = caller.repository.people.turnouts(address)
    marks = [mark for turnout in turnouts.values() for mark in turnout.marks]
    return sentence("inbound.turnout.of_player", percent=turnout_record(marks, caller.now).percent)


def _offer_status(caller: CommandContext, offer: GameOffer) -> str:
    """Return the state of a game that is open for players."""
    game = games.kinds()[offer.kind]
    there = len(caller.admission.sort_signups(offer).players)
    lines = [
        sentence("inbound.queries.waits_for_people", title=game.about.title, game=offer.name),
        sentence("inbound.queries.signed_up", there=there, needed=offer.needed),
    ]
    if offer.starts is not None:
        lines.append(sentence("inbound.queries.begins", at=format_instant(offer.starts, caller.zone)))
    lines += [
        sentence("inbound.queries.seats", seats=game.about.seats(offer.options)),
        sentence("inbound.queries.to_play", game=offer.name),
    ]
    return "\n".join(lines)


def ask_orders(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Refer to the reply itself: while the game runs, every reply lists all saved orders."""
    if not case.seated.position.is_running:
        return reply_with(sentence("inbound.queries.none_when_over"))
    return reply_with(sentence("inbound.queries.all_listed_below"))


def ask_list(caller: CommandContext, _command: Command) -> CommandResult:
    """List the games that may be joined or watched, and the sender's own."""
    visible, repository = caller.visible, caller.repository
    own = repository.seats_of(caller.address)
    parts = []
    if own:
        rows = [(name, sentence("inbound.queries.own", seat=seat)) for name, seat in own]
        parts += [sentence("inbound.queries.list_of_own"), _format_rows(rows)]
    offers = visible.offers()
    if offers:
        rows = [(offer.name, _describe_offer(caller, offer)) for offer in offers]
        parts += [sentence("inbound.queries.list_of_offers"), _format_rows(rows)]
    free = visible.vacant_seats().items()
    rows = [(name, sentence("inbound.queries.vacant", seats=join_list(seats))) for name, seats in free]
    if rows:
        parts += [sentence("inbound.queries.list_of_vacancies"), _format_rows(rows)]
    held = {name for name, _ in own}
    elsewhere = (repository.position(name) for name in visible.running_games() if name not in held)
    running = (position for position in elsewhere if position is not None)
    others = [
        (position.name, _describe_running_game(position)) for position in islice(running, MAX_LISTED_GAMES)
    ]
    if others:
        parts += [sentence("inbound.queries.list_of_others"), _format_rows(others)]
    text = "\n\n".join(parts) or sentence("inbound.queries.list_of_none")
    return CommandResult(answered=(CommandAnswer(title=sentence("inbound.queries.list_title"), text=text),))


def _format_rows(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"  {name:<20}{words}" for name, words in rows)


def _describe_offer(caller: CommandContext, offer: GameOffer) -> str:
    there = len(caller.admission.sort_signups(offer).players)
    title = games.kinds()[offer.kind].about.title
    return sentence("inbound.queries.offer", title=title, there=there, needed=offer.needed)


def _describe_running_game(position: GamePosition) -> str:
    game = position.game
    return f"{game.about.title}, {game.rules.turn(position.state).name}"


def ask_help(caller: CommandContext, command: Command) -> CommandResult:
    """Answer with a help text."""
    topic = command.args[0] if command.args else "general"
    return CommandResult(answered=(_help_answer(caller, topic),))


def _help_answer(caller: CommandContext, topic: str) -> CommandAnswer:
    """Return the help on a topic, or the general one; a seat sees how orders are written in its own game."""
    title = sentence("inbound.queries.help_title", topic=topic)
    if topic.strip().lower() == GM_SEAT and caller.repository.people.games_run_by(caller.address):
        return CommandAnswer(title=title, text=gm_help())
    if not isinstance(caller, SeatCommandContext):
        text = help_text(topic)
        # A sender without a game gets the list of games first.
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
        kinds = "\n".join(f"  RULES {kind:<24}{label.title}" for kind, label in games.labels().items())
        unknown = [sentence("inbound.queries.no_such_kind", kind=kind_text)] if kind_text else []
        text = "\n\n".join([*unknown, sentence("inbound.queries.kinds"), kinds])
        return CommandResult(
            answered=(CommandAnswer(title=sentence("inbound.queries.rules_title"), text=text),)
        )
    title = sentence("inbound.queries.rules_of", title=game.about.title)
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
    known = join_list([*(name.upper() for name in (*_GET_COMMANDS, "provinces")), *HELP_TOPICS])
    return reply_with(sentence("inbound.queries.nothing_called_so", word=word, known=known))


def _list_names(caller: CommandContext) -> CommandResult:
    """List the names that orders may use, with their short forms."""
    if not isinstance(caller, SeatCommandContext):
        return reply_with(sentence("inbound.queries.names_of_a_game"))
    view = caller.game.rules.view(caller.seated.position.state, caller.seat)
    rows = sorted({(term.names[0], ", ".join(term.names[1:])) for term in caller.game.notation.lexicon(view)})
    wide = max(len(name) for name, _ in rows) + 2
    text = "\n".join(f"  {name:<{wide}}{others}" for name, others in rows)
    return CommandResult(answered=(CommandAnswer(title=sentence("inbound.queries.names_title"), text=text),))


_GET_COMMANDS: dict[str, Callable[[CommandContext, Command], CommandResult]] = {
    "map": ask_map,
    "history": ask_history,
    "rules": ask_rules,
    "list": ask_list,
    "status": ask_status,
}
"""What GET hands out that has a command of its own."""


# MOVES and NEIGHBOURS: the orders that the rules allow now, and the places beside a place.


_FORM_PLACEHOLDER = re.compile(r"\{(\w+)\}")
MAX_ORDERS_OF_NAMED_THING, MAX_ORDERS_PER_THING = 200, 8
"""So many orders are shown of one thing that was named, and of each where all are asked for."""


def ask_moves(case: SeatCommandContext, command: Command) -> CommandResult:
    """List what a unit, or each of them, could be ordered to do now: in words, and as it is written."""
    rules, position = case.game.rules, case.seated.position
    if not position.is_running:
        return reply_with(sentence("inbound.ordering.game_over"))
    view = rules.view(position.state, case.seat)
    legal_orders = rules.legal_orders(view, case.seat)
    if legal_orders is None:
        return reply_with(sentence("inbound.moves.not_listed", title=case.game.about.title))
    orders_by_thing = _group_by_thing(legal_orders) if _is_asked(case) else {}
    unlisted_orders = list(rules.unlisted_orders(view, case.seat)) if orders_by_thing else []
    if not orders_by_thing:
        return reply_with(sentence("inbound.moves.nothing_now"))
    if not command.args:
        title = sentence("inbound.moves.title_of_all", turn=rules.turn(view).name)
        parts = [
            _format_thing(case.game, of, some, MAX_ORDERS_PER_THING, unlisted_orders)
            for of, some in orders_by_thing.items()
        ]
        longer = next((of for of, some in orders_by_thing.items() if len(some) > MAX_ORDERS_PER_THING), None)
        return _reply(title, [*parts, sentence("inbound.moves.more", longer=longer)])
    named = command.args[0].strip(" .?!")
    some = _find_things(orders_by_thing, case.game.notation.lexicon(view), named)
    if not some:
        return reply_with(sentence("inbound.moves.no_such_thing", named=named, known=list(orders_by_thing)))
    title = sentence("inbound.moves.title", of=join_list(some))
    parts = [
        _format_thing(case.game, of, orders, MAX_ORDERS_OF_NAMED_THING, unlisted_orders)
        for of, orders in some.items()
    ]
    return _reply(title, parts)


def ask_neighbours(case: SeatCommandContext, command: Command) -> CommandResult:
    """List the places next to a place."""
    rules = case.game.rules
    if not rules.has_adjacency:
        return reply_with(sentence("inbound.moves.no_places", title=case.game.about.title))
    view = rules.view(case.seated.position.state, case.seat)
    named = " ".join(command.args).strip(" .?!")
    if not named:
        return reply_with(sentence("inbound.moves.say_which_place"))
    for term in _find_terms(case.game.notation.lexicon(view), named):
        near = rules.adjacent_places(view, term.id)
        if near is not None:
            wide = max((len(neighbour.place) for neighbour in near), default=0)
            rows = [f"  {neighbour.place:<{wide}}  {neighbour.how}" for neighbour in near]
            title = sentence("inbound.moves.beside", place=term.names[0])
            return _reply(title, ["\n".join(rows)])
    return reply_with(sentence("inbound.moves.no_such_place", named=named))


def _is_asked(case: SeatCommandContext) -> bool:
    dues = case.game.rules.due(case.seated.position.state)
    return any(due.seat == case.seat for due in dues)


def _group_by_thing(orders: Iterable[LegalOrder]) -> dict[str, list[LegalOrder]]:
    groups: dict[str, list[LegalOrder]] = {}
    for order in orders:
        groups.setdefault(order.of, []).append(order)
    return groups


def _find_things(
    orders_by_thing: Mapping[str, list[LegalOrder]], lexicon: Lexicon, named: str
) -> dict[str, list[LegalOrder]]:
    """Return the things that a name may mean: by their own words, or by any name in them."""
    wanted_words = {keys(named), keys(named)[1:]} - {()}
    for words in tuple(wanted_words):
        wanted_words |= {
            keys(name) for term in _find_terms(lexicon, " ".join(words)) for name in (*term.names, term.id)
        }
    return {
        of: some
        for of, some in orders_by_thing.items()
        if any(_contains_words(keys(of), words) for words in wanted_words)
    }


def _find_terms(lexicon: Lexicon, named: str) -> Lexicon:
    wanted = keys(named)
    return tuple(term for term in lexicon if wanted in (keys(term.id), *(keys(name) for name in term.names)))


def _contains_words(words: tuple[str, ...], some: tuple[str, ...]) -> bool:
    """Return whether words contain others side by side."""
    size = len(some)
    return bool(some) and any(words[at : at + size] == some for at in range(len(words) - size + 1))


def _format_thing(
    game: Game, of: str, orders: Sequence[LegalOrder], most: int, besides: Sequence[UnlistedOrders] = ()
) -> str:
    """Return the orders for one thing, a row each, then the forms with more orders, and how many."""
    texts = [(game.notation.write(order.order), order.words) for order in orders[:most]]
    wide = max(len(text) for text, _ in texts)
    rows = [f"  {text:<{wide}}  {words}" for text, words in texts]
    more = len(orders) - len(texts)
    rows += [f"  {sentence('inbound.moves.and_more', left=more)}"] if more > 0 else []
    rows += [f"  {_describe_unlisted(form)}" for form in besides if form.of == of]
    return "\n".join([f"  {of}:", *(f"  {row}" for row in rows)])


def _describe_unlisted(further: UnlistedOrders) -> str:
    """Return the number of orders of a form that are not shown, and the form: what differs in capitals."""
    form = _FORM_PLACEHOLDER.sub(lambda match: match[1].upper(), further.form)
    return sentence("inbound.moves.unlisted", left=len(further.orders), form=form, words=further.words)


def _reply(title: str, parts: Sequence[str]) -> CommandResult:
    return CommandResult(answered=(CommandAnswer(title=title, text="\n\n".join(parts)),))


# RECORD: the results of a player in the games that they play alone, beside those of bots.


def ask_record(caller: CommandContext, _command: Command) -> CommandResult:
    """Answer with the results of all seats of the address that the reply goes to, in finished games.

    So an email in another person's name sends their results to them only.
    """
    chapters = record_of(caller.address, caller.repository)
    if not chapters:
        kinds = sorted(game.about.title for game in games.kinds().values() if game.campaign is not None)
        return reply_with(sentence("inbound.record.empty", kinds=kinds))
    text = record_text(chapters) + "\n\n" + sentence("inbound.record.what_counts")
    return CommandResult(answered=(CommandAnswer(title=sentence("inbound.record.title"), text=text),))
