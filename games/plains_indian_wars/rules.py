"""The rules of Plains Indian Wars: implements `protocol.Rules`, and counts a person's record.

Each question goes to the rules of the side that a person plays in the scenario.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from games.dice import Dice
from games.own_box import DATA
from games.plains_indian_wars import examples
from games.plains_indian_wars import legal_orders as us
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.composing import compose_order
from games.plains_indian_wars.dry_run import dry_run
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, AnyOrder, State, View
from games.plains_indian_wars.nations import legal_orders as nations
from games.plains_indian_wars.nations import rules as nations_rules
from games.plains_indian_wars.us_rules import UsRules
from games.protocol import (
    Concern,
    Condition,
    Due,
    GameOption,
    GameResult,
    Objection,
    Options,
    Outcome,
    Seat,
    Turn,
)
from games.protocol.optional import AdjacentPlace, DryRun, LegalOrder, UnlistedOrders

SCENARIO = GameOption(
    name="scenario",
    sort="choice",
    meaning="1: Variant I, you lead the U.S.; 2.1 to 2.7: Variant II, scenarios I to VII, you lead tribes",
    default="1",
    values=tuple(materials().scenarios),
    ruling="PIW1.roles.1",
)


OPTIONS = (
    SCENARIO,
    GameOption(
        name=DATA,
        sort="folder",
        meaning="your own box: a folder with what you know of it, as in games/plains_indian_wars/data",
    ),
)


def seats(options: Options) -> tuple[Seat, ...]:
    """Return who is asked for plans: the U.S. in Variant I, the Plains nations in Variant II."""
    scenario = str(options.get("scenario", SCENARIO.default))
    return (US_SEAT if materials().scenarios[scenario].plays == "US" else NATIONS_SEAT,)


class PlainsRules:
    """The rules; they remember nothing between two questions."""

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """The board of the scenario, with the first hands dealt."""
        return self._variant_rules(options).setup(options, dice)

    def turn(self, state: State) -> Turn:
        """``T3C``: turn 3, Cavalry; ``T3G``: turn 3, the northern tribes."""
        return self._variant_rules(state.options).turn(state)

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """Return the present phase alone: what comes next depends on dice."""
        return (self.turn(state),)

    def turn_names(self, state: State) -> Iterator[str]:
        """Those of the rules of the side that a person plays."""
        yield from self._variant_rules(state.options).turn_names(state)

    def due(self, state: State) -> tuple[Due, ...]:
        """One plan for the whole phase."""
        return self._variant_rules(state.options).due(state)

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """With the cards in hand and the cubes of the side that a person plays."""
        return examples.example_orders(view)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return why the order could never be carried out; what depends on other orders is a concern."""
        return self._variant_rules(view.options).check(view, seat, order)

    def legal_orders(self, view: View, seat: Seat) -> Iterator[LegalOrder]:
        """Yield the uses of cards, cubes and groups of the phase now."""
        return us.legal_orders(view) if seat == US_SEAT else nations.legal_orders(view)

    def unlisted_orders(self, view: View, seat: Seat) -> Iterator[UnlistedOrders]:
        """Yield the numbers of cubes that are not listed one by one."""
        return us.unlisted_orders(view) if seat == US_SEAT else nations.unlisted_orders(view)

    def composed_steps(self, view: View, order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return groups by their goal, then by their cubes; standing instructions by their topic."""
        return compose_order(view, order)

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """The regions beside a region."""
        return us.adjacent_places(view, place)

    def dry_run(self, view: View, orders: Mapping[Seat, Sequence[AnyOrder]]) -> DryRun:
        """Return the plan up to its engagements, for which dice would be rolled."""
        given = next(iter(orders.values()), ())
        return dry_run(view, given)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return what would be left out of the plan."""
        return self._variant_rules(view.options).concerns(view, seat, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Silence: the first action card is played and nobody moves."""
        return self._variant_rules(state.options).default(state, due)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry the plan out, then go on until a decision is wanted again."""
        return self._variant_rules(state.options).adjudicate(state, orders, dice)

    def view(self, state: State, seat: Seat | None) -> View:
        """Nothing is hidden: decks and bag have no order, and nobody plays against the hands."""
        return self._variant_rules(state.options).view(state, seat)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether tribes, or only one's own, stand in a region at the start of the phase."""
        return self._variant_rules(view.options).holds(view, seat, condition)

    def result(self, state: State) -> GameResult | None:
        """Return how the game ended."""
        return self._variant_rules(state.options).result(state)

    def _variant_rules(self, options: Options) -> UsRules | nations_rules.NationsRules:
        # Who plays one variant does without the modules of the other.
        return UsRules() if seats(options)[0] == US_SEAT else nations_rules.NationsRules()
