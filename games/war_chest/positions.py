"""Complete positions of War Chest in JSON: a state field by field, hexes as in orders."""

from collections.abc import Mapping

from games.fields import Field
from games.protocol import Invalid, Options, Seat
from games.record import replace_fields, required_fields
from games.typed_fields import KnownWords, TypedFields, hints
from games.war_chest.board import AXIAL, HEX_ORDER, Hex
from games.war_chest.components import HIDDEN_COIN, ROYAL_COIN, UNIT_NAMES, Coin
from games.war_chest.model import AUTOMATON, GOLD, PLAYER, SILVER, Side, State

COMPLETE_POSITION_KEYS = tuple(hints(State))
"""What a complete position says."""

_READER = TypedFields(
    {
        Coin: KnownWords("unit", (*UNIT_NAMES, ROYAL_COIN)),
        Hex: KnownWords("hex", AXIAL),
        Seat: KnownWords("side", (PLAYER, AUTOMATON, GOLD, SILVER)),
    }
)


def is_complete(question: object) -> bool:
    """Return whether a question gives a complete position."""
    return isinstance(question, dict) and question.get("sides") is not None


def state_of(fields: Mapping[str, Field], options: Options) -> State:
    """Return the state of a complete position. Raises Invalid with the path at fault."""
    for key in required_fields(State):
        if key != "options" and key not in fields:
            raise Invalid(key, "is missing", "write a complete position, as `next` gives it")
    values = _READER.record(State, {key: field for key, field in fields.items() if key != "options"})
    state = State(**{**values, "options": dict(options)})
    _check_seats(fields, state)
    _check_placement(fields, state)
    return replace_fields(
        state,
        stacks=tuple(sorted(state.stacks, key=lambda stack: HEX_ORDER[stack.at])),
        control={
            location: state.control[location] for location in sorted(state.control, key=HEX_ORDER.__getitem__)
        },
    )


def _check_seats(fields: Mapping[str, Field], state: State) -> None:
    wanted = (PLAYER, AUTOMATON) if state.options["opponent"] == "ai" else (GOLD, SILVER)
    if set(state.sides) != set(wanted):
        raise fields["sides"].wrong(f"are {', '.join(state.sides)}", f"they should be {' and '.join(wanted)}")
    named = (
        *(("mover", seat) for seat in (state.mover,)),
        *(("stacks", stack.seat) for stack in state.stacks),
        *(("control", owner) for owner in state.control.values()),
        *(("agenda", task.seat) for task in state.agenda),
        *(("picks", seat) for seat, _ in state.picks),
    )
    for key, seat in named:
        if seat not in wanted:
            raise fields[key].wrong(f"{seat} does not play here", f"write {' or '.join(wanted)}")
    for seat, side in state.sides.items():
        if not _owns_its_coins(side):
            raise fields["sides"].wrong(f"{seat} has coins of a unit that is none of its cards")
    mover = state.sides[state.mover]
    if not (state.picks or state.ended or state.agenda or mover.hand or state.revealed):
        raise fields["mover"].wrong(f"{state.mover} has no coin in hand", "give it one in `sides`")


def _owns_its_coins(side: Side) -> bool:
    coins = {*side.bag, *side.hand, *side.face_up, *side.face_down, *filter(None, (side.drawn,))}
    return HIDDEN_COIN not in coins and coins <= {*side.cards, ROYAL_COIN} and {*side.supply} <= {*side.cards}


def _check_placement(fields: Mapping[str, Field], state: State) -> None:
    """Raise Invalid where units or markers stand as they cannot."""
    for number, stack in enumerate(state.stacks):
        at = fields["stacks"].at(number)
        if any(other.at == stack.at for other in state.stacks[:number]):
            raise at.wrong(f"another unit stands on {stack.at}")
        if stack.card not in state.sides[stack.seat].cards:
            raise at.wrong(f"{stack.seat} has no {stack.card}", "name its cards in `sides`")
        if stack.height < 1:
            raise at.wrong("a unit has one coin at least")
        if len(state.units(stack.seat, stack.card)) > state.box.units[stack.card].most_on_board:
            raise at.wrong(f"there are more units {stack.card} on the board than may be")
    for location in state.control:
        if location not in state.box.locations:
            raise fields["control"].wrong(f"{location} is no location")
    for seat in state.sides:
        if state.markers(seat) >= state.box.board.markers and state.ended is None:
            raise fields["control"].wrong(
                f"{seat} has {state.box.board.markers} markers, so the game is over"
            )
