"""Claims about changing players, substitutes, press, draws and digests, and their conditions."""

import re
from collections.abc import Iterator
from typing import get_args

from adjudicator.auth.sender import authenticate_token
from adjudicator.clock import Millis, format_instant
from adjudicator.context import ServiceContext
from adjudicator.inbound.commands.voting import voting_seats
from adjudicator.messages import sentence
from adjudicator.model.addresses import claims as tokens_in
from adjudicator.model.deadline_status import overdue
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import REQUEST_LIFETIME_MS, Draws, GamePolicy
from adjudicator.model.repository import Repository
from adjudicator.reports import times
from adjudicator.reports.messages import name_seat
from adjudicator.turns.deadlines import missing_orders, people_due
from games.protocol import Seat
from tests.kit.claims import Claims, flat
from tests.kit.letter_states import ZONE, Letter, letter_of

CLAIMS = Claims()
claim, claims = CLAIMS.add, CLAIMS.add_made


# Seats.


def seat_sentence(slug: str, **values: object):
    """Yield a sentence about each seat of the game, with the seat."""
    return lambda letter, seat: sentence(slug, seat=seat, game=letter.position.name, **values)


def claim_of_seats(text, when) -> None:
    """Add a sentence about a seat, true if `when` is true of that seat.

    It is made only of seats that the email names.
    """

    def said(letter: Letter, want: bool) -> Iterator[str]:
        return (text(letter, seat) for seat in letter.named_seats if when(letter, seat) is want)

    claims(lambda letter: said(letter, True), lambda _letter: True)
    claims(lambda letter: said(letter, False), lambda _letter: False)


def is_played_by_bot(letter: Letter, seat: Seat) -> bool:
    return not letter.position.assignments[seat].is_person


def is_free(letter: Letter, seat: Seat) -> bool:
    """Return whether anyone may take a seat."""
    return is_played_by_bot(letter, seat) and seat in letter.vacancies


def is_lent(letter: Letter, seat: Seat) -> bool:
    """Return whether a substitute plays a seat until its player returns."""
    loan = letter.position.timing.loans.get(seat)
    return loan is not None and loan.until > letter.now and not is_played_by_bot(letter, seat)


def is_lent_by_reader(letter: Letter, seat: Seat) -> bool:
    return is_lent(letter, seat) and letter.position.timing.loans[seat].owner == letter.to


def is_somebody_else_s(letter: Letter, seat: Seat) -> bool:
    return letter.position.assignments[seat].address not in (None, letter.to)


def is_lost(letter: Letter, seat: Seat) -> bool:
    return letter.position.assignments[seat].address != letter.to


for slug in ("reports.seats.changed_hands_subject", "reports.seats.changed_hands"):
    claim_of_seats(seat_sentence(slug, by_bot=False), is_somebody_else_s)
claim_of_seats(seat_sentence("outbound.notifications.given_up"), is_free)
claim_of_seats(seat_sentence("outbound.notifications.taken_over"), is_somebody_else_s)
claim_of_seats(seat_sentence("outbound.notifications.free"), is_free)
claim_of_seats(seat_sentence("inbound.joining.given_up", others=True), is_free)
claim_of_seats(
    seat_sentence("inbound.joining.given_up", others=False),
    lambda letter, seat: is_played_by_bot(letter, seat) and not is_free(letter, seat),
)
claim_of_seats(seat_sentence("inbound.joining.taken"), lambda letter, seat: not is_lost(letter, seat))
for slug in ("reports.times.lent_subject",):
    claim_of_seats(seat_sentence(slug), is_lent)
for slug in ("reports.seats.lent_out_subject", "reports.seats.lent_out"):
    claim_of_seats(seat_sentence(slug), is_lent_by_reader)
for slug in ("inbound.former_seats.lent_subject", "inbound.former_seats.lent"):
    claim_of_seats(seat_sentence(slug), is_lent_by_reader)
for slug in ("inbound.former_seats.removed_subject", "inbound.former_seats.removed"):
    claim_of_seats(
        seat_sentence(slug),
        lambda letter, seat: is_lost(letter, seat) and not is_lent_by_reader(letter, seat),
    )
claims(
    lambda letter: iter([sentence("inbound.former_seats.removed_free", game=letter.position.name)]),
    lambda letter: any(is_free(letter, seat) for seat in letter.position.assignments),
)
for slug in ("reports.times.given_back_subject", "reports.times.given_back"):
    claim_of_seats(
        seat_sentence(slug),
        lambda letter, seat: not is_played_by_bot(letter, seat) and not is_lent(letter, seat),
    )
claim_of_seats(
    seat_sentence("reports.times.given_back_you"),
    lambda letter, seat: not is_lost(letter, seat) and not is_lent(letter, seat),
)


def lent_until(letter: Letter) -> Iterator[str]:
    for seat, loan in letter.position.timing.loans.items():
        _, last = times.span(loan.until, loan.until, ZONE, anywhere=False)
        yield sentence("reports.times.lent", seat=seat, last=last)
        _, last = times.span(loan.until, loan.until, ZONE, anywhere=True)
        yield sentence("reports.times.lent", seat=seat, last=last)


claims(lent_until, lambda _letter: True)


def absences(letter: Letter) -> Iterator[str]:
    for absence in letter.repository.people.absences(letter.position.name):
        for anywhere in (True, False):
            first, last = times.span(absence.first, absence.last, ZONE, anywhere=anywhere)
            yield sentence("outbound.notifications.away", seat=absence.seat, first=first, last=last)
            yield sentence("inbound.personal.away", first=first, last=last, game=letter.position.name)


claims(absences, lambda _letter: True)
claim_of_seats(
    seat_sentence("outbound.notifications.away_subject"),
    lambda letter, seat: any(
        absence.seat == seat for absence in letter.repository.people.absences(letter.position.name)
    ),
)
claim_of_seats(seat_sentence("outbound.notifications.changes_hands_subject"), lambda _letter, _seat: True)
claims(
    lambda letter: (
        sentence("inbound.joining.waits", game=letter.position.name, place=place)
        for place in range(1, len(letter.position.assignments) + 1)
    ),
    lambda letter: not letter.vacancies,
)


def digest_hours(letter: Letter) -> Iterator[str]:
    subscription = letter.repository.people.subscription(letter.to)
    if subscription is not None:
        yield sentence("inbound.letters.digest", digest=subscription.digest, at="07:00", zone=ZONE.key)


claims(digest_hours, lambda _letter: True)


# Ends that players agree on.


def has_voted(letter: Letter, motion: str) -> bool:
    vote = letter.repository.people.votes(letter.position.name).get(letter.seat)
    return vote is not None and vote.motion == motion and letter.position.is_running


def is_by_majority(letter: Letter) -> bool:
    """Return whether a majority of the players may end the game by a draw."""
    return letter.repository.people.policy(letter.position.name).draws == "majority"


for draws in {*get_args(Draws)} - {GamePolicy().draws}:
    claim(
        sentence("outbound.welcome.table_rule", setting="draws", value=draws),
        when=lambda letter, draws=draws: letter.repository.people.policy(letter.position.name).draws == draws,
    )


def is_proposed(letter: Letter) -> bool:
    return bool(letter.repository.people.votes(letter.position.name)) and letter.position.is_running


for majority in (True, False):
    claim(
        sentence("inbound.draws.agrees", majority=majority, seats=""),
        when=lambda letter, majority=majority: (
            has_voted(letter, "draw") and is_by_majority(letter) is majority
        ),
    )


def agreement_lines(_letter: Letter, majority: bool) -> Iterator[str]:
    yield sentence("outbound.notifications.how_to_agree", words="DRAW", majority=majority)


for majority in (True, False):
    claims(
        lambda letter, majority=majority: agreement_lines(letter, majority),
        lambda letter, majority=majority: is_proposed(letter) and is_by_majority(letter) is majority,
    )
claims(
    lambda letter: (
        sentence("outbound.notifications.how_to_agree", words=f"CONCEDE TO {seat}", majority=False)
        for seat in letter.position.assignments
    ),
    is_proposed,
)
claims(
    lambda letter: (
        sentence("outbound.notifications.proposed", to=to, draw=to is None)
        for to in (None, *letter.position.assignments)
    ),
    is_proposed,
)
claims(
    lambda letter: (sentence("inbound.draws.concedes", seat=seat) for seat in letter.position.assignments),
    lambda letter: has_voted(letter, "concede"),
)
claim(
    sentence("inbound.draws.taken_back"),
    when=lambda letter: letter.seat not in letter.repository.people.votes(letter.position.name),
)


def have_all_agreed(letter: Letter) -> bool:
    """Return whether the game is over because all players agreed. The last of them is the reader."""
    agreed = {*letter.repository.people.votes(letter.position.name), letter.seat}
    return not letter.position.is_running and agreed >= set(voting_seats(letter.game, letter.position))


claim(sentence("inbound.draws.all_agreed", majority=False), when=have_all_agreed)
claim(
    sentence("inbound.draws.all_agreed", majority=True),
    when=lambda letter: is_by_majority(letter) and not letter.position.is_running,
)
claims(
    lambda letter: (sentence("inbound.draws.conceded", seat=seat) for seat in letter.position.assignments),
    have_all_agreed,
)
claim(
    sentence("reports.press.lapsed"),
    when=lambda letter: letter.position.is_running and not is_proposed(letter),
)


# Press.


def held_from(letter: Letter) -> bool:
    """Return whether press of the reader waits for a while."""
    held = letter.repository.people.held_press(letter.position.name)
    return any(item.press.seat == letter.seat for item in held)


claims(
    lambda letter: (sentence("inbound.press.waits", readers=seat) for seat in letter.position.assignments),
    held_from,
)


def is_asked_about_press(letter: Letter) -> bool:
    """Return whether a text of the reader waits for their YES, which would be a reply to this email."""
    return any(
        request.email is not None
        and request.email.is_press
        and request.email.turn
        and letter.now - request.at < REQUEST_LIFETIME_MS
        for request in letter.repository.people.requests(letter.to)
    )


claims(
    lambda letter: (
        sentence("inbound.press_replies.question", hearer=hearer) for hearer in letter.position.assignments
    ),
    is_asked_about_press,
)
claim(sentence("inbound.press_replies.too_late"), when=lambda letter: not is_asked_about_press(letter))
claim(sentence("inbound.press_replies.declined"), when=lambda _letter: True)
claim(
    sentence("outbound.press_batches.why"),
    when=lambda letter: not letter.repository.people.held_press(letter.position.name),
)
claims(
    lambda letter: (
        sentence("inbound.other_addresses.not_accepted", game=letter.position.name, still_open=still_open)
        for still_open in (True,)
    ),
    is_asked_about_press,
)


# Digests.


def faults_of_digest(
    email: OutgoingMessage, repository: Repository, service_context: ServiceContext, now: Millis
) -> list[str]:
    """Return the errors and omissions of a digest about its reader's games."""
    waiting, faults = [], []
    text = ""
    for name, seat in repository.seats_of(email.to):
        position = repository.position(name)
        assert position is not None
        letter = letter_of(email, position, now)
        text = flat(letter.text)
        owed = missing_orders(letter.game, position).get(seat, ()) if position.is_running else ()
        waits = bool(owed) and any(due.seat == seat for due in people_due(letter.game, position))
        values = {"game": name, "title": letter.game.about.title, "seat": name_seat(letter.game, seat)}
        title = flat(sentence("reports.messages.digest_game_title", **values)).upper()
        if (title in text.upper()) is not waits:
            faults.append(f"{title} {'is left out' if waits else 'does not wait'}")
        if not waits:
            continue
        waiting.append(name)
        part = flat(letter.text[letter.text.upper().index(f"{name}: ".upper()) :])
        over, stop = overdue(position, now), position.timing.stop
        if position.deadline is not None and not over:
            told = f"Deadline: {format_instant(position.deadline, ZONE)}"
        elif over:
            told = times.overdue_line(over, ZONE)
        else:
            told = times.why_no_deadline(stop) if stop else sentence("reports.messages.digest_no_deadline")
        if flat(told) not in part:
            faults.append(f"{name}: {told} is not said: {part[:300]}")
        turn = position.game.rules.turn(position.state).name
        if f"Due now: {turn}: {', '.join(owed)}" not in part:
            faults.append(f"{name}: {owed} are not said to be missing")
        address = re.search(rf"{sentence('reports.messages.digest_orders_to')} (\S+)", part)
        speaks = address and authenticate_token(tokens_in((address[1],), "", ()), repository, service_context)
        if not speaks or speaks.seat != seat or speaks.stale:
            faults.append(f"{name}: orders to {address and address[1]} are not the seat's")
    if sentence("reports.messages.digest", count=len(waiting), games=", ".join(waiting)) not in flat(
        letter.subject
    ):
        faults.append(f"{letter.subject}: {waiting} wait")
    return faults
