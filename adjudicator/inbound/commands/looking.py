"""MAP and HISTORY: a game's position and its past, as the sender may see them."""

from collections.abc import Iterator, Sequence

import games
from adjudicator.inbound.annals import build_history
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.orders import orders_due_now, render_trial_map
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition, LogEntry
from adjudicator.reports.history import History
from adjudicator.reports.picture import map_of, map_picture, svg
from adjudicator.reports.report import may_know_why
from adjudicator.reports.typeset import table
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.log import events_of, step_at
from games.protocol import Event, Game, Seat, Turn
from games.protocol.optional import SupportsDryRun, SupportsOrderSketch
from orders.commands import Command

_ORDERS_WORD = "orders"


def find_game_asked_about(caller: CommandContext, name: str | None) -> GamePosition | CommandResult:
    """Return the game that is asked about: the one named, else the one for which the letter speaks."""
    if name is None:
        if isinstance(caller, SeatCommandContext):
            return caller.seated.position
        return reply_with(sentence("clerk.looking.say_which"))
    asked = name.lower().strip(" .")
    position = caller.books.position(asked)
    if position is None and caller.books.suspension(asked) is not None:
        return reply_with(sentence("clerk.looking.held", game=asked))
    return position or reply_with(sentence("clerk.looking.no_such_game", game=name))


def has_seat_in(caller: CommandContext, position: GamePosition) -> bool:
    """Return whether the letter speaks for a seat of that game; in others its sender is a stranger."""
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
    game = games.kinds()[position.kind]
    if wanted:
        return _map_of_turn(caller, game, position, wanted)
    picture = map_of(game, position.state, _viewer_of(caller, position))
    if picture is None:
        return reply_with(sentence("clerk.looking.no_map", game=position.name))
    turn = game.rules.turn(position.state)
    note = sentence("clerk.looking.map_shown", game=position.name, turn=turn.name)
    return _show_map(note, picture, position, turn)


def _split_game_and_turn(
    caller: CommandContext, text: str, *, turn_alone: bool
) -> tuple[GamePosition | CommandResult, str]:
    """Return the game that words name first, else the one for which the letter speaks; and the turn after it.

    turn_alone: in the letter of a seat a first word that names no game is a turn.
    """
    words = text.split()
    named = words[0].lower().strip(" .") if words else ""
    if words and (
        named in caller.books.games() or not (turn_alone and isinstance(caller, SeatCommandContext))
    ):
        return find_game_asked_about(caller, named), " ".join(words[1:])
    return find_game_asked_about(caller, None), " ".join(words)


def _map_of_turn(caller: CommandContext, game: Game, position: GamePosition, wanted: str) -> CommandResult:
    """Show the map of a turn that was played, with what moved in it."""
    log = caller.books.log(position.name)
    places = _find_places(log, wanted)
    if not places:
        return _no_such_turn(log, position, wanted)
    step = step_at(game, position, log, places[-1])
    viewer = _viewer_of(caller, position)
    seen = [event for event in step.events if event.seen_by is None or viewer in event.seen_by]
    scene = svg(game, game.rules.view(step.after, viewer), seen, step.turn.name)
    if scene is None:
        return reply_with(sentence("clerk.looking.no_map", game=position.name))
    note = sentence("clerk.looking.map_of_turn", game=position.name, turn=step.turn.name)
    return _show_map(note, map_picture(scene), position, step.turn)


def _show_map(note: str, picture: bytes, position: GamePosition, turn: Turn) -> CommandResult:
    file = f"{position.name}-{turn.short}"
    return CommandResult(notes=(note,), picture=picture, mapped=position.name, file=file)


def _map_of_orders(case: SeatCommandContext) -> CommandResult:
    """Draw the saved orders: as they are ordered where the game can, else as they would come out alone."""
    position, game = case.seated.position, case.game
    if not position.is_running:
        return reply_with(sentence("clerk.ordering.game_over"))
    if case.mapped is not None:
        return reply_with(sentence("clerk.trying.one_map"))
    given = orders_due_now(case, position.filed.get(case.seat, ()))
    if not given:
        return reply_with(sentence("clerk.looking.no_orders_to_draw"))
    view = game.rules.view(position.state, case.seat)
    caption = sentence("clerk.looking.orders_caption", seat=case.seat)
    picture = None
    sketched = (
        game.telling.sketch(view, case.seat, given) if isinstance(game.telling, SupportsOrderSketch) else ()
    )
    if sketched:
        picture = render_trial_map(case, view, sketched, caption)
    elif isinstance(game.rules, SupportsDryRun):
        trial = game.rules.dry_run(view, {case.seat: given})
        picture = render_trial_map(case, trial.after, trial.events, caption)
    if picture is None:
        return reply_with(sentence("clerk.looking.no_map", game=position.name))
    turn = game.rules.turn(position.state).name
    note = sentence("clerk.looking.orders_drawn", number=len(given), turn=turn)
    return CommandResult(notes=(note,), picture=picture, mapped=position.name, file=f"{position.name}-orders")


def _no_second_map(shown: str, wanted: str, turn: str = "") -> CommandResult:
    if shown == wanted and not turn:
        return CommandResult()
    return reply_with(sentence("clerk.looking.one_map", shown=shown, wanted=wanted, turn=turn))


def ask_history(caller: CommandContext, command: Command) -> CommandResult:
    """Tell what happened in a turn; without one, list the turns, and what each side had over time."""
    position, wanted = _split_game_and_turn(caller, command.args[0] if command.args else "", turn_alone=True)
    if isinstance(position, CommandResult):
        return position
    game = games.kinds()[position.kind]
    log = caller.books.log(position.name)
    played = [place for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    if not played:
        return reply_with(sentence("clerk.looking.nothing_played", game=position.name))
    viewer = _viewer_of(caller, position)
    if wanted:
        return _answer_turn(game, position, log, viewer, wanted)
    rows = [_headline(game, position, log, place, viewer) for place in played]
    more = sentence("clerk.looking.history_of_a_turn", turn=log[played[-1]][0].turn)
    course = build_history(game, position, log)
    title = sentence("clerk.looking.history_title", game=position.name)
    text = "\n\n".join(["\n".join([*rows, "", more]), *_describe_history(course)])
    marks = course.badges if course else {}
    return CommandResult(answered=(CommandAnswer(title=title, text=text, badges=marks),), history=course)


def _describe_history(course: History | None) -> Iterator[str]:
    """Yield what each side had, in rows; and the story, where there is one."""
    if course is None:
        return
    yield course.title
    yield table(course.table)
    for section in course.story:
        yield "\n".join([section.heading, *(f"  {text}" for text in section.sentences)])


Log = Sequence[tuple[LogEntry, bytes]]


def _headline(game: Game, position: GamePosition, log: Log, place: int, viewer: Seat | None) -> str:
    seen = _visible_events(game, position, log, place, viewer)
    return f"  {log[place][0].turn:<8}{game.telling.headline(seen)}"


def _visible_events(
    game: Game, position: GamePosition, log: Log, place: int, viewer: Seat | None
) -> list[Event]:
    events = events_of(game, position.name, position.secret, log, place)
    return [event for event in events if event.seen_by is None or viewer in event.seen_by]


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
    return reply_with(sentence("clerk.looking.no_such_turn", turn=wanted, game=position.name, turns=turns))


def _describe_turn(game: Game, position: GamePosition, log: Log, place: int, viewer: Seat | None) -> str:
    lines: dict[str, list[str]] = {}
    events = _visible_events(game, position, log, place, viewer)
    for event in events:
        line = game.telling.tell(event, viewer)
        if line is not None:
            lines.setdefault(line.heading, []).append(f"  {line.text}")
    if may_know_why(game, position, viewer):
        for seat, why in sorted(log[place][0].reasons.items()):
            heading = sentence("clerk.looking.why_bots", seat=seat)
            lines[heading] = [f"  {order}: {reason}" for order, reason in why.items()]
    passages = ["\n".join([heading, *under]) for heading, under in lines.items()]
    return "\n\n".join([game.telling.headline(events), *passages])
