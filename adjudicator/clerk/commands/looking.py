"""MAP and HISTORY: a game as it stands, and as it came to be, for the eyes of whoever asks."""

from collections.abc import Iterator, Sequence

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.annals import course_of
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.clerk.commands.trying import ordered, pictured
from adjudicator.ledger.positions import Entry, Position
from adjudicator.referee.log import events_of, step_at
from adjudicator.reports.history import History
from adjudicator.reports.picture import drawn, map_of, svg
from adjudicator.reports.report import may_know_why
from adjudicator.reports.transcript import Answer
from adjudicator.reports.typeset import table
from games.protocol import Event, Game, Seat, Turn
from games.protocol.optional import Sketching, Trying
from orders.commands import Command

_ORDERS = "orders"


def seen_game(caller: Caller, name: str | None) -> Position | Done:
    """The game that is asked about: the one named, else the one for which the letter speaks."""
    if name is None:
        if isinstance(caller, Case):
            return caller.seated.position
        return told(sentence("clerk.looking.say_which"))
    asked = name.lower().strip(" .")
    position = caller.books.position(asked)
    if position is None and caller.books.stuck(asked) is not None:
        return told(sentence("clerk.looking.held", game=asked))
    return position or told(sentence("clerk.looking.no_such_game", game=name))


def plays_in(caller: Caller, position: Position) -> bool:
    """Whether the letter speaks for a seat of that game; whoever writes it is a stranger to the others."""
    return isinstance(caller, Case) and caller.seated.position.name == position.name


def _eyes(caller: Caller, position: Position) -> Seat | None:
    """For whose eyes: those of the seat, in its own game; elsewhere a spectator's."""
    return caller.seat if isinstance(caller, Case) and plays_in(caller, position) else None


def ask_map(caller: Caller, command: Command) -> Done:
    """The map as it is now, or as a turn left it; of MAP ORDERS with the orders that the seat has on file."""
    said = command.args[0] if command.args else ""
    if said.lower().strip(" .") == _ORDERS and isinstance(caller, Case):
        return _map_of_orders(caller)
    position, wanted = _asked(caller, said, turn_alone=any(char.isdigit() for char in said))
    if isinstance(position, Done):
        return position
    if caller.mapped is not None:
        return _no_second_map(caller.mapped, position.name, wanted)
    game = games.kinds()[position.kind]
    if wanted:
        return _map_of_turn(caller, game, position, wanted)
    picture = map_of(game, position.state, _eyes(caller, position))
    if picture is None:
        return told(sentence("clerk.looking.no_map", game=position.name))
    turn = game.rules.turn(position.state)
    note = sentence("clerk.looking.map_shown", game=position.name, turn=turn.name)
    return _shown(note, picture, position, turn)


def _asked(caller: Caller, said: str, *, turn_alone: bool) -> tuple[Position | Done, str]:
    """The game that words name first, else the one for which the letter speaks; and the turn behind it.

    turn_alone: in the letter of a seat a first word that names no game is a turn.
    """
    words = said.split()
    named = words[0].lower().strip(" .") if words else ""
    if words and (named in caller.books.games() or not (turn_alone and isinstance(caller, Case))):
        return seen_game(caller, named), " ".join(words[1:])
    return seen_game(caller, None), " ".join(words)


def _map_of_turn(caller: Caller, game: Game, position: Position, wanted: str) -> Done:
    """The map of a turn that was played, with what moved in it."""
    log = caller.books.log(position.name)
    places = _places(log, wanted)
    if not places:
        return _no_such_turn(log, position, wanted)
    step = step_at(game, position, log, places[-1])
    viewer = _eyes(caller, position)
    seen = [event for event in step.events if event.seen_by is None or viewer in event.seen_by]
    scene = svg(game, game.rules.view(step.after, viewer), seen, step.turn.name)
    if scene is None:
        return told(sentence("clerk.looking.no_map", game=position.name))
    note = sentence("clerk.looking.map_of_turn", game=position.name, turn=step.turn.name)
    return _shown(note, drawn(scene), position, step.turn)


def _shown(note: str, picture: bytes, position: Position, turn: Turn) -> Done:
    file = f"{position.name}-{turn.short}"
    return Done(notes=(note,), picture=picture, mapped=position.name, file=file)


def _map_of_orders(case: Case) -> Done:
    """What is on file, drawn: as it is ordered where the game can, else as it would come out alone."""
    position, game = case.seated.position, case.game
    if not position.running:
        return told(sentence("clerk.ordering.game_over"))
    if case.mapped is not None:
        return told(sentence("clerk.trying.one_map"))
    given = ordered(case, position.filed.get(case.seat, ()))
    if not given:
        return told(sentence("clerk.looking.no_orders_to_draw"))
    view = game.rules.view(position.state, case.seat)
    caption = sentence("clerk.looking.orders_caption", seat=case.seat)
    picture = None
    sketched = game.telling.sketch(view, case.seat, given) if isinstance(game.telling, Sketching) else ()
    if sketched:
        picture = pictured(case, view, sketched, caption)
    elif isinstance(game.rules, Trying):
        trial = game.rules.attempt(view, {case.seat: given})
        picture = pictured(case, trial.after, trial.events, caption)
    if picture is None:
        return told(sentence("clerk.looking.no_map", game=position.name))
    turn = game.rules.turn(position.state).name
    note = sentence("clerk.looking.orders_drawn", number=len(given), turn=turn)
    return Done(notes=(note,), picture=picture, mapped=position.name, file=f"{position.name}-orders")


def _no_second_map(shown: str, wanted: str, turn: str = "") -> Done:
    if shown == wanted and not turn:
        return Done()
    return told(sentence("clerk.looking.one_map", shown=shown, wanted=wanted, turn=turn))


def ask_history(caller: Caller, command: Command) -> Done:
    """What happened in a turn; without one, the turns there were, and what each side had over time."""
    position, wanted = _asked(caller, command.args[0] if command.args else "", turn_alone=True)
    if isinstance(position, Done):
        return position
    game = games.kinds()[position.kind]
    log = caller.books.log(position.name)
    played = [place for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    if not played:
        return told(sentence("clerk.looking.nothing_played", game=position.name))
    viewer = _eyes(caller, position)
    if wanted:
        return _one_turn(game, position, log, viewer, wanted)
    rows = [_headline(game, position, log, place, viewer) for place in played]
    more = sentence("clerk.looking.history_of_a_turn", turn=log[played[-1]][0].turn)
    course = course_of(game, position, log)
    title = sentence("clerk.looking.history_title", game=position.name)
    text = "\n\n".join(["\n".join([*rows, "", more]), *_over_time(course)])
    marks = course.badges if course else {}
    return Done(answered=(Answer(title=title, text=text, badges=marks),), history=course)


def _over_time(course: History | None) -> Iterator[str]:
    """What each side had, in rows; and the story, where there is one."""
    if course is None:
        return
    yield course.title
    yield table(course.table)
    for section in course.story:
        yield "\n".join([section.heading, *(f"  {text}" for text in section.sentences)])


Log = Sequence[tuple[Entry, bytes]]


def _headline(game: Game, position: Position, log: Log, place: int, viewer: Seat | None) -> str:
    seen = _seen(game, position, log, place, viewer)
    return f"  {log[place][0].turn:<8}{game.telling.headline(seen)}"


def _seen(game: Game, position: Position, log: Log, place: int, viewer: Seat | None) -> list[Event]:
    events = events_of(game, position.name, position.secret, log, place)
    return [event for event in events if event.seen_by is None or viewer in event.seen_by]


def _one_turn(game: Game, position: Position, log: Log, viewer: Seat | None, wanted: str) -> Done:
    """A turn told whole, with the orders that failed."""
    places = _places(log, wanted)
    if not places:
        return _no_such_turn(log, position, wanted)
    parts = [_told(game, position, log, place, viewer) for place in places]
    before = game.state_from(log[places[0] - 1][1])
    name = game.rules.turn(before).name
    return Done(answered=(Answer(title=f"{position.name}, {name}", text="\n\n".join(parts)),))


def _places(log: Log, wanted: str) -> list[int]:
    """Where in the log a turn was played: by its short name, or its beginning, ``F1904`` for ``F1904M``."""
    said = wanted.strip(" .").lower()
    played = [(place, entry.turn.lower()) for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    meant = next((turn for _, turn in played if turn == said), None)
    if meant is None and said:
        meant = next((turn for _, turn in played if turn[:-1] == said), None)
    return [place for place, turn in played if turn == meant]


def _no_such_turn(log: Log, position: Position, wanted: str) -> Done:
    turns = tuple(dict.fromkeys(entry.turn for entry, _ in log if entry.kind == "turn"))
    return told(sentence("clerk.looking.no_such_turn", turn=wanted, game=position.name, turns=turns))


def _told(game: Game, position: Position, log: Log, place: int, viewer: Seat | None) -> str:
    lines: dict[str, list[str]] = {}
    events = _seen(game, position, log, place, viewer)
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
