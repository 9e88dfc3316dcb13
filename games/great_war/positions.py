"""Positions of The Great War in JSON, read field by field."""

from collections.abc import Mapping

from games.fields import Field
from games.great_war.components import NATIONS, CardId, Nation, Pile, book, card_list_facts
from games.great_war.model import AI, PLAYER, Army, How, Stack, Stage, State, TableCard, other_nation
from games.protocol import Invalid, Seat

SEAT_BY_SIDE: dict[str, Seat] = {"human": PLAYER, "ai": AI}
"""What the sides are called."""

QUESTION_KEYS = (
    *("kind", "ai_side", "ai_role", "round", "die", "dice", "events", "event", "neutral", "nationality"),
    *("bonus", "ai_hand", "ai_play", "enemy_play", "enemy_hand", "enemy_cancels_leader", "save"),
)
"""What a question may say."""

IGNORED_KEYS = ("id", "note", "expect")
"""What a collection of positions says for its readers."""

Fields = Mapping[str, Field]
_HOWS: tuple[How, ...] = ("placed", "opening", "base", "plus", "led", "with_leader", "bonus_phase")


def state_of(fields: Fields) -> State:
    """The position that a question gives. Raises Invalid with the path at fault."""
    side, role = _nation(fields), _role(fields)
    # In odd Turns the human attacks.
    turn = 1 if role == "defender" else 2
    number = round_of(fields)
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
    row = {table_card.card for table_card in (*ai.row, *human.row)}
    return State(
        options={"side": "allies" if human.nation == NATIONS[0] else "central", "turns": "5"},
        turn=turn,
        stage=stage,
        armies={PLAYER: human, AI: ai},
        piles=decks,
        aside=tuple(CardId(card_id) for card_id in card_list_facts()["set_aside_solo"] if card_id not in row),
        force=_cards(fields.get("events")),
    )


def required_field(fields: Fields, key: str) -> Field:
    """Return a field that has to be there. Raises Invalid if it is not."""
    if key not in fields:
        raise Invalid(key, "is missing")
    return fields[key]


def _nation(fields: Fields) -> Nation:
    field = required_field(fields, "ai_side")
    if field.text() not in NATIONS:
        raise field.wrong(f"{field.value} is no side", f"write {' or '.join(NATIONS)}")
    return NATIONS[NATIONS.index(field.value)]


def _role(fields: Fields) -> str:
    field = required_field(fields, "ai_role")
    if field.text() not in ("attacker", "defender"):
        raise field.wrong(f"{field.value} is no role", "write attacker or defender")
    return field.text()


def round_of(fields: Fields) -> int:
    """The Combat Round that a question is about. Raises Invalid for a number that is none."""
    if "round" not in fields:
        return 2 if fields.get("kind", Field("")).value in ("bonus", "score", "jack_reaction") else 1
    number = fields["round"].number(1)
    if number > 2:
        raise fields["round"].wrong(f"{number} is no Combat Round", "write 1 or 2")
    return number


def die_of(fields: Fields) -> int:
    """The number of the AI's die. Raises Invalid."""
    return pip(required_field(fields, "die"))


def pip(field: Field) -> int:
    """A number of a die. Raises Invalid for any other."""
    if field.number(1) > 6:
        raise field.wrong(f"{field.value} is no number of a die", "write a number from 1 to 6")
    return field.number(1)


def card_of(field: Field) -> CardId:
    """A card by its id. Raises Invalid if there is none."""
    card_id = CardId(field.text())
    if card_id not in book().cards:
        raise field.wrong(f"there is no card {field.value}", "write an id, as B-QS or W03")
    return card_id


def _cards(field: Field | None) -> tuple[CardId, ...]:
    return tuple(card_of(card_field) for card_field in field.items()) if field is not None else ()


def _row(field: Field | None, number: int) -> tuple[TableCard, ...]:
    return tuple(_table_card(card_field, number) for card_field in field.items()) if field is not None else ()


def _table_card(field: Field, number: int) -> TableCard:
    if isinstance(field.value, str):
        card_id = card_of(field)
        return TableCard(card=card_id, bp=book()[card_id].bp, round=1, how="base")
    parts = field.entries(("card", "up", "bp", "round", "how"))
    card_id = card_of(required_field(parts, "card"))
    how = parts["how"].text() if "how" in parts else "base"
    if how not in _HOWS:
        raise parts["how"].wrong(f"{how} is no way to lay a card", f"known are {', '.join(_HOWS)}")
    return TableCard(
        card=card_id,
        bp=parts["bp"].number() if "bp" in parts else book()[card_id].bp,
        up=parts["up"].flag() if "up" in parts else True,
        round=parts["round"].number(1) if "round" in parts else 1,
        how=_HOWS[_HOWS.index(how)],
    )


def saves_of(fields: Fields) -> dict[Seat, int]:
    """Cards kept from capture by side: a side, several, or how many of each."""
    field = fields.get("save")
    if field is None or field.value is None:
        return {}
    if isinstance(field.value, dict):
        return {_side(count, name): count.number() for name, count in field.entries().items()}
    sides = [field] if isinstance(field.value, str) else list(field.items())
    return {_side(side, side.text()): 1 for side in sides}


def _side(field: Field, name: str) -> Seat:
    if name not in SEAT_BY_SIDE:
        raise field.wrong(f"{name} is no side", "write human or ai")
    return SEAT_BY_SIDE[name]
