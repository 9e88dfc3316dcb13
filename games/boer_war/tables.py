"""Tables of a report: the pool with its odds, the war, leaders, open orders."""

from collections.abc import Iterator
from typing import Any

from games.boer_war import model, notation
from games.boer_war.components import LeaderId, Point, Side
from games.boer_war.legal_orders import open_orders
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.phrases import (
    ORDINALS,
    capitalize,
    count_words,
    counter_digits,
    describe_odds,
    link_names,
    place_names,
    possessive_of,
)
from games.pool import MAX_ACTIONS_PER_ROUND, RoundCounters, pool
from games.protocol import ReportTable

_DISPUTED_COUNTERS = RoundCounters(ones=2, twos=3, threes=1)
_DISPUTED_REMARK = (
    "Counters 11 222 3 are those of the printed example, which counts 2 STOP to 1 GO! for the third "
    "action; by its own rule they are 3 to 1. {which} (option pool)."
)
_READINGS = {
    "unflipped_2": "This game goes by the rule",
    "stop_left_in_cup": "This game goes by the example",
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
        ("In the Reorganization box", *(_boxed_leaders(view, side) for side in SIDES)),
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
        title="How the war stands", columns=("What", "Boers", "Empire"), rows=tuple(rows), later=True
    )


def _boxed_leaders(view: View, side: Side) -> str:
    return " ".join(view.boxes[side]) or "nobody"


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
    whose = f"the {SIDE_NAMES[view.side]} decide" if view.side == "boers" else "the Empire decides"
    title = "What you decide now" if view.mode == "both" else f"What {whose} now"
    return ReportTable(title=title, columns=("Order", "For"), rows=rows, about="due")
