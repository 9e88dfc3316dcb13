"""Each kind of decision in every game, with a position that needs it.

A kind of decision is an order of one sort in one phase of a game, for a kind of seat. The positions are the
first ones in bots' games that offer it. Decisions that bots never meet have positions made by hand.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from typing import Any, get_args, get_type_hints

import games
from adjudicator.order_page import OrderChoice, OrderPageInput, list_choices
from games.boer_war.model import leaders_of, points_held
from games.boer_war.works import raidable_links, repairable_cuts
from games.dice import LabelledDice, SealedDice
from games.diplomacy.model import Waive
from games.plains_indian_wars import hands
from games.protocol import Due, Game, OptionValue, State
from games.record import replace_fields
from games.war_chest.board import NEIGHBOURS
from games.war_chest.components import ROYAL_GUARD, Card
from games.war_chest.model import AUTOMATON, COIN, ChooseLoss, Stack, UseDrawn
from tests.adjudicator.order_page.parties import settled

Kind = tuple[str, str]
"""A kind of decision: the phase and whose it is, and the sort of order."""

LONGEST = 170
"""So many turns of a game are looked through."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A game as it may be set up, and the sorts of orders that may be given in each of its phases."""

    kind: str
    options: Mapping[str, OptionValue]
    sorts: Mapping[str, str]

    @property
    def game(self) -> Game:
        """Its rules and words."""
        return games.kinds()[self.kind]

    @property
    def kinds(self) -> frozenset[Kind]:
        """Every kind of decision in it."""
        return frozenset((phase, one) for phase, some in self.sorts.items() for one in some.split(", "))


@dataclass(frozen=True)
class Prepared:
    """A position in which decisions of those kinds are asked of a seat, with an order of each."""

    state: State
    asked: OrderPageInput
    chosen: Mapping[Kind, OrderChoice]


# Plains Indian Wars.
_SAID = "Instruction fall back, Instruction fight, Instruction withdraw"
_US_SAID = (
    "Instruction custer, Instruction drive, Instruction equal, Instruction lose, Instruction sit out, "
    f"Instruction trail, {_SAID}"
)
_CARDS = f"Discard, Move, Place, PlayAction, PlayEvent: alone, PlayEvent: in, Recover, {_US_SAID}"
_TRIBES = f"Discard, Move, Place, PlayAction, PlayEvent: alone, PlayEvent: in, Recover, {_SAID}"
_AIMED = f"PlayEvent: against, {_TRIBES}"
_PLAINS = "plains-indian-wars"

# War Chest.
_COIN = "Bolster, Deploy, Maneuver: attack, Maneuver: control, Maneuver: move, Pass, Recruit"
_CHEST = "war-chest"

# The Great War.
_STANDING = "Draw, Exchange, GuardLeader, Length"
_LAID = "Lay: base, Lay: led, Lay: linked, Lay: pass, Strike"
_ROUNDS = {
    "round 1": f"{_LAID}, StopEvent, {_STANDING}",
    "round 2": f"{_LAID}, Lay: added, {_STANDING}",
    "bonus": "BonusPlay, BonusPlay: nothing, Blockade",
    "length": _STANDING,
}

# The Second Boer War.
_BOERS = {
    "regular boers": "Assault, Cut, Entrench, Move, Move: storm, Pass, Reinforce, Reorganize, Siege, Stance, "
    "Transfer, PlayEvent: B01, PlayEvent: B02, PlayEvent: B03, PlayEvent: B04, PlayEvent: B05, "
    "PlayEvent: B06, PlayEvent: B07",
    "guerrilla boers": "Pass, Raid, Reinforce, Reorganize, Stance, Transfer, Trek, PlayEvent: B06, "
    "PlayEvent: B08, PlayEvent: B09, PlayEvent: B10, PlayEvent: B11, PlayEvent: B12",
}
_EMPIRE = {
    "regular empire": "Assault, Entrench, Garrison, Land, Move, Pass, Rail, Reinforce, Reorganize, Repair, "
    "Transfer, PlayEvent: E01, PlayEvent: E02, PlayEvent: E03, PlayEvent: E04, PlayEvent: E05, "
    "PlayEvent: E06, PlayEvent: E07",
    "guerrilla empire": "Blockhouse, Camp, Drive, Garrison, Land, Move, Pass, Rail, Reinforce, Reorganize, "
    "Repair, Transfer, PlayEvent: E08, PlayEvent: E09, PlayEvent: E10, PlayEvent: E11, PlayEvent: E12",
}
_WAR = {f"Boers {phase}": some for phase, some in _BOERS.items()}
_WAR |= {f"Empire {phase}": some for phase, some in _EMPIRE.items()}

# The boards.
_MOVES = "Convoy, Hold, Move, Move: convoy, SupportHold, SupportMove"
_BOARD = {"moves": _MOVES, "retreats": "Disband, Move", "builds": "Build, Waive", "removals": "Disband"}

SETTINGS: Mapping[str, Setting] = {
    "standard": Setting("standard", {}, _BOARD),
    "chaos": Setting("chaos", {}, _BOARD),
    "indianomacy": Setting(
        "indianomacy",
        {},
        {
            "moves": "BuildCanoe, Destroy, Hold, Move, Move: afloat, Move: carry, Move: landing, "
            "Move: launch, SupportHold, SupportMove",
            "retreats": "Disband, Move",
            "builds": "Build, Waive",
            "removals": "Disband",
        },
    ),
    "plains 1": Setting(
        _PLAINS,
        {},
        {
            "US None": f"Begin, {_US_SAID}",
            "US Purple": f"Move, NoPlace, Place, Recover, {_US_SAID}",
            "US Blue": _CARDS.replace("PlayEvent: alone, ", ""),
            "US Brown": _CARDS,
        },
    ),
    "plains 2.1": Setting(_PLAINS, {"scenario": "2.1"}, {"Nations Green": _TRIBES}),
    "plains 2.2": Setting(_PLAINS, {"scenario": "2.2"}, {"Nations Orange": _AIMED}),
    "plains 2.3": Setting(_PLAINS, {"scenario": "2.3"}, {"Nations None": _AIMED}),
    "plains 2.4": Setting(
        _PLAINS, {"scenario": "2.4"}, {"Nations Green": _TRIBES, "Nations Orange": _TRIBES}
    ),
    "plains 2.5": Setting(_PLAINS, {"scenario": "2.5"}, {"Nations Green": _TRIBES}),
    "plains 2.6": Setting(_PLAINS, {"scenario": "2.6"}, {"Nations Orange": _TRIBES}),
    "plains 2.7": Setting(_PLAINS, {"scenario": "2.7"}, {"Nations Green": f"Instruction strike, {_TRIBES}"}),
    "war chest": Setting(
        _CHEST,
        {},
        {
            "player the draft": "Pick",
            "player your turn": f"{_COIN}, Maneuver: several",
            "player the coin drawn": _COIN,
            "player the Royal Guard's loss": "Lose",
        },
    ),
    "war chest of two": Setting(
        _CHEST,
        {"opponent": "human"},
        {
            f"{side} {phase}": some
            for side in ("gold", "silver")
            for phase, some in (
                ("the draft", "Pick"),
                ("your turn", f"Claim, {_COIN}"),
                ("the coin drawn", f"Claim, {_COIN}"),
                ("the Royal Guard's loss", "Lose"),
            )
        },
    ),
    "great war": Setting(
        "great-war",
        {"ask": True, "turns": "10"},
        {
            "set-up": "Begin, Draw, Exchange, Length",
            **_ROUNDS,
            "round 2": f"{_ROUNDS['round 2']}, Lay: helped",
        },
    ),
    "great war, central": Setting("great-war", {"side": "central"}, _ROUNDS),
    "boer war": Setting("boer-war", {}, _WAR),
    "boer war, both sides": Setting(
        "boer-war",
        {"mode": "both"},
        {f"player {phase}": some for phase, some in (_BOERS | _EMPIRE).items()},
    ),
    "boer war, a table": Setting(
        "boer-war", {"mode": "table"}, {f"player {phase}": "Done" for phase in (*_BOERS, *_EMPIRE)}
    ),
}

NEVER: frozenset[tuple[str, str]] = frozenset(
    {
        ("regular empire", "Stance"),
        ("guerrilla empire", "Stance"),
        ("set-up", "GuardLeader"),
    }
)
"""What is accepted, and lawful never: only Boers slip away; before the first hand nobody holds a card."""


def phase_of(kind: str, state: Any, due: Due) -> str:
    """Return the name of a seat's decision in the table."""
    if kind == _PLAINS:
        return f"{due.seat} {state.disc}"
    if kind == "great-war":
        return str(state.stage)
    if kind == _CHEST:
        return f"{due.seat} {due.kind}"
    if kind == "boer-war":
        return f"{due.seat} {'guerrilla' if state.is_guerrilla else 'regular'} {state.side}"
    if state.phase.kind == "A":
        silent = games.kinds()[kind].rules.default(state, due)
        return "builds" if isinstance(silent[0], Waive) else "removals"
    return "moves" if state.phase.kind == "M" else "retreats"


def sort_of(asked: OrderPageInput, order: Any) -> str:
    """Return the name of an order in the table: its type and, after a colon, its variety."""
    name = type(order).__name__
    if name == "Instruction":
        return f"{name} {order.topic}"
    way = _WAYS.get(name, lambda asked, order: "")(asked, order)
    return f"{name}: {way}" if way else name


def _way_of_a_move(asked: OrderPageInput, order: Any) -> str:
    """On foot or by water; or by convoy, with a canoe-fleet on foot, onto water with it, off the water."""
    if asked.game.about.kind == "boer-war":
        return "storm" if order.storm else ""
    if asked.game.about.kind == _PLAINS or asked.view.phase.kind == "R":
        return ""
    board = asked.game.rules.board
    if order.unit.kind == "A" and (order.via or order.to not in board.army[order.unit.at]):
        return "convoy"
    if order.unit.kind != "W":
        return ""
    afloat, sails = (not board.is_land(at) for at in (order.unit.at, order.to))
    if order.canoe:
        return "launch" if sails else "carry"
    return ("afloat" if sails else "landing") if afloat else ""


def _way_of_a_round(asked: OrderPageInput, order: Any) -> str:
    if order.base is None:
        return "added" if order.plus else "pass"
    return "helped" if order.helper else "led" if order.led else "linked" if order.plus else "base"


def _way_of_a_maneuver(asked: OrderPageInput, order: Any) -> str:
    return str(order.steps[0].act) if len(order.steps) == 1 else "several"


def _way_of_an_event(asked: OrderPageInput, order: Any) -> str:
    if asked.game.about.kind == "boer-war":
        return str(order.event)
    return "against" if order.to else "in" if order.at else "alone"


_WAYS: Mapping[str, Callable[[OrderPageInput, Any], str]] = {
    "Move": _way_of_a_move,
    "Lay": _way_of_a_round,
    "Maneuver": _way_of_a_maneuver,
    "PlayEvent": _way_of_an_event,
    "BonusPlay": lambda asked, order: "" if order.play else "nothing",
}


def sorts_of(union: Any) -> frozenset[str]:
    """Every sort of a game's orders."""
    found = set()
    for one in get_args(union):
        if one.__name__ != "Instruction":
            found.add(one.__name__)
            continue
        found |= {f"Instruction {topic}" for topic in get_args(get_type_hints(one)["topic"])}
    return frozenset(found)


def games_of_bots(setting: Setting, number: int) -> Iterator[State]:
    """Each position of a game of bots; played as far as somebody asks, and once."""
    states, further = _under_way(setting, number)
    for at in count():
        if at == len(states):
            states.extend(islice(further, 1))
        if at == len(states):
            return
        yield states[at]


@cache
def _under_way(setting: Setting, number: int) -> tuple[list[State], Iterator[State]]:
    """The positions to which a game has come, and those that come."""
    return [], _played(setting, number)


def _played(setting: Setting, number: int) -> Iterator[State]:
    game, seed = setting.game, b"decisions %d" % number
    state = game.rules.setup({**settled(game), **setting.options}, SealedDice(seed, "page", 0)).state
    bot = next(iter(game.bots.values()))
    for turn in range(1, LONGEST):
        if game.rules.result(state) is not None:
            return
        yield state
        dice, orders = SealedDice(seed, "page", turn), {}
        for due in game.rules.due(state):
            view = game.rules.view(state, due.seat)
            orders[due.seat] = [
                one.order for one in bot.orders(view, due, LabelledDice(dice, f"{due.seat}/"))
            ]
        state = game.rules.adjudicate(state, orders, dice).state


def choices_that_fit(asked: OrderPageInput) -> tuple[OrderChoice, ...]:
    """The choices that the page lets one make first: each uses no more than there is."""
    choices = list_choices(asked)
    shared = asked.game.rules.order_limits(asked.view, asked.seat, [one.order for one in choices])
    most = {limit.id: limit.most for limit in shared.limits}
    uses = shared.uses or ((),) * len(choices)
    return tuple(
        one
        for one, used in zip(choices, uses, strict=True)
        if all(use.count <= most[use.limit] for use in used if use.effect == "use")
    )


def asked_in(setting: Setting, state: State, due: Due) -> OrderPageInput:
    """Return the name of a seat's decision in a position without saved orders."""
    rules, write = setting.game.rules, setting.game.notation.write
    rest = tuple(map(write, rules.default(state, due)))
    return OrderPageInput(setting.game, rules.view(state, due.seat), due.seat, (due,), (), rest)


@cache
def prepared(name: str, kinds: frozenset[Kind], most: int = 12) -> tuple[Prepared, ...]:
    """Positions in which those kinds of decisions are offered. Raises ValueError if one of them is not."""
    setting, found = SETTINGS[name], []
    missing = set(kinds)
    for state in _positions(setting, most):
        for due in setting.game.rules.due(state):
            phase = phase_of(setting.kind, state, due)
            if not any(phase == one for one, _ in missing):
                continue
            asked = asked_in(setting, state, due)
            chosen: dict[Kind, OrderChoice] = {}
            for one in choices_that_fit(asked):
                if (kind := (phase, sort_of(asked, one.order))) in missing:
                    chosen.setdefault(kind, one)
            if chosen:
                found.append(Prepared(state, asked, chosen))
                missing -= set(chosen)
        if not missing:
            return tuple(found)
    raise ValueError(f"{name}: nowhere was offered {sorted(missing)}")


def _positions(setting: Setting, most: int) -> Iterator[State]:
    """Yield the positions laid out by hand in a game of bots, then those of bots' games."""
    laid_out = _BY_HAND.get(setting.kind)
    if laid_out is not None:
        met: set[str] = set()
        for state in games_of_bots(setting, 0):
            for due in setting.game.rules.due(state):
                yield from laid_out(state, due, phase_of(setting.kind, state, due), met)
    for number in range(most):
        yield from games_of_bots(setting, number)


def _without_actions(state: Any, due: Due, phase: str, met: set[str]) -> Iterator[State]:
    """Hands of Events alone, of which one is given up."""
    if phase in met:
        return
    met.add(phase)
    events = {
        deck: tuple(
            one for one in (*hand, *state.decks.get(deck, ())) if not hands.action_cards_among(state, (one,))
        )[:2]
        for deck, hand in state.hands.items()
    }
    yield replace_fields(state, hands=events)


def _drawn_and_lost(state: Any, due: Due, phase: str, met: set[str]) -> Iterator[State]:
    """A coin that a Warrior Priest drew, each of the hand; a Royal Guard that was attacked."""
    side = state.sides.get(due.seat)
    if due.kind != COIN or side is None or not side.hand or due.seat == AUTOMATON:
        return
    for coin in dict.fromkeys(side.hand):
        rest = list(side.hand)
        rest.remove(coin)
        holding = replace_fields(side, hand=tuple(rest), drawn=coin)
        yield replace_fields(state.with_side(due.seat, holding), agenda=(UseDrawn(seat=due.seat),))
    if phase not in met:
        met.add(phase)
        free = next(at for at in NEIGHBOURS if state.stack_at(at) is None)
        guard = Stack(seat=due.seat, card=Card(ROYAL_GUARD), at=free, height=2)
        supplied = replace_fields(side, supply={**side.supply, guard.card: 1})
        lost = replace_fields(
            state, stacks=(*state.stacks, guard), agenda=(ChooseLoss(seat=due.seat, at=free),)
        )
        yield lost.with_side(due.seat, supplied)


def _cut_and_together(state: Any, due: Due, phase: str, met: set[str]) -> Iterator[State]:
    """A railway that is cut; an Empire leader beaten off, and trenches; two late Boers in one point, who have
    kept Sanna's Post; few Boers.
    """
    if phase in met or state.mode == "table":
        return
    met.add(phase)
    if phase.endswith("empire"):
        cut = ((replace_fields(state, cuts=(link,))) for link in raidable_links(state))
        yield from islice((one for one in cut if repairable_cuts(one)), 1)
    if phase.endswith("guerrilla empire"):
        yield _with_fifteen(state)
    if phase.endswith("regular boers"):
        beaten = leaders_of(state, "empire")[:1]
        point = min(points_held(state, "boers"))
        yield replace_fields(state, repulsed=beaten, trenches={**state.trenches, "boers": (point,)})
    if phase.endswith("guerrilla boers"):
        first, second = leaders_of(state, "boers")[:2]
        together = replace_fields(state.leaders[second], at=state.leaders[first].at, sp=1)
        strong = replace_fields(state.leaders[first], sp=2)
        unplayed = {event: times for event, times in state.played.items() if event != "B06"}
        yield replace_fields(
            state, leaders={**state.leaders, first: strong, second: together}, played=unplayed
        )


def _with_fifteen(state: Any) -> State:
    """About 15 Boer SP are left: there are talks then, and one fewer ends the war."""
    leaders, over = dict(state.leaders), state.sp_on_map("boers") - 15
    for one in leaders_of(state, "boers"):
        fewer = max(0, min(over, leaders[one].sp - 1))
        leaders[one], over = replace_fields(leaders[one], sp=leaders[one].sp - fewer), over - fewer
    return replace_fields(state, leaders=leaders)


def _canoes(state: Any, due: Due, phase: str, met: set[str]) -> Iterator[State]:
    """A canoe-fleet wherever somebody stands; and one War Party on the water beside it."""
    if phase in met or phase != "moves":
        return
    met.add(phase)
    board = games.kinds()["indianomacy"].rules.board
    yield replace_fields(state, canoes={unit.at: 1 for unit in state.units})
    for number, unit in enumerate(state.units):
        for water in board.places:
            if unit.power == due.seat and not board.is_land(water):
                afloat = replace_fields(unit, at=water)
                yield replace_fields(state, units=(*state.units[:number], afloat, *state.units[number + 1 :]))


_BY_HAND = {
    _PLAINS: _without_actions,
    _CHEST: _drawn_and_lost,
    "boer-war": _cut_and_together,
    "indianomacy": _canoes,
}
