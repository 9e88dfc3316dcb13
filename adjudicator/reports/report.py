"""The content of a report without its form: what one pair of eyes may learn of one or more turns."""

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.filed_orders import write_item
from adjudicator.model.games import AdjudicationResult, DiceRoll, GamePosition, PlayedTurn
from adjudicator.model.overdue import Overdue, overdue
from adjudicator.model.solo_games import is_in_play, is_solo
from adjudicator.reports import pages, suggestions
from adjudicator.reports.first_day import opening_tables
from adjudicator.reports.history import History
from adjudicator.reports.order_sheet import HeldUp, held_up, sheet_lines
from adjudicator.reports.order_sheet import sheet as sheet
from adjudicator.reports.table_changes import with_changes
from adjudicator.reports.times import why_no_deadline
from games.protocol import (
    Due,
    Event,
    Form,
    Game,
    GameResult,
    ReportLine,
    ReportTable,
    Seat,
    Turn,
    View,
)
from games.protocol.optional import SeatColours, SupportsIntroduction, SupportsLeader, SupportsSeatColours
from games.record import Value, field, revive

_BOT_LABEL = "bot/"
"""Labels of draws that bots make begin so (the dice of a bot see to it)."""


class ReportPassage(Value, frozen=True):
    """The sentences under one heading, in the order of telling."""

    heading: str
    lines: tuple[ReportLine, ...]


class TurnChapter(Value, frozen=True):
    """One turn told. silent: the people who owed orders for it and sent none.

    passed: the viewer's queued orders that were left out, since their condition did not hold; dropped: those
    left over when what they were a plan for was over; whole: False where no more than its headline is told,
    and what is the viewer's own, since there is no room for all.
    """

    turn: Turn
    headline: str
    passages: tuple[ReportPassage, ...]
    silent: tuple[str, ...]
    passed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    whole: bool = True


class BotPlay(Value, frozen=True):
    """The orders of a nation without a player in one turn: pairs of order and reason, in written form."""

    seat: str
    turn: str
    orders: tuple[tuple[str, str], ...]


class OrdersWanted(Value, frozen=True):
    """Orders due from the viewer: of what kind, how many (None: one for each name), and for what."""

    kind: str
    takes: int | None
    names: tuple[str, ...]


class PressItem(Value, frozen=True):
    """A piece of press: from whom to whom as its readers may know it ("From Erie to all"), and its text."""

    heading: str
    text: str


class Report(Value, frozen=True):
    """Everything that a report says.

    game, title: the game's name and that of its kind; viewer: whose eyes, None for a spectator; entry: the
    number of the last log entry told; chapters: empty in the report that opens a game; vacant: the nations
    without a player; bots: what these ordered and why, as far as the viewer may know; throws: of the rules,
    likewise; bot_throws: how often bots drew lots, told with their reasons; commitment: SHA-256 of the dice
    secret; secret: itself, in hexadecimal, once the game is over; turn: the one due now, None at the end;
    sheet: the viewer's order sheet; held_up: orders of the viewer that have become impossible and that others
    wait behind; press: what was written to the viewer since the last report; lead: who is ahead, in a
    sentence, where it has changed; by_hand: what the gamesmaster did since the last report, and why, each in
    a sentence or two; examples: in the report that opens a game, orders that the viewer could give now;
    setting, introduction: in it too, what the game is and how one wins; topics: what HELP tells more of;
    later: the titles of tables that nobody needs to begin, which it leaves out; overdue: the deadline, where
    it is over; stopped: why the game does not go on for the moment, in a sentence, if it does not; waits:
    whether the turn waits for one person who plays alone, without a deadline; brief: whether its reader asked
    for no more than what changed, is his own, and is due; history: the game over time, where a part of its
    time is over, with its story, where the game is; page: the address of the turn in the archive, sheet_page:
    of the page on which to order, "" where there is none; first_short: the first turn of which not all is
    told, for want of room.
    """

    game: str
    title: str
    viewer: Seat | None
    entry: int
    headline: str
    chapters: tuple[TurnChapter, ...]
    tables: tuple[ReportTable, ...]
    vacant: tuple[Seat, ...]
    bots: tuple[BotPlay, ...]
    throws: tuple[DiceRoll, ...]
    bot_throws: int
    commitment: str | None
    turn: Turn | None
    deadline: Millis | None
    early: bool
    wanted: tuple[OrdersWanted, ...]
    sheet: tuple[str, ...]
    result: GameResult | None
    held_up: tuple[HeldUp, ...] = ()
    press: tuple[PressItem, ...] = ()
    secret: str | None = None
    lead: str = ""
    by_hand: tuple[str, ...] = ()
    examples: tuple[Form, ...] = ()
    setting: str = ""
    introduction: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    overdue: Overdue | None = None
    stopped: str = ""
    waits: bool = False
    brief: bool = False
    badges: Mapping[str, SeatColours] = field(default_factory=dict)
    history: History | None = None
    page: str = ""
    sheet_page: str = ""
    first_short: Turn | None = None

    @property
    def first_turn(self) -> Turn | None:
        """The turn that a report tells of, the first of several; None in one that opens a game."""
        return self.chapters[0].turn if self.chapters else None

    @property
    def silent(self) -> tuple[str, ...]:
        """The seats that sent no orders for one or more of the turns told, each once."""
        return tuple(dict.fromkeys(seat for chapter in self.chapters for seat in chapter.silent))


def compile_report(
    game: Game,
    position: GamePosition,
    played: AdjudicationResult,
    viewer: Seat | None,
    *,
    commitment: str | None = None,
    press: tuple[PressItem, ...] = (),
    by_hand: tuple[str, ...] = (),
    history: History | None = None,
) -> Report:
    """Return the report of the turns just played to a viewer. At least one turn must have been played.

    commitment: to the secret of the dice; press: what the viewer was written since the last report;
    by_hand: what the gamesmaster did, as the viewer may know it; history: of the game, if it is told now.

    Bots say why when the game is over; before that only to whoever plays them alone, since what they
    agreed to in private decides for them. In a game with hidden information they say nothing till then,
    nor are the dice told: they would give away what `Rules.view` hides.
    """
    steps = played.steps
    events = [event for step in steps for event in _visible_events(step.events, viewer)]
    over = played.result is not None or position.status == "finished"
    may_tell_dice = over or not game.about.hidden
    why = over or may_know_why(game, position, viewer)
    throws = [throw for step in steps for throw in step.entry.throws] if may_tell_dice else []
    view = game.rules.view(played.state, viewer)
    earlier = game.telling.tables(game.rules.view(steps[0].before, viewer))
    return Report(
        game=position.name,
        title=game.about.title,
        viewer=viewer,
        entry=steps[-1].entry.number,
        headline=game.telling.headline(events),
        chapters=tuple(_chapter(game, step, viewer) for step in steps),
        tables=_without_decisions(with_changes(earlier, game.telling.tables(view)), over=over),
        vacant=_vacant(position),
        bots=tuple(play for step in steps for play in _bot_plays(game, step)) if why else (),
        throws=tuple(throw for throw in throws if not throw.label.startswith(_BOT_LABEL)),
        bot_throws=sum(throw.label.startswith(_BOT_LABEL) for throw in throws) if why else 0,
        commitment=commitment,
        turn=None if played.result else game.rules.turn(played.state),
        deadline=played.unattended if is_solo(position) else played.deadline,
        waits=is_solo(position) and not played.result and played.unattended is None,
        early=position.early,
        wanted=_orders_wanted(played.due, viewer),
        sheet=sheet_lines(game, played.state, played.due, played.filed.get(viewer, ()), viewer)
        if viewer
        else (),
        result=played.result,
        held_up=held_up(game, played.state, played.filed.get(viewer, ()), viewer) if viewer else (),
        press=press,
        secret=position.secret.hex() if played.result else None,
        lead=game.telling.lead(view, events) if isinstance(game.telling, SupportsLeader) else "",
        by_hand=by_hand,
        history=history,
        badges=badges(game, view),
    )


def opening_report(
    game: Game,
    position: GamePosition,
    viewer: Seat | None,
    *,
    commitment: str | None = None,
    now: Millis | None = None,
) -> Report:
    """Return the report of a game before its first turn, or when somebody joins it.

    now: when that is told; None: before the deadline.
    """
    alone, stop = is_solo(position), position.timing.stop
    turn = game.rules.turn(position.state) if position.is_running else None
    view, telling = game.rules.view(position.state, viewer), game.telling
    shown, later = opening_tables(telling.tables(view), viewer, begun=position.played > 0)
    return Report(
        game=position.name,
        title=game.about.title,
        viewer=viewer,
        entry=position.entries - 1,
        headline="",
        chapters=(),
        tables=_without_decisions(shown, over=not position.is_running),
        vacant=_vacant(position),
        bots=(),
        throws=(),
        bot_throws=0,
        commitment=commitment,
        turn=turn,
        deadline=None if alone or stop else position.deadline,
        overdue=None if now is None else overdue(position, now),
        stopped=_stopped(position, viewer),
        waits=alone
        and not stop
        and position.is_running
        and is_in_play(game, position.state, position.chairs),
        early=position.early and not stop,
        wanted=_orders_wanted(game.rules.due(position.state), viewer),
        sheet=sheet(game, position, viewer) if viewer else (),
        result=game.rules.result(position.state),
        held_up=held_up(game, position.state, position.filed.get(viewer, ()), viewer) if viewer else (),
        examples=suggestions.possible_orders(suggestions.SeatView.of(game, position.state, viewer))
        if viewer
        else (),
        setting=telling.setting(view, viewer) if isinstance(telling, SupportsIntroduction) else "",
        introduction=telling.introduction(view, viewer) if isinstance(telling, SupportsIntroduction) else (),
        later=later,
        topics=pages.help_topics(game),
        badges=badges(game, view),
    )


def _stopped(position: GamePosition, viewer: Seat | None) -> str:
    """Return why no deadline runs in a game that has deadlines; who does not play in it is not told why."""
    stop = position.timing.stop
    if not position.is_running or (stop is None and (position.deadline is not None or is_solo(position))):
        return ""
    if stop is None:
        return sentence("reports.times.about_to_run")
    return why_no_deadline(stop) if viewer else sentence("reports.times.no_deadline_now")


def _without_decisions(tables: Sequence[ReportTable], *, over: bool) -> tuple[ReportTable, ...]:
    """Return the tables of a report; of a game that is over without what there was to decide."""
    return tuple(table for table in tables if not (over and table.about == "due"))


def badges(game: Game, view: View) -> Mapping[str, SeatColours]:
    """Return the marks of the seats of a game on its map, by the names that letters call them."""
    return game.telling.badges(view) if isinstance(game.telling, SupportsSeatColours) else {}


def _visible_events(events: Iterable[Event], viewer: Seat | None) -> list[Event]:
    return [event for event in events if event.seen_by is None or viewer in event.seen_by]


def _chapter(game: Game, step: PlayedTurn, viewer: Seat | None) -> TurnChapter:
    events = _visible_events(step.events, viewer)
    sentences = [game.telling.tell(event, viewer) for event in events]
    lines: dict[str, list[ReportLine]] = {}
    for line in sentences:
        if line is not None:
            lines.setdefault(line.heading, []).append(line)
    return TurnChapter(
        turn=step.turn,
        headline=game.telling.headline(events),
        passages=tuple(ReportPassage(heading, tuple(under)) for heading, under in lines.items()),
        silent=step.entry.silent,
        passed=tuple(write_item(game, item) for item in step.passed.get(viewer, ())) if viewer else (),
        dropped=tuple(write_item(game, item) for item in step.dropped.get(viewer, ())) if viewer else (),
    )


def _bot_plays(game: Game, step: PlayedTurn) -> list[BotPlay]:
    """Return the orders of each bot in the order in which it gave them, which the log does not store."""
    plays = []
    for seat, why in sorted(step.entry.reasons.items()):
        orders = [revive(game.order_type, order) for order in step.entry.orders.get(seat, ())]
        ranks = {game.notation.write(order): place for place, order in enumerate(orders)}
        ordered_pairs = sorted(why.items(), key=lambda pair: ranks.get(pair[0], len(ranks)))
        plays.append(BotPlay(seat, step.turn.name, tuple(ordered_pairs)))
    return plays


def may_know_why(game: Game, position: GamePosition, viewer: Seat | None) -> bool:
    """Return whether a viewer may know why bots order what they do.

    All may when the game is over; before, who plays them alone, but not in a game with hidden information.
    """
    return position.status == "finished" or (not game.about.hidden and _is_alone(position, viewer))


def _is_alone(position: GamePosition, viewer: Seat | None) -> bool:
    """Return whether the viewer alone has ever played: then private press is the viewer's own or a bot's."""
    others = [chair for seat, chair in position.chairs.items() if seat != viewer]
    return viewer is not None and not any(
        seat_assignment.is_person or seat_assignment.generation > 1 for seat_assignment in others
    )


def _vacant(position: GamePosition) -> tuple[Seat, ...]:
    return tuple(seat for seat, chair in position.chairs.items() if not chair.is_person)


def _orders_wanted(dues: Sequence[Due], viewer: Seat | None) -> tuple[OrdersWanted, ...]:
    return tuple(
        OrdersWanted(due.kind, due.takes, tuple(owed.name for owed in due.owes))
        for due in dues
        if due.seat == viewer
    )
