"""The formats of other programs that can record a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from games.protocol.values import Edit, Event, Options, Seat, Turn
from games.record import Value

StateT = TypeVar("StateT")


class ExchangedTurn(Value, Generic[StateT], frozen=True):
    """One turn of a game in its chronicle: the orders by seat, and the events."""

    turn: Turn
    before: StateT
    orders: Mapping[Seat, tuple[Any, ...]]
    events: tuple[Event, ...]
    after: StateT


class RecordedTurn(Value, frozen=True):
    """One turn in another program's record.

    turn: its short name; orders: as recorded, by seat; position: the recorded position before it, for
    `ForeignFormats.edits_to_match`; played: False for the turn that is due at the end of the record.
    """

    turn: str
    orders: Mapping[Seat, tuple[str, ...]]
    position: Any
    played: bool = True


class ImportNote(Value, frozen=True):
    """Something in a file that wasn't taken, or was taken differently.

    line: its number in the file, 0 for the whole file; changes_play: whether games may go differently.
    """

    file: str
    line: int
    text: str
    changes_play: bool


class ImportedVariant(Value, frozen=True):
    """A variant of another program: our files by name, and what wasn't taken."""

    files: Mapping[str, str]
    notes: tuple[ImportNote, ...]


class ProposedBorders(Value, frozen=True):
    """The borders of a province as a drawing shows them.

    entry: the province's id and its borders, as in map.json; same: whether map.json has these borders.
    """

    entry: Mapping[str, Any]
    same: bool


class ForeignFormats(Protocol[StateT]):
    """The formats of other programs for such a game."""

    @property
    def formats(self) -> tuple[str, ...]:
        """The names of the formats."""

    @property
    def former(self) -> Options:
        """Options for a record that goes on where a game of today would be over, otherwise none."""

    def suffix(self, form: str) -> str:
        """Return the suffix of a file of this format, without its dot."""

    def write(self, form: str, name: str, chapters: Sequence[ExchangedTurn[StateT]], state: StateT) -> str:
        """Return the record of a game, called `name`, from its opening to its present state."""

    def write_turn(self, form: str, name: str, number: int, chapter: ExchangedTurn[StateT]) -> str:
        """Return the part of the record for one turn. number: the turn's position in the game."""

    def join_turns(self, form: str, name: str, state: StateT, pieces: Sequence[str]) -> str:
        """Return the whole record from its turns' parts, like `write`. state: the present one."""

    def read(self, text: str) -> tuple[RecordedTurn, ...] | None:
        """Return the turns of a text; None if it isn't in such a format, or is of another kind of game.

        Raises Invalid with the fault in the text.
        """

    def edits_to_match(self, state: StateT, turn: RecordedTurn) -> tuple[Edit, ...]:
        """Return the edits that turn a position into the recorded one; none if they are equal."""

    def read_board(self, name: str, text: str, open_file: Callable[[str], str]) -> ImportedVariant:
        """Return the variant of another program's board, called `name`. Raises Invalid with file and line.

        open_file: returns the text of another file that the text names, or raises Invalid.
        """

    def read_drawing(self, board: str, drawing: str, tolerance: float | None) -> ImportedVariant:
        """Return the files of a variant that an SVG drawing changes, and what wasn't taken. Raises Invalid.

        board: the text of map.json; tolerance: the widest gap between neighbours that is closed, in the units
        of the drawing, None for the usual one.
        """

    def propose_borders(self, board: str, drawing: str) -> tuple[ProposedBorders, ...]:
        """Return the borders of each province as a drawing shows them. Raises Invalid."""

    def write_board(self) -> tuple[str, tuple[str, ...]]:
        """Return the board for other programs, and sentences on what their format can't say."""

    def write_files(self) -> Mapping[str, str]:
        """Return the files of the board's variant by name, in our own form."""
