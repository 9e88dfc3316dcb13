"""Lines by which people change their mind: what they begin with, taken off."""

from functools import lru_cache

from games.data import read_toml
from orders.words import DASH, keys, spelt_out, words

_MARKS = frozenset((",", ":", ";", DASH))
_LONGEST = 7


@lru_cache(maxsize=1)
def _begins() -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    """The first words of all beginnings, and these as a whole."""
    table: dict[str, list[str]] = read_toml("orders", "second_thoughts.toml")["begins"]
    said = (one for several in table.values() for begin in several for one in (begin, spelt_out(begin)))
    whole = frozenset(map(keys, said))
    return frozenset(one[0] for one in whole), whole


def past_second_thought(text: str) -> str:
    """The tidy text behind words by which its writer changes his mind; the whole if it begins with none."""
    heads, begins = _begins()
    line = words(text)
    if not line or line[0].key not in heads:
        return text
    said: tuple[str, ...] = ()
    rest = text
    for place, word in enumerate(line[: 2 * _LONGEST]):
        if word.key not in _MARKS:
            said = (*said, word.key)
        if said in begins:
            behind = next((one for one in line[place + 1 :] if one.key not in _MARKS), None)
            rest = text[behind.start :] if behind is not None else rest
        if len(said) >= _LONGEST:
            break
    return rest
