"""Boards that a variant might have had: its assumed centres moved to provinces next door."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from games.diplomacy.board import Chart, compile_chart
from games.diplomacy.boards import Variant
from games.diplomacy.model import Province
from games.protocol import Game, Invalid
from games.record import changed

_TO = ">"
_AND = "+"


@dataclass(frozen=True)
class CentreDrafts:
    """Moves assumed supply centres a step: implements `protocol.Drafts`.

    A draft is named ``57>56+112>114``: what is no centre, and what is one in its place; "" is the board as it
    is. A centre moves to a province next door on foot, which is nobody's home, no centre, and not shunned;
    so one that nobody can walk to stays, and what the sources give is never touched.
    """

    variant: Variant
    game_of: Callable[[Variant], Game]

    def steps(self, draft: str) -> tuple[str, ...]:
        """The drafts that have one centre moved further than a draft, or one that is not moved."""
        chart, moves = self._drafted(draft), _moves(draft)
        found = []
        for now, then in self._next_to(chart):
            was = next((first for first, last in moves if last == now), now)
            kept = [one for one in moves if one[1] != now]
            found.append(_named([*kept, (was, then)] if was != then else kept))
        return tuple(found)

    def game(self, draft: str) -> Game:
        """The game on a draft's board. Raises Invalid for what is none."""
        return self.game_of(replace(self.variant, board=compile_chart(self._drafted(draft))))

    def words(self, draft: str) -> str:
        """A draft in words."""
        board = self.variant.board
        return (
            ", ".join(f"{board.name(then)} for {board.name(was)}" for was, then in _moves(draft))
            or "as it is"
        )

    def _drafted(self, draft: str) -> Chart:
        chart = self.variant.board.chart
        for was, then in _moves(draft):
            if was not in chart.assumed_centres or not self._may_have(chart, then):
                raise Invalid(
                    f"draft {draft}", f"{was} cannot become {then}", "write 57>56, of an assumed centre"
                )
            chart = _swapped(chart, was, then)
        return chart

    def _next_to(self, chart: Chart) -> Iterator[tuple[Province, Province]]:
        places = {place.id: place for place in chart.provinces}
        for centre in chart.assumed_centres:
            for other in places[centre].army:
                if self._may_have(chart, other):
                    yield centre, other

    def _may_have(self, chart: Chart, at: Province) -> bool:
        """Whether a province may be made a centre."""
        place = next((one for one in chart.provinces if one.id == at), None)
        homes = {home for power in chart.powers for home in power.homes}
        return (
            place is not None
            and not place.centre
            and place.kind == "land"
            and at not in (*homes, chart.taboo)
        )


def _swapped(chart: Chart, was: Province, then: Province) -> Chart:
    def placed(at: Province, centre: object) -> object:
        return {was: None, then: "assumed"}.get(at, centre)

    return changed(
        chart,
        provinces=tuple(changed(one, centre=placed(one.id, one.centre)) for one in chart.provinces),
        assumed_centres=tuple(then if one == was else one for one in chart.assumed_centres),
    )


def _moves(draft: str) -> list[tuple[Province, Province]]:
    found = []
    for part in draft.split(_AND) if draft else ():
        was, _, then = part.partition(_TO)
        found.append((Province(was), Province(then)))
    return found


def _named(moves: list[tuple[Province, Province]]) -> str:
    return _AND.join(f"{was}{_TO}{then}" for was, then in sorted(moves))
