"""Whole stories of bots' games, with maps: `python -m tests.kit.stories [FOLDER]` writes docs/stories
again.

stories.toml defines each story: the bots and the seed, and what a reader has to know when. The game itself
gives the rest, so the same seed tells the same story as long as it is played the same.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from textwrap import fill

import games
from adjudicator.reports.maps import png, svg
from adjudicator.reports.results import choose_headline
from adjudicator.turns.runner import public_turn
from games.options import settle
from games.protocol import Event, Game, PastTurn, ReportLine, State, Turn
from tests.kit.bot_games import Round, rounds
from tests.kit.source_files import ROOT

DOCS = ROOT / "docs" / "stories"
MOST_BYTES = 60_000
"""The maximum size of a story's picture. A larger picture is drawn narrower."""
WIDEST_PX, NARROWER_PX = 640, 40

WIDTH = 118
"""The width of a page's lines."""

_LONG_YEAR = 4

OPENING = "opening"
"""The name of the picture before the first turn."""


@dataclass(frozen=True)
class Gloss:
    """The explanation of a word of the game at its first use."""

    when: str
    says: str


@dataclass(frozen=True)
class Story:
    """A story of a game. file: its page, without the extension. leave_out, cut: texts to leave out.

    turns: the number of turns per chapter, if the game's headings don't make chapters. named: finds the
    chapter and part in the name of a turn, if that defines them. pictures: the short names of turns with a
    picture after them, and its captions. whys: the seats whose bot's reasons are told. effort: the
    adjudications of a bot for an order sheet, 0 for its own limit. in_short: of each turn, tell the headline
    and the order with the most at stake, and of the game its result.
    """

    file: str
    kind: str
    seed: str
    bot: str
    options: Mapping[str, str]
    title: str
    lead: tuple[str, ...]
    leave_out: str
    cut: str
    turns: int
    whys: tuple[str, ...]
    pictures: Mapping[str, str]
    gloss: tuple[Gloss, ...] = ()
    effort: int = 0
    in_short: bool = False
    named: str = ""

    @property
    def game(self) -> Game:
        """The game."""
        return games.kinds()[self.kind]

    def played(self) -> Iterator[Round]:
        """Yield the game's turns."""
        options = settle(self.game.about.options, self.options)
        return rounds(self.game, self.seed.encode(), bot=self.bot, options=options, effort=self.effort)

    def picture(self, short: str) -> str:
        """Return the path of the picture after a turn, relative to the page."""
        return f"{self.file}/{short.lower()}.png"


@dataclass(frozen=True)
class Sentence:
    """A sentence with its place. chapter: its heading. part: the actor, or the phase."""

    chapter: str
    part: str
    text: str


def stories() -> tuple[Story, ...]:
    """Return all stories in the list."""
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["story"]
    return tuple(
        Story(
            **{
                **row,
                "lead": tuple(row["lead"]),
                "whys": tuple(row["whys"]),
                "gloss": tuple(Gloss(**one) for one in row.get("gloss", ())),
            }
        )
        for row in rows
    )


def page(story: Story) -> str:
    """Return the story's page in docs/stories."""
    return beginning(story, None)


def beginning(story: Story, turns: int | None) -> str:
    """Return the story up to a turn. None: all of it, with its result and the settings of the game."""
    unsaid, before = [*story.gloss], ""
    blocks = [f"# {story.title}", *story.lead, *_picture_lines(story, OPENING)]
    chapter, course = "", list[PastTurn]()
    for turn in islice(story.played(), turns):
        course.append(public_turn(story.game, turn.before, turn.after, turn.events))
        for (under, part), run in groupby(
            _sentences_of_turn(story, turn, course), key=lambda said: (said.chapter, said.part)
        ):
            if under != chapter:
                blocks.append(f"## {under}")
                chapter = under
            again = story.named and part == before
            paragraph = " ".join([*([] if again else [f"**{part}.**"]), *(said.text for said in run)])
            before = part
            blocks += [paragraph, *_explanations(paragraph, unsaid)]
        blocks += _picture_lines(story, _short(story, turn))
    if turns is None:
        blocks += [*(_summed_up(story, course) if story.in_short else ()), _origin_note(story)]
    return "\n\n".join(map(_wrap_block, blocks)) + "\n"


def drawings(story: Story) -> Iterator[tuple[str, bytes]]:
    """Yield each picture of a story: its name on the page, and its content."""
    game, before = story.game, True
    for turn in story.played():
        if before and OPENING in story.pictures:
            before = False
            yield story.picture(OPENING), draw_board(game, turn.before, (), "The beginning")
        if _short(story, turn) in story.pictures:
            yield (
                story.picture(_short(story, turn)),
                draw_board(game, turn.after, turn.events, game.rules.turn(turn.before).name),
            )


def draw_board(game: Game, state: State, events: Sequence[Event], caption: str) -> bytes:
    """Draw the public board, as wide as the page and the maximum size allow."""
    known = tuple(event for event in events if event.seen_by is None)
    drawing = svg(game, game.rules.view(state, None), known, caption)
    assert drawing is not None, "each of these games has a picture"
    width = WIDEST_PX
    while len(found := png(drawing, width)) > MOST_BYTES:
        width -= NARROWER_PX
    return found


def _sentences_of_turn(story: Story, turn: Round, course: Sequence[PastTurn]) -> Iterator[Sentence]:
    """Yield the sentences about a turn, each with its place. course: all turns up to it."""
    if not story.in_short:
        yield from _placed_sentences(story, turn)
        return
    short, name = _short(story, turn), story.game.rules.turn(turn.before).name
    year = re.sub(r"\D", "", short)
    chapter = f"Year {year}" if len(year) < _LONG_YEAR else year
    part = re.sub(r",? (?:year )?\d+", "", name)
    stake = _most_at_stake(story.game, turn)
    earlier = (past.events for past in reversed(course[:-1]))
    headline = choose_headline(story.game, course[-1].after, turn.events, earlier)
    for text in (headline, *([stake] if stake else [])):
        yield Sentence(chapter, part, text)


def _most_at_stake(game: Game, turn: Round) -> str:
    """Return the order with the largest advantage in the bot's eyes, with its reason; "" for none."""
    found = [
        (
            float(better[1]),
            f"Most at stake: {due.seat}, {game.notation.write(choice.order)} (*{choice.reason}*).",
        )
        for due, choices in turn.asked
        for choice in choices
        if (better := re.search(r"(\d+\.\d+) centres better", choice.reason))
    ]
    return max(found, key=lambda one: one[0])[1] if found and turn.before.phase.kind == "M" else ""


def _summed_up(story: Story, course: Sequence[PastTurn]) -> list[str]:
    """Return the result of a game, as in its last report."""
    told = groupby(story.game.telling.story(course), key=lambda line: line.heading)
    return [block for heading, lines in told for block in (f"## {heading}", *(one.text for one in lines))]


def _placed_sentences(story: Story, turn: Round) -> Iterator[Sentence]:
    """Yield the sentences about a turn in their order, each with its place."""
    name = story.game.rules.turn(turn.before)
    whys = {f"{due.seat}": choices[0].reason for due, choices in turn.asked if choices}
    for event in turn.events:
        line = story.game.telling.tell(event, None) if event.seen_by is None else None
        if line is None or re.search(story.leave_out, f"{line.heading}: {line.text}"):
            continue
        chapter, part = _place(story, name, line)
        text = re.sub(story.cut, "", line.text) if story.cut else line.text
        text = text[:1].upper() + text[1:]
        why = whys.pop(line.heading, "") if line.heading in story.whys else ""
        yield Sentence(chapter, part, f"{text} (*{why}*)" if why else text)


def _place(story: Story, turn: Turn, line: ReportLine) -> tuple[str, str]:
    """Return the chapter and part of a sentence, from its heading or from the turn."""
    if story.named:
        chapter, part = re.findall(story.named, turn.name)[0]
        return chapter, part
    if not story.turns:
        chapter, _, part = line.heading.replace(": ", ", ", 1).partition(", ")
        return chapter, part[:1].upper() + part[1:] or chapter
    number = int(re.sub(r"\D", "", turn.short))
    first = (number - 1) // story.turns * story.turns + 1
    who = {"ai": "the AI", "player": "the player"}.get(line.heading, line.heading)
    return f"From turn {first} on", f"{number}, {who}"


def _short(story: Story, turn: Round) -> str:
    return str(story.game.rules.turn(turn.before).short)


def _picture_lines(story: Story, short: str) -> list[str]:
    """Return the picture after a turn with its caption, if there is one."""
    said = story.pictures.get(short)
    return [] if said is None else [f"![{said}]({story.picture(short)})", f"*{said}*"]


def _explanations(text: str, unsaid: list[Gloss]) -> list[str]:
    """Return the explanations that a text needs, and remove them for later texts."""
    found = [one for one in unsaid if re.search(one.when, text)]
    for one in found:
        unsaid.remove(one)
    return [f"> {one.says}" for one in found]


def _wrap_block(block: str) -> str:
    """Wrap a paragraph. A heading, a picture and a quotation keep their beginnings."""
    if block.startswith(("#", "!")):
        return block
    return fill(
        block,
        WIDTH,
        subsequent_indent="> " * block.startswith("> "),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _origin_note(story: Story) -> str:
    thinking = f" with {story.effort} adjudications per order sheet" if story.effort else ""
    return (
        f"Bots played this game{thinking} from the seed `{story.seed}`, and the program wrote this page. "
        "To write it and its pictures again, run `python -m tests.kit.stories`. A test checks that it is "
        "still what the program writes."
    )


def main(folder: Path) -> None:
    """Write every story to a folder, with its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for story in stories():
        (folder / f"{story.file}.md").write_text(page(story), encoding="utf-8")
        for name, picture in drawings(story):
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
