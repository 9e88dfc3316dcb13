"""The message catalogue of the reader of emails: ``messages.toml``, one table per module that speaks."""

from collections.abc import Callable, Mapping
from functools import cache

from games.messages import fill_of, load_messages


def sentence(slug: str, /, **values: object) -> str:
    """Return the sentence of a slug such as ``grading.chatty``, with the values filled in.

    Raises KeyError for an unknown slug or a missing value.
    """
    return _find_fill(slug)(values)


@cache
def _find_fill(slug: str) -> Callable[[Mapping[str, object]], str]:
    table, entry = slug.split(".")
    return fill_of(load_messages("orders")[table][entry])
