"""The rules of Plains Indian Wars: implements `protocol.Rules`, and counts a player's solo record.

PlainsRules passes each question to the rules of the scenario's variant."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from games.dice import Dice
from games.judging import results_reader
from games.messages import sentence
from games.own_box import DATA
from games.plains_indian_wars import hands, legality, scoring, sequence
from games.plains_indian_wars import legal_orders as us
from games.plains_indian_wars.board import PACKAGE
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.dry_run import dry_run
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.legal_orders import compose_order
from games.plains_indian_wars.legality import validate_orders
from games.plains_indian_wars.model import (
    CUBE_COLOURS,
    NATIONS_SEAT,
    US_SEAT,
    AnyOrder,
    Begin,
    DeckName,
    Discard,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Region,
    State,
    View,
)
from games.plains_indian_wars.nations import legal_orders as nations
from games.plains_indian_wars.nations import rules as nations_rules
from games.plains_indian_wars.order_limits import order_limits
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
    OrderLimits,
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
        return us.legal_orders(view) if seat == US_SEAT else nations.legal_orders(view)

    def unlisted_orders(self, view: View, seat: Seat) -> Iterator[UnlistedOrders]:
        """Yield the legal orders that `legal_orders` leaves out."""
        return us.unlisted_orders(view) if seat == US_SEAT else nations.unlisted_orders(view)

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

    def _variant_rules(self, options: Options) -> UsRules | nations_rules.NationsRules:
        return UsRules() if seats(options)[0] == US_SEAT else nations_rules.NationsRules()


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
