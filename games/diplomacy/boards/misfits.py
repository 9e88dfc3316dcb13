"""Values of a variant's files that don't fit their types: the entry, what is wrong, and what to write."""

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from games import language
from games.diplomacy.model import Kind
from games.messages import sentence
from games.protocol import Invalid
from games.record import Malformed, revive

_FAULT = re.compile(r"(?P<what>.*?)(?: - at (?P<key>`key` in )?`(?P<path>[^`]*)`)?", re.DOTALL)
_PATH_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_WRONG_TYPE = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_WRONG_LENGTH = re.compile(r"Expected `array` of length (\d+), got (\d+)")
_WRONG_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_MAX_SHOWN = 40
_TYPES = ("int", "float", "str", "bool", "array", "object", "null")


def read_entry(kind: Any, raw: Any, where: str) -> Any:
    """Return the value of a type from the plain value of a file or an entry.

    where: the file, or the file and the entry. Raises Invalid with the entry at fault and the remedy.
    """
    try:
        return revive(kind, raw)
    except Malformed as fault:
        raise _explain(kind, raw, where, str(fault)) from fault


def _explain(kind: Any, raw: Any, where: str, fault: str) -> Invalid:
    """Return the error for a value that doesn't fit, from the words of the library that read it."""
    found = _FAULT.fullmatch(fault)
    what, path = (found["what"], found["path"] or "$") if found else (fault, "$")
    before, hidden, _ = path.partition("[...]")
    way = [int(index) if index else name for name, index in _PATH_STEP.findall(before)]
    entry, there, kind = ": ".join([where, *_entry_names(raw, way)]), _value_at(raw, way), _type_at(kind, way)
    if found and found["key"] and isinstance(there, Mapping):
        kind = next(iter(get_args(kind)), None)
        there = next((name for name in there if name not in get_args(kind)), None)
    if hidden and isinstance(there, Mapping):
        # The library doesn't say at which of these keys it is.
        for name, value in there.items():
            try:
                read_entry(_type_at(kind, [name]), value, f"{entry}: {name}")
            except Invalid as nearer:
                return nearer
    if get_origin(kind) is Literal:
        choices = language.join_list([str(choice) for choice in get_args(kind)], "or")
        why = sentence("diplomacy.variants.not_a_choice", value=shorten(there))
        is_unit = get_args(kind) == get_args(Kind) and isinstance(there, str)
        feature = unplayed_feature(there) or "units" if is_unit else None
        remedy = sentence("diplomacy.variants.write_choice", choices=choices)
        return refuse_feature(entry, feature) if feature else Invalid(entry, why, remedy)
    see = sentence("diplomacy.variants.see_page")
    if wrong := _WRONG_TYPE.fullmatch(what):
        wanted, got = (_type_names(side) for side in wrong.groups())
        why = sentence("diplomacy.variants.wrong_type", got=got)
        return Invalid(entry, why, sentence("diplomacy.variants.write_type", wanted=wanted))
    if wrong := _WRONG_LENGTH.fullmatch(what):
        why = sentence("diplomacy.variants.wrong_length", got=wrong[2])
        return Invalid(entry, why, sentence("diplomacy.variants.write_length", wanted=wrong[1]))
    if wrong := _WRONG_FIELD.fullmatch(what):
        entry = f"{entry}: {wrong[2]}"
        if wrong[1] == "missing required":
            return Invalid(entry, sentence("diplomacy.variants.missing"), see)
        feature, near = unplayed_feature(wrong[2]), get_close_matches(wrong[2], _fields(kind), 1)
        remedy = sentence("diplomacy.variants.perhaps", name=near[0]) if near else see
        why = sentence("diplomacy.variants.no_such_entry")
        return refuse_feature(entry, feature) if feature else Invalid(entry, why, remedy)
    return Invalid(entry, sentence("diplomacy.variants.does_not_fit", fault=what.replace("`", "")), see)


_FEATURES: Mapping[str, tuple[str, ...]] = {
    "fog": ("fog", "visib", "hidden", "blind"),
    "change_of_kind": ("transform", "convert", "conversion", "change", "mutat"),
    "wings": ("wing", "air", "plane", "aircraft"),
    "railways": ("rail", "train"),
    "money": ("money", "gold", "income", "treasur", "loan", "bribe", "coin", "cost", "tax"),
    "double_moves": ("double", "multimove", "second"),
}
"""The rules of other programs that no board of ours can have, by the beginnings of words that name them."""


def unplayed_feature(name: str) -> str | None:
    """Return the rule that a name is about if no board can have it: ``fog_of_war`` is about fog."""
    words = re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return next(
        (
            feature
            for feature, beginnings in _FEATURES.items()
            if any(word.startswith(beginning) for word in words for beginning in beginnings)
        ),
        None,
    )


def refuse_feature(where: str, feature: str) -> Invalid:
    """Return the error for a rule that no board can have, with what we play instead."""
    why = sentence(f"diplomacy.unplayed.{feature}")
    return Invalid(where, why, sentence("diplomacy.unplayed.remedy"))


def shorten(value: Any) -> str:
    """Return a value as it stands in a file, if it isn't too long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _type_names(text: str) -> str:
    names = [
        sentence(f"diplomacy.variants.type_{name}") if name in _TYPES else name for name in text.split(" | ")
    ]
    return language.join_list(names, "or")


def _entry_names(raw: Any, way: Sequence[str | int]) -> list[str]:
    """Return the entries on the way to a value: ``provinces: HAV: army[0]``. Entries with an id have it."""
    names: list[str] = []
    for step in way:
        raw = _value_at(raw, [step])
        if isinstance(step, str):
            names.append(step)
        elif isinstance(raw, dict) and isinstance(raw.get("id"), str) and raw["id"]:
            names.append(raw["id"])
        elif names:
            names[-1] += f"[{step}]"
        else:
            names.append(f"[{step}]")
    return names


def _value_at(raw: Any, way: Sequence[str | int]) -> Any:
    for step in way:
        if isinstance(raw, Mapping) or (
            isinstance(raw, (list, tuple)) and isinstance(step, int) and step < len(raw)
        ):
            raw = raw.get(step) if isinstance(raw, Mapping) else raw[step]  # type: ignore[index]
        else:
            return None
    return raw


def _fields(kind: Any) -> dict[str, str]:
    """Return the attribute of a record for each key of a file."""
    names = (getattr(kind, name, ()) for name in ("__struct_encode_fields__", "__struct_fields__"))
    return dict(zip(*names, strict=True))


def _type_at(kind: Any, way: Sequence[str | int]) -> Any:
    """Return the type of an entry, or None if it isn't known."""
    for step in way:
        if step in (fields := _fields(kind)):
            kind = get_type_hints(kind, include_extras=True)[fields[step]]
        else:
            inner = get_args(kind)
            kind = inner[-1] if inner and inner[-1] is not Ellipsis else inner[0] if inner else None
        if get_origin(kind) in (Union, UnionType):
            kind = next(one for one in get_args(kind) if one is not type(None))
    return kind
