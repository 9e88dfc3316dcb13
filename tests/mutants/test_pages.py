"""What lies in memory lies there as before when it has been gathered into big pages."""

from tests.mutants.pages import gather
from tests.mutants.runner import in_a_fork, told

MEGABYTE = 1 << 20


def test_what_is_gathered_stays_as_it_was():
    """In a fork: the process of the tests has pages of its own."""

    def look():
        written = bytearray(number % 251 for number in range(MEGABYTE)) * 8
        before = bytes(written[:MEGABYTE])
        gathered = gather()
        assert gathered % (2 * MEGABYTE) == 0
        is_as_before = all(
            written[start : start + MEGABYTE] == before for start in range(0, 8 * MEGABYTE, MEGABYTE)
        )
        return told("passed" if is_as_before else "failed")

    assert in_a_fork(look) == told("passed")
