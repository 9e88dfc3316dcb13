"""The report texts of The Second Boer War: implements `protocol.Telling`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import map, model, notation
from games.boer_war.components import LeaderId, Point, Side
from games.boer_war.event_text import describe_event, heading
from games.boer_war.events import AnyEvent
from games.boer_war.legal_orders import open_orders
from games.boer_war.map import close_up, map_scene
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.objection_text import describe_objection
from games.boer_war.phrases import (
    ORDINALS,
    capitalize,
    count_words,
    counter_digits,
    describe_odds,
    link_names,
    place_names,
    possessive_of,
    the_side,
    verb_form,
)
from games.close_up import count_assumed, describe_counts
from games.own_box import DATA, short_hash
from games.pool import MAX_ACTIONS_PER_ROUND, RoundCounters, pool
from games.protocol import (
    Advice,
    Concern,
    EventPlaces,
    MapRegion,
    Objection,
    ReportLine,
    ReportTable,
    Seat,
    Telling,
)


class BoerWarTelling(Telling[View, AnyEvent]):
    """The report texts of a game."""

    has_fronts = True

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the event in a sentence, under its side, the draw or the war.

        None for one that needs none.
        """
        text = describe_event(event)
        if text is None:
            return None
        return ReportLine(heading=heading(event), text=text, failed=isinstance(event, event_types.Refused))

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and the side that the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return the game in a few sentences."""
        return introduction(view, seat)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return the main news: the end, towns, battles, camps; and whether there is another action."""
        sentences = [
            describe_event(event) or ""
            for kind in _HEADLINE_EVENTS
            for event in events
            if isinstance(event, kind)
        ]
        draw = [verdict for event in events if (verdict := _draw_verdict(event))]
        weighty = [_first_sentence(text) for text in sentences[:2]]
        if any(isinstance(event, event_types.Ended) for event in events):
            return " ".join(weighty)
        return " ".join((*weighty, *draw[-1:])) or "No armies moved."

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the pool with its odds, how the war stands, leaders, what may be ordered."""
        return report_tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg; None where the board is on the player's own table."""
        return None if view.mode == "table" else map_scene(view, events)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for the part of the map that concerns a side.

        No part of it is crowded.
        """
        return None if seat is None or view.mode == "table" else close_up(view, seat, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return every point, with its holder and the forces there; none where no map is drawn."""
        return map.map_spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return where an event happens."""
        return map.event_mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return describe_objection(remark)


_HEADLINE_EVENTS: tuple[type[AnyEvent], ...] = (
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
"""The events that make a headline, the most important first."""


def _first_sentence(text: str) -> str:
    """Return the first sentence of several; a battle's cards and dice stand below."""
    head, mark, _ = text.partition(". ")
    return head + ("." if mark else "")


def _draw_verdict(event: AnyEvent) -> str:
    """Return GO! or STOP in words, after a draw or the last action that a round can have."""
    if isinstance(event, event_types.Drawn):
        if event.goes_on:
            return (
                f"GO! {capitalize(the_side(event.side))} {verb_form(event.side, 'have', 'has')} "
                f"another action."
            )
        return f"STOP: the round of {the_side(event.side)} is over."
    if isinstance(event, event_types.RoundEnded) and event.actions == MAX_ACTIONS_PER_ROUND:
        return f"STOP: the round of {the_side(event.side)} is over after the third action."
    return ""


# The Boer War in a few sentences, for a new player: goal, time, surprises.


_COUNTED_FILES = (
    ("leaders", "data/leaders.json", "leaders"),
    ("points", "data/map.json", "points"),
    ("battle cards", "data/cards.json", "cards"),
    ("events", "data/events.json", "events"),
)


def setting(view: View, seat: Seat | None) -> str:
    """Return what the war is, by which rules, and which side the seat leads."""
    by = "The war in South Africa, 1899 to 1902: leaders march, besiege towns and raid railways"
    if view.mode == "table":
        return f"{by}. You play on your own board, and we draw the markers that say how often each side acts."
    if view.mode == "both":
        return f"{by}. You lead both sides in turn."
    return f"{by}. You lead the {seat}." if seat else f"{by}."


def introduction(view: View, seat: Seat | None) -> tuple[str, ...]:
    """Return how to win, how long it takes, what is special, and how much of it is ours."""
    values = f"The rules are the publisher's, {_source_note(view)}."
    if view.mode == "table":
        return (
            "You play on your own board. Write DONE after each action, and we tell you whether "
            "there is another.",
            _LENGTH_NOTE,
            _POOL_NOTE,
        )
    boers, empire = _boer_goal(view), _empire_goal(view)
    goals = {"Boers": (boers,), "Empire": (empire,)}.get(str(seat), (boers, empire))
    return (" ".join(goals), _LENGTH_NOTE, _POOL_NOTE, values)


def _source_note(view: View) -> str:
    if DATA in view.options:
        return f"and the numbers come from an owner's box, {short_hash(str(view.options[DATA]))}"
    counted = [(things, count_assumed("games.boer_war", file, key)) for things, file, key in _COUNTED_FILES]
    return f"but {describe_counts(counted)}"


_LENGTH_NOTE = (
    "The game has four Turns of eleven rounds a side. One email covers a round of one to three actions."
)
_POOL_NOTE = (
    "After each action we draw GO! or STOP from the pool, and every report shows the odds. "
    "Troops move with leaders, on foot or by rail."
)


def _boer_goal(view: View) -> str:
    numbers = view.box.numbers.victory
    return (
        f"The Boers win in Turns I and II by {numbers.sieges} completed sieges, a port or "
        f"{numbers.targets} objectives. Later they win with {numbers.unbeaten} strength points (SP) left "
        "after Turn IV."
    )


def _empire_goal(view: View) -> str:
    numbers = view.box.numbers.victory
    return (
        "The Empire wins in Turns I and II with the three political centres. Later it wins by camps, or when "
        f"the Boers have fewer than {numbers.gone} strength points (SP) left."
    )


# Tables of a report: the pool with its odds, the war, leaders, open orders.


_DISPUTED_COUNTERS = RoundCounters(ones=2, twos=3, threes=1)
_DISPUTED_REMARK = (
    "For counters 11 222 3, the printed example gives 2 STOP to 1 GO! for the third action, but the rule "
    "gives 3 to 1. {which} (option pool)."
)
_READINGS = {
    "unflipped_2": "This game follows the rule",
    "stop_left_in_cup": "This game follows the example",
}


def report_tables(view: View) -> tuple[ReportTable, ...]:
    """Return all tables of a view; the caller leaves out those without rows."""
    if view.mode == "table":
        return (_pool_table(view),)
    return (
        _pool_table(view),
        _open_orders_table(view),
        _war_table(view),
        _towns_table(view),
        *(_leaders_table(view, side) for side in SIDES),
    )


def _pool_table(view: View) -> ReportTable:
    """Return the table of the draw: the action that is due, and the chance of a further one."""
    rows = (
        [*_counter_rows(view)]
        if view.ended
        else [*_next_action_row(view), *_draw_rows(view), *_counter_rows(view)]
    )
    return ReportTable(title="The draw", columns=("What", "Now"), rows=tuple(rows))


def _next_action_row(view: View) -> Iterator[tuple[str, str]]:
    rounds = view.box.numbers.rounds.of_a_side
    side = view.side
    yield (
        "Round",
        f"Turn {notation.TURN_NUMERALS[view.turn]}, {possessive_of(side)} round {view.round} of {rounds}, "
        f"{ORDINALS[view.done + 1]} action",
    )


def _draw_rows(view: View) -> Iterator[tuple[str, str]]:
    """Yield the pool of each draw still to come in this round."""
    counters, reading = view.counters[view.side], _pool_option(view)
    for done in range(view.done + 1, MAX_ACTIONS_PER_ROUND):
        drawn = pool(counters, done, reading)
        then = f"{capitalize(ORDINALS[done + 1])} action" + (
            f", if there is a {ORDINALS[done]}" if done > view.done + 1 else ""
        )
        yield then, describe_odds(drawn)
        if drawn.verdict == "STOP":
            return
    if counters == _DISPUTED_COUNTERS:
        yield "Remark", _DISPUTED_REMARK.format(which=_READINGS[reading])


def _pool_option(view: View) -> Any:
    return view.options["pool"]


def _counter_rows(view: View) -> Iterator[tuple[str, str]]:
    for side in SIDES:
        counters = view.counters[side]
        yield (
            f"{SIDE_NAMES[side]}, open counters",
            f"{counter_digits(counters)}, {count_words(counters.rounds, 'round')} left",
        )


def _war_table(view: View) -> ReportTable:
    rows = [
        ("SP on the map", *(str(view.sp_on_map(side)) for side in SIDES)),
        ("SP in the pool", *(str(view.pools[side]) for side in SIDES)),
        ("SP scattered", *(str(view.scattered[side]) for side in SIDES)),
        ("In the Reorganization box", *(" ".join(view.boxes[side]) or "none" for side in SIDES)),
        ("Event markers kept", *(_kept_events(view, side) for side in SIDES)),
    ]
    if view.is_guerrilla:
        rows.append(("Camps against R", f"R {view.recruits}", f"{len(view.camps)} camps"))
        rows.append(("Recruits left", str(view.recruit_pool), ""))
    else:
        wins, targets = view.box.numbers.victory, len(view.board.flagged["target"])
        rows.append((f"Completed sieges, {wins.sieges} win", place_names(view.fallen), ""))
        held = str(len(_points_held_with(view, "boers", "target")))
        rows.append((f"Objectives held, {wins.targets} of {targets} win", held, ""))
    rows.append(
        ("Political centres", *(place_names(_points_held_with(view, side, "political")) for side in SIDES))
    )
    return ReportTable(
        title="State of the war", columns=("What", "Boers", "Empire"), rows=tuple(rows), later=True
    )


def _kept_events(view: View, side: Side) -> str:
    kept = [event for event in view.kept if view.box.events[event].side == side]
    return " ".join(kept) or "none"


def _points_held_with(view: View, side: Side, flag: str) -> list[Point]:
    return [
        point
        for point, place in view.board.places.items()
        if flag in place.flags and view.control[point] == side
    ]


def _towns_table(view: View) -> ReportTable:
    """Return the table of sieges, works on the railway, camps."""
    rows: list[tuple[str, str]] = []
    for point, level in view.sieges.items():
        inside, around = (model.sp_at(view, point, side) for side in ("empire", "boers"))
        of_ = view.box.places[point].resistance
        rows.append(
            (
                f"Siege of {notation.place_name(point)}",
                f"level {level} of {of_}, {around} SP around, {inside} inside",
            )
        )
    if view.cuts:
        rows.append(("Railways cut", link_names(view.cuts)))
    if view.blockhouses:
        rows.append(("Blockhouses", link_names(view.blockhouses)))
    if view.camps:
        rows.append(("Camps", place_names(view.camps)))
    if any(view.trenches.values()):
        rows.append(("Entrenched", place_names(sorted({*view.trenches["boers"], *view.trenches["empire"]}))))
    garrisons = [f"{notation.place_name(point)} {sp}" for point, sp in view.garrisons.items()]
    rows.append(("Garrisons", ", ".join(garrisons) or "none"))
    return ReportTable(title="Towns and railways", columns=("What", "Where"), rows=tuple(rows))


def _leaders_table(view: View, side: Side) -> ReportTable:
    rows = tuple(_leader_row(view, leader) for leader in model.leaders_of(view, side))
    return ReportTable(
        title=f"Leaders: {SIDE_NAMES[side]}",
        columns=("Code", "Leader", "At", "SP", "of", "Command", "Move", ""),
        rows=rows,
    )


def _leader_row(view: View, leader: LeaderId) -> tuple[str, ...]:
    there, own = view.leaders[leader], view.box.leaders[leader]
    marks = ["C-in-C"] if own.chief else []
    marks += ["besieged"] if model.is_besieged(view, leader) else []
    marks += ["stands"] if leader in view.standing else []
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
    rows = () if view.ended else tuple(open_orders(view))
    title = "Your decisions now" if view.mode == "both" else f"Decisions of {the_side(view.side)} now"
    return ReportTable(title=title, columns=("Order", "For"), rows=rows, about="due")
