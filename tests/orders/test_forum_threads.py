"""Threads as browsers copy them: names, dates, changes, quotations and signatures told apart.

tests/corpora/threads holds them by forum program, written by us after the layout of each: what is to be
found, a post a line as ``author | when | edited | line; line``, then the thread as it is pasted.
"""

from pathlib import Path

import pytest

from orders.mail.forum_threads import read_posts

FOLDER = Path(__file__).parents[1] / "corpora" / "threads"
NAMES = ("jane", "joe", "iroquois")


def samples() -> list[tuple[str, str, str]]:
    """Each thread: its name, what is to be found, its text."""
    found = []
    for file in sorted(FOLDER.glob("*.txt")):
        for number, sample in enumerate(file.read_text(encoding="utf-8").split("\n=====\n"), 1):
            told, _, text = sample.partition("\n@@@@@\n")
            found.append((f"{file.stem} {number}", told.strip(), text))
    return found


SAMPLES = samples()


@pytest.mark.parametrize(("told", "text"), [one[1:] for one in SAMPLES], ids=[one[0] for one in SAMPLES])
def test_a_thread_is_told_apart(told: str, text: str) -> None:
    posts = read_posts(text, NAMES)
    rows = [f"{post.author} | {post.when} | {post.edited} | {'; '.join(post.lines)}" for post in posts]
    assert [" ".join(row.split()) for row in rows] == [" ".join(row.split()) for row in told.splitlines()]


def test_there_are_forty_of_seven_programs() -> None:
    assert len(SAMPLES) >= 40
    assert len(list(FOLDER.glob("*.txt"))) == 7


@pytest.mark.parametrize("text", ["", "Iroquois: Mohawk H", "Mohawk - Pequot\nOneida H\n", "#3\n\nby\n"])
def test_what_is_no_thread_of_a_forum_is_left_to_others(text: str) -> None:
    assert read_posts(text, NAMES) == ()
