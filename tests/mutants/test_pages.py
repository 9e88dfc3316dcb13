"""Memory stays unchanged when it is gathered into big pages."""

from tests.mutants.pages import gather
from tests.mutants.runner import format_answer, run_in_fork

MEGABYTE = 1 << 20


def test_what_is_gathered_stays_as_it_was():
    """In a fork: the test process has its own pages."""

    def look():
        written = bytearray(number % 251 for number in range(MEGABYTE)) * 8
        before = bytes(written[:MEGABYTE])
        gathered = gather()
        assert gathered % (2 * MEGABYTE) == 0
        is_as_before = all(
            written[start : start + MEGABYTE] == before for start in range(0, 8 * MEGABYTE, MEGABYTE)
        )
        return format_answer("passed" if is_as_before else "failed")

    assert run_in_fork(look) == format_answer("passed")
