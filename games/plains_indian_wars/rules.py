"""The rules of Plains Indian Wars as the house asks for them: implements `protocol.Rules`.

Each question goes to the rules of the side that a person plays in the scenario.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from games.dice import Dice
from games.own_box import DATA
from games.plains_indian_wars import examples
from games.plains_indian_wars import possible as us
from games.plains_indian_wars.attempt import attempt
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.composing import composed
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.model import NATIONS, US, AnyOrder, State, View
from games.plains_indian_wars.nations import possible as nations
from games.plains_indian_wars.nations import rules as nations_rules
from games.plains_indian_wars.us_rules import UsRules
from games.protocol import (
    Concern,
    Condition,
    Due,
    Objection,
    Option,
    Options,
    Outcome,
    Result,
    Seat,
    Turn,
)
from games.protocol.optional import Neighbour, Possible, Trial, Unlisted

SCENARIO = Option(
    name="scenario",
    sort="choice",
    meaning="1: Variant I, you lead the U.S.; 2.1 to 2.7: Variant II, scenarios I to VII, you lead tribes",
    default="1",
    values=tuple(materials().scenarios),
    ruling="PIW1.roles.1",
)


OPTIONS = (
    SCENARIO,
    Option(
        name=DATA,
        sort="folder",
        meaning="your own box: a folder with what you know of it, as in games/plains_indian_wars/data",
    ),
)


def seats(options: Options) -> tuple[Seat, ...]:
    """Who is asked for plans: the U.S. in Variant I, the Plains nations in Variant II."""
    scenario = str(options.get("scenario", SCENARIO.default))
    return (US if materials().scenarios[scenario].plays == "US" else NATIONS,)


class PlainsRules:
    """The rules; they remember nothing between two questions."""

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """The board of the scenario, with the first hands dealt."""
        return self._of(options).setup(options, dice)

    def turn(self, state: State) -> Turn:
        """``T3C``: turn 3, Cavalry; ``T3G``: turn 3, the northern tribes."""
        return self._of(state.options).turn(state)

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """The present phase alone: what comes next hangs on dice."""
        return (self.turn(state),)

    def turn_names(self, state: State) -> Iterator[str]:
        """Those of the rules of the side that a person plays."""
        yield from self._of(state.options).turn_names(state)

    def due(self, state: State) -> tuple[Due, ...]:
        """One plan for the whole phase."""
        return self._of(state.options).due(state)

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """With the cards in hand and the cubes of the side that a person plays."""
        return examples.rows(view)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Whether it could be carried out at all; what depends on other orders is a concern."""
        return self._of(view.options).check(view, seat, order)

    def possible(self, view: View, seat: Seat) -> Iterator[Possible]:
        """What cards, cubes and groups of the phase could be used for now."""
        return us.possible(view) if seat == US else nations.possible(view)

    def unlisted(self, view: View, seat: Seat) -> Iterator[Unlisted]:
        """The numbers of cubes that are not listed one by one."""
        return us.unlisted(view) if seat == US else nations.unlisted(view)

    def composed(self, view: View, order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Groups by their goal, then by their cubes; what is said in advance by its topic."""
        return composed(view, order)

    def beside(self, view: View, place: str) -> tuple[Neighbour, ...] | None:
        """The regions beside a region."""
        return us.beside(view, place)

    def attempt(self, view: View, orders: Mapping[Seat, Sequence[AnyOrder]]) -> Trial:
        """The plan up to its engagements, which are thrown for."""
        given = next(iter(orders.values()), ())
        return attempt(view, given)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """What would be left out of the plan."""
        return self._of(view.options).concerns(view, seat, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Silence: the first action card is played and nobody moves."""
        return self._of(state.options).default(state, due)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry the plan out, then go on until a decision is wanted again."""
        return self._of(state.options).adjudicate(state, orders, dice)

    def view(self, state: State, seat: Seat | None) -> View:
        """Nothing is hidden: decks and bag have no order, and nobody plays against the hands."""
        return self._of(state.options).view(state, seat)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Whether tribes, or only one's own, stand in a region at the start of the phase."""
        return self._of(view.options).holds(view, seat, condition)

    def result(self, state: State) -> Result | None:
        """How the game ended."""
        return self._of(state.options).result(state)

    def _of(self, options: Options) -> UsRules | nations_rules.NationsRules:
        # Who plays one variant does without the modules of the other.
        return UsRules() if seats(options)[0] == US else nations_rules.NationsRules()
