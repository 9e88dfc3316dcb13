"""A cache for values that cannot change, kept until there is no more room."""

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """The last so many values that were kept, for any number of threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._kept: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Return the value that was stored under that key, or None."""
        return self._kept.get(key)

    def keep(self, key: K, value: V) -> None:
        """Keep a value, and forget the older half where there is no room."""
        if len(self._kept) >= self._room:
            # In one step, for another thread may be keeping something, too.
            for oldest in tuple(self._kept)[: self._room // 2]:
                self._kept.pop(oldest, None)
        self._kept[key] = value
