"""The headline of a report and its subject: the events of some discs, in a sentence or two."""

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
from games.plains_indian_wars.model import SOLDIERS, TRIBES, US_SEAT, Colour
from games.plains_indian_wars.nations import headline as nations
from games.plains_indian_wars.phrases import cubes_text, join_words, region_name
from games.plains_indian_wars.scoring import points_text, totals

_MAX_PLACES_NAMED = 3


def headline(events: Sequence[AnyEvent]) -> str:
    """Return the most important news first; the discs drawn if there is nothing else to tell."""
    news = [
        *_end_news(events),
        *nations.ending_news(events),
        *_custer_news(events),
        *_fight_news(events),
        *_wagon_news(events),
        *nations.advance_news(events),
        *_railroad_news(events),
    ]
    if not news:
        drawn = [str(event.disc) for event in events if isinstance(event, Drawn)]
        return f"Drawn: {join_words(drawn)}; all is quiet." if drawn else "The board is set up."
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in news[:4])


def _end_news(events: Iterable[AnyEvent]) -> list[str]:
    for event in events:
        if isinstance(event, Ended):
            nations, us = (points_text(halves) for halves in totals(event.rows))
            return (
                [f"the U.S. won, {us} to {nations}"]
                if event.winner == US_SEAT
                else [f"the Plains nations won, {nations} to {us}"]
            )
    return ["this turn is the last one"] if any(isinstance(event, LastTurn) for event in events) else []


def _custer_news(events: Iterable[AnyEvent]) -> list[str]:
    return [f"Custer fell in {region_name(event.at)}" for event in events if isinstance(event, CusterFell)]


def _fight_news(events: Iterable[AnyEvent]) -> list[str]:
    fights = [event for event in events if isinstance(event, Fought)]
    if not fights:
        return []
    fell: dict[Colour, int] = {}
    for fight in fights:
        for fight_round in fight.rounds:
            for colour, count in fight_round.fell.items():
                fell[colour] = fell.get(colour, 0) + count
    where = list(dict.fromkeys(region_name(fight.at) for fight in fights))
    named = join_words(where) if len(where) <= _MAX_PLACES_NAMED else f"{len(where)} regions"
    colours: tuple[Colour, ...] = (*SOLDIERS, "White", "Black", *TRIBES)
    losses = cubes_text({colour: fell[colour] for colour in colours if colour in fell}, fights[0].scenario)
    return [f"fighting in {named}: {losses} fell" if fell else f"fighting in {named}, and nobody fell"]


def _wagon_news(events: Iterable[AnyEvent]) -> list[str]:
    through = sum(e.count for e in events if isinstance(e, WagonsMoved) and e.to == "ROCKIES")
    fought = [e for e in events if isinstance(e, WagonsFought)]
    lost = sum(fight_round.fell.get("White", 0) for e in fought for fight_round in e.rounds) + sum(
        shown.count("hit") for e in events if isinstance(e, NightRaid) for shown in e.thrown.values()
    )
    news = []
    if through:
        news.append(f"{cubes_text({'White': through})} reached the Rockies")
    if lost:
        news.append(f"{cubes_text({'White': lost})} {'was' if lost == 1 else 'were'} lost")
    elif fought:
        where = dict.fromkeys(region_name(fight.at) for fight in fought)
        news.append(f"wagons were attacked in {join_words(list(where))}, and none was lost")
    return news


def _railroad_news(events: Iterable[AnyEvent]) -> list[str]:
    spaces = sum(event.count for event in events if isinstance(event, RailsLaid))
    return [f"the railroad grew by {spaces} space{'s' * (spaces != 1)}"] if spaces else []
