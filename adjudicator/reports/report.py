"""The content of a report without its form: what one pair of eyes may learn of one or more turns."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import assert_never

from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import Overdue, is_in_play, is_solo, overdue
from adjudicator.model.games import (
    AdjudicationResult,
    AnyOverride,
    DiceRoll,
    DieForced,
    Edited,
    GamePosition,
    LogEntry,
    OrdersSet,
    PlayedTurn,
    RolledBack,
    Undone,
    VariantUpdated,
    read_override,
    struck_out,
)
from adjudicator.model.orders_on_file import write_item
from adjudicator.model.people import Reasons, Style
from adjudicator.reports import order_sheet, render
from adjudicator.reports.charts import line_chart
from adjudicator.reports.order_sheet import HeldUp, held_up, sheet_lines
from adjudicator.reports.order_sheet import sheet as sheet
from adjudicator.reports.render import text_badges, with_changes
from adjudicator.reports.results import (
    choose_headline,
    result_counts,
    side_label,
    side_name,
    visible_events,
    visible_history,
)
from adjudicator.reports.times import why_no_deadline
from adjudicator.reports.verdict import Fate
from games.language import format_halves
from games.protocol import (
    Due,
    Form,
    Game,
    GameResult,
    ReportLine,
    ReportTable,
    Seat,
    SeatColours,
    State,
    Turn,
)
from games.record import Value, field, replace_fields, revive

# The history of a game as data: the count of each side over time, and at the end the story.


_MAX_TABLE_COLUMNS = 8
"""So many moments have room in a table of 72 columns."""

_MAX_CHART_LINES = 12
"""The most lines in a chart. More would hide each other."""

_MANY_QUIET_POWERS = 3
"""So many powers whose units only held share one row of a report."""

_CHART_SIZE_PX = (640, 440)
"""The size of a chart in pixels. Its text is readable at 600 pixels and on a phone."""

Series = Mapping[str, Sequence[tuple[int, float]]]


class StorySection(Value, frozen=True):
    """Sentences of a story under their heading."""

    heading: str
    sentences: tuple[str, ...]


class History(Value, frozen=True):
    """A game over time. thing, time: what is counted, and what passes ("supply centres", "year").

    counts: by seat, the strongest at the end first, pairs of a time and what it had when that was over, the
    opening first; told: the game's own story of a game that is over; from_counts: whether the counts tell the
    story instead; badges: what marks a side on the map; viewer: the seat that is called "You" in a game of
    two sides; name_time: returns the name of a time.
    """

    game: str
    thing: str
    time: str
    counts: Mapping[Seat, Sequence[tuple[int, float]]]
    told: tuple[StorySection, ...] = ()
    from_counts: bool = False
    badges: Mapping[str, SeatColours] = field(default_factory=dict)
    viewer: Seat | None = None
    name_time: Callable[[int], str] = str

    @property
    def series(self) -> Series:
        """Return the counts by the name that the viewer reads."""
        return {side_label(seat, self.viewer): line for seat, line in self.counts.items()}

    @property
    def badges_by_name(self) -> Mapping[str, SeatColours]:
        """Return the badges by the names of sides in the chart and its table."""
        return {side_label(Seat(seat), self.viewer): badge for seat, badge in self.badges.items()}

    @property
    def story(self) -> tuple[StorySection, ...]:
        """Return the story: the game's own, or each change of the leader and each side's best time."""
        return _story_from_numbers(self) if self.from_counts else self.told

    @property
    def title(self) -> str:
        """Return the title of the chart and its table."""
        return sentence("reports.history.title", thing=self.thing, time=self.time)

    @property
    def table(self) -> ReportTable:
        """Return the chart as a table: the opening, and the latest times if there are many."""
        times = [time for time, _ in next(iter(self.series.values()))]
        shown = times if len(times) <= _MAX_TABLE_COLUMNS else [times[0], *times[1 - _MAX_TABLE_COLUMNS :]]
        rows = []
        for name, line in self.series.items():
            had = dict(line)
            rows.append((name, *(format_halves(had[time]) for time in shown)))
        columns = (sentence("reports.history.side"), *map(self.name_time, shown))
        return ReportTable(title=self.title, columns=columns, rows=tuple(rows))

    @property
    def alt_text(self) -> str:
        """Return the chart as a sentence, for readers who don't see it."""
        now = [(name, format_halves(line[-1][1])) for name, line in self.series.items()]
        return sentence("reports.history.told", thing=self.thing, time=self.time, now=now)

    def chart(self) -> str:
        """Return the chart as SVG."""
        shown = dict(list(self.series.items())[:_MAX_CHART_LINES])
        last = self.name_time(next(iter(self.series.values()))[-1][0])
        note = sentence(
            "reports.history.caption",
            thing=self.thing,
            time=self.time,
            last=last,
            shown=len(shown),
            sides=len(self.series),
        )
        return line_chart(
            self.game,
            note,
            self.time,
            self.thing,
            shown,
            _CHART_SIZE_PX,
            self.badges_by_name,
            self.name_time,
        )


def history(
    game: Game, name: str, states: Iterable[State], *, over: bool, story: Sequence[ReportLine] = ()
) -> History | None:
    """Return the course of a game from its public positions, the opening first.

    over: whether the last position is the end. None if the game counts nothing, or if no period has ended
    yet.
    """
    score = game.score
    if score is None:
        return None
    closed: dict[int, Mapping[Seat, float]] = {}
    last: State | None = None
    is_played = False
    for state in states:
        when = score.when(state)
        is_played = last is not None and when == score.when(last)
        if last is None and (when or score.before_zero):
            closed[when - score.step] = dict(score.shown(state))
        elif last is not None and when > score.when(last):
            closed |= {time: dict(score.shown(state)) for time in range(score.when(last), when, score.step)}
        last = state
    if last is not None and over and is_played:
        # A year without turns has nothing to show.
        closed[score.when(last)] = dict(score.shown(last))
    if len(closed) < 2 or not any(closed.values()):
        return None
    return History(
        game=name,
        thing=score.thing,
        time=score.time,
        counts=_counts_by_seat(closed),
        told=_sections(story),
        from_counts=over and not story and score.leads,
        name_time=score.name,
    )


def closes(game: Game, before: State, after: State) -> bool:
    """Return whether some of the game's time, a year or a Turn, ended between two positions."""
    return game.score is not None and game.score.when(after) > game.score.when(before)


def _counts_by_seat(
    closed: Mapping[int, Mapping[Seat, float]],
) -> Mapping[Seat, Sequence[tuple[int, float]]]:
    sides = list(dict.fromkeys(side for had in closed.values() for side in sorted(had)))
    end = closed[max(closed)]
    ranked = sorted(sides, key=lambda side: (-end.get(side, 0), side))
    return {side: [(time, closed[time].get(side, 0)) for time in sorted(closed)] for side in ranked}


def _story_from_numbers(course: History) -> tuple[StorySection, ...]:
    """Return the story of a game that tells none itself: each change of the leader, and each side's best
    time.
    """
    now = [(name, format_halves(line[-1][1])) for name, line in _named(course).items()]
    end = sentence("reports.history.ended_with", thing=course.thing, now=now)
    turned = [text for _, text in sorted([*_lead_changes(course), *_best(course)])]
    sections = (
        StorySection(sentence("reports.history.ended"), (end,)),
        StorySection(sentence("reports.history.turned"), tuple(turned)),
    )
    return tuple(section for section in sections if section.sentences)


def _named(course: History) -> Series:
    return {side_name(seat, course.viewer): line for seat, line in course.counts.items()}


def _lead_changes(course: History) -> Iterator[tuple[int, str]]:
    """Yield each time when a new side took the lead."""
    ahead: str | None = None
    for place, (time, _) in enumerate(next(iter(course.counts.values()))):
        had = {name: line[place][1] for name, line in _named(course).items()}
        first, *others = sorted(had, key=lambda name: -had[name])
        if others and had[others[0]] == had[first]:
            continue
        if ahead is not None and first != ahead:
            most, less = had[first], had[ahead]
            text = sentence(
                "reports.history.passed",
                time=course.time,
                at=time,
                ahead=first,
                behind=ahead,
                most=format_halves(most),
                less=format_halves(less),
            )
            yield time, text
        ahead = first


def _best(course: History) -> Iterator[tuple[int, str]]:
    """Yield the period with the greatest gain of each side, or the first of several."""
    for name, line in _named(course).items():
        gains = [(after - before, time, before, after) for (_, before), (time, after) in pairwise(line)]
        gain, at, before, after = max(gains, key=lambda gain_entry: gain_entry[0])
        if gain > 0:
            text = sentence(
                "reports.history.best",
                time=course.time,
                at=at,
                side=name,
                before=format_halves(before),
                after=format_halves(after),
            )
            yield at, text


def _sections(story: Sequence[ReportLine]) -> tuple[StorySection, ...]:
    grouped = groupby(story, key=lambda line: line.heading)
    return tuple(StorySection(heading, tuple(line.text for line in lines)) for heading, lines in grouped)


class ReportPassage(Value, frozen=True):
    """The sentences under one heading, in the order of telling."""

    heading: str
    lines: tuple[ReportLine, ...]


class TurnChapter(Value, frozen=True):
    """A turn in a report. silent: the human players who sent no orders for it.

    stand_ins: a sentence about the usual bot that ordered in place of a program, or "".
    passed: the viewer's queued orders whose condition was false. dropped: those that were left over after
    their plan. whole: False if the chapter has only its headline and the viewer's own part, for lack of
    space.
    """

    turn: Turn
    headline: str
    passages: tuple[ReportPassage, ...]
    silent: tuple[str, ...]
    passed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    whole: bool = True
    stand_ins: str = ""

    def quiet_together(self, viewer: Seat | None) -> tuple[ReportPassage, ...]:
        """Return the passages, with all others whose units only held in the last one if they are many."""
        quiet = {
            passage.heading: units
            for passage in self.passages
            if passage.heading != viewer and (units := render.held_units(passage.lines))
        }
        if len(quiet) < _MANY_QUIET_POWERS:
            return self.passages
        heading = sentence("reports.report.quiet_heading")
        text = sentence("reports.report.quiet", powers=list(quiet.items()))
        held = ReportPassage(heading, (ReportLine(heading=heading, text=text, routine=True),))
        return (*(passage for passage in self.passages if passage.heading not in quiet), held)


class BotPlay(Value, frozen=True):
    """The orders of a nation without a player in one turn: pairs of order and reason, in written form."""

    seat: str
    turn: str
    orders: tuple[tuple[str, str], ...]

    @property
    def by_reason(self) -> tuple[tuple[str, str], ...]:
        """Return the orders with their reasons. A reason of several orders also names the later ones."""
        together: dict[str, list[str]] = {}
        for order, why in self.orders:
            together.setdefault(why, []).append(order)
        rows = []
        for why, (first, *others) in together.items():
            text = sentence("reports.report.also", why=why, orders=others) if others else why
            rows.append((first, text))
        return tuple(rows)


class OrdersWanted(Value, frozen=True):
    """Orders due from the viewer: of what kind, how many (None: one for each name), and for what."""

    kind: str
    takes: int | None
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The orders in words: "an order for Erie", "2 orders for builds"; "" if none is due."""
        names = ", ".join(self.names)
        if self.takes is None:
            return sentence("reports.report.orders_for", count=len(self.names), names=names) if names else ""
        if names:
            return sentence(
                "reports.report.orders_of_kind_for", count=self.takes, kind=self.kind, names=names
            )
        return sentence("reports.report.orders_of_kind", count=self.takes, kind=self.kind)


class PressItem(Value, frozen=True):
    """A piece of press: its writer and readers, as its readers may know them ("From Erie to all"), and its
    text.
    """

    heading: str
    text: str


class Report(Value, frozen=True):
    """Everything in a report.

    game, title: the names of the game and of its kind. viewer: the seat whose view it shows, None for
    observers. entry: the number of the last log entry in it. chapters: empty in the report that opens a
    game. vacant: the seats without a player. bots: their orders and reasons, as far as the viewer may know
    them. throws: the rolls of the rules, likewise. bot_throws: the number of random choices by bots.
    commitment: the SHA-256 of the dice secret. secret: the secret in hexadecimal, once the game is over.
    turn: the current turn, None at the end. sheet: the viewer's order sheet. held_up: the viewer's orders
    that have become impossible and block others. press: messages to the viewer since the last report. lead:
    a sentence about a new leader. by_hand: sentences about the GM's changes since the last report, with
    reasons. examples: in the report that opens a game, orders that the viewer could give now. setting,
    introduction, table_rules: there too, what the game is about, how to win, and what its settings allow.
    topics: topics of HELP. later: the titles of tables that the opening leaves out. overdue: the deadline if
    it has passed. stopped: a sentence about why the game is paused. waits: whether the turn waits for its
    only player, without a deadline. brief: whether the reader asked for the short report. partial: whether
    the tables show only what changed and what is needed; unchanged: the titles of the tables that it leaves
    out. for_phone: whether it shows what `phone.fit_phone` left. history: the game over time, after its first
    period, with its story at the end. page: the address of the turn in the archive. sheet_page: the address
    of the order page, or "". first_short: the first turn that is shortened for lack of space. counts: the
    final counts of each seat. rematch: at the end, how the viewer asks for another game, or "". answered:
    what became of each line of the emails that the report answers.
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
    table_rules: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    overdue: Overdue | None = None
    stopped: str = ""
    waits: bool = False
    brief: bool = False
    partial: bool = False
    unchanged: tuple[str, ...] = ()
    for_phone: bool = False
    badges: Mapping[str, SeatColours] = field(default_factory=dict)
    history: History | None = None
    page: str = ""
    sheet_page: str = ""
    first_short: Turn | None = None
    counts: Mapping[Seat, float] = field(default_factory=dict)
    rematch: str = ""
    answered: tuple[Fate, ...] = ()

    @property
    def first_turn(self) -> Turn | None:
        """The turn that a report tells of, the first of several; None in one that opens a game."""
        return self.chapters[0].turn if self.chapters else None

    @property
    def silent(self) -> tuple[str, ...]:
        """Return the seats that sent no orders for one or more of the reported turns, each once."""
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
    earlier: Iterable[Sequence[PlayedTurn]] = (),
) -> Report:
    """Return a viewer's report of the turns just played, which must be at least one.

    commitment: to the secret of the dice. press: messages to the viewer since the last report. by_hand: the
    GM's changes, as far as the viewer may know them. history: of the game, if the report has it.
    earlier: the turns of each report before, the latest first, whose headlines this one doesn't repeat.

    Bots explain their orders when the game is over, and before that only to their only opponent, because
    private agreements decide their orders. In a game with hidden information they explain nothing before
    the end, and the report has no rolls, which would reveal what `Rules.view` hides. A lone player gets the
    secret of all rolls at the end, not those of the last turn.
    """
    steps = played.steps
    events = visible_events([event for step in steps for event in step.events], viewer)
    over = played.result is not None or position.status == "finished"
    why = over or may_know_why(game, position, viewer)
    may_tell_dice = not game.about.hidden or (over and not is_solo(position))
    throws = [throw for step in steps for throw in step.entry.throws] if may_tell_dice else []
    view = game.rules.view(played.state, viewer)
    tables_before = game.telling.tables(game.rules.view(steps[0].before, viewer))
    own_orders = played.filed.get(viewer, ()) if viewer else ()
    return Report(
        game=position.name,
        title=game.about.title,
        viewer=viewer,
        entry=steps[-1].entry.number,
        headline=choose_headline(game, view, events, visible_history(earlier, viewer)),
        chapters=tuple(_chapter(game, step, viewer) for step in steps),
        tables=_without_decisions(with_changes(tables_before, game.telling.tables(view)), over=over),
        vacant=tuple(seat for seat, assignment in position.assignments.items() if not assignment.is_person),
        bots=tuple(play for step in steps for play in _bot_plays(game, step)) if why else (),
        throws=tuple(throw for throw in throws if not throw.is_by_bot),
        bot_throws=sum(throw.is_by_bot for throw in throws) if why else 0,
        commitment=commitment,
        turn=None if played.result else game.rules.turn(played.state),
        deadline=played.unattended if is_solo(position) else played.deadline,
        waits=is_solo(position) and not played.result and played.unattended is None,
        early=position.early and is_in_play(game, played.state, position.assignments),
        wanted=_orders_wanted(played.due, viewer),
        sheet=sheet_lines(game, played.state, played.due, own_orders, viewer) if viewer else (),
        result=played.result,
        held_up=held_up(game, played.state, own_orders, viewer) if viewer else (),
        press=press,
        secret=position.secret.hex() if played.result else None,
        lead=game.telling.lead(view, events),
        by_hand=by_hand,
        history=replace_fields(history, viewer=viewer) if history else None,
        badges=text_badges(game, view),
        counts=result_counts(game, played.state) if over else {},
        rematch=rematch_line(position, viewer) if played.result else "",
    )


def _describe_stand_ins(entry: LogEntry) -> str:
    """Return the sentence about the seats where the usual bot ordered in place of a program, or ""."""
    if not isinstance(entry.stand_ins, dict) or not entry.stand_ins:
        return ""
    asked = "not-asked" not in entry.stand_ins.values()
    return sentence("reports.posts.stand_ins", seats=tuple(entry.stand_ins), asked=asked)


def rematch_line(position: GamePosition, viewer: Seat | None) -> str:
    """Return how the player of a seat asks for another game when theirs is over; "" for other readers."""
    is_player = viewer is not None and position.assignments[viewer].is_person
    return sentence("reports.report.rematch", alone=is_solo(position)) if is_player else ""


def opening_report(
    game: Game,
    position: GamePosition,
    viewer: Seat | None,
    *,
    commitment: str | None = None,
    now: Millis | None = None,
) -> Report:
    """Return the report of a game before its first turn, or for a new player of a running game.

    now: the time of the report, or None if the deadline can't have passed.
    """
    alone, stop = is_solo(position), position.timing.stop
    in_play = is_in_play(game, position.state, position.assignments)
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
        vacant=tuple(seat for seat, assignment in position.assignments.items() if not assignment.is_person),
        bots=(),
        throws=(),
        bot_throws=0,
        commitment=commitment,
        turn=turn,
        deadline=None if alone or stop else position.deadline,
        overdue=None if now is None else overdue(position, now),
        stopped=_why_no_deadline_runs(position, viewer),
        waits=alone and not stop and position.is_running and in_play,
        early=position.early and not stop and in_play,
        wanted=_orders_wanted(game.rules.due(position.state), viewer),
        sheet=sheet(game, position, viewer) if viewer else (),
        result=game.rules.result(position.state),
        held_up=held_up(game, position.state, position.filed.get(viewer, ()), viewer) if viewer else (),
        examples=order_sheet.possible_orders(order_sheet.SeatView.of(game, position.state, viewer))
        if viewer
        else (),
        setting=telling.setting(view, viewer),
        introduction=telling.introduction(view, viewer),
        later=later,
        topics=render.help_topics(game),
        badges=text_badges(game, view),
        counts={} if position.is_running else result_counts(game, position.state),
    )


def _why_no_deadline_runs(position: GamePosition, viewer: Seat | None) -> str:
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


def _chapter(game: Game, step: PlayedTurn, viewer: Seat | None) -> TurnChapter:
    events = visible_events(step.events, viewer)
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
        stand_ins=_describe_stand_ins(step.entry),
        passed=tuple(write_item(game, item) for item in step.passed.get(viewer, ())) if viewer else (),
        dropped=tuple(write_item(game, item) for item in step.dropped.get(viewer, ())) if viewer else (),
    )


def _bot_plays(game: Game, step: PlayedTurn) -> list[BotPlay]:
    """Return each bot's orders in the bot's own order, which the log doesn't store."""
    plays = []
    for seat, why in sorted(step.entry.reasons.items()):
        orders = [revive(game.order_type, order) for order in step.entry.orders.get(seat, ())]
        ranks = {game.notation.write(order): place for place, order in enumerate(orders)}
        ordered_pairs = sorted(why.items(), key=lambda pair: ranks.get(pair[0], len(ranks)))
        plays.append(BotPlay(seat, step.turn.name, render.tell_criteria_once(ordered_pairs)))
    return plays


def may_know_why(game: Game, position: GamePosition, viewer: Seat | None) -> bool:
    """Return whether a viewer may know why bots order what they do.

    All may when the game is over. Before that, only a player who alone has ever played may know, because all
    private press is then that player's or a bot's. In a game with hidden information nobody may.
    """
    if position.status == "finished":
        return True
    if game.about.hidden or viewer is None:
        return False
    others = [assignment for seat, assignment in position.assignments.items() if seat != viewer]
    return not any(assignment.is_person or assignment.generation > 1 for assignment in others)


def _orders_wanted(dues: Sequence[Due], viewer: Seat | None) -> tuple[OrdersWanted, ...]:
    return tuple(
        OrdersWanted(due.kind, due.takes, tuple(owed.name for owed in due.owes))
        for due in dues
        if due.seat == viewer
    )


# Reports as their readers chose them: with the bots' reasons or without, whole or brief.


def apply_reader_style(
    report: Report, style: Style, earlier: Sequence[ReportTable], now: Sequence[ReportTable]
) -> Report:
    """Return a full report in the form that its reader has chosen.

    style: asks for changes only if the reader has an earlier report to compare with. earlier, now: the tables
    of the position before, and of this one, without columns of changes.
    """
    report = replace_fields(report, bots=_reasons(report, style.says_why))
    if style.says_why != "all":
        report = replace_fields(report, chapters=tuple(drop_reasons(chapter) for chapter in report.chapters))
    if style.says_why == "off":
        report = replace_fields(report, bot_throws=0)
    if style.detail == "full":
        return report
    if style.detail == "changes":
        tables, unchanged = _tables_since(report.tables, earlier, now)
        vacant = report.vacant if report.bots else ()
        return replace_fields(
            without_proof(report), partial=True, tables=tables, unchanged=unchanged, vacant=vacant
        )
    return replace_fields(
        report,
        brief=True,
        chapters=tuple(drop_routine(chapter, report.viewer) for chapter in report.chapters),
        tables=_changed_tables(report.tables, earlier, now, report.viewer),
        vacant=report.vacant if report.bots else (),
        # At the end they are proved, by all that fell and the secret. Before, it tells those that the GM set.
        throws=report.throws if report.secret else without_proof(report).throws,
    )


def without_proof(report: Report) -> Report:
    """Return a report without its rolls and what seals them, but for the rolls that the GM set.

    The welcome says what seals the rolls, the results tell what was rolled, and the last report proves it.
    """
    forced = tuple([throw for throw in report.throws if throw.forced])
    return replace_fields(report, throws=forced, bot_throws=0, commitment=None)


def _reasons(report: Report, which: Reasons) -> tuple[BotPlay, ...]:
    """Return the orders of bots with their reasons: all of them, or only those that failed."""
    if which == "all" or not report.bots:
        return report.bots
    failed = {
        (chapter.turn.name, passage.heading): tuple(line.text for line in passage.lines if line.failed)
        for chapter in report.chapters
        for passage in chapter.passages
        if which == "failed"
    }
    plays = []
    for play in report.bots:
        failed_texts = failed.get((play.turn, play.seat), ())
        orders = tuple(
            order for order in play.orders if any(text.startswith(f"{order[0]}:") for text in failed_texts)
        )
        if orders:
            plays.append(replace_fields(play, orders=orders))
    return tuple(plays)


def drop_reasons(chapter: TurnChapter) -> TurnChapter:
    """Return a chapter without the automaton's explanations of its choices."""
    kept = [
        (passage.heading, tuple(line for line in passage.lines if not line.why))
        for passage in chapter.passages
    ]
    return replace_fields(
        chapter, passages=tuple(ReportPassage(heading, lines) for heading, lines in kept if lines)
    )


def drop_routine(chapter: TurnChapter, viewer: Seat | None) -> TurnChapter:
    """Return a chapter without the expected results of other players, which the tables show anyway."""
    passages = [
        passage
        if passage.heading == viewer
        else ReportPassage(passage.heading, tuple(line for line in passage.lines if not line.routine))
        for passage in chapter.passages
    ]
    return replace_fields(chapter, passages=tuple(passage for passage in passages if passage.lines))


def _changed_tables(
    shown: Sequence[ReportTable],
    earlier: Sequence[ReportTable],
    now: Sequence[ReportTable],
    viewer: Seat | None,
) -> tuple[ReportTable, ...]:
    """Return the tables of a short report: whole if they show what is due or what the viewer owns.

    Other tables keep only new rows and the viewer's own.
    """
    known = {(table.title, table.columns): frozenset(table.rows) for table in earlier}
    tables = []
    for table, bare in zip(shown, now, strict=True):
        before = known.get((bare.title, bare.columns))
        if table.about == "game" and before is not None:
            pairs = zip(table.rows, bare.rows, strict=True)
            rows = tuple(row for row, plain in pairs if plain not in before or plain[0] == viewer)
            is_news = any(plain not in before for plain in bare.rows)
            partial = len(rows) < len(table.rows)
            title = sentence("reports.brief.changed", title=table.title) if partial else table.title
            table = ReportTable(title=title, columns=table.columns, rows=rows if is_news else ())
        tables.append(table)
    return tuple(tables)


def _tables_since(
    shown: Sequence[ReportTable], earlier: Sequence[ReportTable], now: Sequence[ReportTable]
) -> tuple[tuple[ReportTable, ...], tuple[str, ...]]:
    """Return the tables with the rows that changed or are needed, and the titles of those without any.

    A table is whole if it is new, if all its rows are needed, or if it shows what is due. If anything
    changed, so is what the viewer holds, and a table with several rows that begin alike. Rows that are gone
    are named.
    """
    known = {(table.title, table.columns): table.rows for table in earlier}
    tables, unchanged = [], []
    for table, bare in zip(shown, now, strict=True):
        before = known.get((bare.title, bare.columns))
        heads = [row[0] for row in bare.rows]
        if table.about == "due" or before is None or set(heads) <= set(bare.needed):
            tables.append(table)
            continue
        heads_before = [row[0] for row in before]
        alike = max(len(heads) - len(set(heads)), len(heads_before) - len(set(heads_before))) > 0
        if (alike or table.about == "own") and set(before) != set(bare.rows):
            tables.append(table)
            continue
        pairs = zip(table.rows, bare.rows, strict=True)
        rows = [row for row, plain in pairs if plain not in before or plain[0] in bare.needed]
        gone = [head for head in dict.fromkeys(heads_before) if head not in heads]
        if gone:
            nothing = sentence("reports.changes.nothing")
            rows.append((", ".join(gone), nothing, *("" for _ in table.columns[2:])))
        if not rows:
            unchanged.append(_short_title(table.title))
            continue
        title = table.title
        if len(rows) < len(table.rows) or gone:
            is_needed = bool(set(bare.needed) & set(heads))
            needed = sentence("reports.changes.needed", title=title)
            title = needed if is_needed else sentence("reports.brief.changed", title=title)
        partial = ReportTable(title=title, columns=table.columns, rows=tuple(rows))
        tables.append(_merge_equal_rows(partial, MANY_PARTIAL_ROWS))
    return tuple(tables), tuple(unchanged)


# The first email: it shows the part of a position that a reader needs on the first day.


MANY_ROWS = 12
"""Longer tables of a first email merge rows that differ only in their first cell."""

MANY_PARTIAL_ROWS = 6
"""Longer tables of what changed do so too."""


def opening_tables(
    tables: Iterable[ReportTable], viewer: Seat | None, *, begun: bool
) -> tuple[tuple[ReportTable, ...], tuple[str, ...]]:
    """Return the tables of a first email, and the titles of those that wait for the first report.

    A table of what is due from everyone keeps only the reader's own row. begun: whether turns were played,
    so that a new player gets the whole position.
    """
    filled = [table for table in tables if table.rows]
    if begun:
        return tuple(filled), ()
    shown = tuple(
        _merge_equal_rows(_own_rows(viewer, table), MANY_ROWS) for table in filled if not table.later
    )
    return shown, tuple(_short_title(table.title) for table in filled if table.later)


def _own_rows(viewer: Seat | None, table: ReportTable) -> ReportTable:
    own = tuple(row for row in table.rows if row[0] == viewer)
    return replace_fields(table, rows=own) if own and table.about == "due" else table


def _merge_equal_rows(table: ReportTable, many: int) -> ReportTable:
    """Return a table of more than so many rows with those that differ only in their first cell merged.

    They are at the place of the first.
    """
    if len(table.rows) <= many:
        return table
    names: dict[tuple[str, ...], list[str]] = {}
    for first, *others in table.rows:
        names.setdefault(tuple(others), []).append(first)
    rows = tuple((", ".join(some), *others) for others, some in names.items())
    if len(rows) == len(table.rows):
        return table
    return replace_fields(table, columns=(f"{table.columns[0]} (each)", *table.columns[1:]), rows=rows)


def _short_title(title: str) -> str:
    """Return a title up to what it counts: "captured" for "Captured: 0 by you"."""
    name = title.partition(":")[0].partition(",")[0]
    return name[:1].lower() + name[1:]


# The GM's overrides, in the next report, as far as its reader may know them.


def describe_overrides(game: Game, entries: Sequence[LogEntry], viewer: Seat | None) -> tuple[str, ...]:
    """Return a sentence for each override since the last report, with its reason. Silent ones are
    left out.
    """
    done = {entry.number: read_override(entry.kind, entry.options) for entry in entries}
    struck = struck_out(done) if done else frozenset[int]()
    overrides_made = [(entry, done[entry.number]) for entry in entries if entry.number not in struck]
    return tuple(
        f"{telling(game, override, viewer)} ({entry.why})" if entry.why else telling(game, override, viewer)
        for entry, override in overrides_made
        if override is not None and not override.silent
    )


def telling(game: Game, override: AnyOverride, viewer: Seat | None) -> str:
    """One override in a sentence, for a reader's eyes."""
    if isinstance(override, Edited):
        assert game.edits is not None, "what has no edits was not edited"
        return game.edits.tell(revive(game.edits.edit_type, override.edit), viewer)
    if isinstance(override, OrdersSet):
        texts = override.texts if viewer == override.seat else ()
        return sentence("reports.by_hand.orders_set", seat=override.seat, texts=texts)
    if isinstance(override, DieForced):
        if game.about.hidden:
            return sentence("reports.by_hand.a_throw_set")
        return sentence("reports.by_hand.throw_set", label=override.label, numbers=override.numbers)
    if isinstance(override, RolledBack):
        return sentence("reports.by_hand.put_back")
    if isinstance(override, VariantUpdated):
        return sentence("reports.by_hand.edition", title=game.about.title, why="")
    if isinstance(override, Undone):
        return sentence("reports.by_hand.taken_back", number=override.number)
    assert_never(override)
