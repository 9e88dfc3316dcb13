""" "All hold": an order for all units that have no other orders in an email."""

from collections.abc import Callable, Container, Iterator, Sequence

from games.protocol import Form, Order
from games.record import replace_fields
from orders.conditions import NOW
from orders.messages import sentence
from orders.reading import structure
from orders.reading.forms import compile_forms
from orders.reading.lexicon import NameIndex
from orders.reading.replacements import Key, covering, scope_key
from orders.verdict import IN_FORCE, LineVerdict
from orders.words import Word

ALL_HOLD_TEXT = "all hold"
"""The shortest way to write it."""

_ALL_UNITS_WORDS = "(units|my units|our units|of them|of my units|of the units|)"
_EVERYTHING_WORDS = (
    "(all|everything|everyone|everybody|all others|all the others|all other|all my other|everything else"
    "|everyone else|everybody else|all else|the rest|rest|all the rest|the others|others|other|my other"
    "|the other|all remaining|remaining|the remaining|anything else|everywhere|everywhere else)"
)
_ALL_HOLD_WORDS = (
    "(h|hold|holds|holding|to hold|should hold|hold position|stand|stands|stand still|stay|stays|stay put"
    "|stays put)"
)
_TIME_WORDS = "(this turn|this season|this time|this spring|this fall|for now|now|again|)"
ALL_HOLD_FORMS = (
    Form(
        name="rest",
        pattern=f"{_EVERYTHING_WORDS} {_ALL_UNITS_WORDS} [:|-] {_ALL_HOLD_WORDS} {_TIME_WORDS}",
        example=ALL_HOLD_TEXT,
    ),
    Form(
        name="rest",
        pattern=f"(hold|stand|hold with) {_EVERYTHING_WORDS} {_ALL_UNITS_WORDS} {_TIME_WORDS}",
        example="hold everything else",
    ),
    *(
        Form(name="rest", pattern=pattern, example=ALL_HOLD_TEXT)
        for pattern in structure.patterns_in_all_languages("all")
    ),
)
_SOME_HOLD_FORMS = (
    Form(
        name="some",
        pattern=f"(all|all the|the|all my|my|both|other|the other|all other) "
        f"(armies|fleets|war parties|home units|canoes|two|units there) {_ALL_HOLD_WORDS} {_TIME_WORDS}",
        example="all armies hold",
    ),
    Form(name="some", pattern="(hold|stand) (all|all my|the|my) (armies|fleets)", example="hold all fleets"),
    *(
        Form(name="some", pattern=pattern, example="all armies hold")
        for pattern in structure.patterns_in_all_languages("some")
    ),
)
ALL_HOLD_GRAMMAR, SOME_HOLD_GRAMMAR, NO_NAMES = (
    compile_forms(ALL_HOLD_FORMS),
    compile_forms(_SOME_HOLD_FORMS),
    NameIndex(()),
)
"""The grammars of words that let all units, or all others, hold, and of those that name no units."""


def says_all_hold(line: Sequence[Word]) -> bool:
    """Return whether a line lets all units hold, or all others."""
    return line[0].key in ALL_HOLD_GRAMMAR.openings and bool(ALL_HOLD_GRAMMAR.match(line, NO_NAMES))


class AllHold(Order, frozen=True, kw_only=True):
    """Lets each unit hold that has no other order in the email. No game sees it: see `expand_all_hold`."""


def expand_all_hold(
    verdicts: Sequence[LineVerdict],
    resting: Callable[[], Sequence[Order]],
    write: Callable[[Order], str],
    named: Callable[[str], frozenset[str]],
) -> tuple[LineVerdict, ...]:
    """Return the verdicts, with one for each unit in place of "all hold".

    resting: the hold orders. named: the ids of all units that a text names. A unit gets none if the email
    gives it another order or if it is named on a line that wasn't understood.
    """
    if not any(isinstance(verdict.order, AllHold) for verdict in verdicts):
        return tuple(verdicts)
    unclear = frozenset(
        id_
        for verdict in verdicts
        if verdict.order is None
        for text in (verdict.line, *verdict.candidates)
        for id_ in named(text)
    )
    staying = [order for order in resting() if not named(write(order)) & unclear]
    explicit = [ordering for ordering in verdicts if ordering.order and ordering.order.slot is not None]
    ordered = frozenset(
        key for ordering in explicit for key in covering(scope_key(ordering.order.slot, ordering.when or NOW))
    )
    last = {
        _all_hold_scope(ordering): place
        for place, ordering in enumerate(verdicts)
        if isinstance(ordering.order, AllHold)
    }
    result: list[LineVerdict] = []
    for place, verdict in enumerate(verdicts):
        if not isinstance(verdict.order, AllHold):
            result.append(verdict)
        elif verdict.grade in IN_FORCE and place < last[_all_hold_scope(verdict)]:
            problem = sentence("all_hold.repeated")
            result.append(replace_fields(verdict, grade="idle", order=None, problem=problem))
        else:
            result += _replace_by_holds(verdict, ordered, staying, write)
    return tuple(result)


def _all_hold_scope(verdict: LineVerdict) -> Key:
    """Return the things that an "all hold" depends on, and whether it is one of those that count."""
    return scope_key(str(verdict.grade in IN_FORCE), verdict.when or NOW)


def _replace_by_holds(
    verdict: LineVerdict, ordered: Container[Key], staying: Sequence[Order], write: Callable[[Order], str]
) -> Iterator[LineVerdict]:
    if verdict.grade not in IN_FORCE:
        yield replace_fields(verdict, order=None)
        return
    when = verdict.when or NOW
    if when.turn is not None:
        problem = sentence("all_hold.later_turn", turn=when.turn)
        yield replace_fields(verdict, grade="unread", order=None, said=None, problem=problem)
        return
    free = [order for order in staying if scope_key(order.slot or "", when) not in ordered]
    if not free:
        problem = sentence("all_hold.all_have_orders")
        yield replace_fields(verdict, grade="idle", order=None, problem=problem)
    for order in free:
        yield replace_fields(verdict, order=order, said=write(order), rest=True)
