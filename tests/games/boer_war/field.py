"""Positions, orders and dice of the Boer War for tests, from short texts.

Leaders are written as ``BUL EST 8, CLE EST 5``, garrisons as ``KIM 2``, sieges as ``LAD 3``. Nothing else is
on the map. The control of points is that of October 1899, except for those in ``boer`` or ``imperial``.
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
"""Options for games in which a few Boers don't end the guerrilla war."""


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
    """Return a position with only these forces. The Boers act unless ``side`` says otherwise.

    fields: fields of State. Fields such as pools and boxes can leave out a side.
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
    """Return all SP of a side: on the map, in its pools, in its Scattered box, and lost."""
    coming = state.recruit_pool if side == "boers" else 0
    return state.sp_on_map(side) + state.pools[side] + state.scattered[side] + state.lost[side] + coming


def _rows(text: str) -> list[str]:
    return [row for row in text.split(", ") if row]


def _counts(text: str) -> dict[Point, int]:
    return {Point(at): int(n) for at, n in (row.split() for row in _rows(text))}


def order(text: str, state: State) -> AnyOrder:
    """Return the order that a text means. The text must have only one meaning."""
    found = match_text(text, compile_forms(tuple(NOTATION.forms)), names_of(NOTATION.lexicon(state)))
    built = {canonical(one): one for one in (NOTATION.build(state, m.form.name, m.slots) for m in found)}
    assert len(built) == 1, f"{text} has {len(built)} meanings"
    return next(iter(built.values()))


def why_not(state: State, text: str) -> str | None:
    """Return the code of the objection to an order of the side that acts, or None."""
    found = refusal(state, text)
    return found.code if found else None


def refusal(state: State, text: str) -> Objection | None:
    """Return the objection to an order of the side that acts, or None."""
    return RULES.check(state, state.seat(state.side), order(text, state))


def play(state: State, *texts: str, go: bool = False, **thrown: Any) -> Outcome[State, AnyEvent]:
    """Carry out orders of the side that acts. Then the draw is GO! or STOP.

    thrown: the roll for each label, such as ``siege_LAD=5``. Labels are without turn, side and round and have
    `_` for blanks and strokes. Cards are given by their codes, those of the attacker first.
    """
    given = [order(text, state) for text in texts]
    return RULES.adjudicate(state, {state.seat(state.side): given}, Fated(thrown, go=go))


def after(state: State, *texts: str, go: bool = False, **thrown: Any) -> State:
    """Return the state after orders that must be legal."""
    for text in texts:
        assert why_not(state, text) is None, f"{text}: {why_not(state, text)}"
    return play(state, *texts, go=go, **thrown).state


def told(outcome: Outcome[State, AnyEvent], kind: type[Event]) -> list[Any]:
    """Return the events of a type."""
    return [event for event in outcome.events if isinstance(event, kind)]


def sp(state: State, leader: str) -> int:
    """Return the SP of a leader, or 0 for a leader off the map."""
    there = state.leaders.get(LeaderId(leader))
    return there.sp if there else 0


def at(state: State, leader: str) -> str | None:
    """Return the point of a leader, or None for a leader off the map."""
    there = state.leaders.get(LeaderId(leader))
    return there.at if there else None


class Fated(Dice):
    """Dice with numbers by label. The pool gives GO! or STOP as chosen.

    Any other roll without a number is an error.
    """

    def __init__(self, thrown: dict[str, Any] | None = None, *, go: bool = False) -> None:
        self._thrown = {name.replace("_", " "): value for name, value in (thrown or {}).items()}
        self._go = go
        self.labels: list[str] = []

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return the given numbers for a label."""
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
