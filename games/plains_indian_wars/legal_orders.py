"""The legal orders of the U.S. now, examples of each form, and the steps of the order page."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations
from typing import NamedTuple

from games.messages import sentence
from games.order_kinds import list_legal
from games.plains_indian_wars import execution, hands, legality, model, standing_orders
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Board
from games.plains_indian_wars.execution import BELTS, CARRIED_COLOURS, placement_regions, reachable_regions
from games.plains_indian_wars.legality import accepted_order_types, best_limits, best_marches, objection
from games.plains_indian_wars.model import (
    ALL_CUBES,
    CUBE_COLOURS,
    SOLDIERS,
    TRIBES,
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
    State,
    Topic,
    View,
    belt_of,
)
from games.plains_indian_wars.owner_data import box
from games.plains_indian_wars.phrases import card_text, region_name, topic_question
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import (
    AdjacentPlace,
    Concern,
    LegalOrder,
    Objection,
    UnlistedOrders,
)

DescribedOrders = Iterator[tuple[AnyOrder, str]]


class PlanChecks(NamedTuple):
    """The checks of a variant: of one order, and of the orders of a plan together."""

    objection: Callable[[State, AnyOrder], Objection | None]
    concerns: Callable[[State, Sequence[AnyOrder]], tuple[Concern, ...]]


US_CHECKS = PlanChecks(legality.objection, legality.concerns)
"""The checks of Variant I."""


def legal_orders(view: View) -> Iterator[LegalOrder]:
    """Return the orders of the phase that are legal by themselves."""
    return list_legal(_described_groups(WorkingState(view)), partial(is_worth_listing, view, US_CHECKS))


def is_worth_listing(view: View, checks: PlanChecks, order: AnyOrder) -> bool:
    """Return whether an order is legal by itself, and not an Event without effect."""
    return checks.objection(view, order) is None and not is_useless_event(view, order, checks)


def unlisted_orders(view: View) -> Iterator[UnlistedOrders]:
    """Yield the orders that `legal_orders` leaves out.

    They are other numbers of cubes, groups of two colours, and standing instructions.
    """
    play, wanted = WorkingState(view), accepted_order_types(view)
    if view.disc is not None:
        yield from _unlisted_numbers(play, view.disc, wanted)
    yield from unlisted_instructions(play, wanted, partial(objection, view))


def _unlisted_numbers(play: WorkingState, colour: Colour, wanted: Sequence[str]) -> Iterator[UnlistedOrders]:
    coming = {at: _max_placed(play, colour, at) for at in placement_regions(play, colour)}
    for region, room in coming.items() if Place.__name__ in wanted else ():
        yield from cubes_between(colour, region, room)
    if Move.__name__ not in wanted:
        return
    leads, far, stops = best_marches(play)
    reach = best_limits(play).reach
    for region in play.board.in_board_order({*play.regions_with(leads), *coming}):
        here = {fighter: play.count(region, fighter) for fighter in SOLDIERS}
        march = RegionGroups(play, region, colour, coming.get(region, 0), here)
        goals = march.goals((colour,), reach)
        yield from groups_between(colour, region, here[colour], march.room, goals)
        for lead in leads:
            yield from march.event_groups(lead, goals if lead == colour else (), far, stops=stops)
        yield from march.two_colour_groups(leads, far, stops=stops)


def cubes_between(colour: Colour, region: Region, most: int) -> Iterator[UnlistedOrders]:
    """Yield placements in a region of more than one cube and fewer than the most."""
    orders = tuple(Place(count=count, colour=colour, at=region) for count in range(2, most))
    if orders:
        form = f"place {{number}} {colour} {region}"
        words = sentence("plains_indian_wars.orders.up_to", most=most)
        yield UnlistedOrders(of=region_name(region), form=form, words=words, orders=orders)


def adjacent_places(view: View, at: str) -> tuple[AdjacentPlace, ...] | None:
    """Return the neighbours of a region and the moves across each border; None for an unknown region."""
    ground = box(view.options).board
    if at not in ground.places:
        return None
    here = Region(at)
    neighbours = ground.in_board_order((*ground.near[here], *ground.ways[here]))
    return tuple(
        AdjacentPlace(place=region_name(neighbour), how=_border_text(ground, here, neighbour))
        for neighbour in neighbours
    )


def _border_text(ground: Board, here: Region, there: Region) -> str:
    if there not in ground.near[here]:
        return sentence("plains_indian_wars.orders.border_us")
    if there in ground.ways[here]:
        return sentence("plains_indian_wars.orders.border")
    return sentence("plains_indian_wars.orders.border_tribes")


def _described_groups(play: WorkingState) -> Iterator[tuple[str, DescribedOrders]]:
    view = play.now
    if view.disc is None:
        begin = sentence("plains_indian_wars.orders.begin")
        yield sentence("plains_indian_wars.orders.beginning"), iter([(Begin(), begin)])
        custer = (
            (
                Instruction(topic="custer", says=(at,)),
                sentence("plains_indian_wars.orders.custer_rides", at=at),
            )
            for at in view.tied
        )
        yield sentence("plains_indian_wars.orders.custer"), custer
    else:
        yield from _disc_orders(play, view.disc)
    instructions = sample_instructions(play, partial(objection, view))
    yield sentence("plains_indian_wars.orders.instructions"), instructions


def _disc_orders(play: WorkingState, colour: Colour) -> Iterator[tuple[str, DescribedOrders]]:
    deck: DeckName | None = play.materials.deck_for(colour)
    if deck is not None:
        yield from _card_orders(play, deck)
    for region in placement_regions(play, colour):
        yield region_name(region), place_orders(colour, region, _max_placed(play, colour, region))
    for region in play.regions_with((colour,)):
        goals = reachable_regions(play, region, (colour,), best_limits(play).reach)
        yield region_name(region), move_orders(play, colour, region, goals)
    recover = sentence("plains_indian_wars.orders.recover")
    yield sentence("plains_indian_wars.orders.casualty_box"), iter([(Recover(), recover)])
    if colour == "Purple":
        no_cubes = [
            (NoPlace(belt=belt), sentence("plains_indian_wars.orders.no_cube", belt=belt)) for belt in BELTS
        ]
        yield sentence("plains_indian_wars.orders.belts"), iter(no_cubes)


def _card_orders(play: WorkingState, deck: DeckName) -> Iterator[tuple[str, DescribedOrders]]:
    for card in hands.cards_in_hand(play.now, deck):
        order_texts: list[tuple[AnyOrder, str]] = [
            (PlayAction(card=card.id), card_text(card, play.scenario)),
            (Discard(card=card.id), sentence("plains_indian_wars.orders.discard")),
        ]
        if card.effect is not None and card.effect.op in execution.REGION_OPERATIONS:
            targets = [at for at in play.board.places if execution.is_event_target(play, card.effect, at)]
            held = [at for at in targets if play.tribe_cubes(at) or play.us_cubes(at)]
            order_texts += [
                (
                    PlayEvent(card=card.id, at=at),
                    sentence("plains_indian_wars.orders.event_in", at=region_name(at)),
                )
                for at in held or targets
            ]
        elif card.effect is not None:
            event = sentence("plains_indian_wars.orders.event", text=card_text(card, play.scenario))
            order_texts.append((PlayEvent(card=card.id), event))
        yield card.name, iter(order_texts)


def place_orders(colour: Colour, region: Region, most: int) -> DescribedOrders:
    """Yield orders to place one cube in a region, and the most cubes that can be placed there."""
    for count in dict.fromkeys((1, most)):
        if count > 0:
            words = sentence("plains_indian_wars.orders.place", count=count)
            yield Place(count=count, colour=colour, at=region), words


def _max_placed(play: WorkingState, colour: Colour, region: Region) -> int:
    """Return the most cubes that can be placed in a region with the best card in hand."""
    return min(best_limits(play).cubes_left(belt_of(region)), play.ready.get(colour, 0), play.us_room(region))


def move_orders(
    play: WorkingState, colour: Colour, region: Region, goals: Iterable[Region]
) -> DescribedOrders:
    """Yield orders to move all cubes of a colour from a region to each of some goals."""
    here = play.count(region, colour)
    for to in goals:
        words = sentence("plains_indian_wars.orders.all_go", colour=colour, count=here, to=region_name(to))
        yield Move(cubes={colour: ALL_CUBES}, start=region, to=to), words


# Examples of each form of order, with the cards and cubes of the player.


ExampleRow = tuple[str, Iterable[AnyOrder]]


def example_orders(view: View, checks: PlanChecks) -> Iterator[ExampleRow]:
    """Yield the names of forms, each with examples, the simplest first. Some examples may be illegal."""
    ground, scenario = (
        box(view.options).board,
        box(view.options).materials.scenarios[str(view.options["scenario"])],
    )
    is_us = scenario.plays == "US"
    mine: tuple[Colour, ...] = SOLDIERS if is_us else scenario.tribes
    wanted = [view.disc] if is_us and view.disc in mine else list(mine)
    colours = tuple(colour for colour in wanted if colour is not None)
    yield "begin", [Begin()]
    cards = [card for deck in scenario.decks for card in hands.cards_in_hand(view, deck)]
    yield "play", [PlayAction(card=card.id) for card in cards if card.kind == "action"]
    places = list(ground.places)
    groups = [
        (colour, region, cubes[colour])
        for colour in colours
        for region, cubes in view.cubes.items()
        if cubes.get(colour)
    ]
    yield "place", _place_examples(view, colours, [region for _, region, _ in groups], places)
    yield "move", _move_examples(ground, groups)
    events = _event_examples(ground, [card.id for card in cards if card.effect], places)
    yield "event", (event for event in events if not is_useless_event(view, event, checks))
    yield "no-cube", [NoPlace(belt="north")]
    yield "recover", [Recover(), *(Recover(colour=colour) for colour in colours)]
    yield "discard", [Discard(card=card.id) for card in cards]
    yield from _instruction_examples(view, is_us, mine, [region for _, region, _ in groups])


def _place_examples(
    view: View, colours: Iterable[Colour], held: list[Region], places: list[Region]
) -> Iterator[Place]:
    """Yield orders to place two cubes or one, first in regions with the player's cubes."""
    for at in dict.fromkeys((*held, ST_LOUIS, SACRAMENTO, *places)):
        for colour in colours:
            if view.ready.get(colour):
                yield from (Place(count=count, colour=colour, at=at) for count in (2, 1))


def _move_examples(ground: Board, groups: list[tuple[Colour, Region, int]]) -> Iterator[Move]:
    """Yield moves of up to two cubes to a neighbour, the strongest groups first."""
    for colour, start, count in sorted(groups, key=lambda group: -group[2]):
        for to in ground.near[start]:
            yield Move(cubes={colour: min(count, 2)}, start=start, to=to)


def _event_examples(ground: Board, cards: list[str], places: list[Region]) -> Iterator[PlayEvent]:
    for card in cards:
        yield PlayEvent(card=card)  # type: ignore[arg-type]  # ids of cards
        yield from (PlayEvent(card=card, at=at) for at in places)  # type: ignore[arg-type]
        yield from (
            PlayEvent(card=card, at=at, to=to)  # type: ignore[arg-type]
            for at in places
            for to in ground.near[at]
        )


def _instruction_examples(
    view: View, is_us: bool, mine: tuple[Colour, ...], held: list[Region]
) -> Iterator[ExampleRow]:
    """Yield standing instructions about the regions with the player's cubes."""
    near = box(view.options).board.near
    there = held or list(view.cubes)
    yield "fight-first", [Instruction(topic="fight", says=(region,)) for region in there]
    yield "withdraw", [Instruction(topic="withdraw", about=colour, says=("2",)) for colour in mine]
    if is_us:
        yield "lose", [Instruction(topic="lose", says=model.DEFAULT_LOSS_ORDER)]
        yield "sit-out", [Instruction(topic="sit out", says=("Brown",))]
        yield "equals", [Instruction(topic="equal", says=(model.WE_LEAVE,))]
        yield "wagons", [Instruction(topic="trail", says=(model.CALIFORNIA,))]
        yield "custer", [Instruction(topic="custer", says=(region,)) for region in view.tied]
        pairs = [(region, to) for region in view.cubes for to in near[region]]
        yield "drive", [Instruction(topic="drive", about=region, says=(to,)) for region, to in pairs]
    else:
        riders = [colour for colour in CUBE_COLOURS if colour in view.columns]
        yield "strike", [Instruction(topic="strike", says=(colour,)) for colour in riders]
    ways = [(region, to) for region in there for to in near[region]]
    yield "fall-back", [Instruction(topic="fall back", about=region, says=(to,)) for region, to in ways]


# All groups that may move, with their cubes and goals.


Cubes = Mapping[Colour, int]


def groups_between(
    colour: Colour, region: Region, here: int, more: int, goals: Sequence[Region]
) -> Iterator[UnlistedOrders]:
    """Yield groups of one colour that leave cubes behind, or include cubes that are placed there first.

    here: the number of cubes in the region; more: how many more can be placed there.
    """
    some = [{colour: count} for count in range(1, here)]
    yield from _unlisted_groups(region, some, goals, sentence("plains_indian_wars.orders.up_to", most=here))
    later = [{colour: count} for count in range(here + 1, here + more + 1)]
    yield from _unlisted_groups(
        region, later, goals, sentence("plains_indian_wars.orders.placed_first", most=here + more)
    )


@dataclass(frozen=True)
class RegionGroups:
    """The groups that may leave a region.

    room: how many cubes of the disc's colour can be placed there first; here: the cubes in the region.
    """

    play: WorkingState
    region: Region
    disc: Colour
    room: int
    here: Mapping[Colour, int]

    def goals(self, colours: Sequence[Colour], reach: int, *, stops: bool = True) -> tuple[Region, ...]:
        """Return the regions that a group of these colours can reach."""
        return tuple(reachable_regions(self.play, self.region, colours, reach, stops=stops))

    def two_colour_groups(
        self, leads: Sequence[Colour], reach: int, *, stops: bool
    ) -> Iterator[UnlistedOrders]:
        """Yield the groups of two colours, led by one of them. Source: PIW1.blue.2, PIW1.brown.2."""
        most = {
            colour: count + (self.room if colour == self.disc else 0) for colour, count in self.here.items()
        }
        pairs = {tuple(pair.items()): pair for lead in leads for pair in _carried_groups(lead, most)}
        for colours in dict.fromkeys(tuple(pair) for pair in pairs.values()):
            goals = self.goals(colours, reach, stops=stops)
            some = [pair for pair in pairs.values() if tuple(pair) == colours]
            now = [pair for pair in some if all(count <= self.here[colour] for colour, count in pair.items())]
            along = sentence("plains_indian_wars.orders.along")
            yield from _unlisted_groups(self.region, now, goals, along)
            later = [pair for pair in some if pair not in now]
            yield from _unlisted_groups(
                self.region, later, goals, sentence("plains_indian_wars.orders.along_placed_first")
            )

    def event_groups(
        self, lead: Colour, plain: Sequence[Region], reach: int, *, stops: bool
    ) -> Iterator[UnlistedOrders]:
        """Yield the groups of one colour that can reach their goal only with an Event in hand."""
        most = self.here[lead] + (self.room if lead == self.disc else 0)
        groups = [{lead: count} for count in range(1, most + 1)]
        goals = [to for to in self.goals((lead,), reach, stops=stops) if to not in plain]
        yield from _unlisted_groups(
            self.region, groups, goals, sentence("plains_indian_wars.orders.by_event")
        )


def _carried_groups(lead: Colour, most: Cubes) -> list[Cubes]:
    """Return the groups of a leading colour and a colour that it takes along."""
    carried, many, each = CARRIED_COLOURS.get(lead, ("Black", 0, 1))
    pairs = [
        {lead: count, carried: along}
        for count in range(1, most[lead] + 1)
        for along in range(1, min(most.get(carried, 0), count // each * many) + 1)
    ]
    return [{colour: pair[colour] for colour in SOLDIERS if colour in pair} for pair in pairs]


def _unlisted_groups(
    region: Region, groups: Sequence[Cubes], goals: Sequence[Region], words: str
) -> Iterator[UnlistedOrders]:
    orders = tuple(Move(cubes=dict(cubes), start=region, to=to) for to in goals for cubes in groups)
    if orders:
        yield UnlistedOrders(
            of=region_name(region), form=_group_form(tuple(groups[0]), region), words=words, orders=orders
        )


@cache
def _group_form(colours: tuple[Colour, ...], region: Region) -> str:
    return f"move {' '.join(f'{{number}} {colour}' for colour in colours)} {region} - {{region}}"


# The steps in which the order page builds an order: a group's goal, then its cubes.


OrderParts = tuple[tuple[str, ...], tuple[str, ...]]


def compose_order(view: View, order: AnyOrder) -> OrderParts | None:
    """Return the steps to an order, and the parts that may be added in any order.

    None for an order without steps, which the page shows by its text.
    """
    if isinstance(order, Move):
        here = view.cubes.get(order.start, {})
        counts = {colour: here.get(colour, 0) if n == ALL_CUBES else n for colour, n in order.cubes.items()}
        step = sentence("plains_indian_wars.steps.move_to", to=region_name(order.to))
        return (step,), tuple(f"{n} {colour}" for colour, n in counts.items())
    if isinstance(order, Instruction):
        return _instruction_steps(order), ()
    return None


def _instruction_steps(order: Instruction) -> tuple[str, ...]:
    says = order.says
    match order.topic:
        case "withdraw":
            if says[0] == model.NEVER:
                when = sentence("plains_indian_wars.steps.withdraw_never")
            else:
                when = sentence("plains_indian_wars.steps.withdraw_at", number=says[0])
            return sentence("plains_indian_wars.steps.withdraw"), order.about, when
        case "fall back" | "drive" as topic:
            return (
                topic,
                sentence("plains_indian_wars.steps.start", start=region_name(order.about)),
                sentence("plains_indian_wars.steps.to", to=region_name(says[0])),
            )
        case "equal":
            we_leave = says[0] == model.WE_LEAVE
            slug = (
                "plains_indian_wars.steps.we_leave" if we_leave else "plains_indian_wars.steps.tribes_leave"
            )
            return sentence("plains_indian_wars.steps.equal"), sentence(slug)
        case "trail":
            slug = "plains_indian_wars.steps.wagons_by" if says[1:] else "plains_indian_wars.steps.all_by"
            way = sentence(slug, number=says[-1], branch=says[0])
            return sentence("plains_indian_wars.steps.fork"), way
        case "custer":
            where = sentence("plains_indian_wars.steps.custer_in", at=region_name(says[0]))
            return sentence("plains_indian_wars.steps.custer"), where
        case "fight":
            first = [sentence("plains_indian_wars.steps.fight_first", at=region_name(at)) for at in says]
            return sentence("plains_indian_wars.steps.fight"), " then ".join(first)
        case topic:
            return topic, " then ".join(says)


# Events without an effect on the present board, which aren't suggested.


def is_useless_event(view: View, order: AnyOrder, checks: PlanChecks) -> bool:
    """Return whether an Event would have no effect in a plan with only an action card."""
    if not isinstance(order, PlayEvent):
        return False
    scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
    if checks.objection(view, order) is not None:
        return False
    leads = (PlayAction(card=card.id) for deck in scenario.decks for card in hands.action_cards(view, deck))
    lead = next((action for action in leads if checks.objection(view, action) is None), None)
    plan = (order, lead) if lead is not None else (order,)
    return any(concern.drops and concern.detail["order"] == "0" for concern in checks.concerns(view, plan))


# The possible standing instructions, topic by topic.


MAX_WITHDRAW_CUBES_LISTED = 12
"""The largest number of cubes for which a withdrawal is listed. Players can write larger numbers."""

ObjectionCheck = Callable[[AnyOrder], Objection | None]

_INSTRUCTION_FORMS: Mapping[Topic, tuple[tuple[str, str], ...]] = {
    "fight": (("fight {region} first", "plains_indian_wars.orders.fight"),),
    "withdraw": (
        ("withdraw {colour} at {number}", "plains_indian_wars.orders.withdraw"),
        ("withdraw {colour} never", "plains_indian_wars.orders.withdraw_never"),
    ),
    "lose": (("lose {colour} then {colour} then {colour}", "plains_indian_wars.orders.lose"),),
    "sit out": (("sit out {colour}", "plains_indian_wars.orders.sit_out"),),
    "equal": (("between equals {side} leave", "plains_indian_wars.orders.equal"),),
    "trail": (
        ("wagons by {branch}", "plains_indian_wars.orders.trail"),
        ("{number} wagons by {branch}", "plains_indian_wars.orders.trail_count"),
        ("{number} wagon by {branch}", "plains_indian_wars.orders.trail_one"),
    ),
    "custer": (("Custer in {region}", "plains_indian_wars.orders.custer_region"),),
    "fall back": (("fall back {region} - {region}", "plains_indian_wars.orders.neighbour"),),
    "drive": (("drive {region} - {region}", "plains_indian_wars.orders.neighbour"),),
    "strike": (("strike {colour} first", "plains_indian_wars.orders.strike"),),
}
"""The forms of each topic, each with the slug of its possible values."""


def sample_instructions(play: WorkingState, objection: ObjectionCheck) -> Iterator[tuple[AnyOrder, str]]:
    """Yield one possible instruction of each topic, with what the topic decides."""
    for topic, orders in _instructions_by_topic(play, objection):
        yield orders[0], topic_question(play.scenario, topic)


def unlisted_instructions(
    play: WorkingState, wanted: Sequence[str], objection: ObjectionCheck
) -> Iterator[UnlistedOrders]:
    """Yield the other possible instructions, topic by topic."""
    for topic, orders in _instructions_by_topic(play, objection) if Instruction.__name__ in wanted else ():
        for form, slug in _INSTRUCTION_FORMS[topic]:
            pattern = re.compile(re.sub(r"\\{\w+\\}", r"[\\w-]+", re.escape(form)))
            some = tuple(order for order in orders[1:] if pattern.fullmatch(order.write()))
            if some:
                group = sentence("plains_indian_wars.orders.instructions")
                words = sentence(slug, most=MAX_WITHDRAW_CUBES_LISTED)
                yield UnlistedOrders(of=group, form=form, words=words, orders=some)


def _instructions_by_topic(
    play: WorkingState, objection: ObjectionCheck
) -> Iterator[tuple[Topic, tuple[Instruction, ...]]]:
    """Yield the possible instructions by topic, without Custer's ride while it is listed in its own group."""
    for topic in standing_orders.topics(play.scenario):
        orders = tuple(order for order in _instructions_about(play, topic) if objection(order) is None)
        if orders and not (topic == "custer" and play.now.tied):
            yield topic, orders


def _instructions_about(play: WorkingState, topic: Topic) -> Iterator[Instruction]:
    regions = [place_data.id for place_data in play.board.places.values() if place_data.zone != "EDGE"]
    ways = ((start, (to,)) for start in regions for to in play.board.near[start] if to in regions)
    colours = model.DEFAULT_LOSS_ORDER if play.scenario.plays == "US" else TRIBES
    counts = (model.NEVER, *(str(count) for count in range(1, MAX_WITHDRAW_CUBES_LISTED + 1)))
    wagons = ((), *((str(count),) for count in range(1, 5)))
    answers: Mapping[Topic, Iterable[tuple[str, tuple[str, ...]]]] = {
        "fight": (("", (region,)) for region in regions),
        "withdraw": ((colour, (count,)) for colour in colours for count in counts),
        "lose": (("", some) for some in permutations(model.DEFAULT_LOSS_ORDER)),
        "sit out": (("", (sitter,)) for sitter in ("Brown", "Purple", model.FEWER)),
        "equal": (("", (side,)) for side in (model.TRIBES_LEAVE, model.WE_LEAVE)),
        "trail": (("", (way, *some)) for way in (model.OREGON, model.CALIFORNIA) for some in wagons),
        "custer": (("", (region,)) for region in regions),
        "fall back": ways,
        "drive": ways,
        "strike": (("", (trooper,)) for trooper in play.scenario.fighters),
    }
    for about, says in answers[topic]:
        yield Instruction(topic=topic, about=about, says=says)
