"""The report texts of The Second Boer War."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import map, model, notation
from games.boer_war.components import PACKAGE, LeaderId, Point, Side
from games.boer_war.event_text import describe_event, heading
from games.boer_war.events import AnyEvent
from games.boer_war.legal_orders import open_orders
from games.boer_war.map import close_up
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.phrases import (
    capitalize,
    counter_digits,
    describe_objection,
    describe_odds,
    leader_names,
    link_name,
    link_names,
    number_in_words,
    ordinal,
    place_names,
    the_side,
)
from games.close_up import count_assumed, describe_counts
from games.map_telling import MapTelling
from games.messages import sentence
from games.own_box import DATA, short_hash
from games.pool import MAX_ACTIONS_PER_ROUND, RoundCounters, pool
from games.protocol import Advice, Concern, NewsItem, Objection, ReportLine, ReportTable, Seat


class BoerWarTelling(MapTelling[View, AnyEvent]):
    """The report texts of a game. Implements `protocol.Telling`."""

    map_module = map
    has_fronts = True

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the sentence and heading of an event, or None if reports leave it out."""
        text = describe_event(event)
        if text is None:
            return None
        return ReportLine(heading=heading(event), text=text, failed=isinstance(event, event_types.Refused))

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return the subject of the game and the side that the seat commands."""
        about = sentence("boer_war.introduction.setting")
        if view.mode == "table":
            return f"{about} {sentence('boer_war.introduction.your_table')}"
        if view.mode == "both":
            return f"{about} {sentence('boer_war.introduction.both_sides')}"
        return f"{about} {sentence('boer_war.introduction.your_side', seat=seat)}" if seat else about

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return paragraphs about how to win, the length, the pool, and the source of the numbers."""
        length, pool_odds = sentence("boer_war.introduction.length"), sentence("boer_war.introduction.pool")
        if view.mode == "table":
            return (sentence("boer_war.introduction.done"), length, pool_odds)
        numbers = view.box.numbers.victory
        boers = sentence(
            "boer_war.introduction.boer_goal",
            sieges=numbers.sieges,
            targets=numbers.targets,
            unbeaten=numbers.unbeaten,
        )
        empire = sentence("boer_war.introduction.empire_goal", gone=numbers.gone)
        goals = {"Boers": (boers,), "Empire": (empire,)}.get(str(seat), (boers, empire))
        return (" ".join(goals), length, pool_odds, _source_note(view))

    def news(self, events: Sequence[AnyEvent]) -> tuple[NewsItem, ...]:
        """Return the end, towns, battles and sieges; then other deeds.

        The two that matter most come first with the result of the draw, in the order in which they happened.
        """
        told = [
            (place, rank, text)
            for rank, kinds in enumerate((_MAIN_NEWS, _OTHER_NEWS))
            for kind in kinds
            for place, event in enumerate(events)
            if isinstance(event, kind) and (text := _news_text(event))
        ]
        best = told[0][1] if told else 0
        first, later = told[:_NEWS_BESIDE_DRAW], told[_NEWS_BESIDE_DRAW:]
        if not any(isinstance(event, event_types.Ended) for event in events):
            draws = [
                (place, best, text) for place, event in enumerate(events) if (text := _draw_verdict(event))
            ]
            first += draws[-1:]
        if not first:
            first = [(0, 0, sentence("boer_war.headline.nothing_moved"))]
        return tuple(NewsItem(text=text, rank=rank) for _, rank, text in (*sorted(first), *later))

    def standing(self, view: View) -> str:
        """Return the SP of both sides on the map."""
        if view.mode == "table":
            return ""
        most = {side: view.sp_on_map(side) for side in SIDES}
        return sentence("boer_war.headline.standing", **most)

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return all tables of a view. The caller leaves out tables without rows."""
        if view.mode == "table":
            return (_pool_table(view),)
        return (
            _pool_table(view),
            _open_orders_table(view),
            _war_table(view),
            _towns_table(view),
            *(_leaders_table(view, side) for side in SIDES),
        )

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg, or None if the board is on the player's own table."""
        return None if view.mode == "table" else super().scene(view, events)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for the part of the map that concerns a seat, or None."""
        return None if seat is None or view.mode == "table" else close_up(view, seat, events)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return describe_objection(remark)


_NEWS_BESIDE_DRAW = 2
"""The most pieces of news before the result of the draw is told."""

_MAIN_NEWS: tuple[type[AnyEvent], ...] = (
    event_types.Ended,
    event_types.Guerrilla,
    event_types.TownFell,
    event_types.Battle,
    event_types.Skirmish,
    event_types.Captured,
    event_types.CampSet,
    event_types.SiegeRolled,
    event_types.Invested,
    event_types.TurnBegan,
)
"""The types of events for headlines, the most important first."""

_OTHER_NEWS: tuple[type[AnyEvent], ...] = (
    event_types.Played,
    event_types.Reinforced,
    event_types.Evasion,
    event_types.Slipped,
    event_types.Went,
    event_types.Built,
    event_types.Repaired,
    event_types.WasCut,
    event_types.Entrenched,
    event_types.Passed,
)
"""The types of events for headlines where there is nothing of the first kinds."""


def _news_text(event: AnyEvent) -> str:
    """Return an event as a headline, without cards, dice and ways; "" if it is left out."""
    match event:
        case event_types.Battle() | event_types.Skirmish():
            attacker, defender = event.attacker, event.defender
            slug = "boer_war.headline.beat" if event.won else "boer_war.headline.beat_off"
            return sentence(
                slug,
                count=max(1, len(attacker.leaders)),
                attackers=capitalize(leader_names(attacker.leaders)),
                defenders=leader_names(defender.leaders),
                at=notation.place_name(event.at),
            )
        case event_types.TownFell():
            return sentence(
                f"boer_war.town_news.{event.how}",
                at=notation.place_name(event.at),
                ordinal=ordinal(event.completed),
            )
        case event_types.Invested():
            return sentence(
                "boer_war.headline.invested",
                count=len(event.leaders),
                leaders=leader_names(event.leaders),
                at=notation.place_name(event.at),
            )
        case event_types.SiegeRolled():
            slug = "boer_war.headline.siege_rose" if event.rose else "boer_war.headline.siege_stayed"
            return sentence(slug, at=notation.place_name(event.at), level=event.level, most=event.of)
        case event_types.WasCut():
            slug = "boer_war.headline.railway_cut" if event.done else "boer_war.headline.railway_not_cut"
            return sentence(slug, link=link_name(event.link))
        case event_types.Repaired():
            slug = "boer_war.headline.repaired" if event.done else "boer_war.headline.not_repaired"
            return sentence(slug, links=link_names(event.links))
        case event_types.Went():
            values = {"leaders": leader_names(event.leaders), "between": ""}
            start, goal = notation.place_name(event.path[0]), notation.place_name(event.path[-1])
            return sentence(f"boer_war.travel.{event.how}", start=start, goal=goal, **values)
        case _:
            head, mark, _ = (describe_event(event) or "").partition(". ")
            return head + ("." if mark else "")


def _draw_verdict(event: AnyEvent) -> str:
    """Return the news of a draw or of the last possible action of a round, or "" for other events."""
    if isinstance(event, event_types.Drawn):
        values = {"side": the_side(event.side), "round": event.round}
        if event.goes_on:
            return sentence(f"boer_war.{event.side}.next_action", ordinal=ordinal(event.done + 1), **values)
        return sentence("boer_war.headline.round_over", **values)
    if isinstance(event, event_types.RoundEnded) and event.actions == MAX_ACTIONS_PER_ROUND:
        return sentence(
            "boer_war.headline.round_over_after_third", side=the_side(event.side), round=event.round
        )
    return ""


# The introduction for a new player: goal, length, surprises.


_COUNTED_FILES = (
    ("leaders", "data/leaders.json"),
    ("points", "data/map.json"),
    ("cards", "data/cards.json"),
    ("events", "data/events.json"),
)
"""The data files whose assumed rows the introduction counts, each with the key of its rows."""


def _source_note(view: View) -> str:
    if DATA in view.options:
        return sentence("boer_war.introduction.owners_box", hash=short_hash(str(view.options[DATA])))
    counted = [
        (sentence(f"boer_war.counted.{key}"), count_assumed(PACKAGE, file, key))
        for key, file in _COUNTED_FILES
    ]
    return sentence("boer_war.introduction.stand_in", counts=describe_counts(counted))


# Tables of a report: the pool with its odds, the war, leaders, open orders.


_DISPUTED_COUNTERS = RoundCounters(ones=2, twos=3, threes=1)
"""The counters for which the publisher's example contradicts the rule."""


def _pool_table(view: View) -> ReportTable:
    """Return the table of the draw: the odds of further actions, and the counters that are face-up."""
    rows = [*_counter_rows(view)] if view.ended else [*_draw_rows(view), *_counter_rows(view)]
    return ReportTable(
        title=sentence("boer_war.tables.draw"),
        columns=("", ""),
        rows=tuple(rows),
        needed=tuple(row[0] for row in rows),
    )


def _draw_rows(view: View) -> Iterator[tuple[str, str]]:
    """Yield the pool of each draw still to come in this round."""
    counters = view.counters[view.side]
    reading: Any = view.options["pool"]
    for done in range(view.done + 1, MAX_ACTIONS_PER_ROUND):
        drawn = pool(counters, done, reading)
        if done == 1:
            slug = "boer_war.rows.second_action"
        elif view.done:
            slug = "boer_war.rows.third_action"
        else:
            slug = "boer_war.rows.third_action_after_second"
        yield sentence(slug), describe_odds(drawn)
        if drawn.verdict == "STOP":
            return
    if counters == _DISPUTED_COUNTERS:
        yield sentence("boer_war.rows.remark"), sentence(f"boer_war.disputed_pool.{reading}")


def _counter_rows(view: View) -> Iterator[tuple[str, str]]:
    for side in SIDES:
        counters = view.counters[side]
        left = sentence(
            "boer_war.rows.counters_left",
            counters=counter_digits(counters),
            count=counters.rounds,
            number=number_in_words(counters.rounds),
        )
        yield sentence("boer_war.rows.counters", side=SIDE_NAMES[side]), left


def _war_table(view: View) -> ReportTable:
    none = sentence("boer_war.names.none")
    kept_events = {
        side: " ".join(event for event in view.kept if view.box.events[event].side == side) for side in SIDES
    }
    rows = [
        (sentence("boer_war.rows.sp_on_map"), *(str(view.sp_on_map(side)) for side in SIDES)),
        (sentence("boer_war.rows.sp_in_pool"), *(str(view.pools[side]) for side in SIDES)),
        (sentence("boer_war.rows.sp_scattered"), *(str(view.scattered[side]) for side in SIDES)),
        (sentence("boer_war.rows.box"), *(" ".join(view.boxes[side]) or none for side in SIDES)),
        (sentence("boer_war.rows.kept_events"), *(kept_events[side] or none for side in SIDES)),
    ]
    if view.is_guerrilla:
        recruits = sentence("boer_war.rows.recruits", count=view.recruits)
        camps = sentence("boer_war.rows.camp_count", count=len(view.camps))
        rows.append((sentence("boer_war.rows.camps_against_recruits"), recruits, camps))
        rows.append((sentence("boer_war.rows.recruits_left"), str(view.recruit_pool), ""))
    else:
        wins, total = view.box.numbers.victory, len(view.board.flagged["target"])
        sieges = sentence("boer_war.rows.sieges", needed=wins.sieges)
        rows.append((sieges, place_names(view.fallen), ""))
        objectives = sentence("boer_war.rows.objectives", needed=wins.targets, total=total)
        rows.append((objectives, str(len(_points_held_with(view, "boers", "target"))), ""))
    centres = (place_names(_points_held_with(view, side, "political")) for side in SIDES)
    rows.append((sentence("boer_war.rows.political_centres"), *centres))
    return ReportTable(
        title=sentence("boer_war.tables.war"),
        columns=(sentence("boer_war.columns.what"), *(SIDE_NAMES[side] for side in SIDES)),
        rows=tuple(rows),
        later=True,
    )


def _points_held_with(view: View, side: Side, flag: str) -> list[Point]:
    return [
        point
        for point, place in view.board.places.items()
        if flag in place.flags and view.control[point] == side
    ]


def _towns_table(view: View) -> ReportTable:
    """Return the table of sieges, railways, camps and garrisons."""
    rows: list[tuple[str, str]] = []
    for point, level in view.sieges.items():
        state = sentence(
            "boer_war.rows.siege_level",
            level=level,
            most=view.box.places[point].resistance,
            around=model.sp_at(view, point, "boers"),
            inside=model.sp_at(view, point, "empire"),
        )
        rows.append((sentence("boer_war.rows.siege", at=notation.place_name(point)), state))
    if view.cuts:
        rows.append((sentence("boer_war.rows.cuts"), link_names(view.cuts)))
    if view.blockhouses:
        rows.append((sentence("boer_war.rows.blockhouses"), link_names(view.blockhouses)))
    if view.camps:
        rows.append((sentence("boer_war.rows.camps"), place_names(view.camps)))
    if any(view.trenches.values()):
        dug = sorted({*view.trenches["boers"], *view.trenches["empire"]})
        rows.append((sentence("boer_war.rows.entrenched"), place_names(dug)))
    garrisons = ", ".join(f"{notation.place_name(point)} {sp}" for point, sp in view.garrisons.items())
    rows.append((sentence("boer_war.rows.garrisons"), garrisons or sentence("boer_war.names.none")))
    return ReportTable(
        title=sentence("boer_war.tables.towns"),
        columns=("", ""),
        rows=tuple(rows),
    )


def _leaders_table(view: View, side: Side) -> ReportTable:
    columns = (
        sentence("boer_war.columns.code"),
        sentence("boer_war.columns.leader"),
        sentence("boer_war.columns.at"),
        sentence("boer_war.columns.sp"),
        sentence("boer_war.columns.capacity"),
        sentence("boer_war.columns.command"),
        sentence("boer_war.columns.move"),
        "",
    )
    rows = tuple(_leader_row(view, leader) for leader in model.leaders_of(view, side))
    return ReportTable(
        title=sentence("boer_war.tables.leaders", side=the_side(side)),
        columns=columns,
        rows=rows,
    )


def _leader_row(view: View, leader: LeaderId) -> tuple[str, ...]:
    there, own = view.leaders[leader], view.box.leaders[leader]
    marks = [sentence("boer_war.rows.chief")] if own.chief else []
    marks += [sentence("boer_war.rows.besieged")] if model.is_besieged(view, leader) else []
    marks += [sentence("boer_war.rows.stands")] if leader in view.standing else []
    return (
        leader,
        notation.leader_name(leader),
        there.at,
        str(there.sp),
        str(model.capacity(view, leader)),
        str(own.command),
        str(model.move_allowance(view, leader)),
        ", ".join(marks),
    )


def _open_orders_table(view: View) -> ReportTable:
    if view.mode == "both":
        title = sentence("boer_war.tables.your_decisions")
    else:
        title = sentence("boer_war.tables.decisions", side=the_side(view.side))
    return ReportTable(
        title=title,
        columns=(sentence("boer_war.columns.order"), sentence("boer_war.columns.names")),
        rows=() if view.ended else tuple(open_orders(view)),
        about="due",
    )
