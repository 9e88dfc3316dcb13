"""All units that a letter says nothing else of: "all hold", and what it comes to."""

from collections.abc import Callable, Container, Iterator, Sequence

from games.protocol import Form, Order
from games.record import changed
from orders.conditions import NOW
from orders.parsing import structure
from orders.parsing.forms import Match, compiled
from orders.parsing.lexicon import Names
from orders.parsing.replacing import Key, covering, key_of
from orders.verdict import IN_FORCE, Verdict
from orders.words import Word

TEXT = "all hold"
"""How it is said in the fewest words."""

_UNITS = "(units|my units|our units|of them|of my units|of the units|)"
_REST = (
    "(all|everything|everyone|everybody|all others|all the others|all other|all my other|everything else"
    "|everyone else|everybody else|all else|the rest|rest|all the rest|the others|others|other|my other"
    "|the other|all remaining|remaining|the remaining|anything else|everywhere|everywhere else)"
)
_HOLD = (
    "(h|hold|holds|holding|to hold|should hold|hold position|stand|stands|stand still|stay|stays|stay put"
    "|stays put)"
)
_NOW = "(this turn|this season|this time|this spring|this fall|for now|now|again|)"
_FORMS = (
    Form(name="rest", pattern=f"{_REST} {_UNITS} [:|-] {_HOLD} {_NOW}", example=TEXT),
    Form(
        name="rest", pattern=f"(hold|stand|hold with) {_REST} {_UNITS} {_NOW}", example="hold everything else"
    ),
    *(Form(name="rest", pattern=pattern, example=TEXT) for pattern in structure.all_of("all")),
)
_SOME = (
    Form(
        name="some",
        pattern=f"(all|all the|the|all my|my|both|other|the other|all other) "
        f"(armies|fleets|war parties|home units|canoes|two|units there) {_HOLD} {_NOW}",
        example="all armies hold",
    ),
    Form(name="some", pattern="(hold|stand) (all|all my|the|my) (armies|fleets)", example="hold all fleets"),
    *(Form(name="some", pattern=pattern, example="all armies hold") for pattern in structure.all_of("some")),
)
_GRAMMAR, _PARTS, _NO_NAMES = compiled(_FORMS), compiled(_SOME), Names(())


class AllHold(Order, frozen=True, kw_only=True):
    """Each unit that the letter orders nothing else holds. No game sees it: see `spelt_out`."""


def tokens() -> frozenset[str]:
    """Words of which one stands in whatever says so."""
    return _GRAMMAR.tokens


def matches(line: Sequence[Word]) -> list[Match]:
    """Whether the words say that all, or all the others, hold: one meaning or none."""
    return _GRAMMAR.match(line, _NO_NAMES)[:1]


def says_some(line: Sequence[Word]) -> bool:
    """Whether the words say that some units hold, without naming them."""
    return bool(_PARTS.match(line, _NO_NAMES))


def is_all_hold(match: Match) -> bool:
    """Whether a meaning is one of `matches`."""
    return match.form in _FORMS


def spelt_out(
    verdicts: Sequence[Verdict],
    resting: Callable[[], Sequence[Order]],
    write: Callable[[Order], str],
    named: Callable[[str], frozenset[str]],
) -> tuple[Verdict, ...]:
    """The verdicts, with one for each unit in place of a Rest.

    resting: the orders to hold; named: the ids of all that a text names. A unit that the letter orders
    anything else gets none, nor does one that stands in a line which was not understood.
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
    said = [one for one in verdicts if one.order and one.order.slot is not None]
    ordered = frozenset(key for one in said for key in covering(key_of(one.order.slot, one.when or NOW)))
    last = {_scope(one): place for place, one in enumerate(verdicts) if isinstance(one.order, AllHold)}
    found: list[Verdict] = []
    for place, verdict in enumerate(verdicts):
        if not isinstance(verdict.order, AllHold):
            found.append(verdict)
        elif verdict.grade in IN_FORCE and place < last[_scope(verdict)]:
            found.append(changed(verdict, grade="idle", order=None, problem="a line below says it again"))
        else:
            found += _each(verdict, ordered, staying, write)
    return tuple(found)


def _scope(verdict: Verdict) -> Key:
    """What a Rest hangs on, and whether it is one of those that count."""
    return key_of(str(verdict.grade in IN_FORCE), verdict.when or NOW)


def _each(
    verdict: Verdict, ordered: Container[Key], staying: Sequence[Order], write: Callable[[Order], str]
) -> Iterator[Verdict]:
    if verdict.grade not in IN_FORCE:
        yield changed(verdict, order=None)
        return
    when = verdict.when or NOW
    if when.turn is not None:
        problem = (
            "nobody knows which units you will have then: "
            f"say PHASE {when.turn}, and below it a line for each unit"
        )
        yield changed(verdict, grade="unread", order=None, said=None, problem=problem)
        return
    free = [order for order in staying if key_of(order.slot or "", when) not in ordered]
    if not free:
        yield changed(
            verdict, grade="idle", order=None, problem="no unit is left that has no order of its own"
        )
    for order in free:
        yield changed(verdict, order=order, said=write(order), rest=True)
