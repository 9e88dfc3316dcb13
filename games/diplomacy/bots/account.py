"""A bot's account to everybody after a game: what it had agreed to, and what became of it."""

from collections.abc import Iterator

from games.diplomacy.boards.board import Board
from games.diplomacy.bots.accords import Accord, Relationship
from games.diplomacy.bots.consent import read_relationships
from games.diplomacy.bots.wording import Utterance, Wording, wording
from games.diplomacy.phrases import count_noun, join_words
from games.protocol.bot_skills import Correspondence

BEGINNING = "Now that the game is over, what we had agreed to, and what became of it:"
"""How it begins; what was agreed to be attacked lapsed by itself, and is not told."""


def account(board: Board, heard: Correspondence) -> str:
    """Return an account of the nation's truces and demilitarised places, with its reasons where it ended one.

    "" where all of them stand, or there were none: that breaks no silence.
    """
    relations = [relation for relation in read_relationships(board, heard).values() if relation.accords]
    rows = [row for relation in relations for row in _rows(wording(board), relation)]
    if not rows:
        return ""
    faithful = [
        relation.other for relation in relations if all(accord.until is None for accord in relation.accords)
    ]
    stood = [f"- All that we had agreed to with {join_words(faithful)} stood to the end."] if faithful else []
    return "\n".join((BEGINNING, "", *rows, *stood))


def _rows(words: Wording, relation: Relationship) -> Iterator[str]:
    """Yield a row for each ended accord with one nation, and one on how often it broke its word."""
    for accord in relation.accords:
        if accord.until is not None:
            what = words.describe(accord.matter)
            what = "Truce" if accord.matter.is_truce else f"{what.partition(' ')[2]} left empty"
            yield f"- {what} with {relation.other}, from {accord.since}: {_end(words, relation, accord)}"
    if relation.broken_turns:
        yield (
            f"- By our count {relation.other} broke its word "
            f"{count_noun(len(relation.broken_turns), 'time')}."
        )


def _end(words: Wording, relation: Relationship, accord: Accord) -> str:
    if accord.by == relation.other:
        return f"{relation.other} ended it in {accord.until}."
    why = _why(words, accord)
    quotation = f', and wrote: "{why}"' if why else "."
    return f"we ended it in {accord.until}{quotation}"


def _why(words: Wording, accord: Accord) -> str:
    """The reason in the letter by which it ended, "" for none: a person may have written it."""
    row = words.write(Utterance(act="refuse", matter=accord.matter))
    _, _, rest = f"{accord.letter}\n".partition(f"{row}\n")
    return rest.partition("\n")[0]
