"""JSON gives the same results as the standard library, by any faster library."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.record import json_line, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=20,
)


def outcome(read, raw):
    """Return the value that was read, or the error."""
    try:
        return repr(read(raw))
    except ValueError as fault:
        return f"{type(fault).__name__}: {fault}"


@pytest.mark.long
@given(VALUES)
def test_a_line_is_written_as_the_standard_library_writes_it(value):
    assert json_line(value) == json.dumps(value)


@given(VALUES, st.booleans())
def test_what_was_written_is_read_as_the_standard_library_reads_it(value, ascii_only):
    raw = json.dumps(value, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    assert outcome(read_json, raw) == outcome(json.loads, raw)


@given(
    st.binary(max_size=12)
    | st.text('{}[]",:0123456789-+.eE truefalsn\\u\ufeff/', max_size=14).map(str.encode)
)
def test_what_is_none_is_refused_in_the_same_words(raw):
    assert outcome(read_json, raw) == outcome(json.loads, raw)


@pytest.mark.parametrize("value", ["\x7f", "\ud800", "\u2028", "Ünal", 10**30, {"a": [{}, []]}])
def test_what_the_two_would_write_differently(value):
    assert json_line(value) == json.dumps(value)
