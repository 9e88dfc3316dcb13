"""Carries out actions of people in the database, each within its caller's transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from peewee import BigIntegerField, CompositeKey, ForeignKeyField, Model

from adjudicator.auth import tokens
from adjudicator.clock import DAY, Millis
from adjudicator.errors import WriteConflict
from adjudicator.model.games import SeatAssignment
from adjudicator.model.mail import GenerationWindow, RestoreMark, StoredLetter, open_window
from adjudicator.model.people import (
    JOIN_WORD,
    MAX_BLOCKS,
    NO_GUESSES,
    QUESTION,
    REQUEST_LIFETIME_MS,
    AdmitPlayer,
    Answered,
    AnyPersonAction,
    AskBack,
    AskToForget,
    Ban,
    CastVote,
    ChooseDigest,
    ChooseLetters,
    ConfirmEmail,
    DropOffer,
    FillSeat,
    ForgetPoster,
    GameGms,
    GameTurnout,
    GmJob,
    Guesses,
    HoldPress,
    Invite,
    KeepChoice,
    KnowPoster,
    LetterChoice,
    MakeOffer,
    NoteAbsence,
    NoteCopyWarning,
    NoteDigest,
    NoteGuesses,
    NotePerson,
    NoteSignature,
    NoteTurnout,
    NoteUntold,
    OfferSeat,
    PlayerBlock,
    PlayerBlocks,
    Press,
    QueueGmJob,
    ReleasePress,
    ScheduleForgetting,
    SendPress,
    SetCustoms,
    SetGms,
    SetPlayerBan,
    SetPlayerBlocks,
    SignOut,
    SignUp,
    Subscription,
    TakeVoteBack,
    TellGamesmaster,
    TurnMark,
    Watch,
)
from adjudicator.storage import outbox
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.due_games import recheck, recheck_digest, revision_columns
from adjudicator.storage.forgotten import FORGOTTEN_DOMAIN
from adjudicator.storage.outbox import PosterRow
from adjudicator.storage.tables import (
    AbsenceRow,
    ChairRow,
    ChoiceRow,
    CustomsRow,
    DatabaseText,
    DigestRow,
    GameRow,
    GuessRow,
    LetterRow,
    MetaRow,
    OfferRow,
    OutRow,
    PersonRow,
    PressRow,
    RequestRow,
    SignupRow,
    VacancyRow,
    VoteRow,
    WatcherRow,
    assignment_of,
)
from games.protocol import Seat
from games.record import canonical, load, replace_fields


def apply_action(database: Database, action: AnyPersonAction) -> None:
    """Carry out one action within the caller's transaction.

    Raises WriteConflict for a vote in a past turn, for password guesses after others were counted, for press
    that no longer waits, for a digest that was already written, and for an email that was already settled.
    """
    with database.writing():
        ACTION_HANDLERS[type(action)](database, action)


def merge(database: Database, address: str, into: str) -> int:
    """Replace a player's address at seats, sign-ups and observed games. Return the number of seats.

    Tokens and passwords sent to the old address no longer authenticate its seats.
    """
    with database.writing():
        held = ChairRow.address == address
        moved = {"address": into, "generation": ChairRow.generation + 1}
        names = [row.game_id for row in database.run(ChairRow.select().where(held))]
        database.run(GameRow.update(**revision_columns(GameRow.rev)).where(GameRow.name.in_(names)))
        seats = int(database.run(ChairRow.update(**moved).where(held)))
        database.run(GameRow.update(founder=into).where(GameRow.founder == address))
        _move_rows(database, address, into)
        _merge_turnouts(database, address, into)
        _merge_blocks(database, address, into)
        _move_gm(database, address, into)
        database.run(PosterRow.update(address=into).where(PosterRow.address == address))
        database.run(PersonRow.delete().where(PersonRow.address == address))
        database.run(RequestRow.delete().where(RequestRow.address == address))
        # The digest subscription isn't moved: with one at both addresses, one would be lost silently.
        database.run(DigestRow.delete().where(DigestRow.address == address))
    return seats


def _move_rows(database: Database, address: str, into: str) -> None:
    """Move sign-ups, observed games and email choices, except those that the new address already has."""
    waits = database.run(SignupRow.select(SignupRow.game).where(SignupRow.address == address))
    recheck(database, [row.game for row in waits])
    for model in (SignupRow, WatcherRow, ChoiceRow):
        here = model.address == address
        column = model._meta.columns["game" if model is SignupRow else "game_id"]
        had = [row[0] for row in database.run(model.select(column).where(model.address == into).tuples())]
        database.run(model.delete().where(here & column.in_(had)))
        database.run(model.update(address=into).where(here))


def _note_person(database: Database, action: NotePerson) -> None:
    person = action.person
    row = PersonRow.insert(address=person.address, name=person.name, zone=person.zone, public=person.public)
    columns = [PersonRow.name, PersonRow.zone, PersonRow.public]
    database.run(row.on_conflict(conflict_target=[PersonRow.address], preserve=columns))
    recheck_digest(database, person.address)


def _sign_up(database: Database, action: SignUp) -> None:
    signup = action.signup
    row = SignupRow.insert(
        game=signup.game, address=signup.address, wishes=canonical(signup.wishes).decode(), since=signup.since
    )
    target = [SignupRow.game, SignupRow.address]
    database.run(row.on_conflict(conflict_target=target, preserve=[SignupRow.wishes]))
    recheck(database, [signup.game])


def _sign_out(database: Database, action: SignOut) -> None:
    here = (SignupRow.game == action.game) & (SignupRow.address == action.address)
    database.run(SignupRow.delete().where(here))
    recheck(database, [action.game])


def _watch(database: Database, action: Watch) -> None:
    if action.watches:
        database.run(WatcherRow.insert(game=action.game, address=action.address).on_conflict_ignore())
    else:
        here = (WatcherRow.game == action.game) & (WatcherRow.address == action.address)
        database.run(WatcherRow.delete().where(here))


def _set_customs(database: Database, action: SetCustoms) -> None:
    row = CustomsRow.insert(game=action.game, document=canonical(action.customs).decode())
    database.run(row.on_conflict(conflict_target=[CustomsRow.game], preserve=[CustomsRow.document]))


def _make_offer(database: Database, action: MakeOffer) -> None:
    row = OfferRow.insert(
        name=action.offer.name, document=canonical(action.offer).decode(), created=action.at
    )
    database.run(row.on_conflict(conflict_target=[OfferRow.name], preserve=[OfferRow.document]))
    recheck(database, [action.offer.name])


def _drop_offer(database: Database, action: DropOffer) -> None:
    if database.first(GameRow.select(GameRow.name).where(GameRow.name == action.name)) is None:
        forget_gms(database, action.name)  # it never began, and another game may get its name
    database.run(OfferRow.delete().where(OfferRow.name == action.name))
    database.run(SignupRow.delete().where(SignupRow.game == action.name))


def _offer_seat(database: Database, action: OfferSeat) -> None:
    row = VacancyRow.insert(game=action.game, seat=action.seat, since=action.at)
    database.run(row.on_conflict_ignore())


def _fill_seat(database: Database, action: FillSeat) -> None:
    here = (VacancyRow.game == action.game) & (VacancyRow.seat == action.seat)
    if not database.run(VacancyRow.delete().where(here)) and action.must:
        raise WriteConflict(f"{action.seat} in {action.game} isn't open any more")


def _cast_vote(database: Database, action: CastVote) -> None:
    here = database.first(GameRow.select().where(GameRow.name == action.game))
    if here is None or here.turn != action.turn or here.status != "running":
        raise WriteConflict(f"turn {action.turn} of {action.game} is over")
    vote = action.vote
    row = VoteRow.insert(game=action.game, seat=vote.seat, turn=action.turn, motion=vote.motion, goal=vote.to)
    columns = [VoteRow.turn, VoteRow.motion, VoteRow.goal]
    database.run(row.on_conflict(conflict_target=[VoteRow.game, VoteRow.seat], preserve=columns))


def _take_vote_back(database: Database, action: TakeVoteBack) -> None:
    database.run(VoteRow.delete().where((VoteRow.game == action.game) & (VoteRow.seat == action.seat)))


def _note_absence(database: Database, action: NoteAbsence) -> None:
    here = (AbsenceRow.game == action.game) & (AbsenceRow.seat == action.seat)
    database.run(AbsenceRow.delete().where(here))
    if action.absence is not None:
        absence = action.absence
        database.run(
            AbsenceRow.insert(game=action.game, seat=absence.seat, first=absence.first, last=absence.last)
        )
    recheck(database, [action.game])


def _note_guesses(database: Database, action: NoteGuesses) -> None:
    if action.seat == JOIN_WORD:
        _note_word_guesses(database, action)
        return
    here = (GuessRow.game == action.game) & (GuessRow.seat == action.seat)
    before, after = (
        action.before,
        {name: getattr(action.after, name) for name in action.after.__struct_fields__},
    )
    was = (GuessRow.lock == before.lock) & (GuessRow.misses == before.misses) & (GuessRow.at == before.at)
    if before == NO_GUESSES:
        row = GuessRow.insert(game=action.game, seat=action.seat, **after)
        done = database.run(row.on_conflict_ignore().as_rowcount())
    elif action.after == NO_GUESSES:
        done = database.run(GuessRow.delete().where(here & was))
    else:
        done = database.run(GuessRow.update(**after).where(here & was))
    if not done:
        raise WriteConflict(f"another guess at the password of {action.seat} in {action.game} was counted")


# The GMs of single games, and the commands that they have sent by email.


_GMS_KEY_PREFIX, _GM_JOB_KEY_PREFIX = "gms/", "gm-job/"


def read_gms(database: Database, game: str) -> GameGms:
    """Return the GMs of a game, with their looks."""
    with database.session():
        rows = database.ask(_SELECT_META, key=_GMS_KEY_PREFIX + game)
    return load(GameGms, bytes(rows[0].value)) if rows else GameGms()


def all_gms(database: Database) -> dict[str, GameGms]:
    """Return the GMs of all games that have any, by game."""
    return {game: load(GameGms, value) for game, value in _values_of(database, _GMS_KEY_PREFIX).items()}


def forget_gms(database: Database, game: str) -> None:
    """Delete the GMs of a game, within the caller's transaction."""
    database.run(MetaRow.delete().where(MetaRow.key == _GMS_KEY_PREFIX + game))


def _set_gms(database: Database, action: SetGms) -> None:
    if read_gms(database, action.game) != action.before:
        raise WriteConflict(f"the GMs of {action.game} have changed")
    database.do(_UPSERT_META, key=_GMS_KEY_PREFIX + action.game, value=canonical(action.after))


def _move_gm(database: Database, address: str, into: str) -> None:
    """Move a GM's rights to another address. Their reply addresses no longer work."""
    for game, before in all_gms(database).items():
        if before.find(address) is None:
            continue
        moved = tuple(
            replace_fields(member, address=into) if member.address == address else member
            for member in before.members
            if member.address == address or member.address != into
        )
        after = replace_fields(before, members=moved)
        _set_gms(database, SetGms(by=into, game=game, before=before, after=after))


def drop_gm(database: Database, address: str) -> None:
    """Take all rights of a person as a GM away, with their waiting commands, in the caller's transaction."""
    for game, before in all_gms(database).items():
        if before.find(address) is not None:
            members = tuple(member for member in before.members if member.address != address)
            after = replace_fields(before, members=members)
            _set_gms(database, SetGms(by=address, game=game, before=before, after=after))
    for key, job in gm_jobs(database).items():
        if job.address == address:
            take_gm_job(database, key)


def _queue_gm_job(database: Database, action: QueueGmJob) -> None:
    key = f"{_GM_JOB_KEY_PREFIX}{action.job.at:015d}/{action.job.letter}"
    database.do(_UPSERT_META, key=key, value=canonical(action.job))


def gm_jobs(database: Database) -> dict[str, GmJob]:
    """Return the commands of GMs that wait, oldest first, by their keys."""
    return {key: load(GmJob, value) for key, value in _values_of(database, _GM_JOB_KEY_PREFIX).items()}


def take_gm_job(database: Database, key: str) -> bool:
    """Remove waiting commands within the caller's transaction. Return whether they were still waiting."""
    return bool(database.run(MetaRow.delete().where(MetaRow.key == _GM_JOB_KEY_PREFIX + key)))


# The record of turning up: the marks of a player in each game. They stay if the game is deleted.


_TURNOUT_KEY_PREFIX = "turnout/"
_IS_RUNNING = GameRow.status == "running"
_SELECT_META_RANGE = Prepared(
    MetaRow.select(MetaRow.key, MetaRow.value).where(
        (MetaRow.key >= slot("first")) & (MetaRow.key < slot("after"))
    )
)


def turnouts_of(database: Database, address: str) -> dict[str, GameTurnout]:
    """Return the marks of a player by game, also those in running games that they were forgotten in."""
    turnouts: dict[str, GameTurnout] = {}
    for name in database.names_of(address):
        prefix = f"{_TURNOUT_KEY_PREFIX}{name}/"
        with database.session():
            # The next character after the slash.
            rows = database.ask(_SELECT_META_RANGE, first=prefix, after=f"{prefix[:-1]}0")
        for row in rows:
            game = row.key.removeprefix(prefix)
            marks = load(GameTurnout, bytes(row.value)).marks
            turnouts[game] = turnouts.get(game, GameTurnout()).with_marks(marks)
    return turnouts


def note_turnout(database: Database, action: NoteTurnout) -> None:
    """Add marks to those of a player in a game, within the caller's transaction."""
    key = f"{_TURNOUT_KEY_PREFIX}{action.address}/{action.game}"
    with database.writing():
        rows = database.ask(_SELECT_META, key=key)
        before = load(GameTurnout, bytes(rows[0].value)) if rows else GameTurnout()
        database.do(_UPSERT_META, key=key, value=canonical(before.with_marks(action.marks)))


def note_takeover(database: Database, game: str, seat: Seat, address: str, now: Millis) -> None:
    """Add the mark of a player who takes over a seat of a running game, unless they have played in it."""
    row = database.first(GameRow.select(GameRow.turn, GameRow.played).where(GameRow.name == game))
    if row is None or not row.played or game in turnouts_of(database, address):
        return
    mark = TurnMark(turn=row.turn, seat=seat, sort="taken-over", at=now)
    note_turnout(database, NoteTurnout(by=address, address=address, game=game, marks=(mark,)))


def drop_former_turnouts(database: Database) -> None:
    """Delete the marks of forgotten people in games that are over."""
    with database.writing():
        running = {row.name for row in database.run(GameRow.select(GameRow.name).where(_IS_RUNNING))}
        here = MetaRow.key.startswith(_TURNOUT_KEY_PREFIX) & MetaRow.key.contains(FORGOTTEN_DOMAIN)
        keys = [row.key for row in database.run(MetaRow.select(MetaRow.key).where(here))]
        over = [key for key in keys if key.rpartition("/")[2] not in running]
        database.run(MetaRow.delete().where(MetaRow.key.in_(over)))


def _merge_turnouts(database: Database, address: str, into: str) -> None:
    for game, turnout in turnouts_of(database, address).items():
        note_turnout(database, NoteTurnout(by=into, address=into, game=game, marks=turnout.marks))
        database.run(MetaRow.delete().where(MetaRow.key == f"{_TURNOUT_KEY_PREFIX}{address}/{game}"))


# Blocks, bans, and the GM's consents to seats, in the table of metadata.


_BLOCKS_KEY_PREFIX, _BAN_KEY_PREFIX, _ADMITTED_KEY_PREFIX = "blocks/", "ban/", "admitted/"


def _values_of(database: Database, prefix: str) -> dict[str, bytes]:
    """Return the metadata whose keys begin so, by the rest of the key, in its order."""
    with database.session():
        # The next character after the slash.
        rows = database.ask(_SELECT_META_RANGE, first=prefix, after=f"{prefix[:-1]}0")
    return {row.key.removeprefix(prefix): bytes(row.value) for row in sorted(rows)}


def _value_of(database: Database, key: str) -> bytes | None:
    with database.session():
        rows = database.ask(_SELECT_META, key=key)
    return bytes(rows[0].value) if rows else None


def blocks_of(database: Database, address: str) -> tuple[PlayerBlock, ...]:
    """Return the blocks of a player, oldest first."""
    value = _value_of(database, _BLOCKS_KEY_PREFIX + address)
    return load(PlayerBlocks, value).blocks if value is not None else ()


def ban_of(database: Database, address: str) -> Ban | None:
    """Return the ban of a person, also of a forgotten one, or None."""
    values = (_value_of(database, _BAN_KEY_PREFIX + name) for name in database.names_of(address))
    return next((load(Ban, value) for value in values if value is not None), None)


def bans(database: Database) -> tuple[Ban, ...]:
    """Return all bans, by address."""
    return tuple(load(Ban, value) for _, value in sorted(_values_of(database, _BAN_KEY_PREFIX).items()))


def is_admitted(database: Database, game: str, address: str) -> bool:
    """Return whether the GM has consented to a seat for a person in a game."""
    return _value_of(database, f"{_ADMITTED_KEY_PREFIX}{game}/{address}") is not None


def _set_blocks(database: Database, action: SetPlayerBlocks) -> None:
    if blocks_of(database, action.address) != action.before:
        raise WriteConflict(f"the blocks of {action.address} were changed meanwhile")
    _write_blocks(database, action.address, action.blocks)
    waits = database.run(SignupRow.select(SignupRow.game).where(SignupRow.address == action.address))
    recheck(database, [row.game for row in waits])


def _write_blocks(database: Database, address: str, blocks: tuple[PlayerBlock, ...]) -> None:
    key = _BLOCKS_KEY_PREFIX + address
    if blocks:
        database.do(_UPSERT_META, key=key, value=canonical(PlayerBlocks(blocks=blocks)))
    else:
        database.run(MetaRow.delete().where(MetaRow.key == key))


def _set_ban(database: Database, action: SetPlayerBan) -> None:
    key = _BAN_KEY_PREFIX + action.address
    if action.ban is None:
        keys = [_BAN_KEY_PREFIX + name for name in database.names_of(action.address)]
        database.run(MetaRow.delete().where(MetaRow.key.in_(keys)))
    else:
        database.do(_UPSERT_META, key=key, value=canonical(action.ban))


def _admit_player(database: Database, action: AdmitPlayer) -> None:
    database.do(_UPSERT_META, key=f"{_ADMITTED_KEY_PREFIX}{action.game}/{action.address}", value=b"1")
    recheck(database, [action.game])


def forget_admitted(database: Database, game: str) -> None:
    """Delete the GM's consents to seats in a game, within the caller's transaction."""
    first = f"{_ADMITTED_KEY_PREFIX}{game}/"
    database.run(MetaRow.delete().where((MetaRow.key >= first) & (MetaRow.key < f"{first[:-1]}0")))


def _merge_blocks(database: Database, address: str, into: str) -> None:
    """Move the blocks of a person, those of others that name them, and their ban."""
    for owner, value in _values_of(database, _BLOCKS_KEY_PREFIX).items():
        stored = load(PlayerBlocks, value).blocks
        blocks = [
            replace_fields(block, address=into) if block.address == address else block for block in stored
        ]
        if owner == address:
            _write_blocks(database, address, ())
            blocks = [*blocks_of(database, into), *blocks][:MAX_BLOCKS]
        if owner == address or tuple(blocks) != stored:
            _write_blocks(database, into if owner == address else owner, tuple(blocks))
    ban = ban_of(database, address)
    if ban is not None:
        _set_ban(database, SetPlayerBan(by=into, address=address, ban=None))
        _set_ban(database, SetPlayerBan(by=into, address=into, ban=replace_fields(ban, address=into)))


_WORD_GUESSES_KEY_PREFIX = "word-guesses/"
"""Guesses at the words of games, which may be open for players and have no row yet."""


def read_word_guesses(database: Database, game: str) -> Guesses:
    """Return the failed guesses at a game's word."""
    with database.session():
        rows = database.ask(_SELECT_META, key=_WORD_GUESSES_KEY_PREFIX + game)
    return load(Guesses, bytes(rows[0].value)) if rows else NO_GUESSES


def _note_word_guesses(database: Database, action: NoteGuesses) -> None:
    if read_word_guesses(database, action.game) != action.before:
        raise WriteConflict(f"another guess at the word of {action.game} was counted")
    database.do(_UPSERT_META, key=_WORD_GUESSES_KEY_PREFIX + action.game, value=canonical(action.after))


def _ask_back(database: Database, action: AskBack | AskToForget) -> None:
    request = action.request
    # Requests of any address without a reply in time are deleted here.
    database.run(RequestRow.delete().where(RequestRow.asked < request.at - REQUEST_LIFETIME_MS))
    lines = canonical(request.lines).decode()
    row = RequestRow.insert(address=request.address, mark=request.mark, lines=lines, asked=request.at)
    target, columns = [RequestRow.address, RequestRow.mark], [RequestRow.lines, RequestRow.asked]
    database.run(row.on_conflict(conflict_target=target, preserve=columns))


# When a person will be forgotten, and when they last said that they want to be kept.


FORGETTING_KEY_PREFIX = "forgetting/"
KEPT_KEY_PREFIX = "kept/"


def _schedule_forgetting(database: Database, action: ScheduleForgetting) -> None:
    """Record when a person will be forgotten. Taking it back is also a wish to be kept."""
    forgetting, kept = FORGETTING_KEY_PREFIX + action.address, KEPT_KEY_PREFIX + action.address
    database.run(MetaRow.delete().where(MetaRow.key.in_([forgetting, kept])))
    if action.due is None:
        database.do(_UPSERT_META, key=kept, value=str(action.at).encode())
    else:
        tried = "" if action.tried is None else f" {action.tried}"
        database.do(_UPSERT_META, key=forgetting, value=f"{action.due}{tried}".encode())


def forgetting_at(database: Database, address: str) -> Millis | None:
    """Return when a person will be forgotten, or None."""
    return _instant(database, FORGETTING_KEY_PREFIX + address)


def kept_at(database: Database, address: str) -> Millis | None:
    """Return when a person last said that they want to be kept, or None."""
    return _instant(database, KEPT_KEY_PREFIX + address)


def due_forgettings(database: Database, now: Millis) -> tuple[tuple[str, Millis], ...]:
    """Return the addresses of the people who are to be forgotten by now, each with the first try's time."""
    with database.session():
        # The next character after the slash.
        rows = database.ask(_SELECT_META_RANGE, first=FORGETTING_KEY_PREFIX, after="forgetting0")
    times = ((row.key.removeprefix(FORGETTING_KEY_PREFIX), bytes(row.value).split()) for row in rows)
    return tuple(
        (address, int(tried[0]) if tried else now) for address, (due, *tried) in times if int(due) <= now
    )


def _instant(database: Database, key: str) -> Millis | None:
    with database.session():
        rows = database.ask(_SELECT_META, key=key)
    return int(bytes(rows[0].value).split()[0]) if rows else None


def _remove_request(database: Database, action: Answered) -> None:
    here = (RequestRow.address == action.address) & (RequestRow.mark == action.mark)
    database.run(RequestRow.delete().where(here))


# The players' choices for their emails, and the subscriptions to digests, in the database.


_CHOICE_KEY = [ChoiceRow.game, ChoiceRow.seat, ChoiceRow.address]
_CHOSEN = ("detail", "reasons", "every", "maps", "sheets")
_CHOICE_FIELDS = (*_CHOSEN, "untold")


def choose(database: Database, action: ChooseLetters) -> None:
    """Record a choice. Settings that it doesn't name stay unchanged."""
    chosen_fields = {name: getattr(action, name) for name in _CHOSEN}
    _note(database, action, {name: value for name, value in chosen_fields.items() if value is not None})


def keep(database: Database, action: KeepChoice) -> None:
    """Record a complete choice."""
    choice = action.choice
    row = ChoiceRow.insert(
        game=action.game,
        seat=choice.seat,
        address=choice.address,
        **{name: getattr(choice, name) for name in _CHOICE_FIELDS},
    )
    kept = [getattr(ChoiceRow, name) for name in _CHOICE_FIELDS]
    database.run(row.on_conflict(conflict_target=_CHOICE_KEY, preserve=kept))


def note_untold(database: Database, action: NoteUntold) -> None:
    """Record the first log entry that hasn't been reported to a player."""
    _note(database, action, {"untold": action.untold})


def choose_digest(database: Database, action: ChooseDigest) -> None:
    """Record how often a player gets a digest."""
    row = DigestRow.insert(address=action.address, digest=action.digest, seen=action.at)
    columns = [DigestRow.digest, DigestRow.seen]
    database.run(row.on_conflict(conflict_target=[DigestRow.address], preserve=columns))
    recheck_digest(database, action.address)


def note_digest(database: Database, action: NoteDigest) -> None:
    """Record a digest's check. Raises WriteConflict if another worker has just checked it."""
    here = (DigestRow.address == action.address) & (DigestRow.seen == action.before)
    if not database.run(DigestRow.update(seen=action.at).where(here)):
        raise WriteConflict(f"the digest of {action.address} was checked by another worker")


def subscriptions(database: Database) -> tuple[Subscription, ...]:
    """Return all addresses with a subscription or a cancelled one, in order."""
    with database.reading():
        rows = list(database.run(DigestRow.select()))
    subscribers = [Subscription(address=row.address, digest=row.digest, seen=row.seen) for row in rows]
    return tuple(sorted(subscribers, key=lambda subscriber: subscriber.address))


def subscription(database: Database, address: str) -> Subscription | None:
    """Return the digest subscription of an address, also a cancelled one, or None if there never was one."""
    with database.reading():
        row = database.first(DigestRow.select().where(DigestRow.address == address))
    return None if row is None else Subscription(address=row.address, digest=row.digest, seen=row.seen)


def _note(database: Database, action: ChooseLetters | NoteUntold, fields: dict[str, Any]) -> None:
    row = ChoiceRow.insert(game=action.game, seat=action.seat, address=action.address, **fields)
    kept = [getattr(ChoiceRow, name) for name in fields]
    database.run(
        row.on_conflict(conflict_target=_CHOICE_KEY, preserve=kept) if kept else row.on_conflict_ignore()
    )


# Press in the database, stored as it was written, for its readers.


_BLIND = " blind"
"""The end of the kind of a reply to grey press, in its row."""


def _send_press(database: Database, action: SendPress) -> None:
    """Store press, only once per key."""
    press = action.press
    row = PressRow.insert(
        key=action.key,
        game=action.game,
        turn=press.turn,
        seat=press.seat,
        kind=f"{press.kind}{_BLIND}" if press.blind else press.kind,
        hearers=None if press.to is None else canonical(press.to).decode(),
        text=press.text,
        written=press.at,
    )
    database.run(row.on_conflict_ignore())


# Players get one warning per game that copies of their emails show others their reply address.


class CopyWarningRow(Model):
    """A warning to the player of a seat. address: the player's, so that the next player is warned too."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    address = DatabaseText()

    class Meta:
        table_name = "copy_warning"
        primary_key = CompositeKey("game", "seat")


def note(database: Database, action: NoteCopyWarning) -> None:
    """Record that a seat's player was warned, within the caller's transaction."""
    row = CopyWarningRow.insert(game=action.game, seat=action.seat, address=action.address)
    target = [CopyWarningRow.game, CopyWarningRow.seat]
    database.run(row.on_conflict(conflict_target=target, preserve=[CopyWarningRow.address]))


# Press that waits to be sent to its readers, in the database.


class HeldPressRow(Model):
    """A piece of press that waits for one of its readers. press: its key. since: the start of the wait.

    reader: a seat, the address of an observer, or the GM.
    """

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    press = DatabaseText()
    reader = DatabaseText()
    since = BigIntegerField()

    class Meta:
        table_name = "held_press"
        primary_key = CompositeKey("press", "reader")


# This query runs in every round.


def hold_press(database: Database, action: HoldPress) -> None:
    """Queue press for a reader within the caller's transaction."""
    row = HeldPressRow.insert(game=action.game, press=action.key, reader=action.reader, since=action.at)
    database.run(row.on_conflict_ignore())


def release_press(database: Database, action: ReleasePress) -> None:
    """Remove press from the queue within the caller's transaction.

    Raises WriteConflict if some of it was sent meanwhile.
    """
    here = (HeldPressRow.reader == action.reader) & HeldPressRow.press.in_(list(action.keys))
    if int(database.run(HeldPressRow.delete().where(here))) != len(action.keys):
        raise WriteConflict(f"press to {action.reader} in {action.game} went out meanwhile")


# Signed content of emails that were accepted, and emails that their writers confirm.


KEPT_FOR: Millis = 30 * DAY
"""How long a hash is stored. An email can arrive 8 days after it was read; the rest is for delayed mail."""


class SignatureRow(Model):
    """Signed content that was accepted. content: its hash. letter: the email's fingerprint."""

    content = DatabaseText(primary_key=True)
    letter = DatabaseText()
    accepted = BigIntegerField(index=True)

    class Meta:
        table_name = "signature"


SIGNATURE_TABLES: tuple[type[Model], ...] = (SignatureRow,)

_SELECT_ACCEPTED_SIGNATURE = Prepared(
    SignatureRow.select(SignatureRow.letter).where(SignatureRow.content == slot("content"))
)
_INSERT_SIGNATURE = Prepared(
    SignatureRow.insert(
        **{name: slot(name) for name in ("content", "letter", "accepted")}
    ).on_conflict_ignore()
)
_FORGET = Prepared(SignatureRow.delete().where(SignatureRow.accepted < slot("before")))


def accepted_in(database: Database, content: str) -> str | None:
    """Return the fingerprint of the email that signed content was accepted in, or None."""
    with database.session():
        rows = database.ask(_SELECT_ACCEPTED_SIGNATURE, content=content)
    return str(rows[0].letter) if rows else None


def note_signature(database: Database, action: NoteSignature) -> None:
    """Record that signed content was accepted.

    Raises WriteConflict if it was accepted in another email meanwhile.
    """
    with database.writing():
        database.do(_FORGET, before=action.at - KEPT_FOR)
        if not database.do(
            _INSERT_SIGNATURE, content=action.content, letter=action.letter, accepted=action.at
        ):
            raise WriteConflict("the signed content of this email was accepted in another one meanwhile")


def quarantined_letter(database: Database, fingerprint: str) -> StoredLetter | None:
    """Return the email with this fingerprint, if it is quarantined and its bytes are still stored."""
    here = (LetterRow.fingerprint == fingerprint) & (LetterRow.disposition == "quarantined")
    with database.reading():
        row = database.first(LetterRow.select().where(here))
        if row is None or not row.data:
            return None
        return StoredLetter(
            number=row.number, received=row.received, raw=bytes(row.data), fingerprint=fingerprint
        )


def confirm(database: Database, action: ConfirmEmail) -> None:
    """Record that a quarantined email is read. Raises WriteConflict if it was settled meanwhile."""
    email = quarantined_letter(database, action.letter)
    if email is None:
        raise WriteConflict("the email was settled meanwhile")
    facts = {
        "disposition": "read",
        "why": action.why or None,
        "speaker": action.by,
        "game": action.game,
        "seat": action.seat,
        "handled": action.at,
        "data": tokens.redact_letter(email.raw),
    }
    here = (LetterRow.number == email.number) & (LetterRow.disposition == "quarantined")
    if not database.run(LetterRow.update(**facts).where(here)):
        raise WriteConflict("the email was settled meanwhile")


def questions_since(database: Database, game: str, seat: Seat, since: Millis) -> int:
    """Return how often a seat was asked since an instant about emails in its player's name."""
    here = (OutRow.game == game) & (OutRow.seat == seat) & (OutRow.created >= since)
    return database.count(OutRow.select().where(here & OutRow.key.startswith(QUESTION)))


# The restore marks of games, in the table of metadata.


_RESTORE_MARK_KEY_PREFIX = "restored/"
_SELECT_META = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))
_UPSERT_META = Prepared(
    MetaRow.insert(key=slot("key"), value=slot("value")).on_conflict(
        conflict_target=[MetaRow.key], preserve=[MetaRow.value]
    )
)


def read_mark(database: Database, game: str) -> RestoreMark | None:
    """Return the restore mark of a game, or None if it was never restored."""
    with database.session():
        rows = database.ask(_SELECT_META, key=_RESTORE_MARK_KEY_PREFIX + game)
    return load(RestoreMark, bytes(rows[0].value)) if rows else None


def write_mark(database: Database, game: str, mark: RestoreMark) -> None:
    """Write the restore mark of a game within the caller's transaction."""
    with database.writing():
        database.do(_UPSERT_META, key=_RESTORE_MARK_KEY_PREFIX + game, value=canonical(mark))


def mark_all(
    database: Database, made: Millis, now: Millis
) -> list[tuple[str, SeatAssignment, SeatAssignment]]:
    """Mark every game as restored, and give each seat new tokens.

    made: the time of the backup. Seats that only bots have played keep their generation. Return the changed
    seats: the game, and the seat before and after. Runs in the caller's transaction.
    """
    raised: list[tuple[str, SeatAssignment, SeatAssignment]] = []
    with database.writing():
        names = sorted(row.name for row in database.run(GameRow.select(GameRow.name)))
        for name in names:
            before, windows = read_mark(database, name), dict[Seat, GenerationWindow]()
            rows = list(database.run(ChairRow.select().where(ChairRow.game == name)))
            for assignment in map(assignment_of, rows):
                if not assignment.is_person and assignment.generation == 1:
                    continue
                window = open_window(assignment, before)
                if assignment.is_person:
                    windows[assignment.seat] = window
                here = (ChairRow.game == name) & (ChairRow.seat == assignment.seat)
                database.run(ChairRow.update(generation=window.current).where(here))
                raised.append((name, assignment, replace_fields(assignment, generation=window.current)))
            write_mark(database, name, RestoreMark(made=made, restored=now, seats=windows))
    return raised


def narrow_window(database: Database, game: str, seat: Seat, seen: int, generation: int) -> None:
    """Keep a seat's older tokens valid after one of them leaked, except those up to the leaked one.

    seen: the generation of the leaked token, 0 for the current one. generation: the seat's new one. Runs in
    the caller's transaction.
    """
    mark = read_mark(database, game)
    window = None if mark is None else mark.seats.get(seat)
    if mark is None or window is None or window.current + 1 != generation:
        return
    kept = replace_fields(window, low=max(window.low, seen + 1), current=generation)
    write_mark(database, game, replace_fields(mark, seats={**mark.seats, seat: kept}))


def note_stopped(database: Database, game: str, since: Millis) -> None:
    """Record that the restore stopped a game's clock, within the caller's transaction."""
    mark = read_mark(database, game)
    if mark is not None:
        write_mark(database, game, replace_fields(mark, stopped=since))


def _store_nothing(_database: Database, _deed: Invite | TellGamesmaster) -> None:
    """Change nothing in the database, because the action only causes emails."""


ACTION_HANDLERS: dict[type, Callable[[Database, Any], None]] = {
    NotePerson: _note_person,
    ChooseLetters: choose,
    KeepChoice: keep,
    NoteUntold: note_untold,
    ChooseDigest: choose_digest,
    NoteDigest: note_digest,
    SignUp: _sign_up,
    SignOut: _sign_out,
    Watch: _watch,
    SetCustoms: _set_customs,
    MakeOffer: _make_offer,
    DropOffer: _drop_offer,
    OfferSeat: _offer_seat,
    FillSeat: _fill_seat,
    CastVote: _cast_vote,
    TakeVoteBack: _take_vote_back,
    NoteAbsence: _note_absence,
    SendPress: _send_press,
    HoldPress: hold_press,
    ReleasePress: release_press,
    NoteGuesses: _note_guesses,
    NoteCopyWarning: note,
    KnowPoster: outbox.store_poster,
    ForgetPoster: outbox.forget_poster,
    AskBack: _ask_back,
    Answered: _remove_request,
    NoteSignature: note_signature,
    ConfirmEmail: confirm,
    NoteTurnout: note_turnout,
    SetPlayerBlocks: _set_blocks,
    SetPlayerBan: _set_ban,
    AdmitPlayer: _admit_player,
    AskToForget: _ask_back,
    ScheduleForgetting: _schedule_forgetting,
    SetGms: _set_gms,
    QueueGmJob: _queue_gm_job,
    Invite: _store_nothing,
    TellGamesmaster: _store_nothing,
}
"""The function for each kind of action. A test checks that none is missing."""


def choice_of(row: Any) -> LetterChoice:
    """Return the choice of a row."""
    return LetterChoice(
        seat=row.seat, address=row.address, **{name: getattr(row, name) for name in _CHOICE_FIELDS}
    )


def press_of(row: Any) -> Press:
    """Return a row as a value."""
    return Press(
        number=row.number,
        turn=row.turn,
        seat=None if row.seat is None else Seat(row.seat),
        kind=row.kind.removesuffix(_BLIND),
        to=None if row.hearers is None else load(tuple[Seat, ...], row.hearers.encode()),
        # Grey press stored before seats were masked is masked here for all readers.
        text=tokens.mask_seats(row.text) if row.kind == "grey" else row.text,
        at=row.written,
        blind=row.kind.endswith(_BLIND),
    )
