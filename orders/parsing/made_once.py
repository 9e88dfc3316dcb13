"""What is made or asked once: things made ready of values, answers while a letter is read."""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import TypeVar

V = TypeVar("V")
M = TypeVar("M")
A = TypeVar("A")

MOST_KEPT = 64


def made_once(make: Callable[[V], M]) -> Callable[[V], M]:
    """The same function, for frozen values of which a few are asked for again and again: lexicons, forms.

    Equal values are made ready once. That two are equal takes a look at all of their parts; that one is the
    same as before takes none.
    """
    of_equals = lru_cache(maxsize=MOST_KEPT)(make)
    known: dict[int, tuple[V, M]] = {}

    @wraps(make)
    def found(value: V) -> M:
        one = known.get(id(value))
        # It is kept with what was made of it, so no other can have its identity meanwhile.
        if one is not None and one[0] is value:
            return one[1]
        if len(known) >= MOST_KEPT:
            known.clear()
        made = of_equals(value)
        known[id(value)] = value, made
        return made

    return found


def once(ask: Callable[[], A]) -> Callable[[], A]:
    """The same question, asked once; made for every letter, in a tenth of the time of `functools.cache`."""
    answers: list[A] = []

    def answer() -> A:
        if not answers:
            answers.append(ask())
        return answers[0]

    return answer


class Answers(dict[str, Sequence[str]]):
    """What is known of each verb, asked for once."""

    def __init__(self, ask: Callable[[str], Sequence[str]]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, verb: str) -> Sequence[str]:
        """Ask, and keep the answer."""
        self[verb] = known = self._ask(verb)
        return known
