"""What the U.S. may order now: the cards of the hand, cubes by region, groups by where they start."""

from collections.abc import Iterator, Sequence
from functools import partial

from games.plains_indian_wars import event_cards, hands
from games.plains_indian_wars.board import Board
from games.plains_indian_wars.box import box
from games.plains_indian_wars.carrying_out import places_for
from games.plains_indian_wars.groups import March, groups_between
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.in_vain import is_in_vain
from games.plains_indian_wars.lawful import accepts, best_of, marches_at_best, objection
from games.plains_indian_wars.marches import reached
from games.plains_indian_wars.model import (
    ALL,
    SOLDIERS,
    AnyOrder,
    Begin,
    Colour,
    DeckName,
    Discard,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    View,
    belt_of,
)
from games.plains_indian_wars.phrases import numbers, place
from games.plains_indian_wars.sayings import OF, samples, sayable
from games.protocol.optional import Neighbour, Possible, Unlisted

Said = Iterator[tuple[AnyOrder, str]]


def possible(view: View) -> Iterator[Possible]:
    """The orders of the phase that could be carried out, each by itself."""
    wanted = accepts(view)
    for of, said in _groups(Play(view)):
        for order, words in said:
            if type(order).__name__ not in wanted or is_in_vain(view, order):
                continue
            if objection(view, order) is None:
                yield Possible(of=of, order=order, words=words)


def unlisted(view: View) -> Iterator[Unlisted]:
    """The numbers of cubes between one and the most, groups of two colours, standing instructions."""
    play, wanted = Play(view), accepts(view)
    if view.disc is not None:
        yield from _numbers(play, view.disc, wanted)
    yield from sayable(play, wanted, partial(objection, view))


def _numbers(play: Play, colour: Colour, wanted: Sequence[str]) -> Iterator[Unlisted]:
    coming = {at: _room(play, colour, at) for at in places_for(play, colour)}
    for region, room in coming.items() if Place.__name__ in wanted else ():
        yield from cubes_between(colour, region, room)
    if Move.__name__ not in wanted:
        return
    leads, far, stops = marches_at_best(play)
    reach = best_of(play).reach
    for region in play.board.sorted({*play.regions(leads), *coming}):
        here = {one: play.count(region, one) for one in SOLDIERS}
        march = March(play, region, colour, coming.get(region, 0), here)
        goals = march.goals((colour,), reach)
        yield from groups_between(colour, region, here[colour], march.room, goals)
        for lead in leads:
            yield from march.by_events(lead, goals if lead == colour else (), far, stops=stops)
        yield from march.taking_along(leads, far, stops=stops)


def cubes_between(colour: Colour, region: Region, most: int) -> Iterator[Unlisted]:
    """The cubes that may come to a region, more than one and fewer than the most."""
    orders = tuple(Place(count=count, colour=colour, at=region) for count in range(2, most))
    if orders:
        form = f"place {{number}} {colour} {region}"
        yield Unlisted(of=place(region), form=form, words=f"of 1 to {most} cubes", orders=orders)


def beside(view: View, at: str) -> tuple[Neighbour, ...] | None:
    """The regions beside a region; of some the way goes in one direction only."""
    ground = box(view.options).board
    if at not in ground.places:
        return None
    here = Region(at)
    found = ground.sorted((*ground.near[here], *ground.ways[here]))
    return tuple(Neighbour(place=place(one), how=_how(ground, here, one)) for one in found)


def _how(ground: Board, here: Region, there: Region) -> str:
    if there not in ground.near[here]:
        return "U.S. cubes go there, and not back"
    return "a common border" if there in ground.ways[here] else "tribes alone go there"


def _groups(play: Play) -> Iterator[tuple[str, Said]]:
    view = play.now
    if view.disc is None:
        yield "the beginning", iter([(Begin(), "the first disc is drawn")])
        yield "Custer", ((Instruction(topic="custer", says=(at,)), f"he rides in {at}") for at in view.tied)
    else:
        yield from _of_disc(play, view.disc)
    yield OF, samples(play, partial(objection, view))


def _of_disc(play: Play, colour: Colour) -> Iterator[tuple[str, Said]]:
    deck: DeckName | None = play.box.deck_for(colour)
    if deck is not None:
        yield from _cards(play, deck)
    for region in places_for(play, colour):
        yield place(region), _placing(play, colour, region)
    for region in play.regions((colour,)):
        yield place(region), _moving(play, colour, region)
    yield "the Casualty Box", iter([(Recover(), "its cubes go to the Ready Box")])
    if colour == "Purple":
        yield (
            "the belts",
            iter([(NoPlace(belt=one), f"no cube comes in the {one}") for one in ("north", "south")]),
        )


def _cards(play: Play, deck: DeckName) -> Iterator[tuple[str, Said]]:
    for card in hands.in_hand(play.now, deck):
        said: list[tuple[AnyOrder, str]] = [
            (PlayAction(card=card.id), numbers(card, play.scenario)),
            (Discard(card=card.id), "it is given up"),
        ]
        if card.effect is not None and card.effect.op in event_cards.WANT_REGION:
            targets = [at for at in play.board.places if event_cards.is_target(play, card.effect, at)]
            held = [at for at in targets if play.tribes(at) or play.us(at)]
            said += [(PlayEvent(card=card.id, at=at), f"the Event, in {place(at)}") for at in held or targets]
        elif card.effect is not None:
            said.append((PlayEvent(card=card.id), f"the Event: {numbers(card, play.scenario)}"))
        yield card.name, iter(said)


def _placing(play: Play, colour: Colour, region: Region) -> Said:
    for count in dict.fromkeys((1, _room(play, colour, region))):
        if count > 0:
            cubes = f"{count} cube{'s' * (count > 1)}"
            yield Place(count=count, colour=colour, at=region), f"{cubes} out of the Ready Box"


def _room(play: Play, colour: Colour, region: Region) -> int:
    """How many cubes may come to a region at the most, by the best card of the hand."""
    return min(best_of(play).cubes(belt_of(region)), play.ready.get(colour, 0), play.room(region))


def _moving(play: Play, colour: Colour, region: Region) -> Said:
    here = play.count(region, colour)
    for to in reached(play, region, (colour,), best_of(play).reach):
        yield Move(cubes={colour: ALL}, start=region, to=to), f"{all_go(here, colour)} to {place(to)}"


def all_go(here: int, colour: Colour) -> str:
    """All cubes of a colour leave a region: "all 4 Green go"."""
    return f"the {colour} cube there goes" if here == 1 else f"all {here} {colour} go"
