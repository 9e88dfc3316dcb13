"""Whole games of every kind, including the toy: played by bots, and with random legal orders."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import games
from adjudicator.model.games import GamePosition, LogEntry, PlayedTurn
from adjudicator.turns.log import EntryOrigin, RecordingDice, set_up
from adjudicator.turns.runner import play_turns, position_after
from games.dice import Dice, LabelledDice
from games.protocol import Due, Form, Game, Options, Order, Seat
from games.record import canonical
from orders.reading.forms import compile_forms as ready_forms
from orders.reading.forms import match_text
from orders.reading.lexicon import index_lexicon as ready_names
from tests.kit.dice import any_dice
from tests.kit.memory_repository import NOON, SECRET, new_position
from tests.kit.toy import toy_found

YEARS = 6
"""The number of game-years of a campaign, for games that wouldn't end by themselves."""

A_LITTLE = 40
"""The adjudications that a wandering bot may use: any legal order is enough."""

ENDLESS = 2000
"""A game with this many turns won't end."""

_PLACE = re.compile(r"\{(\w+):([\w|]+)\}")


def every_kind() -> tuple[str, ...]:
    """Return the kinds of games, including the toy."""
    with toy_found():
        return tuple(games.kinds())


def kinds_that(has: Callable[[Game], bool]) -> tuple[str, ...]:
    """Return the kinds of games that have something, including the toy."""
    with toy_found():
        return tuple(kind for kind, game in games.kinds().items() if has(game))


def options_for(game: Game) -> dict[str, int | str]:
    """Return options for a short game, or for a war to its last turn."""
    years = [option for option in game.about.options if option.name == "last_year"]
    whole = [option for option in game.about.options if option.name == "numbers"]
    return {
        **{option.name: (option.low or 1) + YEARS - 1 for option in years},
        **{option.name: option.values[-1] for option in whole},
    }


@dataclass(frozen=True)
class Campaign:
    """A game played by bots from its opening to its end."""

    game: Game
    start: GamePosition
    entry: LogEntry
    steps: tuple[PlayedTurn, ...]

    @property
    def states(self) -> tuple[Any, ...]:
        """Return all states, the opening first."""
        return (self.start.state, *(step.after for step in self.steps))

    @property
    def log(self) -> tuple[tuple[LogEntry, bytes], ...]:
        """Return the log as the database holds it."""
        rows = [(self.entry, self.start.state), *((step.entry, step.after) for step in self.steps)]
        return tuple((entry, canonical(state)) for entry, state in rows)


@cache
def campaign(kind: str) -> Campaign:
    """Return the bots' game of a kind, played once."""
    game = games.kinds()[kind]
    start = new_position(kind, options=options_for(game))
    entry, _ = set_up(game, start.name, start.options, SECRET, EntryOrigin.first(NOON))
    position, steps = start, []
    while position.is_running:
        played = play_turns(game, position, NOON, ripe=False)
        assert played is not None, "nobody is waited for"
        assert len(steps) < ENDLESS, "the game does not end"
        steps += played.steps
        position = position_after(position, played)
    return Campaign(game, start, entry, tuple(steps))


def wander(
    game: Game, options: Options, seed: int
) -> Iterator[tuple[Any, Mapping[Seat, tuple[Order, ...]], Dice, Any]]:
    """Yield a game with random legal orders: (state, orders, dice, state after) for each turn."""
    lot = random.Random(seed)
    state = game.rules.setup(options, RecordingDice(any_dice(0))).state
    for number in range(1, ENDLESS):
        dues = game.rules.due(state)
        if not dues:
            return
        orders: dict[Seat, tuple[Order, ...]] = {}
        # Only one seat's bot may search, because a search computes the possible orders of all others too.
        searching = lot.choice(dues).seat
        for due in dues:
            given = anything(game, state, due, lot, number, searching=due.seat == searching)
            orders[due.seat] = orders.get(due.seat, ()) + given
        after_it = game.rules.adjudicate(state, orders, RecordingDice(any_dice(number))).state
        yield state, orders, any_dice(number), after_it
        state = after_it
    raise AssertionError("the game does not end")


def anything(
    game: Game, state: Any, due: Due, lot: random.Random, number: int, *, searching: bool = True
) -> tuple[Order, ...]:
    """Return legal orders for one due: a bot's or the defaults, most of them replaced at random.

    searching: the bot may be one that searches.
    """
    view = game.rules.view(state, due.seat)
    quick = {level: bot for level, bot in game.bots.items() if searching or bot.budget is None}
    bots = quick or game.bots
    bot = bots[lot.choice(sorted(bots))].with_budget(A_LITTLE)
    choices = bot.orders(view, due, LabelledDice(any_dice(number), f"bot/{due.seat}/"))
    given = list(lot.choice([tuple(choice.order for choice in choices), game.rules.default(state, due)]))
    ids: dict[str, list[str]] = {}
    for place, order in enumerate(given):
        taken = {other.slot for other in given} - {None}
        slots = {order.slot} if due.takes is None else None
        given[place] = _Search(game, view, due, slots, taken - {order.slot}, ids).another(order, lot)
    if due.takes is None:
        given += _Search(game, view, due, None, set(), ids).besides(given, lot)
    return tuple(given)


@dataclass
class _Search:
    """A search for a legal order of any form, by trial. The details of objections suggest what to try
    next.

    found: the names of some sorts in the view, for all searches in it.
    """

    game: Game
    view: Any
    due: Due
    slots: set[str | None] | None
    taken: set[str | None]
    found: dict[str, list[str]]
    hints: set[str] = field(default_factory=set)
    near: list[str] = field(default_factory=list)

    def another(self, order: Order, lot: random.Random) -> Order:
        """Return a random order for the same slot (or a free one, if only a number is due), or the order."""
        known = self._filled(order)
        found: dict[str, list[Order]] = {}
        form, places = self._any_form(lot), {}
        for _ in range(20):
            mends = self._mends(form, places)
            if mends and lot.random() < 0.6:
                places = {**places, **lot.choice(mends)}
            else:
                form = self._any_form(lot)
                places = {
                    place: self._term(place, sorts, known, lot)
                    for place, sorts in _PLACE.findall(form.pattern)
                }
            other = self.game.notation.build(self.view, form.name, places)
            kind = type(other).__name__
            if kind in self.due.accepts and self._fits(other) and self._lawful(other):
                found.setdefault(kind, []).append(other)
        return lot.choice(found[lot.choice(sorted(found))]) if found else order

    def _any_form(self, lot: random.Random) -> Form:
        """Return a random form. Each sort of order has the same chance, regardless of its number of forms."""
        forms = self.game.notation.forms
        name = lot.choice(sorted({form.name for form in forms}))
        return lot.choice([form for form in forms if form.name == name])

    def besides(self, given: Sequence[Order], lot: random.Random) -> tuple[Order, ...]:
        """Return orders that are allowed but not due, if the game has any and one is found.

        It looks near the given orders.
        """
        owed = {owed.slot for owed in self.due.owes}
        for order in given:
            self.hints.update(self._filled(order).values())
        for form in (*self.game.notation.forms, *self.game.notation.forms):
            places = {
                place: self._term(place, sorts, {}, lot) for place, sorts in _PLACE.findall(form.pattern)
            }
            order = self.game.notation.build(self.view, form.name, places)
            if (
                type(order).__name__ in self.due.accepts
                and order.slot is not None
                and order.slot not in owed
                and self._lawful(order)
            ):
                return (order,)
        return ()

    def _mends(self, form: Form, places: Mapping[str, str]) -> list[dict[str, str]]:
        """Return the suggestions of the last objection, each with one place changed."""
        sorts = dict(_PLACE.findall(form.pattern))
        return [{place: near} for place in places for near in self.near if near in self._ids(sorts[place])]

    def _term(self, place: str, sorts: str, known: Mapping[str, str], lot: random.Random) -> str:
        if place in known and lot.random() < 0.7:
            return known[place]
        ids = self._ids(sorts)
        near = sorted(self.hints.intersection(ids))
        return lot.choice(near if near and lot.random() < 0.8 else ids)

    def _ids(self, sorts: str) -> list[str]:
        """Return the names of some sorts, in order."""
        if sorts not in self.found:
            fitting = frozenset(sorts.split("|"))
            lexicon = self.game.notation.lexicon(self.view)
            self.found[sorts] = sorted({term.id for term in lexicon if term.sort in fitting})
        return self.found[sorts]

    def _fits(self, other: Order) -> bool:
        return other.slot not in self.taken and (self.slots is None or other.slot in self.slots)

    def _lawful(self, other: Order) -> bool:
        objection = self.game.rules.check(self.view, self.due.seat, other)
        for value in objection.detail.values() if objection else ():
            self.hints.update(value.split())
        self.near = objection.detail.get("near", "").split() if objection else []
        return objection is None

    def _filled(self, order: Order) -> dict[str, str]:
        """Return the values in the places of an order's own text."""
        names = ready_names(self.game.notation.lexicon(self.view))
        found = match_text(
            self.game.notation.write(order), ready_forms(tuple(self.game.notation.forms)), names
        )
        return dict(found[0].slots) if found else {}
