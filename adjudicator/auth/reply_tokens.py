"""Reply tokens: valid ones, leaked ones, and their replacement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from adjudicator.auth import sender as senders
from adjudicator.auth.correspondents import person_tokens
from adjudicator.auth.sender import turns_with_tokens
from adjudicator.auth.tokens import (
    HIDDEN_MARK,
    TOKEN_LENGTH,
    Tokens,
    remove_tokens,
    tokens_in_addresses,
    without,
)
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import SenderClaim, claims, reply_token, short_seat_name
from adjudicator.model.channel_posts import JSON_MEDIA_TYPE
from adjudicator.model.games import AnyAct, GamePosition, Rekey
from adjudicator.model.mail import Attachment, HeaderText, LetterDraft, RestoreMark
from adjudicator.model.repository import Repository
from games.protocol import Seat
from games.record import Value, replace_fields
from orders.mail.letter import Letter

if TYPE_CHECKING:
    from adjudicator.auth.sender import AuthenticatedSeat, RefusedClaim

_TOKEN_CHARS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz234567")
_TOKEN_CHAR_MASK = bytes(ord("x") if byte in _TOKEN_CHARS else ord(" ") for byte in range(256))
_TOKEN_LENGTH_MASK = b"x" * TOKEN_LENGTH
"""Matches a run of characters that could contain a token. Few words are this long."""

_MAX_CACHED_ROW_CHARS = 500
"""The characters of a line that earlier emails may have contained."""

_QUOTE_BAR = "| "
"""The mark before each line of text by people in our emails."""

# Tags that don't separate words. Two cells of a table are two words.
_INLINE_TAG = re.compile(r"</?(?:a|b|i|u|s|em|strong|span|code|small|font|wbr)\b[^<>]{0,500}>")
_GAME_NAME_WORD = re.compile(r"[a-z0-9-]{1,20}")


class TokenHolder(Value, frozen=True):
    """The holder of a token: a seat of a game, at an address.

    generation: of a token from before a restore.
    """

    game: str
    seat: Seat
    address: str
    generation: int = 0


class ReplyTokens(Value, frozen=True, dict=True):
    """Valid tokens with their holders. persons: tokens of people who are identified only by their address."""

    holders: Mapping[str, TokenHolder]
    persons: frozenset[str] = frozenset()

    @cached_property
    def _all_tokens(self) -> Tokens:
        return Tokens(self.persons | frozenset(self.holders))

    def find_holders(self, *texts: str) -> tuple[TokenHolder, ...]:
        """Return the holders of the tokens in some texts, without duplicates."""
        spans = (span for text in texts for span in self._all_tokens.spans(text))
        return tuple(dict.fromkeys(self.holders[span.token] for span in spans if span.token in self.holders))

    def redact(self, text: str) -> str:
        """Return a text without these tokens, and without the part of our addresses that contains a
        token."""
        return remove_tokens(
            without(text, (*self._all_tokens.spans(text), *tokens_in_addresses(text)), HIDDEN_MARK)
        )

    @cached_property
    def _without_seat_cache(self) -> dict[tuple[str, Seat], Tokens]:
        return {}

    def tokens_of_others(self, game: str, seat: Seat | None) -> Tokens:
        """Return all tokens of seats except those of one seat. Computed once per round."""
        if seat is None or not self.holders:
            return Tokens(frozenset(self.holders))
        if (game, seat) not in self._without_seat_cache:
            self._without_seat_cache[game, seat] = Tokens(
                frozenset(
                    token
                    for token, holder in self.holders.items()
                    if (holder.game, holder.seat) != (game, seat)
                )
            )
        return self._without_seat_cache[game, seat]

    def merge(self, others: ReplyTokens) -> ReplyTokens:
        """Return these tokens and others."""
        return ReplyTokens({**self.holders, **others.holders}, self.persons | others.persons)


NO_REPLY_TOKENS = ReplyTokens({})
_NO_TOKENS = Tokens(frozenset())


def reply_tokens_of_game(
    game: str, repository: Repository, service: ServiceContext, only: Seat | None = None
) -> ReplyTokens:
    """Return all tokens that are valid in a game, of its current and earlier turns. only: of one seat."""
    position = repository.position(game)
    if position is None or "token" not in service.accept:
        return NO_REPLY_TOKENS
    seats = (
        (seat, assignment.address, assignment.generation)
        for seat, assignment in position.assignments.items()
        if assignment.address is not None and only in (None, seat)
    )
    keys, mark = (
        _compute_reply_tokens(service.key, game, tuple(seats), repository.turns(game)),
        repository.restore_mark(game),
    )
    return (
        keys
        if mark is None
        else _reply_tokens_of_backup(position, mark, repository, service, only).merge(keys)
    )


def _reply_tokens_of_backup(
    position: GamePosition,
    mark: RestoreMark,
    repository: Repository,
    service: ServiceContext,
    only: Seat | None,
) -> ReplyTokens:
    """Return the valid tokens of a game from before a restore, also of coming turns."""
    seats = (
        (seat, assignment.address, generation)
        for seat, assignment in position.assignments.items()
        if assignment.address is not None and only in (None, seat)
        for generation in mark.generations(assignment)
    )
    turns = turns_with_tokens(repository.turns(position.name), position)
    return _compute_reply_tokens(service.key, position.name, tuple(seats), turns, of_backup=True)


@lru_cache(maxsize=256)
def _compute_reply_tokens(
    key: bytes,
    game: str,
    seats: tuple[tuple[Seat, str, int], ...],
    turns: tuple[str, ...],
    *,
    of_backup: bool = False,
) -> ReplyTokens:
    """Return the tokens of seats, computed once for all emails of a round.

    seats: each with its address and its token generation.
    """
    holders: dict[str, TokenHolder] = {}
    for seat, address, generation in seats:
        tokens = _compute_tokens(key, game, seat, generation, turns)
        holder = TokenHolder(game, seat, address, generation if of_backup else 0)
        holders.update(dict.fromkeys(tokens, holder))
    return ReplyTokens(holders)


@lru_cache(maxsize=1024)
def _compute_tokens(
    key: bytes, game: str, seat: Seat, generation: int, turns: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(reply_token(key, game, seat, generation, turn) for turn in turns)


def reply_tokens_held(address: str, repository: Repository, service: ServiceContext) -> ReplyTokens:
    """Return the tokens of all seats that an address has."""
    keys = NO_REPLY_TOKENS
    for game, seat in repository.seats_of(address):
        keys = keys.merge(reply_tokens_of_game(game, repository, service, seat))
    return keys


def reply_tokens_around_press(position: GamePosition, address: str, context: RequestContext) -> ReplyTokens:
    """Return the tokens that a person's text to others in a game may leak.

    Those of all players in it, those of the person's own seats in other games, and those that identify people
    there.
    """
    keys = reply_tokens_of_game(position.name, context.repository, context.service_context).merge(
        reply_tokens_held(address, context.repository, context.service_context)
    )
    people = {assignment.address for assignment in position.assignments.values() if assignment.address} | {
        address
    }
    persons = (
        token
        for person in sorted(people)
        for token in person_tokens(context.service_context.key, person, context.now)
    )
    return ReplyTokens(keys.holders, frozenset(persons))


def reply_tokens_of_named_games(
    texts: Iterable[str], repository: Repository, service: ServiceContext, also: Iterable[str] = ()
) -> ReplyTokens:
    """Return the tokens that are valid in the games named in some texts. also: further games."""
    words = {word for text in texts for word in _GAME_NAME_WORD.findall(text.lower())}
    keys = NO_REPLY_TOKENS
    for game in sorted({*also, *repository.existing_games(words)}):
        keys = keys.merge(reply_tokens_of_game(game, repository, service))
    return keys


def may_contain_token(texts: Iterable[str], own: Iterable[str]) -> bool:
    """Return whether some texts may contain a token; most don't. own: tokens that don't count."""
    own = frozenset(own)
    for text in texts:
        raw = text.encode("utf-8", "replace")
        mask = raw.translate(_TOKEN_CHAR_MASK)
        end = 0
        while (start := mask.find(_TOKEN_LENGTH_MASK, end)) >= 0:
            end = start + TOKEN_LENGTH
            while mask[end : end + 1] == b"x":
                end += 1
            if raw[start:end].decode() not in own:
                return True
    return False


def remove_foreign_tokens(outgoing: LetterDraft, keys: Callable[[str], ReplyTokens]) -> LetterDraft:
    """Return our email without any token except its reader's own, from any source.

    keys: of a game, computed only if needed.
    """
    reply = (outgoing.reply_to or "").partition("@")[0].rpartition(".")[2]
    # The reader has the seats whose tokens the email shows.
    shown = (
        token
        for game, token in outgoing.shows
        if (holder := keys(game).holders.get(token)) is not None and holder.address == outgoing.to
    )
    checked = _TokenFilter(outgoing, keys, frozenset(filter(None, (outgoing.token, reply, *shown))))
    own = (outgoing.game, short_seat_name(outgoing.seat)) if outgoing.game and outgoing.seat else None
    # Message-IDs of our emails to others.
    foreign_ids = {
        message_id
        for message_id in (*outgoing.thread, outgoing.answer_to or "")
        if any(claim.token and (claim.game, claim.seat) != own for claim in claims((), "", (message_id,)))
    }
    fields = {
        "subject": HeaderText(checked.clean_text(outgoing.subject)),
        "text": checked.clean_text(outgoing.text),
        "html": None if outgoing.html is None else checked.clean_text(outgoing.html),
        "attached": tuple(map(checked.clean_attachment, outgoing.attached)),
        "thread": tuple(each for each in outgoing.thread if each not in foreign_ids),
        "answer_to": None if outgoing.answer_to in foreign_ids else outgoing.answer_to,
    }
    differs = {name: value for name, value in fields.items() if value != getattr(outgoing, name)}
    return replace_fields(outgoing, **differs) if differs else outgoing


class _TokenFilter(Value, frozen=True, dict=True):
    """Removes the tokens of others from texts of an email. own: the tokens that its reader needs to reply."""

    outgoing: LetterDraft
    keys: Callable[[str], ReplyTokens]
    own: frozenset[str]

    @cached_property
    def _foreign_tokens(self) -> Tokens:
        """Return the tokens of all others in the email's game."""
        draft = self.outgoing
        tokens = self.keys(draft.game).tokens_of_others(draft.game, draft.seat) if draft.game else _NO_TOKENS
        return tokens if tokens.known.isdisjoint(self.own) else Tokens(tokens.known - self.own)

    def clean_text(self, text: str) -> str:
        """Return a text without the tokens of others."""
        if not self._is_doubtful(text):
            return text
        spans = [*self._foreign_tokens.spans(text), *tokens_in_addresses(text, but=self.own)]
        return without(text, spans, HIDDEN_MARK) if spans else text

    def _is_doubtful(self, text: str) -> bool:
        """Return whether the text needs a full check: it, or a player's words in it, may contain a token."""
        rows = [
            row for row in text.split("\n") if len(row) > _MAX_CACHED_ROW_CHARS or not _is_harmless_row(row)
        ]
        # A tag that continues on the next line is checked together with its surroundings.
        text = "\n".join(rows) if all(row.rfind("<") <= row.rfind(">") for row in rows) else text
        bare = _INLINE_TAG.sub("", text) if "<" in text else text
        if may_contain_token({text, bare}, self.own):
            return True
        if _QUOTE_BAR not in bare:
            return False
        written = "\n".join(row for row in bare.split("\n") if row.startswith(_QUOTE_BAR))
        return self._foreign_tokens.may_occur_in(written) or bool(tokens_in_addresses(written, but=self.own))

    def clean_attachment(self, attached: Attachment) -> Attachment:
        """Return an attached file without the tokens of others, if it is text."""
        if not (attached.media.startswith("text/") or attached.media == JSON_MEDIA_TYPE):
            return attached
        text = attached.content.decode("utf-8", "surrogateescape")
        clean = self.clean_text(text)
        return (
            attached
            if clean == text
            else replace_fields(attached, content=clean.encode("utf-8", "surrogateescape"))
        )


@lru_cache(maxsize=2048)  # nine lines in ten were in earlier emails
def _is_harmless_row(row: str) -> bool:
    """Return whether a line can't contain a token in any surroundings: nothing long, no player's text."""
    bare = _INLINE_TAG.sub("", row) if "<" in row else row
    has_closed_tags = row.rfind("<") <= row.rfind(">")
    return has_closed_tags and _QUOTE_BAR not in bare and not may_contain_token({row, bare}, ())


# Leaked reply tokens: tokens seen where they don't belong, and the acts that revoke them.
#
# Only someone who has a whole token can get it revoked: parts don't count.


LEAK_ACTOR = "the service"


def void_tokens_in_press(seated: AuthenticatedSeat, shown: Sequence[TokenHolder]) -> tuple[Rekey, ...]:
    """Return the acts that revoke all tokens which a player wrote to others."""
    address = seated.assignment.address
    return tuple(
        Rekey(
            game=holder.game,
            by=LEAK_ACTOR,
            why=sentence("inbound.leaked_tokens.in_own_press")
            if holder.address == address
            else sentence("inbound.leaked_tokens.in_press"),
            seat=holder.seat,
            quietly=(holder.game, holder.seat) == (seated.position.name, seated.seat),
            seen=holder.generation,
        )
        for holder in shown
    )


def void_tokens_in_letter(
    letter: Letter,
    claimed: Iterable[SenderClaim],
    speakers: Iterable[AuthenticatedSeat | RefusedClaim | None],
    repository: Repository,
    service: ServiceContext,
) -> tuple[Rekey, ...]:
    """Return the acts that revoke tokens of seats other than the email's sender's.

    claimed: the header's claims about its sender. speakers: the authenticated seats. An email from a player's
    own address counts as theirs, authenticated or not: a forger has the token already and learns nothing.
    """
    seated = [speaker for speaker in speakers if isinstance(speaker, senders.AuthenticatedSeat)]
    seats = {(speaker.position.name, short_seat_name(speaker.seat)) for speaker in seated}
    own = {claim.token for claim in claimed if claim.token and (claim.game, claim.seat) in seats}
    texts = [letter.subject, *letter.recipients, *letter.thread, *(part.text for part in letter.parts)]
    if not may_contain_token(texts, own):
        return ()
    games = {game for game, _ in repository.seats_of(letter.sender)} | {
        speaker.position.name for speaker in seated
    }
    own_addresses = {letter.sender, *(speaker.assignment.address for speaker in seated)}
    return tuple(
        Rekey(
            game=holder.game,
            by=LEAK_ACTOR,
            why=sentence("inbound.leaked_tokens.brought_along"),
            seat=holder.seat,
            seen=holder.generation,
        )
        for holder in reply_tokens_of_named_games(texts, repository, service, games).find_holders(*texts)
        if holder.address not in own_addresses
    )


def merge_rekeys(acts: Iterable[AnyAct]) -> tuple[AnyAct, ...]:
    """Return acts without duplicates: for each seat the newest leaked generation counts."""
    kept: dict[object, AnyAct] = {}
    for number, act in enumerate(acts):
        key = (act.game, act.seat) if isinstance(act, Rekey) else number
        before = kept.setdefault(key, act)
        if isinstance(act, Rekey) and isinstance(before, Rekey) and act.seen > before.seen:
            kept[key] = replace_fields(before, seen=act.seen)
    return tuple(kept.values())


def announce_rekeys(acts: Iterable[AnyAct]) -> list[AnyAct]:
    """Return acts of an email without a reply, so that holders of revoked tokens get a separate email."""
    return [replace_fields(act, quietly=False) if isinstance(act, Rekey) else act for act in acts]


def renew_tokens(speaker: AuthenticatedSeat, acts: Iterable[AnyAct]) -> AuthenticatedSeat:
    """Return the sender with the tokens that are theirs after some acts."""
    void = {(act.game, act.seat) for act in acts if isinstance(act, Rekey)}
    if (speaker.position.name, speaker.seat) not in void:
        return speaker
    return replace_fields(speaker, position=increment_generation(speaker.position, speaker.seat))


def increment_generation(position: GamePosition, seat: Seat) -> GamePosition:
    """Return a game with the next token generation for a seat."""
    assignment = position.assignments[seat]
    assignment = replace_fields(assignment, generation=assignment.generation + 1)
    return replace(position, assignments={**position.assignments, seat: assignment})
