"""The deeds of people carried out on the books, each a part of its caller's transaction."""

from typing import assert_never

from adjudicator.errors import WriteConflict
from adjudicator.model.password_guesses import NO_GUESSES
from adjudicator.model.people import REQUEST_LIFETIME_MS
from adjudicator.model.people_acts import (
    Answered,
    AnyPersonAction,
    AskBack,
    CastVote,
    ChooseDigest,
    ChooseLetters,
    ConfirmEmail,
    DropOffer,
    FillSeat,
    ForgetPoster,
    HoldPress,
    Invite,
    KeepChoice,
    KnowPoster,
    MakeOffer,
    NoteAbsence,
    NoteCopyWarning,
    NoteDigest,
    NoteGuesses,
    NotePerson,
    NoteSignature,
    NoteUntold,
    OfferSeat,
    ReleasePress,
    SendPress,
    SetCustoms,
    SignOut,
    SignUp,
    TakeVoteBack,
    TellGamesmaster,
    Watch,
)
from adjudicator.storage import copy_warnings, held_press, letter_choices, posters, signatures
from adjudicator.storage import press as book_of_press
from adjudicator.storage.database import Database
from adjudicator.storage.due_games import recheck, recheck_digest, revision_columns
from adjudicator.storage.posters import PosterRow
from adjudicator.storage.tables import (
    AbsenceRow,
    ChairRow,
    ChoiceRow,
    CustomsRow,
    DigestRow,
    GameRow,
    GuessRow,
    OfferRow,
    PersonRow,
    RequestRow,
    SignupRow,
    VacancyRow,
    VoteRow,
    WatcherRow,
)
from games.record import canonical


def apply_action(database: Database, deed: AnyPersonAction) -> None:
    """Carry out one deed, as a part of the caller's transaction.

    Raises Overtaken for a vote in a turn that is over, for guesses where others were counted meanwhile, for
    press that waits no longer, for a digest that was seen to, and for an email that was dealt with.
    """
    with database.writing():
        match deed:
            case NotePerson():
                _note_person(database, deed)
            case ChooseLetters():
                letter_choices.choose(database, deed)
            case KeepChoice():
                letter_choices.keep(database, deed)
            case NoteUntold():
                letter_choices.note_untold(database, deed)
            case ChooseDigest():
                letter_choices.choose_digest(database, deed)
            case NoteDigest():
                letter_choices.note_digest(database, deed)
            case SignUp():
                _sign_up(database, deed)
            case SignOut():
                _sign_out(database, deed)
            case Watch():
                _watch(database, deed)
            case SetCustoms():
                _set_customs(database, deed)
            case MakeOffer():
                _make_offer(database, deed)
            case DropOffer():
                _drop_offer(database, deed)
            case OfferSeat():
                _offer_seat(database, deed)
            case FillSeat():
                _fill_seat(database, deed)
            case CastVote():
                _cast_vote(database, deed)
            case TakeVoteBack():
                _take_vote_back(database, deed)
            case NoteAbsence():
                _note_absence(database, deed)
            case SendPress():
                _send_press(database, deed)
            case HoldPress():
                held_press.hold(database, deed)
            case ReleasePress():
                held_press.release(database, deed)
            case NoteGuesses():
                _note_guesses(database, deed)
            case NoteCopyWarning():
                copy_warnings.note(database, deed)
            case KnowPoster():
                posters.store_poster(database, deed)
            case ForgetPoster():
                posters.forget_poster(database, deed)
            case Invite() | TellGamesmaster():
                pass
            case AskBack():
                _ask_back(database, deed)
            case Answered():
                _remove_request(database, deed)
            case NoteSignature():
                signatures.note(database, deed)
            case ConfirmEmail():
                signatures.confirm(database, deed)
            case _:
                assert_never(deed)


def merge(database: Database, address: str, into: str) -> int:
    """Write another address for somebody's at seats, sign-ups and games watched. Returns how many seats.

    What was mailed to the old address speaks for its seats no longer.
    """
    with database.writing():
        held = ChairRow.address == address
        moved = {"address": into, "generation": ChairRow.generation + 1}
        names = [row.game_id for row in database.run(ChairRow.select().where(held))]
        database.run(GameRow.update(**revision_columns(GameRow.rev)).where(GameRow.name.in_(names)))
        seats = int(database.run(ChairRow.update(**moved).where(held)))
        database.run(GameRow.update(founder=into).where(GameRow.founder == address))
        _move_rows(database, address, into)
        database.run(PosterRow.update(address=into).where(PosterRow.address == address))
        database.run(PersonRow.delete().where(PersonRow.address == address))
        database.run(RequestRow.delete().where(RequestRow.address == address))
        # How often he is written to he says anew: one of two answers would be dropped in silence.
        database.run(DigestRow.delete().where(DigestRow.address == address))
    return seats


def _move_rows(database: Database, address: str, into: str) -> None:
    """Sign-ups, games watched, letters chosen, but for those that the other address has already."""
    waits = database.run(SignupRow.select(SignupRow.game).where(SignupRow.address == address))
    recheck(database, [row.game for row in waits])
    for model in (SignupRow, WatcherRow, ChoiceRow):
        here = model.address == address
        column = model._meta.columns["game" if model is SignupRow else "game_id"]
        had = [row[0] for row in database.run(model.select(column).where(model.address == into).tuples())]
        database.run(model.delete().where(here & column.in_(had)))
        database.run(model.update(address=into).where(here))


def _note_person(database: Database, deed: NotePerson) -> None:
    person = deed.person
    row = PersonRow.insert(address=person.address, name=person.name, zone=person.zone, public=person.public)
    columns = [PersonRow.name, PersonRow.zone, PersonRow.public]
    database.run(row.on_conflict(conflict_target=[PersonRow.address], preserve=columns))
    recheck_digest(database, person.address)


def _sign_up(database: Database, deed: SignUp) -> None:
    signup = deed.signup
    row = SignupRow.insert(
        game=signup.game, address=signup.address, wishes=canonical(signup.wishes).decode(), since=signup.since
    )
    target = [SignupRow.game, SignupRow.address]
    database.run(row.on_conflict(conflict_target=target, preserve=[SignupRow.wishes]))
    recheck(database, [signup.game])


def _sign_out(database: Database, deed: SignOut) -> None:
    here = (SignupRow.game == deed.game) & (SignupRow.address == deed.address)
    database.run(SignupRow.delete().where(here))
    recheck(database, [deed.game])


def _watch(database: Database, deed: Watch) -> None:
    if deed.watches:
        database.run(WatcherRow.insert(game=deed.game, address=deed.address).on_conflict_ignore())
    else:
        here = (WatcherRow.game == deed.game) & (WatcherRow.address == deed.address)
        database.run(WatcherRow.delete().where(here))


def _set_customs(database: Database, deed: SetCustoms) -> None:
    row = CustomsRow.insert(game=deed.game, document=canonical(deed.customs).decode())
    database.run(row.on_conflict(conflict_target=[CustomsRow.game], preserve=[CustomsRow.document]))


def _make_offer(database: Database, deed: MakeOffer) -> None:
    row = OfferRow.insert(name=deed.offer.name, document=canonical(deed.offer).decode(), created=deed.at)
    database.run(row.on_conflict(conflict_target=[OfferRow.name], preserve=[OfferRow.document]))
    recheck(database, [deed.offer.name])


def _drop_offer(database: Database, deed: DropOffer) -> None:
    database.run(OfferRow.delete().where(OfferRow.name == deed.name))
    database.run(SignupRow.delete().where(SignupRow.game == deed.name))


def _offer_seat(database: Database, deed: OfferSeat) -> None:
    row = VacancyRow.insert(game=deed.game, seat=deed.seat, since=deed.at)
    database.run(row.on_conflict_ignore())


def _fill_seat(database: Database, deed: FillSeat) -> None:
    here = (VacancyRow.game == deed.game) & (VacancyRow.seat == deed.seat)
    if not database.run(VacancyRow.delete().where(here)) and deed.must:
        raise WriteConflict(f"{deed.seat} in {deed.game} has been taken")


def _cast_vote(database: Database, deed: CastVote) -> None:
    here = database.first(GameRow.select().where(GameRow.name == deed.game))
    if here is None or here.turn != deed.turn or here.status != "running":
        raise WriteConflict(f"{deed.game} has gone on from {deed.turn}")
    vote = deed.vote
    row = VoteRow.insert(game=deed.game, seat=vote.seat, turn=deed.turn, motion=vote.motion, goal=vote.to)
    columns = [VoteRow.turn, VoteRow.motion, VoteRow.goal]
    database.run(row.on_conflict(conflict_target=[VoteRow.game, VoteRow.seat], preserve=columns))


def _take_vote_back(database: Database, deed: TakeVoteBack) -> None:
    database.run(VoteRow.delete().where((VoteRow.game == deed.game) & (VoteRow.seat == deed.seat)))


def _note_absence(database: Database, deed: NoteAbsence) -> None:
    here = (AbsenceRow.game == deed.game) & (AbsenceRow.seat == deed.seat)
    database.run(AbsenceRow.delete().where(here))
    if deed.absence is not None:
        absence = deed.absence
        database.run(
            AbsenceRow.insert(game=deed.game, seat=absence.seat, first=absence.first, last=absence.last)
        )
    recheck(database, [deed.game])


def _send_press(database: Database, deed: SendPress) -> None:
    book_of_press.write(database, deed.game, deed.press, deed.key)


def _note_guesses(database: Database, deed: NoteGuesses) -> None:
    here = (GuessRow.game == deed.game) & (GuessRow.seat == deed.seat)
    before, after = deed.before, {name: getattr(deed.after, name) for name in deed.after.__struct_fields__}
    was = (GuessRow.lock == before.lock) & (GuessRow.misses == before.misses) & (GuessRow.at == before.at)
    if before == NO_GUESSES:
        row = GuessRow.insert(game=deed.game, seat=deed.seat, **after)
        done = database.run(row.on_conflict_ignore().as_rowcount())
    elif deed.after == NO_GUESSES:
        done = database.run(GuessRow.delete().where(here & was))
    else:
        done = database.run(GuessRow.update(**after).where(here & was))
    if not done:
        raise WriteConflict(f"somebody else has guessed at the password of {deed.seat} in {deed.game}")


def _ask_back(database: Database, deed: AskBack) -> None:
    request = deed.request
    # What nobody has answered in time, whoever asked for it, is forgotten here.
    database.run(RequestRow.delete().where(RequestRow.asked < request.at - REQUEST_LIFETIME_MS))
    lines = canonical(request.lines).decode()
    row = RequestRow.insert(address=request.address, mark=request.mark, lines=lines, asked=request.at)
    target, columns = [RequestRow.address, RequestRow.mark], [RequestRow.lines, RequestRow.asked]
    database.run(row.on_conflict(conflict_target=target, preserve=columns))


def _remove_request(database: Database, deed: Answered) -> None:
    here = (RequestRow.address == deed.address) & (RequestRow.mark == deed.mark)
    database.run(RequestRow.delete().where(here))
