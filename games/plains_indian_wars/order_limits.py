"""The limits that the orders of a plan share, as data: those of a card, and cubes that can move."""

from collections.abc import Iterator, Mapping, Sequence

from games.messages import sentence
from games.plains_indian_wars import hands
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.components import Card
from games.plains_indian_wars.model import (
    ALL_CUBES,
    AnyOrder,
    Colour,
    Move,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    View,
    belt_of,
)
from games.plains_indian_wars.nations.sequence import acting_tribes, tribe_deck, tribes_with_cards
from games.plains_indian_wars.nations.tribe_phase import reachable_regions as tribe_reach
from games.plains_indian_wars.phrases import region_name
from games.plains_indian_wars.us_phase import BELTS, reachable_regions
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import OrderLimit, OrderLimits, OrderUse

_MOST_MOVES = 9
"""No card moves a group farther."""

_CITIES: Mapping[Region, Region] = {ST_LOUIS: SACRAMENTO, SACRAMENTO: ST_LOUIS}


def order_limits(view: View, orders: Sequence[AnyOrder]) -> OrderLimits:
    """Return the limits of the present plan and what each order uses of them. Source: PIW1.cards.numbers."""
    plan = _PlanLimits(view)
    uses = tuple(tuple(plan.uses(order)) for order in orders)
    used = {use.limit for some in uses for use in some}
    return OrderLimits(limits=tuple(limit for limit in plan.limits() if limit.id in used), uses=uses)


class _PlanLimits:
    """The limits of a plan: of the colour of the disc, or of each tribe that plays."""

    def __init__(self, view: View) -> None:
        self.play = WorkingState(view)
        self.is_us = self.play.scenario.plays == "US"
        acting = (view.disc,) if self.is_us else tribes_with_cards(view, acting_tribes(view))
        self.colours: tuple[Colour, ...] = tuple(colour for colour in acting if colour)
        self.is_purple = self.colours == ("Purple",)
        self.cards = {colour: self._hand(colour) for colour in self.colours}

    def _hand(self, colour: Colour) -> tuple[Card, ...]:
        play = self.play
        deck = play.materials.deck_for(colour) if self.is_us else tribe_deck(play, colour)
        return tuple(hands.cards_in_hand(play.now, deck)) if deck else ()

    def limits(self) -> Iterator[OrderLimit]:
        """Yield every limit: those of the cards first, which players see."""
        for colour in self.colours:
            yield from self._purple_limits() if self.is_purple else self._card_limits(colour)
            yield self._limit(f"ready {colour}", self.play.ready.get(colour, 0), "ready", colour=colour)
        for region in self.play.board.places:
            for colour in ("Blue", "Brown", "Purple") if self.is_us else self.colours:
                count = self.play.count(region, colour)
                yield self._limit(
                    f"{region} {colour}", count, "region", region=region_name(region), colour=colour
                )
            if self.is_us:
                room = self.play.us_room(region)
                yield self._limit(f"room {region}", room, "room", region=region_name(region))
        for city in _CITIES:
            yield self._limit(f"city {city}", len(self.play.board.places), "city", region=region_name(city))
        yield self._limit("control", 0, "control")

    def _purple_limits(self) -> Iterator[OrderLimit]:
        purple = self.play.scenario.purple
        yield self._limit("groups Purple", len(BELTS), "groups", name="groups")
        yield self._limit("reach Purple", purple["moves"], "reach", each=True)
        for belt in BELTS:
            yield self._limit(f"groups {belt}", 1, "groups_belt", belt=belt)
            yield self._limit(f"cubes {belt}", purple["cubes"], "cubes_belt", name=f"cubes_{belt}", belt=belt)

    def _card_limits(self, colour: Colour) -> Iterator[OrderLimit]:
        actions = [card for card in self.cards[colour] if card.kind == "action"]
        tribe = "" if len(self.colours) == 1 else f"_{colour}".lower()
        most = {
            "groups": max((card.groups for card in actions), default=0),
            "cubes": max((self.play.cubes_of_card(card) for card in actions), default=0),
            "events": self.play.materials.events,
        }
        for name, count in most.items():
            yield self._limit(f"{name} {colour}", count, name, name=f"{name}{tribe}")
        reach = max((card.moves for card in actions), default=0)
        yield self._limit(f"reach {colour}", reach, "reach", each=True)

    def _limit(
        self, limit: str, most: int, over: str, *, name: str = "", each: bool = False, **words: str
    ) -> OrderLimit:
        said = sentence(f"plains_indian_wars.limits.{name}") if name else ""
        over = sentence(f"plains_indian_wars.limits.over_{over}", count=most, **words)
        return OrderLimit(id=limit, most=most, name=said, over=over, each=each)

    def uses(self, order: AnyOrder) -> Iterator[OrderUse]:
        """Yield what an order of the plan uses, and which limits it changes."""
        colour = self.colours[0] if self.is_us and self.colours else order.tribe(self.play)
        if colour not in self.colours:
            return
        match order:
            case Move():
                yield from self._moved(order, colour)
            case Place():
                belt = belt_of(order.at) if self.is_purple else None
                yield OrderUse(limit=f"cubes {belt or colour}", count=order.count)
                yield OrderUse(limit=f"ready {colour}", count=order.count)
                yield OrderUse(limit=f"{order.at} {colour}", count=order.count, effect="add")
                if self.is_us:
                    yield OrderUse(limit=f"room {order.at}", count=order.count)
                if order.at in _CITIES and not self.is_purple:
                    yield OrderUse(limit=f"city {order.at}")
            case Recover():
                yield OrderUse(limit=f"groups {colour}")
            case PlayAction():
                card = self.play.materials.cards[order.card]
                yield OrderUse(limit=f"groups {colour}", count=card.groups, effect="set")
                yield OrderUse(limit=f"cubes {colour}", count=self.play.cubes_of_card(card), effect="set")
                yield OrderUse(limit=f"reach {colour}", count=card.moves, effect="set")
                if card.city:
                    yield OrderUse(limit=f"city {_CITIES[card.city]}", count=0, effect="set")
            case PlayEvent():
                yield from self._event(order, colour)

    def _moved(self, order: Move, colour: Colour) -> Iterator[OrderUse]:
        here = self.play.cubes.get(order.start, {})
        cubes = {one: here.get(one, 0) if n == ALL_CUBES else n for one, n in order.cubes.items()}
        for one, count in cubes.items():
            yield OrderUse(limit=f"{order.start} {one}", count=count)
        belt = belt_of(order.start) if self.is_purple else None
        yield OrderUse(limit=f"groups {colour}", once=belt or order.start)
        if belt:
            yield OrderUse(limit=f"groups {belt}", once=order.start)
        if self.is_us:
            reached = reachable_regions(self.play, order.start, tuple(cubes), _MOST_MOVES)
            yield OrderUse(limit=f"room {order.to}", count=sum(cubes.values()))
            yield OrderUse(limit=f"room {order.start}", count=sum(cubes.values()), effect="add")
        else:
            reached = tribe_reach(self.play, colour, order.start, _MOST_MOVES)
        yield OrderUse(limit=f"reach {colour}", count=reached.get(order.to, 0))
        if self.is_purple and self.play.tribe_cubes(order.start):
            yield OrderUse(limit="control")

    def _event(self, order: PlayEvent, colour: Colour) -> Iterator[OrderUse]:
        yield OrderUse(limit=f"events {colour}")
        effect = self.play.materials.cards[order.card].effect
        if effect is None:
            return
        if effect.op == "extra-group":
            yield OrderUse(limit=f"groups {colour}", effect="add")
            yield OrderUse(limit=f"reach {colour}", count=effect.moves, effect="add")
        if effect.op == "muster":
            fallen = self.play.fallen.get(colour, 0)
            yield OrderUse(limit=f"cubes {colour}", count=min(effect.cubes, fallen), effect="add")
            yield OrderUse(limit=f"ready {colour}", count=fallen, effect="add")
        if effect.op == "fierce" and order.at:
            yield OrderUse(limit=f"{order.at} {colour}", count=effect.cubes, effect="add")
