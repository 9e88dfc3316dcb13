"""A game as everybody may know it: its document without people, and without what is not known yet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import games
from adjudicator.clock import DAY
from adjudicator.errors import Refusal
from adjudicator.gamesmaster.document import GAMESMASTER, SOMEBODY, Export, Logged
from adjudicator.ledger import seals
from adjudicator.ledger.hours import Timing
from adjudicator.ledger.overrides import PLAYED
from adjudicator.ledger.positions import Chair, Entry
from adjudicator.ledger.society import Press
from adjudicator.signs.redaction import redacted
from adjudicator.store.endings import KIND as AGREED
from games.record import changed

HOUSE = ("gm", "clock", "import", "sign-up")
"""Who may be named in everybody's log: nobody in particular."""

UNPLAYED = ("before", "orders", "texts")
"""What lies on file for turns to come, or on a condition, is in these too, and stays unknown for good."""

YET_TO_FALL = ("label", "numbers")


def for_all(whole: Export) -> Export:
    """The document without what concerns people alone, and without what the turn due now will show.

    It is the same whatever lies on file, is set by hand or waits. Raises Refusal for a game that lasts and
    in which seats see different things.
    """
    over = whole.status == "finished"
    sight = sight_of(whole.entries)
    log = tuple(public_log(whole.log, sight, over))
    return changed(frame_for_all(whole, sight), log=log)


def frame_for_all(whole: Export, sight: "Sight") -> Export:
    """All of that document but for the log, as the first says. Raises as `for_all`."""
    over = whole.status == "finished"
    if games.kinds()[whole.kind].about.hidden and not over:
        raise Refusal(
            f"game {whole.game}",
            "seats see different things in it, so that its log is no public matter before its end",
            "wait until it is over",
        )
    return changed(
        whole,
        public=True,
        deadline=None,
        timing=Timing(),
        secret=whole.secret if over else None,
        seats=tuple(
            Chair(seat=one.seat, bot=one.bot, temper=one.temper, missed=one.missed) for one in whole.seats
        ),
        filed={},
        log=(),
        head=sight.head,
        press=_public_press(whole.press),
        absences=(),
        votes=(),
        observers=(),
        minutes=(),
        letters=(),
    )


def _public_press(press: Sequence[Press]) -> tuple[Press, ...]:
    """What was written to all. Of grey press neither who wrote it, nor when to the second: two letters of a
    moment are of one hand."""
    bare = [
        changed(
            one,
            seat=None if one.kind == "grey" else one.seat,
            at=one.at - one.at % DAY if one.kind == "grey" else one.at,
            text=redacted(one.text),
        )
        for one in press
        if one.to is None
    ]
    # Numbers with gaps would tell how much was written in private.
    return tuple(
        changed(one, number=number) for number, one in enumerate(sorted(bare, key=lambda one: one.at), 1)
    )


@dataclass(frozen=True)
class Sight:
    """What a log has to be looked through for before any of it is shown.

    count: how many of its entries are shown; head: the SHA-256 of the last of them; fallen: where each die
    that was set was last thrown, by its label.
    """

    count: int
    head: str
    fallen: Mapping[str, int]


def sight_of(entries: Iterable[Entry]) -> Sight:
    """What of a log is shown: it ends with the last turn that was played."""
    fallen: dict[str, int] = {}
    for place, entry in enumerate(entries):
        fallen |= {throw.label: place for throw in entry.throws if throw.forced and not throw.is_bots}
        if entry.kind in (*PLAYED, AGREED):
            shown = place, entry, dict(fallen)
    end, last, fallen = shown
    return Sight(end + 1, last.sha, fallen)


def public_log(log: Iterable[Logged], sight: Sight, over: bool) -> Iterator[Logged]:
    """The entries that everybody may know, each without what is private of it."""
    for place, one in enumerate(islice(log, sight.count)):
        yield Logged(entry=_public_entry(one.entry, place, sight, over), state=one.state)


def _public_entry(entry: Entry, place: int, sight: Sight, over: bool) -> Entry:
    names = entry.by in HOUSE
    parts = [*UNPLAYED] if names else ["by", *UNPLAYED]
    if entry.why:
        parts.append("why")
    if not over:
        parts.append(seals.BOTS)
        # A die that was set and has been thrown since is no secret.
        if sight.fallen.get(entry.options.get("label", ""), -1) < place:
            parts += YET_TO_FALL
    if not entry.is_sealed:
        # What is empty anyway need not cost an old entry its proof.
        parts = [part for part in parts if part in seals.private(entry.kind) and _says(entry, part)]
    bare = entry.without(parts)
    return bare if names else changed(bare, by=_role(entry.by))


def _says(entry: Entry, part: str) -> bool:
    said = entry.part(part)
    return bool(said["reasons"] or said["throws"]) if part == seals.BOTS else bool(said)


def _role(by: str) -> str:
    return GAMESMASTER if by.split(" ")[0] == GAMESMASTER else SOMEBODY
