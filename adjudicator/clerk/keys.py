"""The reply tokens that are good in a game, whose they are, and texts without them.

Whatever goes from one person to another goes through here, and so does every letter of ours before it is
sealed (`guarded`). Tokens are not kept anywhere: those of a game are computed, and looked for.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from adjudicator.clerk.older_tokens import turns_with_tokens
from adjudicator.ledger.books import Books
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment, Outgoing
from adjudicator.ledger.positions import Position
from adjudicator.ledger.posts import JSON
from adjudicator.ledger.restore_marks import RestoreMark
from adjudicator.office import Desk, Office
from adjudicator.signs.addresses import Claim, claims, reply_token, short
from adjudicator.signs.callers import person_tokens
from adjudicator.signs.redaction import HIDDEN, untokened
from adjudicator.signs.spellings import LENGTH, Span, Tokens, in_addresses, without
from games.protocol import Seat
from games.record import Value, changed

_SIGNS = bytes(ord("x") if chr(byte).isascii() and (chr(byte).isalpha() or chr(byte) in "234567") else 32
               for byte in range(256))  # fmt: skip
_LONG = b"x" * LENGTH
"""How so many characters look of which a token may be made. Few words are so long."""

_USUAL_ROW = 500
"""Signs of a row that may be known from the letters before."""

_BAR = "| "
"""What people wrote stands behind it, row by row, in our letters."""

# Tags across which a word goes on; two cells of a table are two words.
_INLINE = re.compile(r"</?(?:a|b|i|u|s|em|strong|span|code|small|font|wbr)\b[^<>]{0,500}>")
_NAMES = re.compile(r"[a-z0-9-]{1,20}")


class Holder(Value, frozen=True):
    """Who speaks by a token: a seat of a game, at an address. generation: of one from before a restore."""

    game: str
    seat: Seat
    address: str
    generation: int = 0


class Keys(Value, frozen=True, dict=True):
    """Tokens that are good, and whose they are. persons: of those who are known by their address alone."""

    holders: Mapping[str, Holder]
    persons: frozenset[str] = frozenset()

    @cached_property
    def _all(self) -> Tokens:
        return Tokens(self.persons | frozenset(self.holders))

    def shown_in(self, *texts: str) -> tuple[Holder, ...]:
        """Whose tokens stand in some texts, each once."""
        spans = (span for text in texts for span in self._all.spans(text))
        return tuple(dict.fromkeys(self.holders[span.token] for span in spans if span.token in self.holders))

    def redacted(self, text: str) -> str:
        """A text without them, and without what stands in an address where ours have a token."""
        return untokened(without(text, (*self._all.spans(text), *in_addresses(text)), HIDDEN))

    @cached_property
    def _but_of(self) -> dict[tuple[str, Seat], Tokens]:
        return {}

    def tokens(self, game: str, seat: Seat | None) -> Tokens:
        """All of them by which people speak for seats, but for those of one seat: made once for a round."""
        if seat is None or not self.holders:
            return Tokens(frozenset(self.holders))
        if (game, seat) not in self._but_of:
            self._but_of[game, seat] = Tokens(frozenset(self.but_of(game, seat).holders))
        return self._but_of[game, seat]

    def and_of(self, others: "Keys") -> "Keys":
        """These and others."""
        return Keys({**self.holders, **others.holders}, self.persons | others.persons)

    def but_of(self, game: str, seat: Seat) -> "Keys":
        """Without those of a seat."""
        rest = {t: one for t, one in self.holders.items() if (one.game, one.seat) != (game, seat)}
        return Keys(rest, self.persons)


NONE = Keys({})
_NO_TOKENS = Tokens(frozenset())


def keys_of(game: str, books: Books, office: Office, only: Seat | None = None) -> Keys:
    """All tokens that are good in a game, of its present turn and of those before; of one seat alone."""
    position = books.position(game)
    if position is None or "token" not in office.accept:
        return NONE
    sat = (
        (seat, chair.address, chair.generation)
        for seat, chair in position.chairs.items()
        if chair.address is not None and only in (None, seat)
    )
    keys, mark = _keys(office.key, game, tuple(sat), books.turns(game)), books.restore_mark(game)
    return keys if mark is None else _keys_of_backup(position, mark, books, office, only).and_of(keys)


def _keys_of_backup(
    position: Position, mark: RestoreMark, books: Books, office: Office, only: Seat | None
) -> Keys:
    """The tokens from before a restore that are good in a game, of turns to come too."""
    sat = (
        (seat, chair.address, generation)
        for seat, chair in position.chairs.items()
        if chair.address is not None and only in (None, seat)
        for generation in mark.generations(chair)
    )
    turns = turns_with_tokens(books.turns(position.name), position)
    return _keys(office.key, position.name, tuple(sat), turns, of_backup=True)


@lru_cache(maxsize=256)
def _keys(
    key: bytes,
    game: str,
    sat: tuple[tuple[Seat, str, int], ...],
    turns: tuple[str, ...],
    *,
    of_backup: bool = False,
) -> Keys:
    """The same for all letters of a round. sat: who sits where, and the generation of his tokens."""
    found: dict[str, Holder] = {}
    for seat, address, generation in sat:
        tokens = _tokens(key, game, seat, generation, turns)
        holder = Holder(game, seat, address, generation if of_backup else 0)
        found.update(dict.fromkeys(tokens, holder))
    return Keys(found)


@lru_cache(maxsize=1024)
def _tokens(key: bytes, game: str, seat: Seat, generation: int, turns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(reply_token(key, game, seat, generation, turn) for turn in turns)


def keys_held(address: str, books: Books, office: Office) -> Keys:
    """The tokens of all seats that an address holds."""
    keys = NONE
    for game, seat in books.seats_of(address):
        keys = keys.and_of(keys_of(game, books, office, seat))
    return keys


def keys_around(position: Position, address: str, desk: Desk) -> Keys:
    """The tokens that may stand in what somebody at an address writes to others in a game.

    Those of all who play in it; those of his own in other games; those by which people are known there.
    """
    keys = keys_of(position.name, desk.books, desk.office).and_of(keys_held(address, desk.books, desk.office))
    people = {chair.address for chair in position.chairs.values() if chair.address} | {address}
    persons = (token for one in sorted(people) for token in person_tokens(desk.office.key, one, desk.now))
    return Keys(keys.holders, frozenset(persons))


def keys_named(texts: Iterable[str], books: Books, office: Office, also: Iterable[str] = ()) -> Keys:
    """The tokens that are good in the games whose names stand in some texts. also: further games."""
    words = {word for text in texts for word in _NAMES.findall(text.lower())}
    keys = NONE
    for game in sorted({*also, *books.called(words)}):
        keys = keys.and_of(keys_of(game, books, office))
    return keys


def may_show(texts: Iterable[str], own: Iterable[str]) -> bool:
    """Whether a token may stand in some texts as they mostly do. own: some that do not count."""
    own = frozenset(own)
    for text in texts:
        raw = text.encode("utf-8", "replace")
        signs = raw.translate(_SIGNS)
        end = 0
        while (start := signs.find(_LONG, end)) >= 0:
            end = start + LENGTH
            while signs[end : end + 1] == b"x":
                end += 1
            if raw[start:end].decode() not in own:
                return True
    return False


def guarded(outgoing: Outgoing, keys: Callable[[str], Keys]) -> Outgoing:
    """A letter of ours without any token but its reader's own, whatever it is made of, and by whom.

    keys: those of a game, asked for only where there is something to look at.
    """
    return _Guard(outgoing, keys).passed()


class _Guard(Value, frozen=True, dict=True):
    """Looks a letter over before it is sealed."""

    outgoing: Outgoing
    keys: Callable[[str], Keys]

    @cached_property
    def _own(self) -> frozenset[str]:
        """The tokens that the letter may show: by these its reader is to answer."""
        one = self.outgoing
        reply = (one.reply_to or "").partition("@")[0].rpartition(".")[2]
        return frozenset(filter(None, (one.token, reply, *self._of_his_seats())))

    def _of_his_seats(self) -> Iterator[str]:
        """The tokens of several games that it names, as far as their seats are its reader's."""
        for game, token in self.outgoing.shows:
            holder = self.keys(game).holders.get(token)
            if holder is not None and holder.address == self.outgoing.to:
                yield token

    @cached_property
    def _others(self) -> Tokens:
        """The tokens of all others in the game that the letter is about."""
        one = self.outgoing
        found = self.keys(one.game).tokens(one.game, one.seat) if one.game else _NO_TOKENS
        return found if found.known.isdisjoint(self._own) else Tokens(found.known - self._own)

    def passed(self) -> Outgoing:
        one = self.outgoing
        fields = {
            "subject": HeaderText(self._clean(one.subject)),
            "text": self._clean(one.text),
            "html": None if one.html is None else self._clean(one.html),
            "attached": tuple(map(self._file, one.attached)),
            "thread": tuple(each for each in one.thread if not self._is_theirs(each)),
            "answer_to": None if one.answer_to and self._is_theirs(one.answer_to) else one.answer_to,
        }
        differs = {name: value for name, value in fields.items() if value != getattr(one, name)}
        return changed(one, **differs) if differs else one

    def _clean(self, text: str) -> str:
        if not self._is_doubtful(text):
            return text
        spans = [*self._others.spans(text), *self._addressed(text)]
        return without(text, spans, HIDDEN) if spans else text

    def _is_doubtful(self, text: str) -> bool:
        """Whether the text is worth a closer look: for something long in it, or in what somebody wrote."""
        rows = [row for row in text.split("\n") if not _is_bland(row)]
        # A tag that goes on in the next row is looked at with all that stands around it.
        text = "\n".join(rows) if all(map(_is_closed, rows)) else text
        bare = _INLINE.sub("", text) if "<" in text else text
        if may_show({text, bare}, self._own):
            return True
        if _BAR not in bare:
            return False
        written = "\n".join(row for row in bare.split("\n") if row.startswith(_BAR))
        return self._others.stand_in(written) or bool(self._addressed(written))

    def _addressed(self, text: str) -> tuple[Span, ...]:
        return in_addresses(text, but=self._own)

    def _file(self, attached: Attachment) -> Attachment:
        if not (attached.media.startswith("text/") or attached.media == JSON):
            return attached
        text = attached.content.decode("utf-8", "surrogateescape")
        clean = self._clean(text)
        return (
            attached if clean == text else changed(attached, content=clean.encode("utf-8", "surrogateescape"))
        )

    def _is_theirs(self, message_id: str) -> bool:
        """Whether a Message-ID is that of a letter of ours to somebody else."""
        one = self.outgoing
        own = (one.game, short(one.seat)) if one.game and one.seat else None
        return any((claim.game, claim.seat) != own for claim in _claims_of(message_id))


def _is_bland(row: str) -> bool:
    """Whether a row holds nothing long and nothing that somebody wrote, whatever stands around it."""
    return _seen_bland(row) if len(row) <= _USUAL_ROW else _bland(row)


def _bland(row: str) -> bool:
    bare = _INLINE.sub("", row) if "<" in row else row
    return _is_closed(row) and _BAR not in bare and not may_show({row, bare}, ())


# Nine rows of ten stood in letters before.
_seen_bland = lru_cache(maxsize=2048)(_bland)


def _is_closed(row: str) -> bool:
    """Whether no tag that begins in a row goes on in the next one."""
    return row.rfind("<") <= row.rfind(">")


def _claims_of(message_id: str) -> tuple[Claim, ...]:
    return tuple(claim for claim in claims((), "", (message_id,)) if claim.token)
