"""Positions of the Boer War from text, orders from theirs, and dice that fall as a test says.

Leaders read ``BUL EST 8, CLE EST 5``, garrisons ``KIM 2``, sieges ``LAD 3``. What is not said is not there;
control is that of October 1899 but for the points that a test gives to ``boer`` or ``imperial``.
"""

from typing import Any

from games.boer_war.board import board
from games.boer_war.components import LeaderId, Point, materials
from games.boer_war.events import AnyEvent
from games.boer_war.model import SIDES, AnyOrder, LeaderStanding, Side, State
from games.boer_war.notation import BoerWarNotation
from games.boer_war.rules import BoerWarRules
from games.boer_war.setup import OPTIONS
from games.dice import Dice
from games.options import settle
from games.pool import RoundCounters
from games.protocol import Event, Objection, Outcome
from games.record import canonical, replace_fields
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of

RULES, NOTATION = BoerWarRules(), BoerWarNotation()
FEW = {"numbers": "first"}
"""Options under which a handful of Boers does not end the guerrilla war."""


def war(
    boers: str = "",
    empire: str = "",
    garrisons: str = "",
    besieged: str = "",
    *,
    boer: str = "",
    imperial: str = "",
    options: dict[str, str] | None = None,
    **fields: Any,
) -> State:
    """A position in which nobody is but who is named; the Boers act unless ``side`` says otherwise.

    fields: as in State, but that of pools, boxes and the like a side may be left out.
    """
    leaders = {
        LeaderId(name): LeaderStanding(at=Point(at), sp=int(sp))
        for name, at, sp in (row.split() for row in (*_rows(boers), *_rows(empire)))
    }
    posts = _counts(garrisons)
    control = {point: place.control for point, place in board().places.items()}
    control |= {Point(one): "boers" for one in boer.split()} | {
        Point(one): "empire" for one in imperial.split()
    }
    empty = {"boxes": (), "trenches": (), "pools": 0, "scattered": 0, "lost": 0}
    given = {name: {**dict.fromkeys(SIDES, value), **fields.pop(name, {})} for name, value in empty.items()}
    state = State(
        options=dict(settle(OPTIONS, options or {})),
        counters={**dict.fromkeys(SIDES, RoundCounters()), **fields.pop("counters", {})},
        leaders=leaders,
        garrisons=posts,
        control=control,
        sieges=_counts(besieged),
        brought=dict.fromkeys(SIDES, 0),
        **given,
        **fields,
    )
    return replace_fields(state, brought={side: on_books(state, side) for side in SIDES})


def on_books(state: State, side: Side) -> int:
    """All SP of a side: on the map, in its pools and its Scattered box, and lost."""
    coming = state.recruit_pool if side == "boers" else 0
    return state.sp_on_map(side) + state.pools[side] + state.scattered[side] + state.lost[side] + coming


def _rows(text: str) -> list[str]:
    return [row for row in text.split(", ") if row]


def _counts(text: str) -> dict[Point, int]:
    return {Point(at): int(n) for at, n in (row.split() for row in _rows(text))}


def order(text: str, state: State) -> AnyOrder:
    """The one order that a text means."""
    found = match_text(text, compile_forms(tuple(NOTATION.forms)), names_of(NOTATION.lexicon(state)))
    built = {canonical(one): one for one in (NOTATION.build(state, m.form.name, m.slots) for m in found)}
    assert len(built) == 1, f"{text} has {len(built)} meanings"
    return next(iter(built.values()))


def why_not(state: State, text: str) -> str | None:
    """The code of what is against an order of the side whose round it is, or None."""
    found = refusal(state, text)
    return found.code if found else None


def refusal(state: State, text: str) -> Objection | None:
    """What is against an order of the side whose round it is."""
    return RULES.check(state, state.seat(state.side), order(text, state))


def play(state: State, *texts: str, go: bool = False, **thrown: Any) -> Outcome[State, AnyEvent]:
    """Orders of the side whose round it is, carried out; then the draw says GO! or STOP.

    thrown: what the dice show, by the label without turn, side and round, `_` for a blank and for a stroke:
    ``siege_LAD=5``; cards by their codes, those of the attacker first.
    """
    given = [order(text, state) for text in texts]
    return RULES.adjudicate(state, {state.seat(state.side): given}, Fated(thrown, go=go))


def after(state: State, *texts: str, go: bool = False, **thrown: Any) -> State:
    """The state after orders that were lawful."""
    for text in texts:
        assert why_not(state, text) is None, f"{text}: {why_not(state, text)}"
    return play(state, *texts, go=go, **thrown).state


def told(outcome: Outcome[State, AnyEvent], kind: type[Event]) -> list[Any]:
    """The events of a kind."""
    return [event for event in outcome.events if isinstance(event, kind)]


def sp(state: State, leader: str) -> int:
    """SP of a leader; none if he is not on the map."""
    there = state.leaders.get(LeaderId(leader))
    return there.sp if there else 0


def at(state: State, leader: str) -> str | None:
    """Where a leader is, if he is on the map."""
    there = state.leaders.get(LeaderId(leader))
    return there.at if there else None


class Fated(Dice):
    """Dice by label. The pool gives what is said; any other throw that is not is an error."""

    def __init__(self, thrown: dict[str, Any] | None = None, *, go: bool = False) -> None:
        self._thrown = {name.replace("_", " "): value for name, value in (thrown or {}).items()}
        self._go = go
        self.labels: list[str] = []

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Numbers as said."""
        self.labels.append(label)
        what = label.split("/", 2)[2].replace("/", " ").replace("-", " ")
        if what in self._thrown:
            said = self._thrown[what]
            numbers = _cards(said) if isinstance(said, str) else (said,)
            assert len(numbers) == count, f"{label} is drawn {count} times"
            assert max(numbers, default=1) <= sides, f"{label} has {sides} sides"
            return numbers
        if what.startswith("next action"):
            return (1 if self._go else sides,)
        raise AssertionError(f"nobody said what {label} shows")


def _cards(text: str) -> tuple[int, ...]:
    deck = list(materials().cards)
    return tuple(deck.index(one) + 1 for one in text.split())
