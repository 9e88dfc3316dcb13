"""What the database holds about a person, by their address: how it is exported, and how it is erased.

`PERSONAL_COLUMNS` and `OTHER_COLUMNS` name every column of the database. A test notices a new column that is
in neither.
"""

import html
import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from functools import cached_property
from typing import Any, Literal, NamedTuple

from peewee import fn

from adjudicator.clock import DAY, Millis, datetime_of
from adjudicator.messages import sentence
from adjudicator.model.deadlines import Timing
from adjudicator.model.games import GAMESMASTER, SOMEBODY, LogEntry, private_parts
from adjudicator.model.mail import POSTPONED
from adjudicator.model.people import REQUEST_LIFETIME_MS, GameTurnout, NoteTurnout
from adjudicator.storage import attachments
from adjudicator.storage.bounces import BounceRow, DeadRow
from adjudicator.storage.database import Database
from adjudicator.storage.due_games import recheck, revision_columns
from adjudicator.storage.forgotten import FORGOTTEN_DOMAIN, ForgottenPeople
from adjudicator.storage.metadata import SCRUB_KEY
from adjudicator.storage.outbox import PosterRow
from adjudicator.storage.people import (
    CopyWarningRow,
    HeldPressRow,
    all_gms,
    blocks_of,
    drop_gm,
    forgetting_at,
    gm_jobs,
    kept_at,
    note_turnout,
    turnouts_of,
)
from adjudicator.storage.pruning import EMPTIED_DATA
from adjudicator.storage.tables import (
    AbsenceRow,
    ChairRow,
    ChoiceRow,
    ClockRow,
    CustomsRow,
    DigestRow,
    EnclosedRow,
    EntryRow,
    FiledRow,
    GameRow,
    LetterRow,
    MetaRow,
    MinuteRow,
    OfferRow,
    OutRow,
    PersonRow,
    PressRow,
    RequestRow,
    SignupRow,
    StuckRow,
    VoteRow,
    WatcherRow,
)
from games.record import canonical, load, plain, replace_fields

Holds = Literal["address", "key", "text", "email", "log", "owned"]
"""How a column holds something about a person.

address: one address. key: a text that an address can be a part of. text: words that people or the GM have
written, or a document with them. email: the bytes of an email or of a file in one. log: an entry of a log.
owned: it belongs to the person that another column of its row names.
"""

PERSONAL_COLUMNS: Mapping[str, Holds] = {
    "absence.first": "owned",
    "absence.last": "owned",
    "bounce.address": "address",
    "bounce.why": "owned",
    "chair.address": "address",
    "chair.password": "owned",
    "chair.trouble": "owned",
    "choice.address": "address",
    "clock.document": "text",
    "copy_warning.address": "address",
    "customs.document": "text",
    "dead.address": "address",
    "dead.why": "owned",
    "digest.address": "address",
    "entry.entry": "log",
    "filed.orders": "owned",
    "game.founder": "address",
    "held_press.reader": "address",
    "letter.data": "email",
    "letter.sender": "address",
    "letter.speaker": "address",
    "letter.why": "text",
    "meta.key": "key",
    "meta.value": "text",
    "minute.by": "text",
    "minute.what": "text",
    "minute.why": "text",
    "offer.document": "text",
    "outbox.data": "email",
    "outbox.key": "key",
    "outbox.recipient": "address",
    "outbox.why": "text",
    "part.data": "email",
    "part.drawing": "email",
    "person.address": "address",
    "person.name": "owned",
    "person.public": "owned",
    "person.zone": "owned",
    "poster.address": "address",
    "poster.name": "owned",
    "press.text": "text",
    "request.address": "address",
    "request.lines": "owned",
    "signup.address": "address",
    "signup.wishes": "owned",
    "stuck.document": "text",
    "vote.goal": "owned",
    "watcher.address": "address",
}
"""The columns that can hold something about a person, as ``table.column``."""

OTHER_COLUMNS: Mapping[str, str] = {
    "absence": "number game seat",
    "bounce": "letter at hard",
    "chair": "game seat place bot generation wait ready missed temper",
    "choice": "game seat detail reasons every untold maps sheets",
    "clock": "game",
    "copy_warning": "game seat",
    "customs": "game",
    "dead": "since",
    "digest": "digest seen look_at",
    "edition": "game since sha files",
    "enclosed": "letter sha",
    "entry": "game number state",
    "filed": "game seat",
    "game": (
        "name kind options status entries rev head_sha state turn deadline deadlines early secret created "
        "played by_hand forced pepper look_at lease worker proven editions"
    ),
    # The domain of an email is stored for as long as its rate limit counts it, at most a day.
    "gone": "number domain at",
    "guess": "game seat lock misses rests until at",
    "held_press": "game press since",
    # The fingerprint of an email is a hash. It keeps an email from being read twice.
    "letter": "number fingerprint received tries disposition game seat handled lease worker",
    "minute": "number game at",
    "offer": "name created look_at",
    "outbox": (
        "number message_id sender game seat letter state attempts created not_before lease settled copied "
        "worker"
    ),
    "part": "sha base",
    "poster": "game seat place used since",
    "press": "number key game turn seat kind hearers written",
    "request": "mark asked",
    "seen": "mailbox place letter",
    "signature": "content letter accepted",
    "signup": "game since",
    "stuck": "game",
    "topic": "game place topic",
    "vacancy": "game seat since",
    "vote": "game seat turn motion",
    "watcher": "game",
    "worker": "number name host pid jobs began seen done",
}
"""The columns that can't hold anything about a person, by table."""

KEPT_AS_HASH = ("ban",)
"""The first words of keys of metadata that stay with a hash in place of the address."""

FOUNDER_COUNTED_MS: Millis = DAY
"""How long the limit of new games counts a game of its founder."""

PEPPER_BYTES = 32
_ADDRESS_IN_DOCUMENT = re.compile(r'"address":"([^"@]+@[^"]+)"')
_QUOTE = re.compile(r"^[>|\s]+")
_MIN_LINE_CHARS, _MIN_NAME_CHARS = 8, 2
"""Shorter lines and names say nothing about anybody: they could be anyone's."""


# Everything that is stored about a person, for themselves.


def collect(database: Database, address: str, now: Millis) -> dict[str, Any]:
    """Return everything that is stored about the owner of an address, as plain values.

    It leaves out what others wrote about them or to them: press, reports, blocks, notes and reasons of the
    GM. Of a running game it has only what its player may see.
    """
    with database.reading():
        person = database.first(PersonRow.select().where(PersonRow.address == address))
        digest = database.first(DigestRow.select().where(DigestRow.address == address))
        dead = database.first(DeadRow.select().where(DeadRow.address == address))
        due = forgetting_at(database, address)
        return {
            "format": "turnpost-my-data/1",
            "address": address,
            "made": _moment(now),
            "name": person.name if person else None,
            "timezone": person.zone if person else None,
            "named_in_archive": bool(person and person.public),
            "forgotten_on": None if due is None else _moment(due),
            "digest": digest.digest if digest else "off",
            "delivery_disabled_since": _moment(dead.since) if dead else None,
            "games": list(_games(database, address)),
            "press": [
                {"game": row.game_id, "turn": row.turn, "seat": row.seat, "to": _document(row.hearers)}
                | {"at": _moment(row.written), "kind": row.kind.split(" ")[0], "text": row.text}
                for row in own_press(database, address)
            ],
            "waits_for": [
                {"game": row.game, "wishes": _document(row.wishes), "since": _moment(row.since)}
                for row in database.run(SignupRow.select().where(SignupRow.address == address))
            ],
            "observes": sorted(
                row.game_id for row in database.run(WatcherRow.select().where(WatcherRow.address == address))
            ),
            "forum_accounts": [
                {"game": row.game_id, "seat": row.seat, "forum": row.place, "account": row.name}
                for row in database.run(PosterRow.select().where(PosterRow.address == address))
            ],
            **_rights_as_gm(database, address),
            "choices_of_emails": [
                {"game": row.game_id, "seat": row.seat, "detail": row.detail, "reasons": row.reasons}
                | {"every": row.every, "maps": row.maps, "sheets": row.sheets}
                for row in database.run(ChoiceRow.select().where(ChoiceRow.address == address))
            ],
            "turning_up": {game: plain(turnout) for game, turnout in turnouts_of(database, address).items()},
            "requests": [
                {"asked": _moment(row.asked), "lines": _document(row.lines)}
                for row in database.run(RequestRow.select().where(RequestRow.address == address))
                if row.asked > now - REQUEST_LIFETIME_MS
            ],
            # Of a seat in a game the block has an address that the person may not know.
            "blocks": [
                {"at": _moment(block.at)}
                | ({"game": block.game, "seat": block.seat} if block.game else {"address": block.address})
                for block in blocks_of(database, address)
            ],
            "emails_from_you": list(_emails_from(database, address)),
            "emails_to_you": list(_emails_to(database, address)),
        }


def _rights_as_gm(database: Database, address: str) -> dict[str, Any]:
    """Return the games whose GM or assistant a person is, and their commands that wait."""
    return {
        "gm_of": [
            {"game": game, "right": gm.role, "number_in_log": gm.number, "since": _moment(gm.since)}
            for game, gms in sorted(all_gms(database).items())
            if (gm := gms.find(address)) is not None
        ],
        "gm_commands_waiting": [
            {"game": job.game, "at": _moment(job.at), "lines": list(job.lines)}
            for job in gm_jobs(database).values()
            if job.address == address
        ],
    }


def _games(database: Database, address: str) -> Iterator[dict[str, Any]]:
    """Yield the games that a person plays or has played in, with what they did there."""
    held = {(row.game_id, row.seat) for row in database.run(_seats_of(address))}
    marks = turnouts_of(database, address)
    former = {(game, mark.seat) for game, turnout in marks.items() for mark in turnout.marks}
    for game, seat in sorted(held | former):
        row = database.first(GameRow.select().where(GameRow.name == game))
        if row is None:
            continue
        turns = {mark.turn for mark in marks[game].marks} if game in marks else None
        now = database.first(ChairRow.select().where((ChairRow.game == game) & (ChairRow.seat == seat)))
        own = {"game": game, "kind": row.kind, "status": row.status, "seat": seat}
        own["orders"] = list(_orders(database, game, seat, None if (game, seat) in held else turns))
        if (game, seat) in held and now is not None:
            filed = database.first(FiledRow.select().where((FiledRow.game == game) & (FiledRow.seat == seat)))
            vote = database.first(VoteRow.select().where((VoteRow.game == game) & (VoteRow.seat == seat)))
            away = database.run(
                AbsenceRow.select().where((AbsenceRow.game == game) & (AbsenceRow.seat == seat))
            )
            own |= {"plays_now": True, "wait": now.wait, "ready": now.ready, "missed": now.missed}
            own["trouble"], own["founded"] = now.trouble, row.founder == address
            own["saved_orders"] = _document(bytes(filed.orders).decode()) if filed else []
            own["vote"] = {"motion": vote.motion, "for": vote.goal} if vote else None
            own["absences"] = [{"first": _moment(gap.first), "last": _moment(gap.last)} for gap in away]
        yield own


def _seats_of(address: str) -> Any:
    return ChairRow.select().where(ChairRow.address == address)


def _orders(database: Database, game: str, seat: str, turns: set[str] | None) -> Iterator[dict[str, Any]]:
    """Yield the orders of a seat by turn. turns: those that count, None: all."""
    rows = database.run(
        EntryRow.select(EntryRow.entry).where(EntryRow.game == game).order_by(EntryRow.number)
    )
    for row in rows:
        entry = load(LogEntry, bytes(row.entry))
        if seat in entry.orders and (turns is None or entry.turn in turns):
            yield {"turn": entry.turn, "at": _moment(entry.at), "orders": entry.orders[seat]}


def own_press(database: Database, address: str) -> tuple[Any, ...]:
    """Return the rows of the press that a person wrote, oldest first.

    A seat can have had several players. An email by one of them arrived when the press was written; press
    without such an email is theirs if they have held the seat.
    """
    held = {(row.game_id, row.seat) for row in database.run(_seats_of(address))}
    held |= {
        (game, mark.seat)
        for game, turnout in turnouts_of(database, address).items()
        for mark in turnout.marks
    }
    columns = LetterRow.game, LetterRow.seat, LetterRow.received, LetterRow.speaker
    names = sorted({game for game, _ in held})
    writers: dict[tuple[str, Millis], set[str]] = {}
    here = LetterRow.game.in_(names) | (LetterRow.speaker == address)
    for row in database.run(LetterRow.select(*columns).where(here & LetterRow.seat.is_null(False))):
        writers.setdefault((row.game, row.received), set()).add(row.speaker)
        held |= {(row.game, row.seat)} if row.speaker == address else set()
    games = sorted({game for game, _ in held})
    rows = database.run(PressRow.select().where(PressRow.game.in_(games)).order_by(PressRow.number))
    # Bots answer at the same instant, from other seats.
    own = (row for row in rows if (row.game_id, row.seat) in held)
    return tuple(row for row in own if address in writers.get((row.game_id, row.written), {address}))


def _emails_from(database: Database, address: str) -> Iterator[dict[str, Any]]:
    here = (LetterRow.sender == address) | (LetterRow.speaker == address)
    for row in database.run(LetterRow.select().where(here).order_by(LetterRow.number)):
        email = message_from_bytes(bytes(row.data), policy=policy.default)
        yield {
            "number": row.number,
            "received": _moment(row.received),
            "decided": row.disposition or "waiting",
            "game": row.game,
            "seat": row.seat,
            "subject": _header(email, "Subject"),
            "text": "\n".join(_texts(email, ("text/plain",))) if row.data else None,
        }


def _emails_to(database: Database, address: str) -> Iterator[dict[str, Any]]:
    bounced = {
        row.letter_id: row.why for row in database.run(BounceRow.select().where(BounceRow.address == address))
    }
    rows = database.run(OutRow.select().where(OutRow.recipient == address).order_by(OutRow.number))
    for row in rows:
        head = message_from_bytes(attachments.text_before_parts(bytes(row.data)), policy=policy.default)
        yield {
            "number": row.number,
            "written": _moment(row.created),
            "state": row.state,
            "game": row.game,
            "seat": row.seat,
            "subject": _header(head, "Subject"),
            "undeliverable": bounced.get(row.number),
        }


def _moment(at: Millis) -> str:
    return datetime_of(at).isoformat(timespec="seconds")


def _document(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _header(email: Any, name: str) -> str:
    try:
        return str(email[name] or "")
    except Exception:  # its bytes come from anywhere
        return ""


def _texts(email: Any, kinds: Sequence[str] = ()) -> Iterator[str]:
    """Yield the decoded texts of an email, including pictures that are drawn in text."""
    for part in email.walk():
        kind = part.get_content_type()
        is_text = part.get_content_maintype() == "text" or kind in ("image/svg+xml", "message/rfc822")
        if part.is_multipart() or not is_text or (kinds and kind not in kinds):
            continue
        content = part.get_payload(decode=True) or b""
        charset = str(part.get_param("charset") or "utf-8")
        try:
            yield content.decode(charset, "replace")
        except (LookupError, ValueError):
            yield content.decode("utf-8", "replace")


def all_addresses(database: Database) -> tuple[str, ...]:
    """Return every address that the database holds, in order."""
    columns = [
        getattr(model, name)
        for model, name in (
            (ChairRow, "address"), (PersonRow, "address"), (SignupRow, "address"), (WatcherRow, "address"),
            (ChoiceRow, "address"), (DigestRow, "address"), (RequestRow, "address"), (PosterRow, "address"),
            (CopyWarningRow, "address"), (DeadRow, "address"), (BounceRow, "address"), (GameRow, "founder"),
            (LetterRow, "sender"), (LetterRow, "speaker"), (OutRow, "recipient"), (HeldPressRow, "reader"),
        )
    ]  # fmt: skip
    with database.reading():
        rows = (
            row
            for column in columns
            for row in database.run(
                column.model.select(column).where(column.is_null(False)).distinct().tuples()
            )
        )
        addresses = {text for (text,) in rows if text is not None and "@" in text}
        for row in database.run(MetaRow.select()):
            addresses |= {part for part in row.key.split("/") if "@" in part}
            addresses |= set(_ADDRESS_IN_DOCUMENT.findall(bytes(row.value).decode("utf-8", "replace")))
    return tuple(sorted(address for address in addresses if not address.endswith(FORGOTTEN_DOMAIN)))


def last_contacts(database: Database) -> Iterator[tuple[str, Millis]]:
    """Yield each person who plays, waits and watches nowhere, with the time when they last did or wrote.

    Only people whom we know count, not the senders of unsolicited emails.
    """
    with database.reading():
        running = GameRow.select(GameRow.name).where(GameRow.status == "running")
        busy = {
            row.address
            for model in (ChairRow, WatcherRow)
            for row in database.run(model.select(model.address).where(model.game.in_(running)))
        }
        busy |= {row.address for row in database.run(SignupRow.select(SignupRow.address))}
        ends = {
            row.game_id: load(LogEntry, bytes(row.entry)).at
            for row in database.run(
                EntryRow.select(EntryRow.game, EntryRow.entry)
                .join(GameRow)
                .where((GameRow.status != "running") & (EntryRow.number == GameRow.entries - 1))
            )
        }
        last: dict[str, Millis] = {}
        seats = ChairRow.select(ChairRow.address, ChairRow.game).where(ChairRow.address.is_null(False))
        for address, game in list(database.run(seats.tuples())):
            last[address] = max(last.get(address, 0), ends.get(game, 0))
        for model in (PersonRow, DigestRow):
            for row in database.run(model.select(model.address)):
                last.setdefault(row.address, 0)
        heard = LetterRow.select(LetterRow.speaker, fn.MAX(LetterRow.received)).group_by(LetterRow.speaker)
        written = dict(database.run(heard.tuples()))
        for address in sorted(last.keys() - busy):
            kept = kept_at(database, address) or 0
            yield address, max(last[address], written.get(address) or 0, kept)


# Erasing a person.


class Traces:
    """What gives a person away in a text: their address, their name, and the lines that they wrote."""

    def __init__(self, address: str, names: Iterable[str] = (), written: Iterable[str] = ()) -> None:
        self.mark = sentence("outbound.forgetting.somebody")
        self.names = tuple(name for name in names if len(name) >= _MIN_NAME_CHARS)
        patterns = [rf"(?i:(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w))"]
        patterns += [rf"(?<!\w){re.escape(name)}(?!\w)" for name in self.names]
        self._pattern = re.compile("|".join(patterns))
        lines = (_collapse(line) for text in written for line in text.splitlines())
        self._lines = tuple(dict.fromkeys(line for line in lines if len(line) >= _MIN_LINE_CHARS))

    def is_in(self, text: str) -> bool:
        """Return whether a text has the address or the name."""
        return self._pattern.search(text) is not None

    def redact(self, text: str, instead: str | None = None) -> str:
        """Return a text without the address and the name. instead: what stands there, None: the mark."""
        return self._pattern.sub(self.mark if instead is None else instead, text)

    def are_in_email(self, raw: bytes) -> bool:
        """Return whether an email has the address, the name, or a line that they wrote."""
        if self.is_in(raw.decode("latin-1")):
            return True
        try:
            email = message_from_bytes(raw, policy=policy.default)
            heads = [_header(email, name) for name in ("Subject", "From", "To", "Cc")]
            texts = [*heads, *_texts(email)]
        except Exception:  # its bytes come from anywhere
            texts = [raw.decode("utf-8", "replace")]
        return any(self._are_in_text(html.unescape(text)) for text in texts)

    def _are_in_text(self, text: str) -> bool:
        if self.is_in(text):
            return True
        bare = _collapse(text) if self._lines else ""
        return any(line in bare for line in self._lines)


def _collapse(text: str) -> str:
    """Return a text as one line without the marks of quotes, so that it is the same however it is wrapped."""
    rows = (_QUOTE.sub("", row) for row in text.splitlines())
    return " ".join(" ".join(rows).split())


@dataclass(frozen=True)
class ErasedData:
    """The numbers of what was erased. resealed: the games whose log was sealed again, with the first entry.

    waiting: the emails of others that mention the person and have yet to be sent or read. If there are any,
    nothing was erased. traces: what gives the person away in a text.
    """

    seats: int = 0
    press: int = 0
    emails: int = 0
    log_entries: int = 0
    resealed: tuple[tuple[str, int], ...] = ()
    waiting: int = 0
    traces: Traces | None = field(default=None, repr=False)


def erase(
    database: Database, address: str, forgotten: ForgottenPeople, now: Millis, by: str, *, final: bool = False
) -> ErasedData:
    """Erase a person in one transaction, except hashes where something about them must stay.

    Their seats in running games have to be given up before. by: for the minutes of games with a new seal.
    final: erase everything even if emails that mention them were never sent.
    """
    with database.writing():
        drop_gm(database, address)
        return _Eraser(database, address, forgotten, now, by).run(final=final)


class _Mentions(NamedTuple):
    """The numbers of the emails that mention a person: those that are done with, and those still to do."""

    settled: list[int]
    waiting: list[int]


@dataclass(frozen=True)
class _Eraser:
    database: Database
    address: str
    forgotten: ForgottenPeople
    now: Millis
    by: str

    @cached_property
    def hashed(self) -> str:
        return self.forgotten.hash_of(self.address)

    @cached_property
    def press(self) -> tuple[Any, ...]:
        return own_press(self.database, self.address)

    @cached_property
    def address_alone(self) -> Traces:
        """Return the traces that count in games that the person has nothing to do with."""
        return Traces(self.address)

    @cached_property
    def games(self) -> frozenset[str]:
        """Return the games that the person has or had to do with."""
        own: list[tuple[Any, Any]] = [
            (model, model.address == self.address) for model in (ChairRow, WatcherRow, ChoiceRow)
        ]
        own += [(LetterRow, LetterRow.speaker == self.address), (OutRow, OutRow.recipient == self.address)]
        names = {
            row[0]
            for model, here in own
            for row in self.database.run(
                model.select(model._meta.columns.get("game_id", model.game)).where(here).tuples()
            )
        }
        names |= {
            row.game for row in self.database.run(SignupRow.select().where(SignupRow.address == self.address))
        }
        return frozenset(filter(None, (*names, *turnouts_of(self.database, self.address))))

    def traces_in(self, game: str | None) -> Traces:
        """Return what gives the person away in a text of a game, or outside of games."""
        return self.traces if game is None or game in self.games else self.address_alone

    @cached_property
    def traces(self) -> Traces:
        person = self.database.first(PersonRow.select().where(PersonRow.address == self.address))
        # A name that is also the name of a seat says nothing about a person in a game.
        seats = {row.seat.casefold() for row in self.database.run(ChairRow.select(ChairRow.seat).distinct())}
        names = [person.name] if person and person.name and person.name.casefold() not in seats else []
        return Traces(self.address, names, (row.text for row in self.press))

    def run(self, *, final: bool) -> ErasedData:
        sent, read = self._mentioned_outgoing(), self._mentioned_incoming()
        waiting = len(sent.waiting) + len(read.waiting)
        if waiting and not final:
            return ErasedData(waiting=waiting)
        games = sorted(row.name for row in self.database.run(GameRow.select(GameRow.name)))
        changed = [(game, *self._redact_log(game)) for game in games]
        emails = self._erase_outgoing(sent) + self._erase_incoming(read)
        seats = self._leave_seats()
        self._erase_press()
        self._erase_rows()
        self._redact_texts()
        self._replace_metadata()
        attachments.forget(self.database)
        return ErasedData(
            seats=seats,
            press=len(self.press),
            emails=emails,
            log_entries=sum(count for _, count, _ in changed),
            resealed=tuple((game, first) for game, _, first in changed if first is not None),
            traces=self.traces,
        )

    def _leave_seats(self) -> int:
        """Take the person off the seats of games that are over. Their reply addresses no longer work."""
        here = ChairRow.address == self.address
        rows = [(row.game_id, row.seat) for row in self.database.run(_seats_of(self.address))]
        for game, seat in rows:
            for model in (AbsenceRow, VoteRow):
                self.database.run(model.delete().where((model.game == game) & (model.seat == seat)))
        gone = {"address": None, "password": None, "trouble": None, "generation": ChairRow.generation + 1}
        self.database.run(ChairRow.update(**gone).where(here))
        recent = (GameRow.founder == self.address) & (GameRow.created > self.now - FOUNDER_COUNTED_MS)
        self.database.run(GameRow.update(founder=self.hashed).where(recent))
        self.database.run(GameRow.update(founder=None).where(GameRow.founder == self.address))
        return len(rows)

    def _erase_press(self) -> None:
        keys = [row.key for row in self.press]
        self.database.run(HeldPressRow.delete().where(HeldPressRow.press.in_(keys)))
        self.database.run(HeldPressRow.delete().where(HeldPressRow.reader == self.address))
        self.database.run(PressRow.delete().where(PressRow.key.in_(keys)))

    def _erase_rows(self) -> None:
        """Delete the rows that are about this person alone."""
        waits = self.database.run(SignupRow.select(SignupRow.game).where(SignupRow.address == self.address))
        recheck(self.database, [row.game for row in waits])
        own: tuple[Any, ...] = (PersonRow, SignupRow, WatcherRow, ChoiceRow, DigestRow, RequestRow)
        for model in (*own, CopyWarningRow, PosterRow, DeadRow, BounceRow):
            self.database.run(model.delete().where(model.address == self.address))

    def _mentioned_outgoing(self) -> "_Mentions":
        """Return the emails to others that mention the person."""
        settled, waiting = list[int](), list[int]()
        for row in self._with_bytes(OutRow, OutRow.recipient != self.address):
            raw = attachments.join_available(self.database, bytes(row.data), drawn=False)
            if self.traces_in(row.game).are_in_email(raw):
                (settled if row.state in ("sent", "failed") else waiting).append(row.number)
        return _Mentions(settled, waiting)

    def _mentioned_incoming(self) -> "_Mentions":
        """Return the emails of others that mention the person."""
        settled, waiting = list[int](), list[int]()
        for row in self._with_bytes(LetterRow, LetterRow.sender != self.address):
            if row.speaker != self.address and self.traces_in(row.game).are_in_email(bytes(row.data)):
                (waiting if row.disposition in (None, POSTPONED) else settled).append(row.number)
        return _Mentions(settled, waiting)

    def _erase_outgoing(self, mentions: "_Mentions") -> int:
        """Empty the emails to this person, and those that mention them. Return their number."""
        own = OutRow.recipient == self.address
        unsent = (own & OutRow.state.in_(["ready", "unsure", "failed"])) | OutRow.number.in_(mentions.waiting)
        self.database.run(OutRow.delete().where(unsent))
        numbers = [row.number for row in self.database.run(OutRow.select(OutRow.number).where(own))]
        self.database.run(OutRow.update(recipient=self.hashed, why=None).where(own))
        numbers += mentions.settled
        self.database.run(OutRow.update(data=EMPTIED_DATA).where(OutRow.number.in_(numbers)))
        self.database.run(EnclosedRow.delete().where(EnclosedRow.letter.in_(numbers)))
        for row in list(self.database.run(OutRow.select(OutRow.number, OutRow.key))):
            if self.address_alone.is_in(row.key):
                hashed = self.forgotten.hash_of(row.key)
                self.database.run(OutRow.update(key=hashed).where(OutRow.number == row.number))
        return len(numbers)

    def _erase_incoming(self, mentions: "_Mentions") -> int:
        """Empty the emails of this person, and those that mention them. Return their number."""
        own = (LetterRow.sender == self.address) | (LetterRow.speaker == self.address)
        numbers = [row.number for row in self.database.run(LetterRow.select(LetterRow.number).where(own))]
        unread = own & (LetterRow.disposition.is_null() | (LetterRow.disposition == POSTPONED))
        self.database.run(LetterRow.update(disposition="dropped", handled=self.now).where(unread))
        blank = {"sender": self.hashed, "speaker": self.hashed, "why": None}
        self.database.run(LetterRow.update(**blank).where(LetterRow.number.in_(numbers)))
        numbers += mentions.settled
        self.database.run(LetterRow.update(data=EMPTIED_DATA).where(LetterRow.number.in_(numbers)))
        return len(numbers)

    def _with_bytes(self, model: Any, here: Any) -> Iterator[Any]:
        """Yield the rows of emails whose bytes are stored, a few at a time."""
        last = 0
        while True:
            rows = model.select().where(here & (model.number > last) & (model.data != EMPTIED_DATA))
            batch = list(self.database.run(rows.order_by(model.number).limit(50)))
            yield from batch
            if not batch:
                return
            last = batch[-1].number

    def _redact_texts(self) -> None:
        """Remove the address and the name from what others wrote, and from documents."""
        for model, names in (
            (MinuteRow, ("by", "what", "why")),
            (PressRow, ("text",)),
            (LetterRow, ("why",)),
            (OutRow, ("why",)),
            (OfferRow, ("document",)),
            (CustomsRow, ("document",)),
            (StuckRow, ("document",)),
        ):
            for name in names:
                self._redact_column(model, name)
        for row in list(self.database.run(ClockRow.select())):
            timing = load(Timing, row.document.encode())
            loans = {
                seat: loan
                for seat, loan in timing.loans.items()
                if self.address not in (loan.owner, loan.substitute)
            }
            traces = self.traces_in(row.game_id)
            document = traces.redact(canonical(replace_fields(timing, loans=loans)).decode())
            if document != row.document:
                here = ClockRow.game == row.game_id
                self.database.run(ClockRow.update(document=document).where(here))

    def _redact_column(self, model: Any, name: str) -> None:
        column, key = getattr(model, name), model._meta.primary_key
        game = model.name if model is OfferRow else model.game
        rows = model.select(key, game, column).where(column.is_null(False)).tuples()
        for number, game_name, text in list(self.database.run(rows)):
            traces = self.traces_in(game_name)
            if traces.is_in(text):
                # A reason that names them is about them, as the private parts of a log are.
                clean = traces.mark if name == "why" else traces.redact(text)
                self.database.run(model.update(**{name: clean}).where(key == number))

    def _replace_metadata(self) -> None:
        """Keep the record of turning up in running games under the hash, and delete all else by address."""
        running = GameRow.select(GameRow.name).where(GameRow.status == "running")
        games = {row.name for row in self.database.run(running)}
        for row in list(self.database.run(MetaRow.select())):
            parts = row.key.split("/")
            if self.address in parts:
                self.database.run(MetaRow.delete().where(MetaRow.key == row.key))
                if parts[0] in KEPT_AS_HASH:
                    value = self._with_hash(bytes(row.value).decode()).encode()
                    key = f"{parts[0]}/{self.hashed}"
                    self.database.run(MetaRow.delete().where(MetaRow.key == key))
                    self.database.run(MetaRow.insert(key=key, value=value))
                elif parts[0] == "turnout" and parts[-1] in games:
                    marks = load(GameTurnout, bytes(row.value)).marks
                    facts = {"by": self.by, "address": self.hashed, "game": parts[-1], "marks": marks}
                    note_turnout(self.database, NoteTurnout(**facts))
                continue
            with suppress(UnicodeDecodeError):
                text = bytes(row.value).decode()
                clean = self._with_hash(text)
                if clean != text:
                    self.database.run(MetaRow.update(value=clean.encode()).where(MetaRow.key == row.key))
        self.database.run(MetaRow.insert(key=SCRUB_KEY, value=b"1").on_conflict_ignore())

    def _with_hash(self, document: str) -> str:
        """Return a document with the hash in place of the address, such as a block of this person."""
        return self.traces.redact(self.address_alone.redact(document, self.hashed))

    def _redact_log(self, game: str) -> tuple[int, int | None]:
        """Leave out of a game's log what names the person. Return the number of entries.

        A private part is left out as in a public log, so that the seal stays valid. Where that isn't
        possible, the entry is sealed again, and so are all after it. Also return the first of these.
        """
        rows = EntryRow.select(EntryRow.number, EntryRow.entry).where(EntryRow.game == game)
        count, first, head, pepper, traces = 0, None, "", b"", self.traces_in(game)
        for row in list(self.database.run(rows.order_by(EntryRow.number))):
            text = bytes(row.entry).decode()
            if first is None and not traces.is_in(text):
                continue
            pepper = pepper or self._pepper_of(game)
            old = load(LogEntry, text.encode())
            new = _without_traces(old, traces, pepper)
            count += new != old
            if first is not None:
                new = replace_fields(new, previous_sha=head)
            elif new.sha != old.sha:
                first = row.number
            head = new.sha
            here = (EntryRow.game == game) & (EntryRow.number == row.number)
            self.database.run(EntryRow.update(entry=canonical(new)).where(here))
        if first is not None:
            row = self.database.first(GameRow.select(GameRow.rev).where(GameRow.name == game))
            columns = {**revision_columns(row.rev), "head_sha": head}
            self.database.run(GameRow.update(**columns).where(GameRow.name == game))
            what = sentence("outbound.forgetting.resealed", number=first)
            self.database.run(MinuteRow.insert(game=game, at=self.now, by=self.by, what=what, why=""))
        return count, first

    def _pepper_of(self, game: str) -> bytes:
        """Return the source of the salts of a game's log. A game from before salts gets one."""
        row = self.database.first(GameRow.select(GameRow.pepper).where(GameRow.name == game))
        pepper = bytes(row.pepper or b"") or secrets.token_bytes(PEPPER_BYTES)
        self.database.run(GameRow.update(pepper=pepper).where(GameRow.name == game))
        return pepper


def _without_traces(entry: LogEntry, traces: Traces, pepper: bytes) -> LogEntry:
    """Return an entry without what names a person. Without salts, it gets some first."""
    parts = [
        part
        for part in private_parts(entry.kind)
        if traces.is_in(canonical(plain(entry.part(part))).decode())
    ]
    if parts:
        if not entry.is_sealed and not isinstance(entry.recorded, str):
            entry = entry.with_salts(pepper)
        role = GAMESMASTER if entry.by.split(" ")[0] == GAMESMASTER else SOMEBODY
        entry = entry.without(parts)
        if "by" in parts:
            entry = replace_fields(entry, by=role)
    text = canonical(entry).decode()
    clean: LogEntry = load(LogEntry, traces.redact(text).encode()) if traces.is_in(text) else entry
    return clean
