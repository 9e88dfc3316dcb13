"""The rules of Plains Indian Wars: implements `protocol.Rules`, tries plans out, and counts a solo record.

PlainsRules passes each question to the rules of the scenario's variant."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from games.dice import Dice
from games.judging import results_reader
from games.language import join_list
from games.messages import sentence
from games.own_box import DATA
from games.plains_indian_wars import hands, legality, scoring, sequence
from games.plains_indian_wars import legal_orders as us
from games.plains_indian_wars.board import PACKAGE, SACRAMENTO, ST_LOUIS, tribe_of
from games.plains_indian_wars.components import Card, materials
from games.plains_indian_wars.engagements import battlefields
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.execution import BELTS, UsPhase, carry_out_orders, reachable_regions
from games.plains_indian_wars.legal_orders import compose_order
from games.plains_indian_wars.legality import validate_orders
from games.plains_indian_wars.model import (
    ALL_CUBES,
    CUBE_COLOURS,
    NATIONS_SEAT,
    US_SEAT,
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
    View,
    belt_of,
    card_slot,
)
from games.plains_indian_wars.nations import execution as nations_execution
from games.plains_indian_wars.nations import legal_orders as nations_legal_orders
from games.plains_indian_wars.nations import legality as nations_legality
from games.plains_indian_wars.nations import sequence as nations_sequence
from games.plains_indian_wars.nations.execution import controls
from games.plains_indian_wars.nations.legal_orders import NATIONS_CHECKS
from games.plains_indian_wars.nations.sequence import acting_tribes, tribe_deck, tribes_with_cards
from games.plains_indian_wars.phrases import region_name
from games.plains_indian_wars.scoring import HALVES_PER_POINT, schedule, totals
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import (
    AdjacentPlace,
    CampaignCase,
    Concern,
    Condition,
    DryRun,
    Due,
    GameOption,
    GameResult,
    LegalOrder,
    Objection,
    Options,
    OrderLimit,
    OrderLimits,
    OrderUse,
    Outcome,
    OwedOrder,
    Rules,
    Seat,
    SoloCampaign,
    ThrowForm,
    Turn,
    UnlistedOrders,
)

# Variant I, where the player leads the U.S.


_PHASES_BY_DISC = {
    None: ("B", ""),
    "Purple": ("P", "Purple"),
    "Blue": ("C", "Cavalry"),
    "Brown": ("S", "Settlers"),
}
"""For each disc with orders: the letter of the turn's short name, and the name of the phase."""

_TURNS_NAMED = 20
"""The number of turns for which `turn_names` gives the names."""

_RESULT_REASONS = {
    "railroad": "railroad",
    "Cavalry": "last-cavalry-card",
    "Settlers": "last-settlers-card",
}


class UsRules:
    """The rules of Variant I where they differ from Variant II. NationsRules has the same methods."""

    seat, checks = US_SEAT, us.US_CHECKS
    letters = tuple(letter for letter, _ in _PHASES_BY_DISC.values())

    def set_up(self, play: WorkingState) -> None:
        """Set up the board and the first hands."""
        sequence.set_up(play)

    def turn(self, state: State) -> Turn:
        """Return the names of the present phase: "Turn 3, Cavalry" and "T3C"."""
        letter, name = _PHASES_BY_DISC.get(state.disc, ("E", ""))
        if state.ended:
            full = sentence("plains_indian_wars.turns.end_after", turn=state.turn)
            return Turn(name=full, short=f"T{state.turn}E", kind="moves")
        if state.turn:
            full = sentence("plains_indian_wars.turns.phase", turn=state.turn, phase=name)
        else:
            full = sentence("plains_indian_wars.turns.set_up")
        return Turn(name=full, short=f"T{state.turn}{letter}", kind="moves")

    def accepts(self, state: State) -> tuple[str, ...]:
        """Return the types of orders that are accepted now."""
        return legality.accepted_order_types(state)

    def owes(self, state: State) -> tuple[OwedOrder, ...]:
        """Return the orders that are due by name."""
        slots = legality.required_slots(state)
        return tuple(OwedOrder(slot=slot, name=_slot_name(state, slot)) for slot in slots)

    def default(self, state: State) -> tuple[AnyOrder, ...]:
        """Return the orders of a silent player: the first action card, no moves, and no Purple cubes."""
        if state.disc == "Purple":
            return (NoPlace(belt="north"), NoPlace(belt="south"))
        if state.disc is None:
            where = Instruction(topic="custer", says=state.tied[:1])
            return (Begin(), where) if state.tied[1:] else (Begin(),)
        deck = materials().deck_for(state.disc)
        assert deck is not None, "only Blue and Brown are left"
        if cards := hands.action_cards(state, deck):
            return (PlayAction(card=cards[0].id),)
        return (Discard(card=state.hands[deck][0]),)

    def play_on(self, play: WorkingState, orders: Sequence[AnyOrder]) -> None:
        """Carry the plan out, then play discs until the U.S. player has to decide again."""
        if play.now.disc is None:
            sequence.begin_game(play)
        else:
            sequence.play_us_phase(play, orders)
            sequence.run_on(play)

    def is_held(self, play: WorkingState, region: Region) -> bool:
        """Return whether only the U.S. is in a region."""
        return play.is_us_held(region)

    def result(self, state: State) -> GameResult:
        """Return the winner after the last turn: the side with more points, and the tribes in a tie."""
        rows = scoring.schedule(state)
        return GameResult(winners=(scoring.winner(rows),), reason=_RESULT_REASONS[state.last or "railroad"])


def _slot_name(state: State, slot: str) -> str:
    if slot != "card":
        return sentence(_SLOT_NAMES[slot])
    if "PlayAction" not in legality.accepted_order_types(state):
        return sentence("plains_indian_wars.due.discard")
    deck: DeckName = "Cavalry" if state.disc == "Blue" else "Settlers"
    return sentence("plains_indian_wars.due.card", deck=materials().decks[deck].label)


_SLOT_NAMES = {
    "begin": "plains_indian_wars.due.beginning",
    "custer": "plains_indian_wars.due.custer",
    "place north": "plains_indian_wars.due.purple_north",
    "place south": "plains_indian_wars.due.purple_south",
}
"""The slug of each slot's name."""


# Variant II, where the player leads the nations.


_PHASES_BY_TRIBE = {
    "Green": ("G", "plains_indian_wars.turns.north"),
    "Orange": ("O", "plains_indian_wars.turns.south"),
    None: ("T", "plains_indian_wars.turns.both"),
}
"""The letter of the short name of a tribe's turn, and the slug of its full name."""


class NationsRules:
    """The rules of Variant II where they differ from Variant I. UsRules has the same methods."""

    seat, checks = NATIONS_SEAT, NATIONS_CHECKS
    letters = tuple(letter for letter, _ in _PHASES_BY_TRIBE.values())

    def set_up(self, play: WorkingState) -> None:
        """Set up the board and the hands, and play the U.S. until the first plan is due."""
        nations_sequence.set_up(play)

    def turn(self, state: State) -> Turn:
        """Return the names of the present phase: "Turn 3, the northern tribes" and "T3G"."""
        if state.ended:
            name = sentence("plains_indian_wars.turns.end_in", turn=state.turn)
            return Turn(name=name, short=f"T{state.turn}E", kind="moves")
        letter, slug = _PHASES_BY_TRIBE[state.disc]
        name = sentence(slug, turn=state.turn)
        return Turn(name=name, short=f"T{state.turn}{letter}", kind="moves")

    def accepts(self, state: State) -> tuple[str, ...]:
        """Return the types of orders that are accepted now."""
        return nations_legality.accepted_order_types(state)

    def owes(self, state: State) -> tuple[OwedOrder, ...]:
        """Return the orders that are due by name: a card for each tribe that plays."""
        slots = nations_legality.required_slots(state)
        return tuple(OwedOrder(slot=slot, name=sentence(_CARD_SLOT_NAMES[slot])) for slot in slots)

    def default(self, state: State) -> tuple[AnyOrder, ...]:
        """Return the orders of a silent player: the first action card of each tribe, or a discard."""
        orders: list[AnyOrder] = []
        for hand in state.hands.values():
            if not hand or card_slot(hand[0]) not in nations_legality.required_slots(state):
                continue
            leads = hands.action_cards_among(state, hand)
            orders.append(PlayAction(card=leads[0].id) if leads else Discard(card=hand[0]))
        slots = nations_legality.required_slots(state)
        return tuple(sorted(orders, key=lambda choice: slots.index(str(choice.slot))))

    def play_on(self, play: WorkingState, orders: Sequence[AnyOrder]) -> None:
        """Carry the plan out, then play the U.S. until the next plan is due."""
        nations_sequence.play_tribes_phase(play, orders)
        nations_sequence.run_on(play)

    def is_held(self, play: WorkingState, region: Region) -> bool:
        """Return whether only tribes are in a region."""
        colour = tribe_of(region)
        return colour is not None and controls(play, colour, region)

    def result(self, state: State) -> GameResult:
        """Return the winner of a game that is over, or a draw."""
        return scoring.nations_result(state)


_CARD_SLOT_NAMES = {
    "card north": "plains_indian_wars.due.war_party_north",
    "card south": "plains_indian_wars.due.war_party_south",
}
"""The slugs of the names of the cards that are due."""


# The options of a game, and the rules of both variants.


SCENARIO = GameOption(
    name="scenario",
    sort="choice",
    meaning="plains_indian_wars.option_meanings.scenario",
    default="1",
    values=tuple(materials().scenarios),
    ruling="PIW1.roles.1",
)


DOUBLES = GameOption(
    name="doubles",
    sort="choice",
    meaning="plains_indian_wars.option_meanings.doubles",
    default="rerolled",
    begins="placed",
    values=("placed", "rerolled"),
    ruling="PIW1.setup.doubles",
)


OPTIONS = (
    SCENARIO,
    DOUBLES,
    GameOption(
        name=DATA,
        sort="folder",
        meaning="plains_indian_wars.option_meanings.data",
    ),
)


def seats(options: Options) -> tuple[Seat, ...]:
    """Return the only seat: the U.S. in Variant I, the Plains nations in Variant II."""
    scenario = str(options.get("scenario", SCENARIO.default))
    return (US_SEAT if materials().scenarios[scenario].plays == "US" else NATIONS_SEAT,)


class PlainsRules(Rules[State, View, AnyOrder, AnyEvent]):
    """The rules of both variants, without state: implements `protocol.Rules`."""

    has_adjacency = True
    report_is_reply = True

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """Return the set-up of the scenario, with the first hands."""
        play = WorkingState(State(options=dict(options)), dice)
        self._variant_rules(options).set_up(play)
        return Outcome(play.freeze(), tuple(play.events))

    def turn(self, state: State) -> Turn:
        """Return the names of the present phase: "Turn 3, Cavalry" and "T3C"."""
        return self._variant_rules(state.options).turn(state)

    def turn_names(self, state: State) -> Iterator[str]:
        """Yield the short names of each phase and the end, for the present turn and later ones."""
        letters = (*self._variant_rules(state.options).letters, "E")
        for number in range(state.turn, state.turn + _TURNS_NAMED):
            yield from (f"T{number}{letter}" for letter in letters)

    def due(self, state: State) -> tuple[Due, ...]:
        """Return one plan for the whole phase."""
        if state.ended:
            return ()
        variant, plan = self._variant_rules(state.options), sentence("plains_indian_wars.due.plan")
        return (Due(seat=variant.seat, kind=plan, accepts=variant.accepts(state), owes=variant.owes(state)),)

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """Yield the names of forms with examples for the player's cards and cubes."""
        return us.example_orders(view, self._variant_rules(view.options).checks)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return why an order can't be carried out in any plan; None if it can."""
        return self._variant_rules(view.options).checks.objection(view, order)

    def legal_orders(self, view: View, seat: Seat) -> Iterator[LegalOrder]:
        """Yield the orders of the phase that are legal by themselves."""
        return us.legal_orders(view) if seat == US_SEAT else nations_legal_orders.legal_orders(view)

    def unlisted_orders(self, view: View, seat: Seat) -> Iterator[UnlistedOrders]:
        """Yield the legal orders that `legal_orders` leaves out."""
        return us.unlisted_orders(view) if seat == US_SEAT else nations_legal_orders.unlisted_orders(view)

    def composed_steps(self, view: View, order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the steps to an order on the order page; None for an order without steps."""
        return compose_order(view, order)

    def order_places(self, view: View, order: AnyOrder) -> tuple[str, str]:
        """Return the region of the cubes of an order, and where they or an Event go."""
        if isinstance(order, Move):
            return order.start, order.to
        if isinstance(order, Place):
            return order.at, ""
        return "", (order.at or "") if isinstance(order, PlayEvent) else ""

    def order_limits(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> OrderLimits:
        """Return the limits of the plan: cubes, groups and moves of the card, and cubes that can move."""
        return order_limits(view, orders)

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """Return the neighbours of a region."""
        return us.adjacent_places(view, place)

    def dry_run(self, view: View, orders: Mapping[Seat, Sequence[AnyOrder]]) -> DryRun:
        """Return the result of a plan before its engagements, without dice."""
        given = next(iter(orders.values()), ())
        return dry_run(view, given)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return a concern for each order that the plan would leave out."""
        return self._variant_rules(view.options).checks.concerns(view, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Return the orders of a silent player: the first action card, and no moves."""
        return self._variant_rules(state.options).default(state)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry the plan out, then play on until the player has to decide again."""
        play, variant = WorkingState(state, dice), self._variant_rules(state.options)
        mine = validate_orders(play, orders.get(variant.seat, ()), variant.checks.objection)
        variant.play_on(play, mine)
        return Outcome(play.freeze(), tuple(play.events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Nothing is hidden: decks and bag have no order, and nobody plays against the hands."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether tribes, or only the player's side, are in a region at the start of the phase."""
        region, play = Region(condition.slots["region"]), WorkingState(view)
        if condition.form == "tribes-in":
            return bool(play.tribe_cubes(region))
        return self._variant_rules(view.options).is_held(play, region)

    def result(self, state: State) -> GameResult | None:
        """Return the result of a game that is over; None before."""
        return self._variant_rules(state.options).result(state) if state.ended else None

    def _variant_rules(self, options: Options) -> UsRules | NationsRules:
        return UsRules() if seats(options)[0] == US_SEAT else NationsRules()


# A player's solo record of each scenario: the lead in points in Variant I, the turns in Variant II.


def _campaign_case(scenario: str) -> CampaignCase:
    scenario_data = materials().scenarios[scenario]
    if scenario_data.plays == "US":
        side, thing, parts = US_SEAT, "victory points ahead", HALVES_PER_POINT
    else:
        side, thing, parts = NATIONS_SEAT, "turns", 1
    return CampaignCase(
        name=f"{scenario_data.title}, {side}",
        seat=side,
        options={"scenario": scenario},
        thing=thing,
        parts=parts,
        quick=side == NATIONS_SEAT,
    )


def _case_points(state: State, case: CampaignCase) -> int:
    if case.seat == US_SEAT:
        nations, us = totals(schedule(state))
        return us - nations
    return state.turn


CAMPAIGN = SoloCampaign(
    cases=tuple(map(_campaign_case, materials().scenarios)),
    count=_case_points,
    results=results_reader(PACKAGE),
    apart=(DATA,),
)


# The labels of all possible dice rolls: for discs, cards, regions and engagements.


MOST_CARDS = 30
"""No deck has more cards, and no zone more regions."""


def throws(_options: Options) -> tuple[ThrowForm, ...]:
    """Return every form of a label, for all scenarios."""
    phase = rf"T\d+/({'|'.join(CUBE_COLOURS)}|Black|set-up)"
    dice = rf"({'|'.join(CUBE_COLOURS)})\d"
    return (
        ThrowForm(label=r"T\d+/disc/\d+", most=7, example="T2/disc/1"),
        ThrowForm(label=rf"{phase}/d\d+/(\d+|NE|SE)", most=12, example="T2/Green/d12/1"),
        ThrowForm(
            label=rf"{phase}/(redraw/\d+|draw/\w+)/\d+", most=MOST_CARDS, example="T2/Blue/draw/Cavalry/9"
        ),
        ThrowForm(label=rf"{phase}/shortage/\w+", most=MOST_CARDS, example="T2/Green/shortage/1"),
        ThrowForm(label=rf"{phase}/night/(north|south)", most=6, example="T2/White/night/north"),
        ThrowForm(label=rf"{phase}/([\w#-]+/){{1,3}}{dice}", most=6, example="T2/Blue/N3#1/1/Blue2"),
    )


# TRY: the result of a plan before its engagements, without dice.


def dry_run(view: View, orders: Sequence[AnyOrder]) -> DryRun:
    """Return the position after a plan, and the regions where engagements would follow."""
    play = WorkingState(view)
    if play.scenario.plays == "Nations":
        return _dry_run_nations(play, orders)
    mine = validate_orders(play, orders, legality.objection)
    if view.disc is None:
        text = sentence("plains_indian_wars.dry_run.next_disc")
        return DryRun(after=play.freeze(), events=tuple(play.events), open=text)
    carry_out_orders(UsPhase(play, mine))
    return _dry_run_result(play, battlefields(play))


def _dry_run_nations(play: WorkingState, orders: Sequence[AnyOrder]) -> DryRun:
    mine = validate_orders(play, orders, nations_legality.objection)
    disc, tribes = play.now.disc, nations_sequence.acting_tribes(play.now)
    for colour in nations_sequence.tribes_with_cards(play.now, tribes):
        play.set(disc=colour)
        nations_execution.carry_out_plan(nations_execution.TribePhase(play, colour, mine))
    play.set(disc=disc)
    return _dry_run_result(play, nations_execution.tribe_battlefields(play, tribes))


def _dry_run_result(play: WorkingState, fought: Sequence[Region]) -> DryRun:
    if fought:
        regions = join_list(region_name(region) for region in fought)
        text = sentence("plains_indian_wars.dry_run.engagements", regions=regions)
    else:
        text = sentence("plains_indian_wars.dry_run.no_engagement")
    return DryRun(after=play.freeze(), events=tuple(play.events), open=text)


# The limits that the orders of a plan share, as data: those of a card, and cubes that can move.


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
            reached = nations_execution.reachable_regions(self.play, colour, order.start, _MOST_MOVES)
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
