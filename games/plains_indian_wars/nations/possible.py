"""What the nations may order now: the cards of each tribe, cubes by region, groups by their start."""

from collections.abc import Iterator
from functools import partial

from games.plains_indian_wars import hands
from games.plains_indian_wars.groups import groups_between
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.in_vain import is_in_vain
from games.plains_indian_wars.model import (
    ALL,
    AnyOrder,
    Colour,
    Discard,
    Instruction,
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
from games.plains_indian_wars.possible import all_go, cubes_between
from games.plains_indian_wars.sayings import OF, samples, sayable
from games.protocol.optional import Possible, Unlisted

Said = Iterator[tuple[AnyOrder, str]]


def possible(view: View) -> Iterator[Possible]:
    """The orders of the phase that could be carried out, each by itself."""
    wanted = accepts(view)
    for colour in asked(view, acting(view)):
        play = Play(view)
        play.set(disc=colour)
        for of, said in _groups(play, colour, view.disc):
            for order, words in said:
                if type(order).__name__ not in wanted or is_in_vain(view, order):
                    continue
                if objection(view, order) is None:
                    yield Possible(of=of, order=order, words=words)
    if Instruction.__name__ in wanted:
        said = samples(Play(view), partial(objection, view))
        yield from (Possible(of=OF, order=order, words=words) for order, words in said)


def unlisted(view: View) -> Iterator[Unlisted]:
    """Whom an Event is aimed at; cubes between one and the most, where they come or start."""
    wanted = accepts(view)
    for colour in asked(view, acting(view)):
        play = Play(view)
        play.set(disc=colour)
        if PlayEvent.__name__ in wanted:
            yield from _aimed(play, colour)
        most, reach = best_of(play)
        for region in places_for(play, colour) if Place.__name__ in wanted else ():
            yield from cubes_between(colour, region, most)
        coming = places_for(play, colour)
        for region in (
            play.board.sorted({*play.regions((colour,)), *coming}) if Move.__name__ in wanted else ()
        ):
            goals = tuple(reached(play, colour, region, reach))
            more = min(most, play.ready.get(colour, 0)) if region in coming else 0
            yield from groups_between(colour, region, play.count(region, colour), more, goals)
    yield from sayable(Play(view), wanted, partial(objection, view))


def _aimed(play: Play, colour: Colour) -> Iterator[Unlisted]:
    """The Events by which one force strikes at another, or rides away, where there is a choice of these."""
    for card in hands.in_hand(play.now, deck_of(play, colour)):
        orders = tuple(
            PlayEvent(card=card.id, at=at, to=to)
            for at in (event_cards.places_of(play, colour, card.effect) if card.effect else ())
            if card.effect and at
            for to in event_cards.goals_of(play, colour, card.effect, at)
        )
        if orders:
            form = f"play {card.name} in {{region}} against {{region}}"
            yield Unlisted(of=card.name, form=form, words="whom it strikes, or where it rides", orders=orders)


def _groups(play: Play, colour: Colour, disc: Colour | None) -> Iterator[tuple[str, Said]]:
    for card in hands.in_hand(play.now, deck_of(play, colour)):
        said: list[tuple[AnyOrder, str]] = [
            (PlayAction(card=card.id), numbers(card, play.scenario)),
            (Discard(card=card.id), "it is given up"),
        ]
        for at in event_cards.places_of(play, colour, card.effect) if card.effect else ():
            what = numbers(card, play.scenario) if at is None else f"in {place(at)}"
            said.append((PlayEvent(card=card.id, at=at), f"the Event{', ' if at else ': '}{what}"))
        yield card.name, iter(said)
    cubes, reach = best_of(play)
    for region in places_for(play, colour):
        yield place(region), _placing(play, colour, region, cubes)
    for region in play.regions((colour,)):
        yield place(region), _moving(play, colour, region, reach)
    recover = Recover(colour=None if colour == disc else colour)
    yield "the Casualty Box", iter([(recover, f"the {colour} cubes go to the Ready Box")])


def _placing(play: Play, colour: Colour, region: Region, most: int) -> Said:
    for count in dict.fromkeys((1, most)):
        if count > 0:
            said = f"{count} cube{'s' * (count > 1)}"
            yield Place(count=count, colour=colour, at=region), f"{said} out of the Ready Box"


def _moving(play: Play, colour: Colour, region: Region, reach: int) -> Said:
    here = play.count(region, colour)
    for to in reached(play, colour, region, reach):
        yield Move(cubes={colour: ALL}, start=region, to=to), f"{all_go(here, colour)} to {place(to)}"
