"""The notation of Cairn: implements `protocol.Notation`."""

from collections.abc import Mapping

from games.cairn.model import PEBBLES, AnyOrder, Draw, Drop, Pebble, Rest, View
from games.protocol import Condition, Form, Lexicon, LexiconEntry, Notation

_FORMS = (
    Form(name="drop", pattern="(drop|play) {pebble:pebble}", example="drop flint"),
    Form(name="draw", pattern="(draw|draw a pebble)", example="draw"),
    Form(name="rest", pattern="(rest|pass)", example="rest"),
)
_CONDITIONS = (Form(name="on-top", pattern="{pebble:pebble} is on top", example="flint is on top"),)
_LEXICON = tuple(LexiconEntry(sort="pebble", id=pebble, names=(pebble,)) for pebble in PEBBLES)


class CairnNotation(Notation[View, AnyOrder]):
    """The notation."""

    forms = _FORMS
    conditions = _CONDITIONS

    def lexicon(self, view: View) -> Lexicon:
        """The pebbles' names."""
        return _LEXICON

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """The order of a matched form."""
        if form == "drop":
            return Drop(pebble=Pebble(slots["pebble"]))
        return {"draw": Draw, "rest": Rest}[form]()

    def write(self, order: AnyOrder) -> str:
        """``drop flint``, ``draw``, ``rest``."""
        return f"drop {order.pebble}" if isinstance(order, Drop) else type(order).__name__.lower()

    def write_condition(self, condition: Condition) -> str:
        """``flint is on top``"""
        return f"{condition.slots['pebble']} is on top"
