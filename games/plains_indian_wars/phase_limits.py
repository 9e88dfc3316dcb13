"""The limits of a phase: cubes to place, groups to activate, how far they go."""

from collections.abc import Sequence

from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.model import Belt, CardId, Colour, Region, belt_of
from games.plains_indian_wars.working_state import WorkingState

BELTS: tuple[Belt, ...] = ("north", "south")


class PhaseLimits:
    """The limits of a phase, counted down while orders are carried out.

    reach: regions that a group moves; city: where all cubes for cities go; groups: extra ones by the
    region they start from; only_event: the one Event that may be played where no action card was left.
    """

    def __init__(self, play: WorkingState, colour: Colour) -> None:
        self._play = play
        self.is_purple = colour == "Purple"
        self.reach = play.scenario.purple["moves"] if self.is_purple else 0
        self.city: Region | None = None
        self.groups: dict[Region, Effect] = {}
        self.only_event: CardId | None = None
        self._cubes = play.scenario.purple["cubes"] if self.is_purple else 0
        self._placed: dict[Belt | None, int] = {}
        self._left = len(BELTS) if self.is_purple else 0
        self._activated: set[Belt | Region] = set()

    def take_card(self, card: Card) -> None:
        """Take the numbers of an action card. Source: PIW1.cards.numbers."""
        self._cubes, self._left = self._play.cubes_of_card(card), card.groups
        self.reach, self.city = card.moves, card.city

    def take_best(self, cards: Sequence[Card]) -> None:
        """Take the best that any of some cards could give, to look ahead."""
        if cards:
            self._cubes = max(card.cubes for card in cards)
            self._left = max(card.groups for card in cards)
            self.reach = max(card.moves for card in cards)

    def cubes_left(self, belt: Belt | None) -> int:
        """Return how many cubes may still be placed; Purple has its own number in each belt."""
        key = belt if self.is_purple else None
        return self._cubes - self._placed.get(key, 0)

    def add_cubes(self, count: int) -> None:
        """Let more cubes be placed, by a card."""
        self._cubes += count

    def count_placed(self, belt: Belt | None, count: int) -> None:
        """Count cubes that were placed."""
        key = belt if self.is_purple else None
        self._placed[key] = self._placed.get(key, 0) + count

    def activate(self, region: Region | None) -> bool:
        """Spend an activation on a region (None: on the Casualty Box); return whether there was one.

        A region is activated once, however many groups leave it. Purple has one in each belt.
        """
        key = (belt_of(region) if self.is_purple else region) if region else None
        if region is not None and (region in self._activated or region in self.groups):
            return True
        if not self._left or (self.is_purple and key is not None and key in self._activated):
            return False
        self._left -= 1
        if region is not None and key is not None:
            self._activated |= {region, key}
        return True

    def reach_from(self, region: Region) -> int:
        """Return how far a group goes that starts there."""
        extra = self.groups.get(region)
        return max(self.reach, extra.moves) if extra else self.reach
