"""What a report shows in rows: the pool with its odds, the war, leaders, what may be ordered."""

from collections.abc import Iterator
from typing import Any

from games.boer_war import forces, names
from games.boer_war.choices import open_orders
from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.phrases import (
    ORDINALS,
    capital,
    counted,
    lines,
    odds,
    of,
    open_counters,
    places,
)
from games.pool import LONGEST, Counters, pool
from games.protocol import Table

_DISPUTED = Counters(ones=2, twos=3, threes=1)
_REMARK = (
    "Counters 11 222 3 are those of the printed example, which counts 2 STOP to 1 GO! for the third "
    "action; by its own rule they are 3 to 1. {which} (option pool)."
)
_READINGS = {
    "unflipped_2": "This game goes by the rule",
    "stop_left_in_cup": "This game goes by the example",
}


def tables(view: View) -> tuple[Table, ...]:
    """All tables of a view; those without rows are left out by whoever prints them."""
    if view.mode == "table":
        return (_pool(view),)
    return (
        _pool(view),
        _open(view),
        _war(view),
        _towns(view),
        *(_leaders(view, side) for side in SIDES),
    )


def _pool(view: View) -> Table:
    """Whose action it is, and the chance of a further one, before anything is planned."""
    rows = [*_counters(view)] if view.ended else [*_next(view), *_chances(view), *_counters(view)]
    return Table(title="The draw", columns=("What", "Now"), rows=tuple(rows))


def _next(view: View) -> Iterator[tuple[str, str]]:
    rounds = view.box.numbers.rounds.of_a_side
    side = view.side
    yield (
        "Round",
        f"Turn {names.ROMAN[view.turn]}, {of(side)} round {view.round} of {rounds}, "
        f"{ORDINALS[view.done + 1]} action",
    )


def _chances(view: View) -> Iterator[tuple[str, str]]:
    """What each draw still to come in this round would be made from."""
    counters, reading = view.counters[view.side], _reading(view)
    for done in range(view.done + 1, LONGEST):
        drawn = pool(counters, done, reading)
        then = f"{capital(ORDINALS[done + 1])} action" + (
            f", if there is a {ORDINALS[done]}" if done > view.done + 1 else ""
        )
        yield then, odds(drawn)
        if drawn.verdict == "STOP":
            return
    if counters == _DISPUTED:
        yield "Remark", _REMARK.format(which=_READINGS[reading])


def _reading(view: View) -> Any:
    return view.options["pool"]


def _counters(view: View) -> Iterator[tuple[str, str]]:
    for side in SIDES:
        counters = view.counters[side]
        yield (
            f"{SIDE_NAMES[side]}, open counters",
            f"{open_counters(counters)}, {counted(counters.rounds, 'round')} left",
        )


def _war(view: View) -> Table:
    rows = [
        ("SP on the map", *(str(view.sp_on_map(side)) for side in SIDES)),
        ("SP in the pool", *(str(view.pools[side]) for side in SIDES)),
        ("SP scattered", *(str(view.scattered[side]) for side in SIDES)),
        ("In the Reorganization box", *(_boxed(view, side) for side in SIDES)),
        ("Event markers kept", *(_kept(view, side) for side in SIDES)),
    ]
    if view.is_guerrilla:
        rows.append(("Camps against R", f"R {view.recruits}", f"{len(view.camps)} camps"))
        rows.append(("Recruits left", str(view.recruit_pool), ""))
    else:
        wins, targets = view.box.numbers.victory, len(view.board.flagged["target"])
        rows.append((f"Completed sieges, {wins.sieges} win", places(view.fallen), ""))
        held = str(len(_held(view, "boers", "target")))
        rows.append((f"Objectives held, {wins.targets} of {targets} win", held, ""))
    rows.append(("Political centres", *(places(_held(view, side, "political")) for side in SIDES)))
    return Table(
        title="How the war stands", columns=("What", "Boers", "Empire"), rows=tuple(rows), later=True
    )


def _boxed(view: View, side: Side) -> str:
    return " ".join(view.boxes[side]) or "nobody"


def _kept(view: View, side: Side) -> str:
    kept = [event for event in view.kept if view.box.events[event].side == side]
    return " ".join(kept) or "none"


def _held(view: View, side: Side, flag: str) -> list[Point]:
    return [
        point
        for point, place in view.board.places.items()
        if flag in place.flags and view.control[point] == side
    ]


def _towns(view: View) -> Table:
    """Sieges, works on the railway, camps."""
    rows: list[tuple[str, str]] = []
    for point, level in view.sieges.items():
        inside, around = (forces.sp_at(view, point, side) for side in ("empire", "boers"))
        of_ = view.box.places[point].resistance
        rows.append(
            (f"Siege of {names.place(point)}", f"level {level} of {of_}, {around} SP around, {inside} inside")
        )
    if view.cuts:
        rows.append(("Railways cut", lines(view.cuts)))
    if view.blockhouses:
        rows.append(("Blockhouses", lines(view.blockhouses)))
    if view.camps:
        rows.append(("Camps", places(view.camps)))
    if any(view.trenches.values()):
        rows.append(("Entrenched", places(sorted({*view.trenches["boers"], *view.trenches["empire"]}))))
    garrisons = [f"{names.place(point)} {sp}" for point, sp in view.garrisons.items()]
    rows.append(("Garrisons", ", ".join(garrisons) or "none"))
    return Table(title="Towns and railways", columns=("What", "Where"), rows=tuple(rows))


def _leaders(view: View, side: Side) -> Table:
    rows = tuple(_leader(view, one) for one in forces.leaders_of(view, side))
    return Table(
        title=f"Leaders: {SIDE_NAMES[side]}",
        columns=("Code", "Leader", "At", "SP", "of", "Command", "Move", ""),
        rows=rows,
    )


def _leader(view: View, one: LeaderId) -> tuple[str, ...]:
    there, own = view.leaders[one], view.box.leaders[one]
    marks = ["C-in-C"] if own.chief else []
    marks += ["besieged"] if forces.is_besieged(view, one) else []
    marks += ["stands"] if one in view.standing else []
    return (
        one,
        names.leader(one),
        there.at,
        str(there.sp),
        str(forces.capacity(view, one)),
        str(own.command),
        str(forces.move_of(view, one)),
        ", ".join(marks),
    )


def _open(view: View) -> Table:
    rows = () if view.ended else tuple(open_orders(view))
    whose = f"the {SIDE_NAMES[view.side]} decide" if view.side == "boers" else "the Empire decides"
    title = "What you decide now" if view.mode == "both" else f"What {whose} now"
    return Table(title=title, columns=("Order", "For"), rows=rows, about="due")
