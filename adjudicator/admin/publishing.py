"""A game as everybody may know it: its document without people, and without what is not known yet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import games
from adjudicator.admin.document import GAMESMASTER, SOMEBODY, GameExport, LoggedEntry
from adjudicator.auth.redaction import redact_text
from adjudicator.clock import DAY
from adjudicator.errors import Refusal
from adjudicator.model import seals
from adjudicator.model.deadlines import Timing
from adjudicator.model.games import LogEntry, SeatAssignment
from adjudicator.model.overrides import PLAYED_KINDS
from adjudicator.model.people import Press
from adjudicator.storage.endings import END_ENTRY_KIND as AGREED
from games.record import replace_fields

PUBLIC_AUTHORS = ("gm", "clock", "import", "sign-up")
"""Who may be named in everybody's log: nobody in particular."""

PRIVATE_UNPLAYED_PARTS = ("before", "orders", "texts")
"""What lies on file for turns to come, or on a condition, is in these too, and stays unknown for good."""

PRIVATE_DIE_PARTS = ("label", "numbers")


def public_export(whole: GameExport) -> GameExport:
    """The document without what concerns people alone, and without what the turn due now will show.

    It is the same whatever lies on file, is set by hand or waits. Raises Refusal for a game that lasts and
    in which seats see different things.
    """
    over = whole.status == "finished"
    sight = public_extent(whole.entries)
    log = tuple(public_log(whole.log, sight, over))
    return replace_fields(public_frame(whole, sight), log=log)


def public_frame(whole: GameExport, sight: "PublicExtent") -> GameExport:
    """Return that document without its log, made public by the same rules. Raises as `public_export`."""
    over = whole.status == "finished"
    if games.kinds()[whole.kind].about.hidden and not over:
        raise Refusal(
            f"game {whole.game}",
            "seats see different things in it, so that its log is no public matter before its end",
            "wait until it is over",
        )
    return replace_fields(
        whole,
        public=True,
        deadline=None,
        timing=Timing(),
        secret=whole.secret if over else None,
        seats=tuple(
            SeatAssignment(seat=chair.seat, bot=chair.bot, temper=chair.temper, missed=chair.missed)
            for chair in whole.seats
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
    """Return the press to all, without author and exact time if it is grey.

    Two letters of one moment are by one player.
    """
    bare = [
        replace_fields(
            dispatch,
            seat=None if dispatch.kind == "grey" else dispatch.seat,
            at=dispatch.at - dispatch.at % DAY if dispatch.kind == "grey" else dispatch.at,
            text=redact_text(dispatch.text),
        )
        for dispatch in press
        if dispatch.to is None
    ]
    # Numbers with gaps would tell how much was written in private.
    return tuple(
        replace_fields(dispatch, number=number)
        for number, dispatch in enumerate(sorted(bare, key=lambda dispatch: dispatch.at), 1)
    )


@dataclass(frozen=True)
class PublicExtent:
    """The extent of a log that may be shown.

    count: how many of its entries are shown; head: the SHA-256 of the last of them; fallen: where each die
    that was set was last thrown, by its label.
    """

    count: int
    head: str
    fallen: Mapping[str, int]


def public_extent(entries: Iterable[LogEntry]) -> PublicExtent:
    """Return how much of a log is shown: it ends with the last turn that was played."""
    fallen: dict[str, int] = {}
    for place, entry in enumerate(entries):
        fallen |= {throw.label: place for throw in entry.throws if throw.forced and not throw.is_by_bot}
        if entry.kind in (*PLAYED_KINDS, AGREED):
            shown = place, entry, dict(fallen)
    end, last, fallen = shown
    return PublicExtent(end + 1, last.sha, fallen)


def public_log(log: Iterable[LoggedEntry], sight: PublicExtent, over: bool) -> Iterator[LoggedEntry]:
    """The entries that everybody may know, each without what is private of it."""
    for place, logged_entry in enumerate(islice(log, sight.count)):
        yield LoggedEntry(
            entry=_public_entry(logged_entry.entry, place, sight, over), state=logged_entry.state
        )


def _public_entry(entry: LogEntry, place: int, sight: PublicExtent, over: bool) -> LogEntry:
    names = entry.by in PUBLIC_AUTHORS
    parts = [*PRIVATE_UNPLAYED_PARTS] if names else ["by", *PRIVATE_UNPLAYED_PARTS]
    if entry.why:
        parts.append("why")
    if not over:
        parts.append(seals.BOTS_PART)
        # A die that was set and has been thrown since is no secret.
        if sight.fallen.get(entry.options.get("label", ""), -1) < place:
            parts += PRIVATE_DIE_PARTS
    if not entry.is_sealed:
        # What is empty anyway need not cost an old entry its proof.
        parts = [
            part for part in parts if part in seals.private_parts(entry.kind) and _has_content(entry, part)
        ]
    bare = entry.without(parts)
    return bare if names else replace_fields(bare, by=_role(entry.by))


def _has_content(entry: LogEntry, part: str) -> bool:
    content = entry.part(part)
    return bool(content["reasons"] or content["throws"]) if part == seals.BOTS_PART else bool(content)


def _role(by: str) -> str:
    return GAMESMASTER if by.split(" ")[0] == GAMESMASTER else SOMEBODY
