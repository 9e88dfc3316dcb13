"""Make the reader of spans for a seat from a parse context: emails and questions share it."""

from functools import lru_cache
from typing import Any

from orders.reading import forms as form_machine
from orders.reading import lexicon as name_index
from orders.reading.made_once import ask_once
from orders.reading.parse_context import ParseContext
from orders.reading.phases import present_words
from orders.reading.spans import SpanReader
from orders.words import keys


@lru_cache(maxsize=64)
def _keys_of(titles: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(map(keys, titles))


def make_reader(context: ParseContext, **more: Any) -> SpanReader:
    """Return the reader of spans for a context. more: further fields of it, which go before the context's."""
    native = context.native and (
        form_machine.compile_forms(context.native[0]),
        name_index.index_lexicon(context.native[1]),
    )
    fields: dict[str, Any] = {
        "grammar": form_machine.compile_forms(context.forms),
        "names": name_index.index_lexicon(context.lexicon),
        "build": context.build,
        "write": context.write,
        "titles": _keys_of(context.titles),
        "seats": _keys_of(context.seats),
        "resting": context.resting,
        "doubt": context.doubt,
        "fitted": context.fitted,
        "reaches": context.reaches,
        "native": native,
        "rests": context.resting is not tuple,
        "present": ask_once(lambda: present_words(context.turns())),
        "examples": ask_once(context.examples),
        "misgiving": context.misgiving,
    }
    return SpanReader(**{**fields, **more})
