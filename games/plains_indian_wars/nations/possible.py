"""What the nations may order now: the cards of each tribe, cubes by region, groups by their start."""

from collections.abc import Iterator

from games.plains_indian_wars import hands
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.in_vain import is_in_vain
from games.plains_indian_wars.model import (
    ALL,
    AnyOrder,
    Colour,
    Discard,
    Move,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    View,
)
from games.plains_indian_wars.nations import event_cards
from games.plains_indian_wars.nations.lands import places_for, reached
from games.plains_indian_wars.nations.lawful import accepts, best_of, objection
from games.plains_indian_wars.nations.sequence import acting, asked, deck_of
from games.plains_indian_wars.phrases import numbers, place
from games.plains_indian_wars.possible import all_go, cubes_between, groups_between
from games.protocol.optional import Possible, Unlisted

Said = Iterator[tuple[AnyOrder, str]]


def possible(view: View) -> Iterator[Possible]:
    """The orders of the phase that could be carried out, each by itself."""
    wanted = accepts(view)
    for colour in asked(view, acting(view)):
        play = Play(view)
        play.set(disc=colour)
        for of, said in _groups(play, colour):
            for order, words in said:
                if type(order).__name__ not in wanted or is_in_vain(view, order):
                    continue
                if objection(view, order) is None:
                    yield Possible(of=of, order=order, words=words)


def unlisted(view: View) -> Iterator[Unlisted]:
    """The numbers of cubes between one and the most, for each region where they come or start."""
    wanted = accepts(view)
    for colour in asked(view, acting(view)):
        play = Play(view)
        play.set(disc=colour)
        most, reach = best_of(play)
        for region in places_for(play, colour) if Place.__name__ in wanted else ():
            yield from cubes_between(colour, region, most)
        for region in play.regions((colour,)) if Move.__name__ in wanted else ():
            goals = reached(play, colour, region, reach)
            yield from groups_between(colour, region, play.count(region, colour), goals)


def _groups(play: Play, colour: Colour) -> Iterator[tuple[str, Said]]:
    for card in hands.in_hand(play.now, deck_of(play, colour)):
        said: list[tuple[AnyOrder, str]] = [
            (PlayAction(card=card.id), numbers(card, play.scenario)),
            (Discard(card=card.id), "it is given up"),
        ]
        if card.effect is not None and card.effect.op in event_cards.WANT_REGION:
            for at in play.regions((colour,)) or places_for(play, colour):
                said.append((PlayEvent(card=card.id, at=at), f"the Event, in {place(at)}"))
        elif card.effect is not None:
            said.append((PlayEvent(card=card.id), f"the Event: {numbers(card, play.scenario)}"))
        yield card.name, iter(said)
    cubes, reach = best_of(play)
    for region in places_for(play, colour):
        yield place(region), _placing(play, colour, region, cubes)
    for region in play.regions((colour,)):
        yield place(region), _moving(play, colour, region, reach)
    yield "the Casualty Box", iter([(Recover(colour=colour), f"the {colour} cubes go to the Ready Box")])


def _placing(play: Play, colour: Colour, region: Region, most: int) -> Said:
    for count in dict.fromkeys((1, most)):
        if count > 0:
            said = f"{count} cube{'s' * (count > 1)}"
            yield Place(count=count, colour=colour, at=region), f"{said} out of the Ready Box"


def _moving(play: Play, colour: Colour, region: Region, reach: int) -> Said:
    here = play.count(region, colour)
    for to in reached(play, colour, region, reach):
        yield Move(cubes={colour: ALL}, start=region, to=to), f"{all_go(here, colour)} to {place(to)}"
