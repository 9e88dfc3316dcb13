"""Caches return earlier results, and their size is limited."""

from adjudicator.storage.database import BoundedCache


def test_what_was_kept_is_there_and_the_rest_is_not() -> None:
    memory: BoundedCache[str, int] = BoundedCache(8)
    memory.keep("one", 1)
    assert (memory.get("one"), memory.get("two")) == (1, None)


def test_the_older_half_goes_where_there_is_no_room() -> None:
    memory: BoundedCache[int, int] = BoundedCache(8)
    for number in range(9):
        memory.keep(number, number)
    assert [memory.get(number) for number in range(9)] == [*[None] * 4, *range(4, 9)]
