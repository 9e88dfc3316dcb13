"""What the AI would do in a position given as JSON, and why: implements `protocol.WhatIf`.

Sides are written ``ai`` and ``human`` here, nations ``entente`` and ``central``. Nothing is left to chance:
dice are given, random discards do not happen.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.fields import Field
from games.great_war import dealing, solo
from games.great_war.bonus import play_bonus
from games.great_war.cards import NATIONS, CardId, Nation, Pile, book, meta
from games.great_war.closing import Settled, blockade, outcome, points
from games.great_war.model import AI, PLAYER, Army, How, Laid, Stack, Stage, State, Weighed, other_nation
from games.great_war.phrases import because
from games.great_war.table import Table
from games.great_war.tales import CardLaid, Chose, Drew, LeaderStopped
from games.protocol import Invalid, Seat
from games.record import changed

SIDES: dict[str, Seat] = {"human": PLAYER, "ai": AI}
_HOWS: tuple[How, ...] = ("placed", "opening", "base", "plus", "led", "with_leader", "bonus_phase")
_KEYS = (
    *("kind", "ai_side", "ai_role", "round", "die", "dice", "events", "event", "neutral", "nationality"),
    *("bonus", "ai_hand", "ai_play", "enemy_play", "enemy_hand", "enemy_cancels_leader", "save"),
)
_PASSED_OVER = ("id", "note", "expect")
"""What a collection of positions says for its readers."""

Fields = Mapping[str, Field]


class GreatWarWhatIf:
    """The questions."""

    def position(self, question: Any) -> State:
        """The state of a position: the player's Combat Round is awaited, with `enemy_hand` as his hand.

        Raises Invalid whose `what` is the path at fault.
        """
        return _state(Field(question).entries((*_KEYS, *_PASSED_OVER)))

    def bot(self, question: Any) -> dict[str, Any]:
        """What the AI does, by the kind of question. Raises Invalid as `position` does.

        draw: placed, hand, discarded; opening, round: lays with their effects, both totals, ai_hand_left;
        jack_reaction: play; event: cancel_with; bonus: rolls_used, class, lays, totals; score: blockades,
        totals, winner, captured, points. Beside these a reason, one sentence.
        """
        fields = Field(question).entries((*_KEYS, *_PASSED_OVER))
        kind = _wanted(fields, "kind")
        answer = _ANSWERS.get(kind.text())
        if answer is None:
            raise kind.wrong(f"there is no kind {kind.value}", f"known are {', '.join(_ANSWERS)}")
        return answer(fields, Table(_state(fields), None, _phase(fields)))


def _phase(fields: Fields) -> Any:
    if fields["kind"].value in ("bonus", "score"):
        return "bonus"
    return "round 2" if _number(fields) == 2 else "round 1"


# The answers.


def _draw(fields: Fields, table: Table) -> dict[str, Any]:
    die = _die(fields)
    discarded = dealing.deal_ai(table, die)
    drew = next(event for event in table.events if isinstance(event, Drew))
    return {
        "placed": list(drew.placed),
        "hand": list(table.army(AI).hand),
        "discarded": list(discarded),
        "reason": because(Weighed(case="hand", clause="GW-3.3", dice=(die,), cards=discarded), table.book),
    }


def _opening(fields: Fields, table: Table) -> dict[str, Any]:
    row = [changed(laid, how="placed") for laid in table.army(AI).row]
    table.set_army(AI, row=tuple(row))
    solo.open_defence(table, AI, _die(fields))
    return _laid(table)


def _round(fields: Fields, table: Table) -> dict[str, Any]:
    held = table.army(PLAYER).hand
    cancels = "enemy_cancels_leader" in fields and fields["enemy_cancels_leader"].flag()
    able = [one for one in held if table.stops_leaders(one)] if cancels else []
    table.guard = lambda table, seat, leader: _stopped(table, leader, able)
    solo.play_round(table, AI)
    return _laid(table)


def _stopped(table: Table, leader: CardId, able: list[CardId]) -> bool:
    if not able:
        return False
    by = able.pop(0)
    able.clear()
    table.turn(AI, leader, up=False)
    table.spend(PLAYER, by)
    table.tell(LeaderStopped, seat=AI, card=leader, by=by)
    return True


def _reaction(fields: Fields, table: Table) -> dict[str, Any]:
    leaders = [laid.card for laid in table.army(PLAYER).row if laid.up and table.is_leader(laid.card)]
    by = solo.reaction(table, AI) if leaders else None
    why = Weighed(case="reaction", clause="GW-6.1", cards=(by, leaders[-1])) if by else _NOTHING
    return {"play": by, "reason": because(why, table.book)}


def _event(fields: Fields, table: Table) -> dict[str, Any]:
    event = _card(_wanted(fields, "event"))
    by = solo.answer_to_event(table, AI) if table.card(event).effects else None
    why = Weighed(case="event", clause="GW-4.5", cards=(by, event)) if by else _NOTHING
    return {"cancel_with": by, "reason": because(why, table.book)}


_NOTHING = Weighed(case="pass", clause="GW-5.1")


def _bonus(fields: Fields, table: Table) -> dict[str, Any]:
    given = [_pip(one) for one in fields["dice"].items()] if "dice" in fields else []
    used: list[int] = []

    def roll(label: str) -> int:
        if len(used) == len(given):
            raise Invalid("dice", "more dice are thrown than are given", f"give {len(used) + 1}")
        used.append(given[len(used)])
        return used[-1]

    why = play_bonus(table, AI, roll)
    told = _laid(table)
    return {
        "rolls_used": len(used),
        "class": why.kind if why is not None and why.cards else None,
        **{key: told[key] for key in ("lays", "ai_total", "enemy_total")},
        "reason": because(why or _NOTHING, table.book),
    }


def _score(fields: Fields, table: Table) -> dict[str, Any]:
    first = AI if table.now.attacker == PLAYER else PLAYER
    taken = [pair for seat in (first, PLAYER if first == AI else AI) for pair in blockade(table, seat, {})]
    totals = {name: table.now.total(seat) for name, seat in SIDES.items()}
    found = outcome(table, _saves(fields))
    names = {seat: name for name, seat in SIDES.items()}
    return {
        "blockades": [list(pair) for pair in taken],
        "totals": totals,
        "winner": names[found.winner] if found.winner else None,
        "captured": list(found.captured),
        "points": points(table, found.captured),
        "reason": _scored(found, names),
    }


def _scored(found: Settled, names: Mapping[Seat, str]) -> str:
    if found.winner is None:
        return "The totals are level, so nobody wins the Turn."
    what = f"captures {', '.join(found.captured)}" if found.captured else "captures nothing"
    return f"The side with more Battle Points, {names[found.winner]}, wins the Turn and {what}."


_ANSWERS: dict[str, Callable[[Fields, Table], dict[str, Any]]] = {
    "draw": _draw,
    "opening": _opening,
    "round": _round,
    "jack_reaction": _reaction,
    "event": _event,
    "bonus": _bonus,
    "score": _score,
}


def _laid(table: Table) -> dict[str, Any]:
    """What was laid, both totals, the AI's hand, and why."""
    lays: list[dict[str, Any]] = []
    for event in table.events:
        if isinstance(event, CardLaid):
            effects = [[done.op, done.card] for done in event.done]
            lays.append({"card": event.card, "how": event.how, "effects": effects})
        elif isinstance(event, LeaderStopped):
            lays.append({"card": event.by, "how": "react", "effects": [["cancel", event.card]]})
    whys = [event.why for event in table.events if isinstance(event, Chose)]
    return {
        "lays": lays,
        "ai_total": table.now.total(AI),
        "enemy_total": table.now.total(PLAYER),
        "ai_hand_left": list(table.army(AI).hand),
        "reason": " ".join(because(why, table.book) for why in whys) or "Nothing can be laid.",
    }


# Reading a position.


def _state(fields: Fields) -> State:
    side, role = _nation(fields), _role(fields)
    # In odd Turns the human attacks.
    turn = 1 if role == "defender" else 2
    number = _number(fields)
    stage: Stage = "round 2" if number == 2 else "round 1"
    hand = book().in_order(_cards(fields.get("ai_hand")))
    ai = Army(nation=side, hand=hand, row=_row(fields.get("ai_play"), number))
    human = Army(
        nation=other_nation(side),
        hand=book().in_order(_cards(fields.get("enemy_hand"))),
        row=_row(fields.get("enemy_play"), number),
    )
    decks: dict[Pile, Stack] = {
        "neutral": Stack(deck=_cards(fields.get("neutral"))),
        "bonus": Stack(deck=_cards(fields.get("bonus"))),
        side: Stack(deck=_cards(fields.get("nationality"))),
    }
    row = {laid.card for laid in (*ai.row, *human.row)}
    return State(
        options={"side": "allies" if human.nation == NATIONS[0] else "central", "turns": "5"},
        turn=turn,
        stage=stage,
        armies={PLAYER: human, AI: ai},
        piles=decks,
        aside=tuple(CardId(one) for one in meta()["set_aside_solo"] if one not in row),
        force=_cards(fields.get("events")),
    )


def _wanted(fields: Fields, key: str) -> Field:
    if key not in fields:
        raise Invalid(key, "is missing")
    return fields[key]


def _nation(fields: Fields) -> Nation:
    field = _wanted(fields, "ai_side")
    if field.text() not in NATIONS:
        raise field.wrong(f"{field.value} is no side", f"write {' or '.join(NATIONS)}")
    return NATIONS[NATIONS.index(field.value)]


def _role(fields: Fields) -> str:
    field = _wanted(fields, "ai_role")
    if field.text() not in ("attacker", "defender"):
        raise field.wrong(f"{field.value} is no role", "write attacker or defender")
    return field.text()


def _number(fields: Fields) -> int:
    if "round" not in fields:
        return 2 if fields.get("kind", Field("")).value in ("bonus", "score", "jack_reaction") else 1
    number = fields["round"].number(1)
    if number > 2:
        raise fields["round"].wrong(f"{number} is no Combat Round", "write 1 or 2")
    return number


def _die(fields: Fields) -> int:
    return _pip(_wanted(fields, "die"))


def _pip(field: Field) -> int:
    if field.number(1) > 6:
        raise field.wrong(f"{field.value} is no number of a die", "write a number from 1 to 6")
    return field.number(1)


def _card(field: Field) -> CardId:
    one = CardId(field.text())
    if one not in book().cards:
        raise field.wrong(f"there is no card {field.value}", "write an id, as B-QS or W03")
    return one


def _cards(field: Field | None) -> tuple[CardId, ...]:
    return tuple(_card(one) for one in field.items()) if field is not None else ()


def _row(field: Field | None, number: int) -> tuple[Laid, ...]:
    return tuple(_one_laid(one, number) for one in field.items()) if field is not None else ()


def _one_laid(field: Field, number: int) -> Laid:
    if isinstance(field.value, str):
        one = _card(field)
        return Laid(card=one, bp=book()[one].bp, round=1, how="base")
    parts = field.entries(("card", "up", "bp", "round", "how"))
    one = _card(_wanted(parts, "card"))
    how = parts["how"].text() if "how" in parts else "base"
    if how not in _HOWS:
        raise parts["how"].wrong(f"{how} is no way to lay a card", f"known are {', '.join(_HOWS)}")
    return Laid(
        card=one,
        bp=parts["bp"].number() if "bp" in parts else book()[one].bp,
        up=parts["up"].flag() if "up" in parts else True,
        round=parts["round"].number(1) if "round" in parts else 1,
        how=_HOWS[_HOWS.index(how)],
    )


def _saves(fields: Fields) -> dict[Seat, int]:
    """Cards kept from capture by side: a side, several, or how many of each."""
    field = fields.get("save")
    if field is None or field.value is None:
        return {}
    if isinstance(field.value, dict):
        return {_side(one, name): one.number() for name, one in field.entries().items()}
    sides = [field] if isinstance(field.value, str) else list(field.items())
    return {_side(one, one.text()): 1 for one in sides}


def _side(field: Field, name: str) -> Seat:
    if name not in SIDES:
        raise field.wrong(f"{name} is no side", "write human or ai")
    return SIDES[name]
