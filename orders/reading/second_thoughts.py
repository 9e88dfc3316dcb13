"""Lines by which people change their mind: their first words, taken off."""

from functools import lru_cache

from games.data import read_toml
from orders.words import DASH, keys, spell_umlauts, words

_SECOND_THOUGHT_SIGNS = frozenset((",", ":", ";", DASH))
_LONGEST = 7


@lru_cache(maxsize=1)
def _begins() -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    """Return the first words of all beginnings, and these as a whole."""
    table: dict[str, list[str]] = read_toml("orders", "second_thoughts.toml")["begins"]
    spellings = (
        spelling
        for several in table.values()
        for begin in several
        for spelling in (begin, spell_umlauts(begin))
    )
    whole = frozenset(map(keys, spellings))
    return frozenset(spelling[0] for spelling in whole), whole


def past_second_thought(text: str) -> str:
    """Return the tidy text behind words by which its writer changes his mind; the whole if there are none."""
    heads, begins = _begins()
    line = words(text)
    if not line or line[0].key not in heads:
        return text
    word_keys: tuple[str, ...] = ()
    rest = text
    for place, word in enumerate(line[: 2 * _LONGEST]):
        if word.key not in _SECOND_THOUGHT_SIGNS:
            word_keys = (*word_keys, word.key)
        if word_keys in begins:
            behind = next(
                (
                    later_word
                    for later_word in line[place + 1 :]
                    if later_word.key not in _SECOND_THOUGHT_SIGNS
                ),
                None,
            )
            rest = text[behind.start :] if behind is not None else rest
        if len(word_keys) >= _LONGEST:
            break
    return rest
