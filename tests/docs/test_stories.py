"""The stories in docs/stories are what their games tell today, and their pictures exist."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.kit.stories import DOCS, MOST_BYTES, Story, beginning, draw_board, page, stories

STORIES = {story.file: story for story in stories()}
TURNS = 6
each = pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)


@each
def test_a_story_is_told_as_its_game_is_played(story: Story) -> None:
    """`python -m tests.kit.stories` writes text and pictures; look at both afterwards.

    Where bots think long only the first turns are compared: a whole game takes ten seconds or more.
    """
    told, lies = beginning(story, TURNS if story.effort else None), read(story)
    assert lies[: len(told)] == told
    assert lies == told or story.effort


@pytest.mark.soak
@pytest.mark.parametrize("story", [one for one in STORIES.values() if one.effort], ids=lambda one: one.file)
def test_a_story_of_bots_that_think_is_told_to_its_end(story: Story) -> None:
    assert read(story) == page(story)


@each
def test_what_has_to_be_explained_comes_up(story: Story) -> None:
    """It is explained once. The explanation of a word that the game no longer uses would be missing."""
    told = " ".join(read(story).replace("\n> ", " ").split())
    assert [gloss.says for gloss in story.gloss if told.count(gloss.says) != 1] == []


@each
def test_its_pictures_are_on_the_page_and_in_the_folder(story: Story) -> None:
    told = read(story)
    named = [story.picture(short) for short in story.pictures]
    assert 6 <= len(named) <= 12
    assert [name for name in named if told.count(f"]({name})") != 1] == []
    assert sorted(named) == sorted(str(path.relative_to(DOCS)) for path in (DOCS / story.file).iterdir())
    assert [name for name in named if not is_light(DOCS / name)] == []


def read(story: Story) -> str:
    """The page as it lies in docs/stories."""
    return (DOCS / f"{story.file}.md").read_text(encoding="utf-8")


def is_light(path: Path) -> bool:
    """Return whether a picture has a palette and stays within the limit of size."""
    with Image.open(path) as picture:
        return picture.mode == "P" and path.stat().st_size <= MOST_BYTES


@each
def test_a_picture_is_drawn_as_it_lies_there(story: Story) -> None:
    """The first of each, in its size."""
    first = next(story.played())
    picture = Image.open(BytesIO(draw_board(story.game, first.before, (), "The beginning")))
    assert picture.mode == "P"
    if "opening" in story.pictures:
        with Image.open(DOCS / story.picture("opening")) as lies:
            assert lies.size == picture.size
