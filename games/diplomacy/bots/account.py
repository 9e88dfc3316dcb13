"""What a bot says to all when a game is over: what it had agreed to, and what became of it."""

from collections.abc import Iterator

from games.diplomacy.board import Board
from games.diplomacy.bots.accords import Accord, Dealings
from games.diplomacy.bots.consent import standings
from games.diplomacy.bots.wording import Utterance, Wording, wording
from games.diplomacy.phrases import counted, listed
from games.protocol.bot_skills import Correspondence

BEGINNING = "Now that the game is over, what we had agreed to, and what became of it:"
"""How it begins; what was agreed to be attacked lapsed by itself, and is not told."""


def account(board: Board, heard: Correspondence) -> str:
    """What became of the nation's truces and demilitarised places, with its reasons where it ended one.

    "" where all of them stand, or there were none: that breaks no silence.
    """
    found = [one for one in standings(board, heard).values() if one.accords]
    rows = [row for one in found for row in _rows(wording(board), one)]
    if not rows:
        return ""
    faithful = [one.other for one in found if all(accord.until is None for accord in one.accords)]
    stood = [f"- All that we had agreed to with {listed(faithful)} stood to the end."] if faithful else []
    return "\n".join((BEGINNING, "", *rows, *stood))


def _rows(words: Wording, found: Dealings) -> Iterator[str]:
    """A row for each accord with one nation that was ended, and how often it broke its word."""
    for accord in found.accords:
        if accord.until is not None:
            what = words.called(accord.matter)
            what = "Truce" if accord.matter.is_truce else f"{what.partition(' ')[2]} left empty"
            yield f"- {what} with {found.other}, from {accord.since}: {_end(words, found, accord)}"
    if found.broken:
        yield f"- By our count {found.other} broke its word {counted(len(found.broken), 'time')}."


def _end(words: Wording, found: Dealings, accord: Accord) -> str:
    if accord.by == found.other:
        return f"{found.other} ended it in {accord.until}."
    why = _why(words, accord)
    said = f', and wrote: "{why}"' if why else "."
    return f"we ended it in {accord.until}{said}"


def _why(words: Wording, accord: Accord) -> str:
    """The reason in the letter by which it ended, "" for none: a person may have written it."""
    row = words.write(Utterance(act="refuse", matter=accord.matter))
    _, _, rest = f"{accord.letter}\n".partition(f"{row}\n")
    return rest.partition("\n")[0]
