"""A mapping whose values are made when they are first asked for: listing the names makes none."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

ValueT = TypeVar("ValueT")


class LazyMapping(Mapping[str, ValueT]):
    """The results of these functions, by name, in their order; each is called once."""

    def __init__(self, makers: Mapping[str, Callable[[], ValueT]]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, ValueT] = {}

    def __getitem__(self, name: str) -> ValueT:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers
