"""The schema of the questions and answers of `gm judge`, kind by kind: docs/judge.schema.json."""

import json
from typing import Any

import games
from games.boer_war.model import LeaderStanding
from games.great_war.model import ExchangePair, HandSplit, TableCard
from games.judging import JudgeKeys
from games.plains_indian_wars.model import CavalryColumn
from games.pool import RoundCounters
from games.protocol import Due, OwedOrder
from games.record import field_types, schema

JUDGE_SCHEMA_NAMES: dict[type, str] = {
    OwedOrder: "Owed",
    LeaderStanding: "Standing",
    RoundCounters: "Counters",
    ExchangePair: "Pair",
    HandSplit: "Parts",
    TableCard: "Laid",
    CavalryColumn: "Column",
}
"""The names of these records in the published schema, after the kind's name. They must not change."""

Json = dict[str, Any]
TEXTS: Json = {"type": "array", "items": {"type": "string"}}
TEXT_OR_NULL: Json = {"anyOf": [{"type": "string"}, {"type": "null"}]}
NUMBERS: Json = {"type": "array", "items": {"type": "integer", "minimum": 1}}
ORDERS: Json = {"type": "object", "additionalProperties": TEXTS}
SEED: Json = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
DICE: Json = {
    "type": "object",
    "additionalProperties": {"anyOf": [{"type": "integer", "minimum": 1}, NUMBERS]},
}
OPTIONS: Json = {"type": "object", "additionalProperties": {"type": ["string", "integer", "boolean"]}}
DRIVEN_OUT: Json = {
    "type": "object",
    "properties": {"unit": {"type": "string"}, "by_from": {"type": "string"}, "retreats": TEXTS},
    "required": ["unit"],
    "additionalProperties": False,
}
BOARD: Json = {
    "phase": {"type": "string"},
    "units": ORDERS,
    "centres": ORDERS,
    "dislodged": {"type": "object", "additionalProperties": {"type": "array", "items": DRIVEN_OUT}},
    "contested": TEXTS,
    "options": OPTIONS,
}
FURTHER: Json = {
    "canoes": {"type": "object", "additionalProperties": {"type": "integer"}},
    "bay_entered": {"type": "object", "additionalProperties": {"type": "string"}},
    "bay_from": {"type": "object", "additionalProperties": {"type": "string"}},
    "taboo": {"type": "boolean"},
    "build_ban": {"type": "object", "additionalProperties": {"type": "integer"}},
    "dice": DICE,
    "seed": SEED,
}
RESULT_OF_BOARD: Json = {
    "type": "object",
    "properties": {
        **{key: TEXT_OR_NULL for key in ("order", "read_as", "unit", "reason")},
        **{key: {"type": "string"} for key in ("power", "outcome", "phase")},
        "dislodged": {"type": "boolean"},
    },
    "required": ["power", "order", "read_as", "unit", "outcome", "reason"],
    "additionalProperties": False,
}
RESULT: Json = {
    "type": "object",
    "properties": {
        **{key: TEXT_OR_NULL for key in ("order", "read_as", "reason")},
        "seat": {"type": "string"},
        "outcome": {"enum": ["taken", "void", "waiting"]},
    },
    "required": ["seat", "order", "read_as", "outcome", "reason"],
    "additionalProperties": False,
}
EVENT: Json = {
    "type": "object",
    "properties": {"text": TEXT_OR_NULL, "event": {"type": "object"}},
    "required": ["text", "event"],
    "additionalProperties": False,
}


def judge_schema() -> Json:
    """Return the schema of every question and answer. ``$defs`` has them by kind."""
    found: Json = {}
    for kind, game in games.kinds().items():
        board = game.package == "games.diplomacy"
        found |= _board(kind) if board else _other(kind)
    kinds = [kind for kind in games.kinds() if f"{kind} question" in found]
    ways = [{"$ref": f"#/$defs/{kind} {part}"} for kind in kinds for part in ("question", "answer")]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gm judge: questions and answers, by kind of game",
        "anyOf": ways,
        "$defs": found,
    }


def _board(kind: str) -> Json:
    further = FURTHER if kind == "indianomacy" else {}
    position = {**BOARD, **further}
    answer = {
        "phase": {"type": "string"},
        "results": {"type": "array", "items": RESULT_OF_BOARD},
        "next": _object({**position, "phase": TEXT_OR_NULL}, ["phase", "units"]),
        "winners": TEXTS,
    }
    question = {**position, "orders": ORDERS}
    return {
        f"{kind} question": _nullable(_object(question, ["phase", "units"])),
        f"{kind} answer": _object(answer, ["phase", "results", "next"]),
    }


def _other(kind: str) -> Json:
    told = json.loads(
        json.dumps(schema(games.kinds()[kind].state_type, JUDGE_SCHEMA_NAMES)).replace(
            "#/$defs/", f"#/$defs/{kind} "
        )
    )
    parts: Json = {f"{kind} {name}": part for name, part in told["$defs"].items()}
    state = parts.pop(f"{kind} State")
    position = dict(state["properties"])
    wanted = list(state.get("required", ()))
    if kind == "plains-indian-wars":
        position["scenario"], wanted = {"type": "string"}, []
    if kind == "boer-war":
        three = {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}
        position["counters"], wanted = {"type": "object", "additionalProperties": three}, []
        position["seat"] = {"type": "string"}
    due = json.loads(json.dumps(schema(Due, JUDGE_SCHEMA_NAMES)).replace("#/$defs/", f"#/$defs/{kind} "))
    parts |= {f"{kind} {name}": part for name, part in due["$defs"].items()}
    asked: Json = {"orders": ORDERS, "dice": DICE, "seed": SEED}
    assert {*asked, "begin"} == {*field_types(JudgeKeys)}
    begun: Json = {"begin": {"const": True}, "options": OPTIONS, "dice": DICE, "seed": SEED}
    answer: Json = {
        "turn": TEXT_OR_NULL,
        "results": {"type": "array", "items": RESULT},
        "events": {"type": "array", "items": EVENT},
        "thrown": {"type": "object", "additionalProperties": NUMBERS},
        "next": _object({**position, "seed": SEED}, wanted),
        "due": {"type": "array", "items": {"$ref": due["$ref"]}},
        "winners": TEXTS,
        "ended": {"type": "string"},
    }
    said = _nullable(_object({**position, **asked}, [key for key in wanted if key != "options"]))
    return {
        **parts,
        f"{kind} question": {"anyOf": [_object(begun, ["begin"]), said]},
        f"{kind} answer": _object(answer, ["turn", "results", "events", "thrown", "next", "due"]),
    }


def _object(properties: Json, wanted: list[str]) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(wanted),
        "additionalProperties": False,
    }


def _nullable(part: Json) -> Json:
    """Return a schema that also allows null."""
    told = {
        key: one if key in part["required"] else {"anyOf": [one, {"type": "null"}]}
        for key, one in part["properties"].items()
    }
    return {**part, "properties": told}
