"""The way of an email, from its bytes to its acts and replies.

`handle_letter` decides who wrote the email and what happens with it. An email that speaks for seats is
handled section by section (`_handle_section`). Others go to `unknown_senders`, `confirmations` or
`forum_posts`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from zoneinfo import ZoneInfo

from adjudicator.auth.correspondents import GM_SEAT
from adjudicator.auth.reply_tokens import announce_rekeys, merge_rekeys, renew_tokens, void_tokens_in_letter
from adjudicator.auth.sender import (
    BY_CONFIRMATION,
    CONFIRMED_PRESS,
    AuthenticatedSeat,
    IdentityProof,
    OlderTokenSearch,
    RefusedClaim,
    TurnHints,
    date_speaker,
    find_seat_of_gamesmaster,
    is_undated,
    note_signature,
    prove_identity,
)
from adjudicator.clock import HOUR, MINUTE, Millis
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.inbound.commands import ANSWERED_LAST, run_commands
from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, collect_pictures
from adjudicator.inbound.commands.press import send_press
from adjudicator.inbound.commands.queries import explain_unknown
from adjudicator.inbound.confirmations import (
    accept_doubtful_orders,
    answer_to_question,
    ask_if_meant,
    ask_to_send,
    explain_answer_from_elsewhere,
    explain_not_sent,
    find_press_reply,
)
from adjudicator.inbound.copies import Copies, find_copies
from adjudicator.inbound.filing import (
    FilingResult,
    LetterRemarks,
    SheetComparison,
    ask_about_older_sheet,
    compare_with_sheets,
    explain_over_allowance,
    file_orders,
    lines_told,
)
from adjudicator.inbound.filters import FilterResult, admit, handle_bounce, open_trusted, quarantine_oversized
from adjudicator.inbound.forum_posts import ReadingFilter, read_post, recognise_forum_letter
from adjudicator.inbound.gm_mail import (
    find_attempts,
    read_gm_letter,
    refuse_attempt,
    report_attempt,
)
from adjudicator.inbound.parse_contexts import COMMANDS_ONLY_CONTEXT, parse_context
from adjudicator.inbound.postponed_letters import (
    drop_orders,
    find_suspension,
    is_read_again,
    postpone,
    quarantine_letter,
)
from adjudicator.inbound.signon import explain_left_out, find_speakers
from adjudicator.inbound.undo import find_undo
from adjudicator.inbound.unknown_senders import (
    UnseatedLetter,
    answer_former_seat,
    answer_stranger,
    find_former_seat,
)
from adjudicator.messages import sentence
from adjudicator.model.addresses import tagged_turns
from adjudicator.model.deadline_status import is_solo, overdue
from adjudicator.model.games import AnyAct, BeginGame, EndGame, FileOrders, ResetIdleTimer, TakeSeat
from adjudicator.model.mail import POSTPONED, LetterDraft, LetterOutcome, StoredLetter
from adjudicator.model.orders_on_file import Item, is_flag, is_flagged, key_of, pack_items
from adjudicator.model.people import NoteAbsence, NotePerson
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import (
    Heading,
    caller_of,
    notice,
    reader_of,
    self_disclosed_address_notice,
    verdict,
    zone_of,
)
from adjudicator.reports.order_sheet import held_up, missing, saved_orders, sheet_lines
from adjudicator.reports.times import both, why_no_deadline
from adjudicator.reports.verdict import Transcript
from adjudicator.turns.bots import Talk
from adjudicator.turns.due_actions import otherwise
from games.record import Value, replace_fields
from orders.commands import QUERY_COMMANDS, Command
from orders.mail.body import FreshLine
from orders.mail.letter import Letter, describe_unopened
from orders.reading.budget import ReadingBudget
from orders.reading.letter_reader import LetterReading, read_lines

Speaker = AuthenticatedSeat | RefusedClaim | None
"""The speaker of a section. None: the email doesn't say or doesn't prove which seat it speaks for."""


class LetterSection(Value, frozen=True):
    """A part of an email that speaks for one seat.

    signon: the command at its start, or None. speaker: its seat, once that is known.
    """

    signon: Command | None
    lines: tuple[FreshLine, ...]
    speaker: Speaker = None


class OpenedLetter(NamedTuple):
    """An email that can be read, and the result of the filters.

    kept: the stored email. given: its seat if no proof is needed, because its writer has confirmed it or the
    GM has named the seat.
    """

    kept: StoredLetter
    letter: Letter
    passed: FilterResult
    given: AuthenticatedSeat | None


class ReadLetter(NamedTuple):
    """An email with its lines divided by speaker.

    seats: the seats that it speaks for. refusals: a sentence for each reason why sections were not read.
    proof: the seats that it proves without a password. search: finds the turn of an email to a restored game.
    compared: its lines, compared with the order sheet that it quotes. copies: the other recipients.
    """

    opened: OpenedLetter
    sections: tuple[LetterSection, ...]
    seats: tuple[AuthenticatedSeat, ...]
    refusals: tuple[str, ...]
    proof: IdentityProof
    search: OlderTokenSearch
    compared: SheetComparison
    copies: Copies


def handle_letter(
    kept: StoredLetter,
    repository: Repository,
    service: ServiceContext,
    now: Millis,
    confirmed: AuthenticatedSeat | None = None,
) -> LetterOutcome:
    """Decide what an email does. Only bugs raise: no content of an email does.

    confirmed: the seat of the email, if its writer has confirmed that it was meant for us.
    """
    return note_signature(
        kept, _decide_outcome(kept, RequestContext(repository, service, now), confirmed), repository, now
    )


def _decide_outcome(
    kept: StoredLetter, context: RequestContext, confirmed: AuthenticatedSeat | None
) -> LetterOutcome:
    """Return the outcome of an email. The first step that knows it decides."""
    repository, service = context.repository, context.service_context
    if kept.game and find_suspension(kept.game, repository) is not None:
        return quarantine_letter(kept, open_trusted(kept.raw)[0], kept.game, context)
    given = confirmed
    if given is None and kept.game and kept.seat:
        given = find_seat_of_gamesmaster(kept.game, kept.seat, repository)
    letter, passed = admit(kept.raw, repository.is_ours, service) if given is None else open_trusted(kept.raw)
    if given is None:
        post = recognise_forum_letter(kept, letter, passed, repository.is_ours, context)
        if isinstance(post, LetterOutcome):
            return post
        if post is not None:
            return read_post(post, _hear_post, _write_replies)
    if passed.returned:
        return handle_bounce(letter, context)
    opened = OpenedLetter(kept, letter, passed, given)
    if passed.heavy:
        heavy = quarantine_oversized(kept, letter, passed.why or "", context)
        return replace_fields(
            heavy, acts=find_copies(letter, kept.raw, repository, service).void_other_tokens()
        )
    if passed.disposition != "read" and not passed.is_absence:
        return _leave_unread(opened, context)

    def read_again(email: StoredLetter, seated: AuthenticatedSeat) -> LetterOutcome:
        return handle_letter(email, repository, service, context.now, seated)

    if given is None and not passed.is_absence:
        answer = answer_to_question(kept, letter, context, read_again)
        if answer is not None:
            return answer
    return _read_letter(opened, context)


def _read_letter(opened: OpenedLetter, context: RequestContext) -> LetterOutcome:
    """Find the seats that an email speaks for, and return its outcome."""
    kept, letter, passed, given = opened
    repository, service = context.repository, context.service_context
    if (
        given is None
        and passed.disposition == "read"
        and f".{GM_SEAT}." in " ".join(letter.recipients).lower()
        and (of_gm := read_gm_letter(kept, letter, context)) is not None
    ):
        return of_gm
    proof = prove_identity(letter, kept, repository, service) if given is None else IdentityProof(given)
    hints = TurnHints(proof.claimed, tagged_turns(letter.subject), kept.waited)
    search = OlderTokenSearch(repository, service, hints)
    writer = proof.speaker()
    if writer is not None:
        writer = date_speaker(writer, search)
    compared = compare_with_sheets(letter, writer, repository)
    if passed.is_absence:
        passed = admit_with_orders(passed, compared.lines, writer, repository)
        opened = opened._replace(passed=passed)
    if passed.disposition != "read":
        return _leave_unread(opened, context)
    raw_sections = _split_sections(compared.lines)
    spoken_for = find_speakers([section.signon for section in raw_sections], proof, letter.sender, context)
    spoken = []
    for section, speaker in zip(raw_sections, spoken_for.speakers, strict=True):
        dated = date_speaker(speaker, search) if isinstance(speaker, AuthenticatedSeat) else speaker
        spoken.append(replace_fields(section, speaker=dated))
    if is_read_again(kept):
        # It waited for a turn of this game. Its sections for other games were read then.
        spoken = [
            section
            for section in spoken
            if isinstance(section.speaker, AuthenticatedSeat) and section.speaker.position.name == kept.game
        ] or spoken
    sections = _merge_sections_of_seat(spoken)
    speakers = [section.speaker for section in sections]
    seats = tuple(speaker for speaker in speakers if isinstance(speaker, AuthenticatedSeat))
    signons = [section.signon for section in sections]
    refusals = explain_left_out(signons, speakers) if len(seats) < len(sections) else ()
    copies = find_copies(letter, kept.raw, repository, service, {seated.position.name for seated in seats})
    email = ReadLetter(opened, sections, seats, refusals, proof, search, compared, copies)
    outcome = None
    if not (passed.weak or given):
        # Orders don't count if we asked another address about them, or if their writer has lost the seat.
        outcome = explain_answer_from_elsewhere(kept, letter, context)
        if outcome is None and not any(signons) and (former := find_former_seat(letter, proof, repository)):
            outcome = answer_former_seat(former, letter, context)
    answered_seats: Sequence[AuthenticatedSeat] = ()
    if outcome is None and seats:
        outcome, answered_seats = _process_sections(email, context), seats
    elif outcome is None:
        outcome = _answer_unseated(email, context)
    speakers.append(proof.changed_hands)
    brought = () if given else void_tokens_in_letter(letter, proof.claimed, speakers, repository, service)
    leaked = copies.void_other_tokens(answered_seats)
    # Wrong passwords and the tokens of other seats count in every outcome.
    return replace_fields(outcome, acts=merge_rekeys((*spoken_for.noted, *outcome.acts, *brought, *leaked)))


def _answer_unseated(email: ReadLetter, context: RequestContext) -> LetterOutcome:
    """Return the outcome of an email that speaks for no seat."""
    kept, letter, passed, _ = email.opened
    for section in email.sections:
        if isinstance(section.speaker, RefusedClaim) and section.speaker.held:
            return quarantine_letter(kept, letter, section.speaker.held, context)
    if passed.weak:
        return LetterOutcome("quarantined", sentence("inbound.pipeline.perhaps_a_robot"), letter.sender)
    attempt = refuse_attempt(letter, email.compared.lines, context)
    if attempt is not None:
        return attempt
    parts = [(section.signon, section.lines) for section in email.sections]
    return ask_if_meant(kept, letter, parts, email.proof, context) or answer_stranger(
        UnseatedLetter(kept, letter, email.compared.lines, email.refusals, email.proof, context)
    )


def _leave_unread(opened: OpenedLetter, context: RequestContext) -> LetterOutcome:
    """Return the outcome of an email that is not read."""
    kept, letter, passed, _ = opened
    outcome = LetterOutcome(passed.disposition, passed.why, letter.sender or None)
    if passed.disposition != "quarantined":
        return outcome
    # An email from a list has many readers.
    repository, service = context.repository, context.service_context
    brought = void_tokens_in_letter(letter, (), (), repository, service)
    leaked = find_copies(letter, kept.raw, repository, service).void_other_tokens()
    return replace_fields(outcome, acts=merge_rekeys((*brought, *leaked)))


def _split_sections(lines: Sequence[FreshLine]) -> tuple[LetterSection, ...]:
    parts: list[tuple[Command | None, list[FreshLine]]] = [(None, [])]
    is_open = True
    for line in lines:
        signs = "sign" in line.text.lower()
        commands = read_lines((line,), COMMANDS_ONLY_CONTEXT).commands if signs else ()
        mark = next((command for command in commands if command.verb in ("SIGNON", "SIGNOFF")), None)
        if mark is not None:
            is_open = mark.verb == "SIGNON"
            parts += [(mark, [])] if is_open else []
        elif is_open:
            parts[-1][1].append(line)
    sections = [LetterSection(signon, tuple(spoken)) for signon, spoken in parts]
    used = [
        section for section in sections if section.signon or any(line.text.strip() for line in section.lines)
    ]
    return tuple(used) or (sections[0],)


def _merge_sections_of_seat(sections: Sequence[LetterSection]) -> tuple[LetterSection, ...]:
    """Merge the sections that speak for the same seat, so that each command builds on all of them."""
    merged: dict[object, LetterSection] = {}
    for index, section in enumerate(sections):
        speaker = section.speaker
        key = (speaker.position.name, speaker.seat) if isinstance(speaker, AuthenticatedSeat) else index
        if key in merged:
            first = merged[key]
            lines = (*first.lines, *section.lines)
            section = LetterSection(first.signon or section.signon, lines, first.speaker)
        merged[key] = section
    return tuple(merged.values())


def _process_sections(email: ReadLetter, context: RequestContext) -> LetterOutcome:
    """Return the outcome of an email that speaks for seats, section by section."""
    kept, letter, passed, _ = email.opened
    acts: list[AnyAct] = []
    answers: list[LetterDraft] = []
    allowance, is_alone = ReadingBudget(), len(email.sections) == 1
    for number, section in enumerate(email.sections):
        if not isinstance(section.speaker, AuthenticatedSeat):
            continue
        case = SeatCommandContext(
            game=section.speaker.position.game,
            seated=section.speaker,
            service_context=context.service_context,
            repository=context.repository,
            sender=letter.sender,
            received=kept.received,
            now=context.now,
            sender_name=letter.sender_name,
            key=f"{kept.fingerprint}/{number}" if answers else kept.fingerprint,
            begun=tuple(act for act in acts if isinstance(act, BeginGame)),
            allowance=allowance,
            replies_to=letter.answers,
            talk=Talk(context.repository.people),
        )
        if section.speaker.later is not None:
            done, drafts = _handle_postponed_section(section, case, email)
        else:
            if is_alone and section.speaker.how != CONFIRMED_PRESS and _has_replies_left(case):
                # The whole email may be press: then we ask its writer and do nothing yet.
                question = ask_to_send(kept, letter, section.lines, case, context)
                if question is not None:
                    return question
            done, drafts = _handle_section(section, case, email, is_first=not answers)
        acts += done
        answers += drafts
    perhaps = sentence("inbound.pipeline.perhaps_a_robot") if passed.weak else None
    outcome = LetterOutcome(
        disposition="read",
        why="; ".join(filter(None, (passed.why, *email.refusals, perhaps))) or None,
        speaker=letter.sender,
        game=email.seats[0].position.name,
        seat=email.seats[0].seat,
        acts=tuple(acts),
        answers=tuple(answers),
    )
    waits = {seated.position.name: seated.later for seated in email.seats if seated.later}
    if not waits:
        return outcome
    name, turn = next(iter(waits.items()))
    why = sentence("inbound.postponed.waits", turn=turn)
    # Its seat is determined again when it is read.
    return replace_fields(outcome, disposition=POSTPONED, why=why, game=name, seat=None, waits=waits)


def _handle_section(
    section: LetterSection, case: SeatCommandContext, email: ReadLetter, *, is_first: bool
) -> tuple[list[AnyAct], list[LetterDraft]]:
    """Return the acts and the reply of a section for the turn that is due."""
    kept, letter, *_ = email.opened
    speaker, position = case.seated, case.seated.position
    if any("undo" in line.text.lower() for line in section.lines):
        alone = [other.position.name for other in email.seats].count(position.name) == 1
        case = _apply_undo(section, case, alone)
    # The player has sent other orders while the email waited for its turn.
    is_outdated = (
        is_read_again(kept)
        and len(case.game.rules.ahead(case.seated.position.state)) > 1
        and case.repository.has_read_later(position.name, case.seat, kept.received)
    )
    filter_reading: ReadingFilter = drop_orders if is_outdated else lambda reading: reading
    done, transcript = _process_section(
        section, case, letter, filter_reading, email.compared if is_first else None
    )
    notes = [*transcript.notes]
    if is_read_again(kept):
        notes.insert(0, _explain_wait(kept, case, is_outdated))
    elif transcript.rows and is_undated(speaker, kept.received, email.search):
        notes.insert(0, _explain_undated(case))
    if is_first:
        unread = (sentence("inbound.pipeline.sheet_of_no_letter"),) if email.compared.quotes_unknown else ()
        notes = [*unread, *email.refusals, *notes]
    if renew_tokens(speaker, done) is not speaker:
        notes.append(self_disclosed_address_notice(case.seat))
    if _has_replies_left(case):
        leaked, copy_notes = email.copies.void_speaker_token(speaker, case.repository, case.service_context)
        notes += copy_notes
        acts = done = [*done, *leaked]
    else:
        acts = announce_rekeys([*done, *email.copies.void_other_tokens()])
    case = replace(case, seated=renew_tokens(case.seated, done))
    if position.is_running and position.timing.rest is not None:
        acts = [
            *acts,
            ResetIdleTimer(game=position.name, by=speaker.seat, seat=speaker.seat, at=kept.received),
        ]
    return [*acts], _write_replies(case, replace_fields(transcript, notes=tuple(notes)), done)


def _handle_postponed_section(
    section: LetterSection, case: SeatCommandContext, email: ReadLetter
) -> tuple[list[AnyAct], list[LetterDraft]]:
    """Return the acts and the reply of a section for a later turn."""
    letter, seated = email.opened.letter, case.seated
    position, seat = seated.position, seated.seat
    reading = read_lines(section.lines, parse_context(case.game, seated, case.repository), case.allowance)
    has_later = case.repository.has_read_later(position.name, seat, case.received)
    waits = postpone(case, reading, has_later)
    acts: list[AnyAct] = []
    if waits.filed.everything != position.filed.get(seat, ()):
        orders = pack_items(waits.filed.everything)
        acts.append(FileOrders(game=case.name, by=seat, seat=seat, turn=case.turn, orders=orders))
    keyed = replace(case, key=f"{case.key}/{seated.later}")
    transcript = _build_transcript(keyed, letter, reading, (), waits.filed)
    leaked, copy_notes = email.copies.void_speaker_token(seated, case.repository, case.service_context)
    notes = (*waits.notes, *transcript.notes, *copy_notes)
    drafts = _write_replies(case, replace_fields(transcript, notes=notes), acts)
    return [*acts, *leaked], drafts


def _explain_wait(kept: StoredLetter, case: SeatCommandContext, is_outdated: bool) -> str:
    """Return the first note of the reply to an email that was kept for the turn that is due now.

    is_outdated: whether its orders were changed since.
    """
    stale, at = (
        case.seated.stale,
        both(kept.received, zone_of(case.address, case.repository, case.service_context)),
    )
    return sentence(
        "inbound.postponed.waited",
        at=at,
        over=stale is not None,
        turn=stale or case.game.rules.turn(case.seated.position.state).name,
        changed=is_outdated,
    )


def _explain_undated(case: SeatCommandContext) -> str:
    """Return the first note of the reply to an email that may be for more than one turn."""
    position = case.seated.position
    mark = case.repository.restore_mark(position.name)
    assert mark is not None, "of other games it is for the turn that is due"
    made = both(mark.made, zone_of(case.address, case.repository, case.service_context))
    turn = case.game.rules.turn(position.state).name
    return sentence("inbound.postponed.undated", made=made, turn=turn)


def _apply_undo(section: LetterSection, case: SeatCommandContext, alone: bool) -> SeatCommandContext:
    """Return the case after the section's UNDO, or unchanged without one.

    alone: whether no other part of the email is about that game. Another part would be read in the undone
    turn.
    """
    context = parse_context(case.game, case.seated, case.repository)
    # The lines are read again after the UNDO, in the game as it is then.
    reading = read_lines(section.lines, context, replace(case.allowance))
    if not any(command.verb == "UNDO" for command in reading.commands):
        return case
    back = find_undo(case) if alone else sentence("inbound.undo.of_its_own")
    if isinstance(back, str):
        return replace(case, undo=back)
    return replace(case, undo=back.act, seated=replace_fields(case.seated, position=back.position))


def _hear_post(
    lines: Sequence[FreshLine], case: SeatCommandContext, letter: Letter, filter_reading: ReadingFilter
) -> tuple[list[AnyAct], Transcript]:
    return _process_section(LetterSection(None, tuple(lines)), case, letter, filter_reading)


def _process_section(
    section: LetterSection,
    case: SeatCommandContext,
    letter: Letter,
    filter_reading: ReadingFilter,
    compared: SheetComparison | None = None,
) -> tuple[list[AnyAct], Transcript]:
    """Return the acts and the transcript of the lines that speak for one seat.

    filter_reading: filters the reading. compared: the quoted order sheet.
    """
    game, seated = case.game, case.seated
    position, seat = seated.position, seated.seat
    refused: list[CommandResult] = []
    if any("GM " in line.text for line in section.lines):
        section, refused = _refuse_gm_commands(section, case)
    reading = filter_reading(
        read_lines(section.lines, parse_context(game, seated, case.repository), case.allowance)
    )
    reading = accept_doubtful_orders(reading) if seated.how == BY_CONFIRMATION else reading
    full_reading = reading
    if seated.how == CONFIRMED_PRESS:
        reading = replace_fields(reading, orders=(), commands=())
    commands = [command for command in reading.commands if command.verb not in ANSWERED_LAST]
    done = refused + run_commands(case, [*([section.signon] if section.signon else []), *commands])
    done += _answer_press_or_unknown(section, case, letter, full_reading)
    on_books = before = position.filed.get(seat, ())
    ends = any(isinstance(act, EndGame) for result in done for act in result.acts)
    if not ends and any(result.clears for result in done):
        before = ()
    # After the last vote to end the game, orders no longer count.
    judged = case
    if ends:
        judged = replace(case, seated=replace_fields(seated, position=replace(position, status="over")))
    # A question that we didn't answer doesn't change the player's wishes.
    unheard = [command.line for command in reading.unheard if command.verb not in QUERY_COMMANDS]
    remarks = LetterRemarks(
        ready=any(result.ready for result in done),
        # NOWAIT cancels a WAIT.
        hurried=any(result.wait is False for result in done),
        beyond=(*reading.beyond, *unheard),
    )
    going_back = compared.going_back if compared is not None else ()
    questions = (ask_about_older_sheet(),) if going_back else ()
    rows = (*reading.orders, *questions)
    filed = file_orders(game, judged.seated, rows, before, case.received, remarks=remarks)
    if questions:
        orders = ", ".join(going_back)
        rows = tuple(replace_fields(row, instead=orders) if row in questions else row for row in filed.rows)
        filed = replace_fields(filed, rows=rows)
    last_commands = [command for command in reading.commands if command.verb in ANSWERED_LAST]
    done += run_commands(_case_after_letter(case, filed, done), last_commands) if last_commands else ()
    # A game that is over accepts nothing, so its end is the last act.
    acts = sorted((act for result in done for act in result.acts), key=lambda act: isinstance(act, EndGame))
    if filed.everything != on_books and not ends:
        packed = pack_items(filed.everything)
        acts.append(FileOrders(game=case.name, by=seat, seat=seat, turn=case.turn, orders=packed))
    transcript = _build_transcript(judged, letter, reading, done, filed)
    late = late_notes(letter, case, before, filed.everything)
    return acts, replace_fields(transcript, notes=(*transcript.notes, *late)) if late else transcript


def _answer_press_or_unknown(
    section: LetterSection, case: SeatCommandContext, letter: Letter, reading: LetterReading
) -> list[CommandResult]:
    """Send or question a reply to press; in an email that is none, answer the commands that we don't know."""
    reply = find_press_reply(case, letter.subject, section.lines, reading)
    if reply is None:
        return [explain_unknown(command) for command in reading.unknown]
    if case.seated.how == CONFIRMED_PRESS:
        return [send_press(case, reply.command)]
    return [explain_not_sent(case, reply)]


def _refuse_gm_commands(
    section: LetterSection, case: SeatCommandContext
) -> tuple[LetterSection, list[CommandResult]]:
    """Return a section without the commands that only GMs can send, and their refusal, if it has any."""
    tried = find_attempts(line.text for line in section.lines)
    if not tried:
        return section, []
    others = tuple(line for line in section.lines if not find_attempts([line.text]))
    context = RequestContext(case.repository, case.service_context, case.now)
    report = report_attempt(case.sender, case.name, tried, context)
    is_gm = case.repository.people.gms(case.name).find(case.address) is not None
    typed = " ".join(tried[0].split()[:2])
    note = sentence("inbound.gm_mail.refused", typed=typed, game=case.name, is_gm=is_gm)
    return replace_fields(section, lines=others), [CommandResult(acts=(report,), notes=(note,))]


def _case_after_letter(
    case: SeatCommandContext, filed: FilingResult, done: Sequence[CommandResult]
) -> SeatCommandContext:
    """Return the game as it will be after the email, for questions about its state."""
    changes = {
        name: getattr(result, name)
        for result in done
        for name in ("wait", "ready")
        if getattr(result, name) is not None
    }
    position, seat = case.seated.position, case.seat
    after = replace(
        position,
        filed={**position.filed, seat: filed.everything},
        assignments={**position.assignments, seat: replace_fields(case.seated.assignment, **changes)},
    )
    mapped = next((result.mapped for result in done if result.mapped), None)
    return replace(case, seated=replace_fields(case.seated, position=after), mapped=mapped)


def _build_transcript(
    case: SeatCommandContext,
    letter: Letter,
    reading: LetterReading,
    done: Sequence[CommandResult],
    filed: FilingResult,
) -> Transcript:
    """Return the content of the reply to a seat. case: the seat, with its saved orders before the email."""
    game, position, seat, assignment = case.game, case.seated.position, case.seat, case.seated.assignment
    dues = game.rules.due(position.state) if position.is_running else ()
    stop, alone = position.timing.stop, position.is_running and is_solo(position)
    waits = [result.wait for result in done if result.wait is not None]
    readies = [result.ready for result in done if result.ready is not None]
    flagged = is_flagged(filed.everything)
    return Transcript(
        fingerprint=case.key,
        subject=letter.subject,
        answers=letter.message_id or None,
        thread=letter.thread,
        rows=filed.rows,
        notes=(
            *explain_over_allowance(reading, letter),
            *describe_unopened(letter),
            *(note for result in done for note in result.notes),
            *filed.notes,
        ),
        standing=why_no_deadline(stop) if stop is not None and position.is_running else "",
        answered=tuple(answer for result in done for answer in result.answered),
        **collect_pictures(done),
        on_file=saved_orders(
            game,
            position.state,
            filed.everything,
            seat,
            position.filed.get(seat, ()),
            lines_told(filed.rows) if flagged else (),
        ),
        missing=missing(game, position.state, filed.orders, seat),
        held_up=tuple(
            blocked_order
            for blocked_order in held_up(game, position.state, filed.orders, seat)
            if not blocked_order.untaken
        ),
        turn=game.rules.turn(position.state) if position.is_running else None,
        deadline=None if alone else position.deadline,
        early=(position.early or alone) and stop is None,
        overdue=overdue(position, case.now),
        stopped=stop is not None,
        alone=alone,
        wait=waits[-1] if waits else assignment.wait,
        ready=readies[-1] if readies else assignment.ready,
        owes=any(due.seat == seat for due in dues),
        queues=any(due.takes is not None for due in dues if due.seat == seat),
        flagged=flagged,
        left_out=filed.left_out,
        otherwise=_outlook(case, filed, readies[-1] if readies else assignment.ready, done),
        sheet=sheet_lines(game, position.state, dues, filed.orders, seat),
    )


def _outlook(
    case: SeatCommandContext, filed: FilingResult, ready: bool, done: Sequence[CommandResult]
) -> str:
    """Return what happens with the missing orders of a seat after its email."""
    position, seat = case.seated.position, case.seat
    if not position.is_running:
        return "sheet"
    assignment = replace_fields(case.seated.assignment, ready=ready)
    absences = position.absences
    for act in (act for result in done for act in result.acts if isinstance(act, NoteAbsence)):
        others = tuple(absence for absence in absences if absence.seat != seat)
        absences = others if act.absence is None else (*others, act.absence)
    after = replace(
        position,
        absences=absences,
        filed={**position.filed, seat: filed.orders},
        assignments={**position.assignments, seat: assignment},
    )
    return otherwise(case.game, after, seat, case.now)


def _write_replies(
    case: SeatCommandContext, transcript: Transcript, acts: Sequence[AnyAct]
) -> list[LetterDraft]:
    """Return the reply to a seat. Beyond the hour's limit it is one notice, then nothing."""
    to, service, now = case.address, case.service_context, case.now
    reader = reader_of(case.seated.position, case.seated.assignment, to, case.repository, service)
    for act in acts:
        if isinstance(act, NotePerson) and act.person.zone:
            reader = replace_fields(reader, zone=ZoneInfo(act.person.zone))
        elif isinstance(act, EndGame) or (isinstance(act, TakeSeat) and act.address is None):
            # This player owes nothing now, and the token is revoked with the seat.
            transcript = replace_fields(transcript, turn=None, sheet=())
            reader = caller_of(to, RequestContext(case.repository, service, now))
    if _has_replies_left(case):
        return [verdict(case.game, transcript, reader)]
    return [
        notice(
            reader,
            Heading(f"limit/{to}/{now // HOUR}", sentence("inbound.pipeline.enough_for_an_hour_subject")),
            (sentence("inbound.pipeline.enough_for_an_hour", most=service.answers_an_hour),),
        )
    ]


def _has_replies_left(case: SeatCommandContext) -> bool:
    """Return whether the seat's address may get another reply this hour."""
    return (
        case.repository.replies_since(case.address, case.now // HOUR * HOUR)
        < case.service_context.answers_an_hour
    )


def admit_with_orders(
    passed: FilterResult,
    lines: Sequence[FreshLine],
    speaker: AuthenticatedSeat | None,
    repository: Repository | None = None,
) -> FilterResult:
    """Return the result of the filters for an email with the subject of an absence notice.

    A player may have written it. So it is read if it has a complete order of its seat, or names a seat.

    passed: the result so far. speaker: the seat that it speaks for. None: it needs a password for that.
    """
    if speaker is None:
        begins = any(
            command.verb == "SIGNON" for command in read_lines(lines, COMMANDS_ONLY_CONTEXT).commands
        )
        return replace_fields(passed, disposition="read", weak=True) if begins else passed
    context = parse_context(speaker.position.game, speaker, repository)
    orders = [row for row in read_lines(lines, context).orders if row.in_force and row.source != "sheet"]
    return replace_fields(passed, disposition="read", weak=True) if orders else passed


MAX_USUAL_TRANSIT = 2 * MINUTE
"""A later email may have overtaken an email that took longer. Clocks differ by less."""


def late_notes(
    letter: Letter, case: SeatCommandContext, before: Sequence[Item], after: Sequence[Item]
) -> tuple[str, ...]:
    """Return a note if an email has replaced orders of an email that was sent later.

    An email that arrives after a later one counts all the same.

    before, after: the saved orders of the seat before and after the email.
    """
    if letter.date is None or letter.date > case.received - MAX_USUAL_TRANSIT:
        return ()
    orders = {key_of(item): item for item in after if not is_flag(item)}
    if all(is_flag(item) or orders.get(key_of(item)) == item for item in before):
        return ()
    dates = case.repository.dates_sent(letter.sender, case.name, case.seat)
    later = max((date for date in dates if date > letter.date), default=None)
    if later is None:
        return ()
    position, assignment = case.seated.position, case.seated.assignment
    zone = reader_of(position, assignment, case.address, case.repository, case.service_context).zone
    note = sentence(
        "inbound.late_arrivals.replaced", earlier=both(letter.date, zone), later=both(later, zone)
    )
    return (note,)
