"""Text between the lines of a quoted email: a change is read, a broken sentence of ours isn't."""

import pytest

from tests.kit.dry_runs import HEAD, read_letter

TITLE = "Order sheet, change it and send it back:"
QUOTED = "On Sat, 28 Nov 2026 at 10:00, Turnpost <gm@example.org> wrote:\n"


def told(*rows: str) -> tuple[list[str], list[str]]:
    """Grade and order of each row of an email that quotes ours, and its commands."""
    text = HEAD.format(subject="Re: [fox S1901M France]") + QUOTED + "\n".join(rows)
    found = read_letter(text.encode(), "standard", "France")
    orders = [f"{row['grade']} {row['read_as'] or row['line']}" for row in found["orders"]]
    return orders, [one["line"] for one in found["commands"]]


def sheet(first: str = "", second: str = "", third: str = "") -> tuple[str, ...]:
    """The order sheet of the opening with something typed below each line."""
    rows = (f"> {TITLE}", ">", "> F BRE H", first, "> A MAR H", second, "> A PAR H", third, "> ")
    return tuple(row for row in rows if row)


@pytest.mark.parametrize("gap", ["", "\n"])
def test_whole_orders_below_their_lines_are_taken(gap: str) -> None:
    typed = (f"{gap}{one}{gap}" for one in ("F Bre - Mao", "A Mar - Spa", "A Par - Bur"))
    assert told(*sheet(*typed))[0] == ["taken F BRE - MAO", "taken A MAR - SPA", "taken A PAR - BUR"]


@pytest.mark.parametrize(
    "goal", ["- MAO", "-> Mao", "→ MAO", "Mao", "to the Mid-Atlantic", "- mao.", "Mid-Atlantic!"]
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_goal_below_a_line_changes_it(goal: str, gap: str) -> None:
    assert told(*sheet(f"{gap}{goal}{gap}"))[0] == ["corrected F BRE - MAO"]


def test_a_verb_below_a_line_changes_it() -> None:
    assert told(*sheet(third="S F Bre"))[0] == ["corrected A PAR S F BRE"]


@pytest.mark.parametrize("talk", ["thanks", "Munich", "no", "I am not sure", "Mao or Eng", "as agreed"])
def test_anything_else_below_a_line_changes_nothing(talk: str) -> None:
    orders, _ = told(*sheet(talk))
    assert all(not one.startswith(("taken", "corrected")) for one in orders)


BROKEN = (
    "> all of them back, and the word|HELP explains more.",
    "> counts, and the others stay. The word CLEAR on a line of its own takes all of them back, and the|"
    "word HELP explains more.",
    "> counts, and the others stay. The word|CLEAR on a line of its own takes|all of them back, and the word|"
    "HELP explains more.",
    "> On a line of its own, the word STATUS shows what is on file, the word|HELP explains more, the word|"
    "WAIT keeps the turn from being played before its deadline.",
)


@pytest.mark.parametrize("rows", BROKEN)
def test_the_end_of_a_sentence_of_ours_is_no_command(rows: str) -> None:
    """The program that broke it put no mark before its second part."""
    assert told(*rows.split("|"), "", "A Par - Bur") == (["taken A PAR - BUR"], [])


@pytest.mark.parametrize("above", ["all of them back, and the word HELP explains more.", "Deadline: Monday"])
@pytest.mark.parametrize("command", ["HELP", "HELP orders", "STATUS", "WAIT"])
def test_a_command_below_a_whole_sentence_is_one(above: str, command: str) -> None:
    assert told(f"> {above}", command) == ([], [command])
