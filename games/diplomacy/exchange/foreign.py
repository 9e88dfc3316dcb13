"""Reads and writes games and boards in the formats of other programs.

``judge``: the results that the Ken Lowe Judge emails; ``diplomacy``: the saved game of the `diplomacy`
package. Boards come as ``.map`` files and as variant documents.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.diplomacy.boards.variants import Variant
from games.diplomacy.edits import BoardEdit, PlaceUnit, RemoveUnit, SetOwner
from games.diplomacy.exchange import drawings, map_files, package, results, variant_documents
from games.diplomacy.exchange.results import RecordedPosition
from games.diplomacy.model import State
from games.diplomacy.notation import DiplomacyNotation
from games.protocol import ExchangedTurn, ImportedVariant, Options, ProposedBorders, RecordedTurn


class DiplomacyFormats:
    """The formats of one board."""

    formats: tuple[str, ...] = ("judge", "diplomacy")

    def __init__(self, variant: Variant, notation: DiplomacyNotation) -> None:
        self._variant = variant
        self._notation = notation
        offered = {option.name for option in variant.rulebook.options}
        self.former: Options = {"victory_after": "winter"} if "victory_after" in offered else {}

    def write(self, form: str, name: str, chapters: Sequence[ExchangedTurn[State]], state: State) -> str:
        """Return a game from its opening in one of `formats`. name: the game's; state: the present state."""
        turns = [self.write_turn(form, name, number, chapter) for number, chapter in enumerate(chapters, 1)]
        return self.join_turns(form, name, state, turns)

    def suffix(self, form: str) -> str:
        """Return the suffix of a file of this format, without its dot."""
        return "txt" if form == "judge" else "json"

    def write_turn(self, form: str, name: str, number: int, chapter: ExchangedTurn[State]) -> str:
        """Return the text of one turn in one of `formats`. number: the turn's position in the game."""
        if form == "judge":
            return results.write_turn(self._variant, name, number, chapter)
        return package.write_turn(self._variant, self._notation, name, chapter)

    def join_turns(self, form: str, name: str, state: State, pieces: Sequence[str]) -> str:
        """Return the text that the turns' pieces make together. state: the present state."""
        if form == "judge":
            return results.join_turns(self._variant, name, state, pieces)
        return package.join_turns(self._variant, self._notation, name, state, pieces)

    def read(self, text: str) -> tuple[RecordedTurn, ...] | None:
        """Return the turns of a text, or None if it is in another format or for another board.

        Raises Invalid with the error in the text.
        """
        if package.is_saved_game(text):
            return package.read(self._variant, text)
        return results.read(self._variant, text) if results.is_results(text) else None

    def edits_to_match(self, state: State, turn: RecordedTurn) -> tuple[BoardEdit, ...]:
        """Return the edits that turn a position into the recorded one.

        Dislodged units aren't compared, because they follow from the moves.
        """
        seen: RecordedPosition = turn.position
        edits = self._units(state, seen) if seen.complete else []
        if seen.centres is not None:
            for centre in self._variant.board.centres:
                owner = seen.centres.get(centre)
                if state.centres.get(centre) != owner:
                    edits.append(SetOwner(centre=centre, power=owner))
        return tuple(edits)

    def _units(self, state: State, seen: RecordedPosition) -> list[BoardEdit]:
        """Return the edits of units, new units first, so that some player always has orders due.

        A unit that is in the way of a new one is removed before.
        """
        edits: list[BoardEdit] = []
        gone = {unit.at: unit for unit in state.units if unit not in seen.units}
        for unit in sorted(
            seen.units - set(state.units), key=lambda unit: self._variant.board.index[unit.at]
        ):
            if gone.pop(unit.at, None):
                edits.append(RemoveUnit(at=unit.at))
            edits.append(PlaceUnit(unit=unit))
        return edits + [RemoveUnit(at=at) for at in gone]

    def read_board(self, name: str, text: str, open_file: Callable[[str], str]) -> ImportedVariant:
        """Return the variant of a ``.map`` file or a variant document. Raises Invalid with file and place."""
        if text.lstrip("\ufeff \t\r\n").startswith("{"):
            board = variant_documents.read_variant_document(f"{name}.json", text.lstrip("\ufeff"))
        else:
            board = map_files.read_map_file(name, text, open_file)
        rulebook = "".join(f"{key} = {_toml_value(value)}\n" for key, value in board.rulebook.items())
        texts = {"map.json": json.dumps(board.map, indent=1, ensure_ascii=False), "rulebook.toml": rulebook}
        if board.rules_page:
            texts["rules.md"] = board.rules_page
        return ImportedVariant(files=texts, notes=tuple(board.notes))

    def read_drawing(self, board: str, drawing: str, tolerance: float | None) -> ImportedVariant:
        """Return map.json and outline.geojson of a drawing, and what wasn't taken. Raises Invalid."""
        return drawings.read_drawing(board, drawing, tolerance)

    def propose_borders(self, board: str, drawing: str) -> tuple[ProposedBorders, ...]:
        """Return the borders of each province as a drawing shows them. Raises Invalid."""
        return drawings.propose_borders(board, drawing)

    def write_board(self) -> tuple[str, tuple[str, ...]]:
        """Return the board as a ``.map`` file, and sentences on what it can't say."""
        return map_files.write_map_file(self._variant)

    def write_files(self) -> Mapping[str, str]:
        """Return the files of the variant's folder by name."""
        return self._variant.texts()


def _toml_value(value: Any) -> str:
    """Return a plain value in TOML, on one line."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_toml_value(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    text = "".join(filter(str.isprintable, value)) if isinstance(value, str) else value
    return json.dumps(text, ensure_ascii=False)
