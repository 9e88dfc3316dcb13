"""What happened on some discs, in a sentence or two: the headline of a report and its subject."""

from collections.abc import Iterable, Sequence

from games.plains_indian_wars.events import (
    AnyEvent,
    CusterFell,
    Drawn,
    Ended,
    Fought,
    LastTurn,
    NightRaid,
    RailsLaid,
    WagonsFought,
    WagonsMoved,
)
from games.plains_indian_wars.model import SOLDIERS, TRIBES, US, Colour
from games.plains_indian_wars.nations import headline as nations
from games.plains_indian_wars.phrases import cubes, listed, place
from games.plains_indian_wars.scoring import points, totals

_MOST = 3


def headline(events: Sequence[AnyEvent]) -> str:
    """The most important things first; the discs drawn where nothing else is to be told."""
    found = [
        *_end(events),
        *nations.ending(events),
        *_custer(events),
        *_fights(events),
        *_wagons(events),
        *nations.advances(events),
        *_rails(events),
    ]
    if not found:
        drawn = [str(event.disc) for event in events if isinstance(event, Drawn)]
        return f"Drawn: {listed(drawn)}; all is quiet." if drawn else "The board is set up."
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in found[:4])


def _end(events: Iterable[AnyEvent]) -> list[str]:
    for event in events:
        if isinstance(event, Ended):
            nations, us = (points(one) for one in totals(event.rows))
            return (
                [f"the U.S. won, {us} to {nations}"]
                if event.winner == US
                else [f"the Plains nations won, {nations} to {us}"]
            )
    return ["this turn is the last one"] if any(isinstance(event, LastTurn) for event in events) else []


def _custer(events: Iterable[AnyEvent]) -> list[str]:
    return [f"Custer fell in {place(event.at)}" for event in events if isinstance(event, CusterFell)]


def _fights(events: Iterable[AnyEvent]) -> list[str]:
    fights = [event for event in events if isinstance(event, Fought)]
    if not fights:
        return []
    fell: dict[Colour, int] = {}
    for fight in fights:
        for one in fight.rounds:
            for colour, count in one.fell.items():
                fell[colour] = fell.get(colour, 0) + count
    where = list(dict.fromkeys(place(fight.at) for fight in fights))
    named = listed(where) if len(where) <= _MOST else f"{len(where)} regions"
    told: tuple[Colour, ...] = (*SOLDIERS, "White", "Black", *TRIBES)
    losses = cubes({one: fell[one] for one in told if one in fell}, fights[0].scenario)
    return [f"fighting in {named}: {losses} fell" if fell else f"fighting in {named}, and nobody fell"]


def _wagons(events: Iterable[AnyEvent]) -> list[str]:
    through = sum(e.count for e in events if isinstance(e, WagonsMoved) and e.to == "ROCKIES")
    fought = [e for e in events if isinstance(e, WagonsFought)]
    lost = sum(one.fell.get("White", 0) for e in fought for one in e.rounds) + sum(
        shown.count("hit") for e in events if isinstance(e, NightRaid) for shown in e.thrown.values()
    )
    said = []
    if through:
        said.append(f"{cubes({'White': through})} reached the Rockies")
    if lost:
        said.append(f"{cubes({'White': lost})} {'was' if lost == 1 else 'were'} lost")
    elif fought:
        where = dict.fromkeys(place(fight.at) for fight in fought)
        said.append(f"wagons were attacked in {listed(list(where))}, and none was lost")
    return said


def _rails(events: Iterable[AnyEvent]) -> list[str]:
    laid = sum(event.count for event in events if isinstance(event, RailsLaid))
    return [f"the railroad grew by {laid} space{'s' * (laid != 1)}"] if laid else []
