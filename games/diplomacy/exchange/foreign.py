"""The formats in which other programs keep games: written, and read again.

``judge``: the results that the Ken Lowe Judge mails; ``diplomacy``: the `diplomacy` package's saved game.
"""

from collections.abc import Sequence

from games.diplomacy.boards import Variant
from games.diplomacy.edits import AnyEdit, PlaceUnit, RemoveUnit, SetOwner
from games.diplomacy.exchange import package, results, results_read
from games.diplomacy.exchange.seen import Seen
from games.diplomacy.model import State
from games.diplomacy.notation import DiplomacyNotation
from games.protocol import Options
from games.protocol.exchange import Chapter, Told


class DiplomacyExchange:
    """The formats of one board."""

    formats: tuple[str, ...] = ("judge", "diplomacy")

    def __init__(self, variant: Variant, notation: DiplomacyNotation) -> None:
        self._variant = variant
        self._notation = notation
        offered = {option.name for option in variant.rulebook.options}
        self.former: Options = {"victory_after": "winter"} if "victory_after" in offered else {}

    def write(self, form: str, name: str, chapters: Sequence[Chapter[State]], state: State) -> str:
        """A game from its opening as a text of one of `formats`. name: of the game; state: as it stands."""
        told = [self.piece(form, name, number, chapter) for number, chapter in enumerate(chapters, 1)]
        return self.bound(form, name, state, told)

    def suffix(self, form: str) -> str:
        """What a file of a format is called behind its dot."""
        return "txt" if form == "judge" else "json"

    def piece(self, form: str, name: str, number: int, chapter: Chapter[State]) -> str:
        """What one turn is in a text of one of `formats`, the so-manyth of the game."""
        if form == "judge":
            return results.piece(self._variant, name, number, chapter)
        return package.piece(self._variant, self._notation, name, chapter)

    def bound(self, form: str, name: str, state: State, pieces: Sequence[str]) -> str:
        """The text that all turns' pieces make. state: as the game stands."""
        if form == "judge":
            return results.bound(self._variant, name, state, pieces)
        return package.bound(self._variant, self._notation, name, state, pieces)

    def read(self, text: str) -> tuple[Told, ...] | None:
        """The turns that a text tells; None where it is none of `formats`, or of another board.

        Raises Invalid that names what is wrong in it.
        """
        if package.is_saved(text):
            return package.read(self._variant, text)
        return results_read.read(self._variant, text) if results_read.is_results(text) else None

    def mend(self, state: State, told: Told) -> tuple[AnyEdit, ...]:
        """What has to be changed in a position so that it is the one told; nothing where it is.

        Who has to retreat is not looked at: that follows from the moves.
        """
        seen: Seen = told.position
        edits = self._units(state, seen) if seen.complete else []
        if seen.centres is not None:
            for centre in self._variant.board.centres:
                owner = seen.centres.get(centre)
                if state.centres.get(centre) != owner:
                    edits.append(SetOwner(centre=centre, power=owner))
        return tuple(edits)

    def _units(self, state: State, seen: Seen) -> list[AnyEdit]:
        """New units first, each after whoever stands in its way: somebody always owes orders."""
        edits: list[AnyEdit] = []
        gone = {unit.at: unit for unit in state.units if unit not in seen.units}
        for unit in sorted(
            seen.units - set(state.units), key=lambda unit: self._variant.board.index[unit.at]
        ):
            if gone.pop(unit.at, None):
                edits.append(RemoveUnit(at=unit.at))
            edits.append(PlaceUnit(unit=unit))
        return edits + [RemoveUnit(at=at) for at in gone]
