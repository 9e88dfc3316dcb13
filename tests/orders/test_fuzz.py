"""Letters and lines by the thousand: none breaks the reader, and none is in force that was not meant."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from orders.verdict import IN_FORCE
from tests.kit.dry_runs import read_letter, read_text
from tests.orders.test_letters import PLAYED, note_on

pytestmark = pytest.mark.long

MANY, SOAKED = 100, 4_000
LETTERS = [(path.read_bytes(), note_on(path)) for path in PLAYED]
PLACES = (
    "Paris",
    "Bur",
    "Marseilles",
    "Spa",
    "Brest",
    "MAO",
    "Mun",
    "Belgium",
    "the Channel",
    "Pic",
    "A Par",
    "F Bre",
)
NATIONS = ("Germany", "England", "Italy", "the Russians", "you", "he", "my ally")

# Talk that names places, draws arrows and says support: none of it is an order.
TALK = (
    "I hope {n} will move from {a} to {b}.",
    "What if {a} - {b}?",
    "maybe {a} -> {b}, and I support you into {c} next year",
    "Thanks for {a} S {b}, that was kind",
    "{n} told me that {a} - {b} is what he wants",
    "If {n} moves to {b} then {a} is lost",
    "Would {a} to {b} help you, or do you need {c}?",
    "I will not move {a} - {b} unless {n} agrees",
    "Do you think {n} supports {a} to {b}",
    "my guess: {n} goes {a} - {b} and then {c}",
    "last year {a} - {b} bounced, remember?",
    "You could have played {a} S {b} - {c}, could you not",
    "{a}, {b} and {c} are all I have",
    "We should talk about {a} and {b} before {n} does",
    "Is {a} - {b} legal? And {a} - {c}?",
    "he said: I shall convoy {a} to {b}",
    "never trust {n} with {a}, he will go to {b}",
    "{n} suggested: {a} - {b}, {b} - {c}",
)
ORDERS = {
    "A PAR - BUR": (
        "A Par - Bur",
        "Paris - Burgundy",
        "par-bur",
        "Army Paris moves to Burgundy",
        "A PAR M BUR",
    ),
    "A MAR S A PAR - BUR": ("A Mar S A Par - Bur", "Marseilles supports Paris to Burgundy", "mar s par-bur"),
    "F BRE - MAO": ("F Bre - MAO", "Fleet Brest to Mid-Atlantic", "bre-mid", "F Brest -> MAO"),
    "A MAR H": ("A Mar H", "Marseilles holds", "hold Marseilles", "a mar stands"),
}
AROUND = (
    ("", ""),
    ("1. ", ""),
    ("* ", ""),
    ("- ", "."),
    ("  ", "  "),
    ("France: ", ""),
    ("", ", thanks"),
    ("", ";"),
)
DASHES = ("-", "–", "—", "→", "->", "=>", "⇒", "−")


def in_force(found: dict[str, Any]) -> list[str]:
    """The orders of a letter that would count."""
    return [row["read_as"] for row in found["orders"] if row["grade"] in IN_FORCE and not row["superseded"]]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[bytes, str, str]:
    """A letter of the collection with pieces cut, doubled, moved or put in; its kind and seat."""
    raw, note = draw(st.sampled_from(LETTERS))
    other, _ = draw(st.sampled_from(LETTERS))
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.integers(0, 120)))
        cut = draw(st.integers(0, len(other)))
        piece = draw(
            st.one_of(
                st.binary(max_size=30),
                st.text(max_size=20).map(lambda text: text.encode("utf-8", "replace")),
                st.sampled_from(
                    [b"", raw[start:end] * 2, other[cut : cut + 80], b"\r\n\r\n", b"> ", b"IF ", b"\xe2"]
                ),
            )
        )
        raw = raw[:start] + piece + raw[end:]
    return raw, note["kind"], note["seat"]


@st.composite
def talk(draw: st.DrawFn) -> str:
    """A letter of talk, one sentence a line."""
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        places = draw(st.permutations(PLACES))
        line = draw(st.sampled_from(TALK)).format(
            a=places[0], b=places[1], c=places[2], n=draw(st.sampled_from(NATIONS))
        )
        line = line.replace("-", draw(st.sampled_from(DASHES))) if draw(st.booleans()) else line
        lines.append(line.capitalize() if draw(st.booleans()) else line)
    return "\n".join(lines)


@st.composite
def meant(draw: st.DrawFn) -> tuple[list[str], str]:
    """Orders as people write them, one per line, and their meanings."""
    chosen = draw(
        st.lists(st.sampled_from(sorted(ORDERS)), min_size=1, max_size=3, unique_by=lambda o: o[:5])
    )
    lines = []
    for order in chosen:
        before, after = draw(st.sampled_from(AROUND))
        text = draw(st.sampled_from(ORDERS[order]))
        text = text.replace("-", draw(st.sampled_from(DASHES)))
        text = draw(st.sampled_from([text, text.upper(), text.lower(), text.replace(" ", "\u00a0")]))
        lines.append(f"{before}{text}{after}")
    return chosen, "\n".join(lines)


@settings(max_examples=MANY)
@given(damaged())
def test_no_damaged_letter_breaks_the_reader(letter: tuple[bytes, str, str]) -> None:
    raw, kind, seat = letter
    found = read_letter(raw, kind, seat)
    assert found["disposition"] in ("read", "ignored", "quarantined")
    assert all(line.isprintable() for line in found["lines"])


@settings(max_examples=MANY)
@given(talk())
def test_no_talk_is_in_force(text: str) -> None:
    assert in_force(read_text(text)) == []


@settings(max_examples=MANY)
@given(meant(), talk(), talk())
def test_orders_between_talk_are_all_taken_and_nothing_else_is(
    orders: tuple[list[str], str], above: str, below: str
) -> None:
    chosen, text = orders
    assert in_force(read_text(f"{above}\n\n{text}\n\n{below}")) == chosen


@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=80), max_size=10),
    st.sampled_from(sorted(games.kinds())),
)
def test_no_text_breaks_the_reader_of_any_game(lines: list[str], kind: str) -> None:
    game = games.kinds()[kind]
    seat = game.about.seats({one.name: one.default for one in game.about.options if one.default is not None})[
        0
    ]
    assert read_text("\n".join(lines), kind, seat)["answered"] in (True, False)


LAWS = (
    test_no_damaged_letter_breaks_the_reader,
    test_no_talk_is_in_force,
    test_orders_between_talk_are_all_taken_and_nothing_else_is,
)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_so_it_is_of_thousands(law: Any) -> None:
    strategies = {
        test_no_damaged_letter_breaks_the_reader: (damaged(),),
        test_no_talk_is_in_force: (talk(),),
        test_orders_between_talk_are_all_taken_and_nothing_else_is: (meant(), talk(), talk()),
    }[law]
    settings(max_examples=SOAKED, deadline=None)(given(*strategies)(law.hypothesis.inner_test))()


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_fuzzer_that_watches_the_code_breaks_nothing(tmp_path: Path) -> None:
    """atheris looks for input that reaches new branches, beginning with the collection of letters."""
    pytest.importorskip("atheris", reason="pip install -e '.[fuzz]'")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, (raw, _) in enumerate(LETTERS):
        (corpus / str(number)).write_bytes(raw)
    fuzzer = Path(__file__).parent.parent / "kit" / "fuzzer.py"
    words = [sys.executable, str(fuzzer), str(corpus), "-runs=10000", "-max_len=6000", "-rss_limit_mb=4096"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "Done 10000 runs" in ran.stderr
