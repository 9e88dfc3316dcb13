"""A game as everybody may know it: its document without people, and without what is not known yet."""

from collections.abc import Sequence

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
    if games.kinds()[whole.kind].about.hidden and not over:
        raise Refusal(
            f"game {whole.game}",
            "seats see different things in it, so that its log is no public matter before its end",
            "wait until it is over",
        )
    log = _public_log(whole.log, over)
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
        log=log,
        head=log[-1].entry.sha,
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


def _public_log(log: Sequence[Logged], over: bool) -> tuple[Logged, ...]:
    end = max(place for place, one in enumerate(log) if one.entry.kind in (*PLAYED, AGREED))
    shown = log[: end + 1]
    return tuple(
        Logged(
            entry=_public_entry(one.entry, [later.entry for later in shown[place:]], over), state=one.state
        )
        for place, one in enumerate(shown)
    )


def _public_entry(entry: Entry, later: Sequence[Entry], over: bool) -> Entry:
    """An entry without what is private of it. later: those after it that everybody knows."""
    names = entry.by in HOUSE
    parts = [*UNPLAYED] if names else ["by", *UNPLAYED]
    if entry.why:
        parts.append("why")
    if not over:
        parts.append(seals.BOTS)
        if not _has_fallen(entry, later):
            parts += YET_TO_FALL
    if not entry.is_sealed:
        # What is empty anyway need not cost an old entry its proof.
        parts = [part for part in parts if part in seals.private(entry.kind) and _says(entry, part)]
    bare = entry.without(parts)
    return bare if names else changed(bare, by=_role(entry.by))


def _says(entry: Entry, part: str) -> bool:
    said = entry.part(part)
    return bool(said["reasons"] or said["throws"]) if part == seals.BOTS else bool(said)


def _has_fallen(entry: Entry, later: Sequence[Entry]) -> bool:
    """Whether a die that was set has been thrown since."""
    label = entry.options.get("label")
    throws = (throw for one in later for throw in one.throws)
    return any(throw.forced and throw.label == label and not throw.is_bots for throw in throws)


def _role(by: str) -> str:
    return GAMESMASTER if by.split(" ")[0] == GAMESMASTER else SOMEBODY
