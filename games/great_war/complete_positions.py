"""Complete positions of The Great War in JSON: all fields of a campaign by their names."""

from collections.abc import Mapping

from games.fields import Field
from games.great_war.components import NATIONS, PILES, Card, CardId, book
from games.great_war.model import AI, PLAYER, State
from games.great_war.owner_data import is_playable
from games.protocol import Invalid, Options, Seat
from games.record import Malformed, required_fields, revive
from games.typed_fields import KnownWords, TypedFields, hints

KEYS = tuple(hints(State))
"""What a complete position says."""

_SEPARATE_KEYS = ("options", "changes")


def is_complete(question: object) -> bool:
    """Return whether a question gives a complete position."""
    return isinstance(question, dict) and question.get("armies") is not None


def complete_state(fields: Mapping[str, Field], options: Options) -> State:
    """The state of a complete position. Raises Invalid with the path at fault."""
    if "cards" in options:
        why = "a position holds the cards that are the owner's as `changes`"
        raise Invalid("options.cards", why, "leave it out")
    for key in (*required_fields(State), "piles"):
        if key != "options" and key not in fields:
            raise Invalid(key, "is missing", "write a complete position, as `next` gives it")
    reader = TypedFields({CardId: KnownWords("card", book().cards), Seat: KnownWords("side", (PLAYER, AI))})
    rest = {key: field for key, field in fields.items() if key not in _SEPARATE_KEYS}
    state = State(**reader.record(State, rest), changes=_changes(fields), options=dict(options))
    _check_armies(fields, state)
    return state


def _changes(fields: Mapping[str, Field]) -> tuple[Card, ...]:
    if "changes" not in fields:
        return ()
    try:
        cards: tuple[Card, ...] = revive(hints(State)["changes"], fields["changes"].value)
    except Malformed as fault:
        raise fields["changes"].wrong(str(fault)) from fault
    if not is_playable(cards):
        raise fields["changes"].wrong("are no cards of this game", "copy them from `next`")
    return cards


def _check_armies(fields: Mapping[str, Field], state: State) -> None:
    """Raise Invalid where a side or a deck is missing, or a side fights for a nation twice."""
    if set(state.armies) != {PLAYER, AI}:
        raise fields["armies"].wrong("are not those of both sides", f"write {PLAYER} and {AI}")
    if {army.nation for army in state.armies.values()} != {*NATIONS}:
        raise fields["armies"].wrong("have one nation", f"one is {NATIONS[0]} and the other {NATIONS[1]}")
    for pile in PILES:
        if pile not in state.piles and state.stage != "set-up":
            raise fields["piles"].wrong(f"the {pile} deck is missing", "write each, even if it is empty")
    cards = [
        (f"armies.{seat}.row", table_card.round)
        for seat, army in state.armies.items()
        for table_card in army.row
    ]
    for path, number in cards:
        if not 1 <= number <= 3:
            raise Invalid(path, f"{number} is no Combat Round", "write 1, 2, or 3 for the Bonus phase")
    if state.turn < 1:
        raise fields["turn"].wrong("there is no such Turn", "write a number from 1 up")
