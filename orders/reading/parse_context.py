"""Everything that reading needs of a game and of the service, as one value."""

from collections.abc import Callable, Mapping, Sequence

from games.protocol import Condition, Form, Lexicon, Order, Turn
from games.record import Value
from orders.commands import Known, Verb, nothing_known


class ParseContext(Value, frozen=True):
    """Everything that reading needs of a game and of the service.

    build: the order of a form's name and its filled places; write: an order's canonical text; titles:
    names that may stand before a colon at the head of the sender's own orders; seats: the names of all
    seats of the game, in whatever language; turns: those that PHASE may name, the present one first;
    phrase: a condition's canonical text; resting: what "all hold" means, one order for each unit;
    doubt: why a form with its places may not be what was meant; fitted: an order with what its text
    tells beyond its form, and what is wrong in the text; native: forms and lexicon of the game's own
    language, where it has others too: what these read, they alone read; reaches: whether an order could
    be carried out now, None: nobody can say; examples: by form, an order that the sender could give
    now, None: the forms' own, which say how it is written and no more; misgiving: why a text may not
    mean its order; tongues: the names of each other language by what it is called; known: by command,
    the names that show that a line is no talk.
    """

    commands: tuple[Verb, ...]
    forms: tuple[Form, ...]
    conditions: tuple[Form, ...]
    lexicon: Lexicon
    build: Callable[[str, Mapping[str, str]], Order]
    write: Callable[[Order], str]
    titles: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    turns: Callable[[], Sequence[Turn]] = tuple
    phrase: Callable[[Condition], str] = lambda condition: " ".join(
        (condition.form, *condition.slots.values())
    )
    resting: Callable[[], Sequence[Order]] = tuple
    doubt: Callable[[str, Mapping[str, str]], str | None] = lambda form, slots: None
    known: Known = nothing_known
    fitted: Callable[[Order, str], tuple[Order, str | None]] = lambda order, text: (order, None)
    examples: Callable[[], Mapping[str, str] | None] = lambda: None
    misgiving: Callable[[Order, str], str | None] = lambda order, text: None
    reaches: Callable[[Order], bool] | None = None
    native: tuple[tuple[Form, ...], Lexicon] | None = None
    tongues: Callable[[], Mapping[str, Lexicon]] = dict
