"""One letter: from its bytes to what it does and what is answered."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from zoneinfo import ZoneInfo

import games
from adjudicator.auth.older_tokens import OlderTokenSearch, TurnHints
from adjudicator.auth.reply_tokens import announce_rekeys, merge_rekeys, renew_tokens, void_tokens_in_letter
from adjudicator.auth.sender import (
    BY_CONFIRMATION,
    CONFIRMED_PRESS,
    AuthenticatedSeat,
    IdentityProof,
    RefusedClaim,
    date_speaker,
    is_undated,
    note_signature,
    prove_identity,
    seat_from_command_line,
)
from adjudicator.clock import HOUR, MINUTE, Millis
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.inbound.bounces import handle_bounce
from adjudicator.inbound.commands import ANSWERED_LAST, run_commands
from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, collect_pictures
from adjudicator.inbound.confirmations import (
    accept_doubtful_orders,
    answer_to_question,
    ask_if_meant,
    explain_answer_from_elsewhere,
)
from adjudicator.inbound.copies import NO_COPIES, Copies, find_copies
from adjudicator.inbound.filing import (
    FilingResult,
    LetterRemarks,
    explain_over_allowance,
    file_orders,
    lines_told,
)
from adjudicator.inbound.filters import FilterResult, admit, open_trusted, quarantine_oversized
from adjudicator.inbound.forum_posts import Hears, read_post, recognise_forum_letter
from adjudicator.inbound.parse_contexts import COMMANDS_ONLY_CONTEXT, parse_context
from adjudicator.inbound.postponed_letters import (
    drop_orders,
    find_suspension,
    is_read_again,
    postpone,
    quarantine_letter,
)
from adjudicator.inbound.press_replies import ask_to_send, send_reply, tell_not_sent
from adjudicator.inbound.quoted_sheets import (
    SheetComparison,
    ask_about_older_sheet,
    compare,
    name_orders_in_question,
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
from adjudicator.model.deadline_status import is_solo, overdue
from adjudicator.model.games import AnyAct, BeginGame, EndGame, FileOrders, Stir, TakeSeat
from adjudicator.model.mail import POSTPONED, LetterDraft, LetterOutcome, StoredLetter
from adjudicator.model.orders_on_file import Item, is_flag, key_of, pack_items
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
from adjudicator.turns.bot_press import Talk
from adjudicator.turns.due_actions import otherwise
from games.protocol import Game
from games.record import Value, replace_fields
from orders.commands import QUERY_COMMANDS, Command
from orders.mail.body import FreshLine
from orders.mail.letter import Letter, describe_unopened
from orders.reading.budget import ReadingBudget
from orders.reading.letter_reader import LetterReading, read_lines


class LetterSection(Value, frozen=True):
    """Part of a letter that speaks for one seat: the SIGNON it begins with (None: none), and its lines."""

    signon: Command | None
    lines: tuple[FreshLine, ...]


def handle_letter(
    kept: StoredLetter,
    books: Repository,
    service: ServiceContext,
    now: Millis,
    confirmed: AuthenticatedSeat | None = None,
) -> LetterOutcome:
    """Decide what a letter means. Bugs raise; no content of a letter does.

    confirmed: the seat it speaks for, where its writer has confirmed that it is meant.
    """
    return note_signature(
        kept, _decide_outcome(kept, RequestContext(books, service, now), confirmed), books, now
    )


def _decide_outcome(
    kept: StoredLetter, context: RequestContext, confirmed: AuthenticatedSeat | None
) -> LetterOutcome:
    books, service, now = context.books, context.office, context.now
    if kept.game and find_suspension(kept.game, books) is not None:
        return quarantine_letter(kept, open_trusted(kept.raw)[0], kept.game, context)
    given = confirmed or seat_from_command_line(kept, books)
    letter, passed = admit(kept.raw, books.is_ours, service) if given is None else open_trusted(kept.raw)
    if (
        given is None
        and (sent := recognise_forum_letter(kept, letter, passed, books.is_ours, context)) is not None
    ):
        return (
            sent
            if isinstance(sent, LetterOutcome)
            else read_post(sent, _hear_post, partial(_answer_post, context))
        )
    if passed.returned:
        return handle_bounce(letter, context)
    if passed.heavy:
        heavy = quarantine_oversized(kept, letter, passed.why or "", context)
        return replace_fields(heavy, acts=find_copies(letter, kept.raw, books, service).void_other_tokens())
    if passed.disposition != "read" and not passed.is_absence:
        return _leave_unread(kept, letter, passed, books, service)

    def read_again(email: StoredLetter, seated: AuthenticatedSeat) -> LetterOutcome:
        return handle_letter(email, books, service, now, seated)

    if (
        given is None
        and not passed.is_absence
        and (answer := answer_to_question(kept, letter, context, read_again)) is not None
    ):
        return answer
    proof = prove_identity(letter, kept, books, service) if given is None else IdentityProof(given)
    search = OlderTokenSearch(books, service, TurnHints.of(letter, proof.claimed, kept.waited))
    speaker = proof.speaker()
    writer = date_speaker(speaker, search) if speaker else None
    compared = compare(letter, writer, books)
    passed = admit_with_orders(passed, compared.lines, writer, books)
    if passed.disposition != "read":
        return _leave_unread(kept, letter, passed, books, service)
    lines = compared.lines
    raw_sections = _split_sections(lines)
    spoken_for = find_speakers([section.signon for section in raw_sections], proof, letter.sender, context)
    speaking = [_date_speaker(speaker, search) for speaker in spoken_for.speakers]
    sections, speakers = _merge_sections_of_seat(
        _select_sections(kept, list(zip(raw_sections, speaking, strict=True)))
    )
    names = {speaker.position.name for speaker in speakers if isinstance(speaker, AuthenticatedSeat)}
    copies = find_copies(letter, kept.raw, books, service, names)
    by_signon = any(section.signon for section in sections)
    answered_speakers: Sequence[AuthenticatedSeat | RefusedClaim | None] = ()
    former = None if by_signon or passed.weak or given else find_former_seat(letter, proof, books)
    elsewhere = None if passed.weak or given else explain_answer_from_elsewhere(kept, letter, context)
    if elsewhere is not None:
        handled = elsewhere
    elif former is not None:
        handled = answer_former_seat(former, letter, context)
    elif any(isinstance(speaker, AuthenticatedSeat) for speaker in speakers):
        handled = _process_sections(
            kept, letter, passed, sections, speakers, search, context, compared, copies
        )
        answered_speakers = speakers
    elif held := next(
        (speaker.held for speaker in speakers if isinstance(speaker, RefusedClaim) and speaker.held), None
    ):
        handled = quarantine_letter(kept, letter, held, context)
    elif passed.weak:
        handled = LetterOutcome("quarantined", sentence("clerk.desk.perhaps_a_robot"), letter.sender)
    else:
        parts = [(section.signon, section.lines) for section in sections]
        refused = explain_left_out([section.signon for section in sections], speakers)
        handled = ask_if_meant(kept, letter, parts, proof, context) or answer_stranger(
            UnseatedLetter(kept, letter, lines, refused, proof, context)
        )
    speakers = [*speakers, proof.changed_hands]
    brought = () if given else void_tokens_in_letter(letter, proof.claimed, speakers, books, service)
    leaked = copies.void_other_tokens(answered_speakers)
    # Guesses count whatever becomes of the letter, and so do tokens of others.
    return replace_fields(handled, acts=merge_rekeys((*spoken_for.noted, *handled.acts, *brought, *leaked)))


def _date_speaker(
    speaker: AuthenticatedSeat | RefusedClaim | None, search: OlderTokenSearch
) -> AuthenticatedSeat | RefusedClaim | None:
    """Return the speaker, with the turn to come that the letter is for, if it is for one."""
    return date_speaker(speaker, search) if isinstance(speaker, AuthenticatedSeat) else speaker


def _select_sections(
    kept: StoredLetter, spoken: list[tuple[LetterSection, AuthenticatedSeat | RefusedClaim | None]]
) -> list[tuple[LetterSection, AuthenticatedSeat | RefusedClaim | None]]:
    """Return the sections of a letter;

    of one that was kept for a turn those of its game: the others are done.
    """
    if not is_read_again(kept):
        return spoken
    here = [
        pair
        for pair in spoken
        if isinstance(pair[1], AuthenticatedSeat) and pair[1].position.name == kept.game
    ]
    return here or spoken


def _leave_unread(
    kept: StoredLetter, letter: Letter, passed: FilterResult, books: Repository, service: ServiceContext
) -> LetterOutcome:
    """Return the outcome of a letter that is not read."""
    if passed.disposition != "quarantined":
        return LetterOutcome(passed.disposition, passed.why, letter.sender or None)
    # What a list carries has many readers.
    brought = void_tokens_in_letter(letter, (), (), books, service)
    leaked = find_copies(letter, kept.raw, books, service).void_other_tokens()
    return LetterOutcome(
        passed.disposition, passed.why, letter.sender or None, acts=merge_rekeys((*brought, *leaked))
    )


def _split_sections(lines: Sequence[FreshLine]) -> tuple[LetterSection, ...]:
    parts: list[tuple[Command | None, list[FreshLine]]] = [(None, [])]
    is_open = True
    for line in lines:
        mark = _find_sign_command(line)
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


def _find_sign_command(line: FreshLine) -> Command | None:
    """Return the SIGNON or SIGNOFF that a line is; None for another line."""
    if "sign" not in line.text.lower():
        return None
    return next(
        (c for c in read_lines((line,), COMMANDS_ONLY_CONTEXT).commands if c.verb in ("SIGNON", "SIGNOFF")),
        None,
    )


def _merge_sections_of_seat(
    spoken: Sequence[tuple[LetterSection, AuthenticatedSeat | RefusedClaim | None]],
) -> tuple[list[LetterSection], list[AuthenticatedSeat | RefusedClaim | None]]:
    """Merge the sections that speak for the same seat, so that each command builds on all of them."""
    merged_sections: dict[object, tuple[LetterSection, AuthenticatedSeat | RefusedClaim | None]] = {}
    for index, (section, speaker) in enumerate(spoken):
        key = (speaker.position.name, speaker.seat) if isinstance(speaker, AuthenticatedSeat) else index
        if key in merged_sections:
            first, speaker = merged_sections[key]
            section = LetterSection(first.signon or section.signon, (*first.lines, *section.lines))
        merged_sections[key] = (section, speaker)
    return [section for section, _ in merged_sections.values()], [
        speaker for _, speaker in merged_sections.values()
    ]


def _process_sections(
    kept: StoredLetter,
    letter: Letter,
    passed: FilterResult,
    sections: Sequence[LetterSection],
    speakers: Sequence[AuthenticatedSeat | RefusedClaim | None],
    search: OlderTokenSearch,
    context: RequestContext,
    compared: SheetComparison,
    copies: Copies = NO_COPIES,
) -> LetterOutcome:
    """Return the outcome of a letter that speaks for seats, section by section.

    search: for which turns it is; compared: the sheet that it quotes; copies: of the letter.
    """
    acts: list[AnyAct] = []
    answers: list[LetterDraft] = []
    allowance = ReadingBudget()
    first: AuthenticatedSeat | None = None
    refused = explain_left_out([section.signon for section in sections], speakers)
    unread = (sentence("clerk.desk.sheet_of_no_letter"),) if compared.quotes_unknown else ()
    for number, (section, speaker) in enumerate(zip(sections, speakers, strict=True)):
        if not isinstance(speaker, AuthenticatedSeat):
            continue
        first = first or speaker
        fingerprint = kept.fingerprint if not answers else f"{kept.fingerprint}/{number}"
        begun = tuple(act for act in acts if isinstance(act, BeginGame))
        case = SeatCommandContext(
            game=games.kinds()[speaker.position.kind],
            seated=speaker,
            office=context.office,
            books=context.books,
            sender=letter.sender,
            received=kept.received,
            now=context.now,
            sender_name=letter.sender_name,
            key=fingerprint,
            begun=begun,
            allowance=allowance,
            replies_to=letter.answers,
            talk=Talk(context.books.people),
        )
        if speaker.later is not None:
            done, transcript = _postpone_section(section, case, letter, kept)
            leaked, copy_notes = copies.void_speaker_token(speaker, context.books, context.office)
            transcript = replace_fields(transcript, notes=(*transcript.notes, *copy_notes))
            acts += [*done, *leaked]
            answers += _write_replies(case, letter, transcript, done, context.now)
            continue
        if len(sections) == 1 and speaker.how != CONFIRMED_PRESS and _has_replies_left(case, context.now):
            question = ask_to_send(kept, letter, section.lines, case, context)
            if question is not None:
                return question
        case = _apply_undo(section, case, _count_seats_in_game(speaker, speakers) == 1)
        quoting = compared if not answers else None
        done, transcript = _process_section(
            section, case, letter, fingerprint, allowance, _choose_hearing(kept, case), quoting
        )
        if is_read_again(kept):
            transcript = replace_fields(transcript, notes=(_explain_wait(kept, case), *transcript.notes))
        elif transcript.rows and is_undated(speaker, kept.received, search):
            transcript = replace_fields(transcript, notes=(_explain_undated(case), *transcript.notes))
        if not answers:
            transcript = replace_fields(transcript, notes=(*unread, *refused, *transcript.notes))
        if renew_tokens(speaker, done) is not speaker:
            transcript = replace_fields(
                transcript, notes=(*transcript.notes, self_disclosed_address_notice(case.seat))
            )
        if _has_replies_left(case, context.now):
            leaked, copy_notes = copies.void_speaker_token(speaker, context.books, context.office)
            transcript = replace_fields(transcript, notes=(*transcript.notes, *copy_notes))
            done = [*done, *leaked]
            acts += done
        else:
            acts += announce_rekeys([*done, *copies.void_other_tokens()])
        case = replace(case, seated=renew_tokens(case.seated, done))
        if speaker.position.is_running and speaker.position.timing.rest is not None:
            name, seat = speaker.position.name, speaker.seat
            acts.append(Stir(game=name, by=seat, seat=seat, at=kept.received))
        answers += _write_replies(case, letter, transcript, done, context.now)
    assert first is not None, "somebody was seated"
    waits = {
        other.position.name: other.later
        for other in speakers
        if isinstance(other, AuthenticatedSeat) and other.later
    }
    for name, turn in waits.items():
        why = sentence("clerk.postponed.waits", turn=turn)
        # Whose it is, is found out again when it is read.
        return LetterOutcome(
            POSTPONED,
            why,
            letter.sender,
            game=name,
            acts=tuple(acts),
            answers=tuple(answers),
            waits=waits,
        )
    perhaps = sentence("clerk.desk.perhaps_a_robot") if passed.weak else None
    return LetterOutcome(
        disposition="read",
        why="; ".join(filter(None, (passed.why, *refused, perhaps))) or None,
        speaker=letter.sender,
        game=first.position.name,
        seat=first.seat,
        acts=tuple(acts),
        answers=tuple(answers),
    )


def _postpone_section(
    section: LetterSection, case: SeatCommandContext, letter: Letter, kept: StoredLetter
) -> tuple[list[AnyAct], Transcript]:
    """Return the acts and the transcript of lines that are for a turn to come."""
    seated = case.seated
    position, seat = seated.position, seated.seat
    reading = read_lines(section.lines, parse_context(case.game, seated, case.books), case.allowance)
    has_later = case.books.has_read_later(position.name, seat, kept.received)
    waits = postpone(case, reading, has_later)
    on_books = position.filed.get(seat, ())
    acts: list[AnyAct] = []
    if waits.filed.everything != on_books:
        acts.append(
            FileOrders(
                game=position.name,
                by=seat,
                seat=seat,
                turn=case.turn,
                orders=pack_items(waits.filed.everything),
            )
        )
    key = f"{case.key}/{seated.later}"
    transcript = _build_transcript(
        case.game, seated, letter, key, reading, (), waits.filed, on_books, case.time
    )
    return acts, replace_fields(transcript, notes=(*waits.notes, *transcript.notes))


def _choose_hearing(kept: StoredLetter, case: SeatCommandContext) -> Hears:
    """Return a filter of readings: for a letter kept for a turn, it drops orders that were changed since."""
    position = case.seated.position
    if not is_read_again(kept) or len(case.game.rules.ahead(position.state)) < 2:
        return lambda reading: reading
    if not case.books.has_read_later(position.name, case.seat, kept.received):
        return lambda reading: reading
    return drop_orders


def _explain_wait(kept: StoredLetter, case: SeatCommandContext) -> str:
    """Return the first note of the reply to a letter that was kept for the turn that is due now."""
    stale, at = case.seated.stale, both(kept.received, zone_of(case.address, case.books, case.office))
    return sentence(
        "clerk.postponed.waited",
        at=at,
        over=stale is not None,
        turn=stale or case.game.rules.turn(case.seated.position.state).name,
        changed=_choose_hearing(kept, case) is drop_orders,
    )


def _explain_undated(case: SeatCommandContext) -> str:
    """Return the first note of the reply to a letter that may be for more than one turn."""
    position = case.seated.position
    mark = case.books.restore_mark(position.name)
    assert mark is not None, "of other games it is for the turn that is due"
    made = both(mark.made, zone_of(case.address, case.books, case.office))
    turn = case.game.rules.turn(position.state).name
    return sentence("clerk.postponed.undated", made=made, turn=turn)


def _count_seats_in_game(
    speaker: AuthenticatedSeat, speakers: Sequence[AuthenticatedSeat | RefusedClaim | None]
) -> int:
    """Count the seats of the same game that a letter speaks for."""
    names = [other.position.name for other in speakers if isinstance(other, AuthenticatedSeat)]
    return names.count(speaker.position.name)


def _apply_undo(section: LetterSection, case: SeatCommandContext, alone: bool) -> SeatCommandContext:
    """Return the case in the game as it is once UNDO is done, if the section asks for it.

    alone: no other part of the letter is about that game, and would be read in the turn that was played.
    """
    if not any("undo" in line.text.lower() for line in section.lines):
        return case
    context = parse_context(case.game, case.seated, case.books)
    # What is read here is read again in the game as it is then.
    reading = read_lines(section.lines, context, replace(case.allowance))
    if not any(command.verb == "UNDO" for command in reading.commands):
        return case
    back = find_undo(case) if alone else sentence("clerk.undoing.of_its_own")
    if isinstance(back, str):
        return replace(case, undo=back)
    return replace(case, undo=back.act, seated=replace_fields(case.seated, position=back.position))


def _hear_post(
    lines: Sequence[FreshLine], case: SeatCommandContext, letter: Letter, hears: Hears
) -> tuple[list[AnyAct], Transcript]:
    return _process_section(LetterSection(None, tuple(lines)), case, letter, case.key, case.allowance, hears)


def _answer_post(
    context: RequestContext,
    case: SeatCommandContext,
    letter: Letter,
    transcript: Transcript,
    acts: Sequence[AnyAct],
) -> list[LetterDraft]:
    return _write_replies(case, letter, transcript, acts, context.now)


def _process_section(
    section: LetterSection,
    case: SeatCommandContext,
    letter: Letter,
    fingerprint: str,
    allowance: ReadingBudget,
    hears: Hears = lambda reading: reading,
    compared: SheetComparison | None = None,
) -> tuple[list[AnyAct], Transcript]:
    """Return the acts and the transcript of the lines that speak for one seat.

    allowance: of the whole letter; hears: filters what was read; compared: the sheet that it quotes.
    """
    game, seated = case.game, case.seated
    position, seat = seated.position, seated.seat
    reading = hears(read_lines(section.lines, parse_context(game, seated, case.books), allowance))
    reading = accept_doubtful_orders(reading) if seated.how == BY_CONFIRMATION else reading
    full_reading = reading
    if seated.how == CONFIRMED_PRESS:
        reading = replace_fields(reading, orders=(), commands=())
    last_commands = [command for command in reading.commands if command.verb in ANSWERED_LAST]
    commands = [command for command in reading.commands if command.verb not in ANSWERED_LAST]
    done = run_commands(case, [*([section.signon] if section.signon else []), *commands])
    if seated.how == CONFIRMED_PRESS:
        done += [send_reply(case, letter.subject, section.lines, full_reading)]
    elif (not_sent := tell_not_sent(case, letter.subject, section.lines, reading)) is not None:
        done += [not_sent]
    on_books = position.filed.get(seat, ())
    before = () if any(result.clears for result in done) else on_books
    ends = any(isinstance(act, EndGame) for result in done for act in result.acts)
    if ends:
        # The last vote for an end of the game: no orders count beside it.
        before = on_books
        seated = replace_fields(seated, position=replace(position, status="over"))
    # NOWAIT is a WAIT taken back.
    hurried = any(result.wait is False for result in done)
    # A question that was not answered changes nothing of what is wanted.
    unheard = [command.line for command in reading.unheard if command.verb not in QUERY_COMMANDS]
    remarks = LetterRemarks(ready=any(result.ready for result in done), beyond=(*reading.beyond, *unheard))
    compared = compared or SheetComparison(())
    rows = (*reading.orders, *ask_about_older_sheet(compared))
    filed = file_orders(game, seated, rows, before, case.received, hurried=hurried, remarks=remarks)
    filed = replace_fields(filed, rows=name_orders_in_question(filed.rows, compared))
    done += run_commands(_case_after_letter(case, filed, done), last_commands) if last_commands else ()
    # A game that is over takes nothing more, so its end comes last.
    acts = sorted((act for result in done for act in result.acts), key=lambda act: isinstance(act, EndGame))
    if filed.everything != on_books and not ends:
        acts.append(
            FileOrders(
                game=position.name,
                by=seat,
                seat=seat,
                turn=case.turn,
                orders=pack_items(filed.everything),
            )
        )
    transcript = _build_transcript(
        game, seated, letter, fingerprint, reading, done, filed, on_books, case.time
    )
    late = late_notes(letter, case, before, filed.everything)
    return acts, replace_fields(transcript, notes=(*transcript.notes, *late)) if late else transcript


def _case_after_letter(
    case: SeatCommandContext, filed: FilingResult, done: Sequence[CommandResult]
) -> SeatCommandContext:
    """Return the game as it will be once the letter is done, for questions about its state."""
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
        chairs={**position.chairs, seat: replace_fields(case.seated.chair, **changes)},
    )
    mapped = next((result.mapped for result in done if result.mapped), None)
    return replace(case, seated=replace_fields(case.seated, position=after), mapped=mapped)


def _build_transcript(
    game: Game,
    seated: AuthenticatedSeat,
    letter: Letter,
    fingerprint: str,
    reading: LetterReading,
    done: Sequence[CommandResult],
    filed: FilingResult,
    before: Sequence[Item],
    now: Millis,
) -> Transcript:
    position, seat, chair = seated.position, seated.seat, seated.chair
    dues = game.rules.due(position.state) if position.is_running else ()
    stop, alone = position.timing.stop, position.is_running and is_solo(position)
    waits = [result.wait for result in done if result.wait is not None]
    readies = [result.ready for result in done if result.ready is not None]
    return Transcript(
        fingerprint=fingerprint,
        subject=letter.subject,
        answers=letter.message_id or None,
        thread=letter.thread,
        rows=filed.rows,
        notes=(
            *explain_over_allowance(reading, letter),
            *describe_unopened(letter),
            *(note for result in done for note in result.notes),
            *filed.notes,
            *((why_no_deadline(stop),) if stop is not None and position.is_running else ()),
        ),
        answered=tuple(answer for result in done for answer in result.answered),
        **collect_pictures(done),
        on_file=saved_orders(
            game,
            position.state,
            filed.everything,
            seat,
            before,
            lines_told(filed.rows) if filed.is_flagged else (),
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
        overdue=overdue(position, now),
        stopped=stop is not None,
        alone=alone,
        wait=waits[-1] if waits else chair.wait,
        ready=readies[-1] if readies else chair.ready,
        owes=any(due.seat == seat for due in dues),
        queues=any(due.takes is not None for due in dues if due.seat == seat),
        flagged=filed.is_flagged,
        left_out=filed.left_out,
        otherwise=_otherwise(seated, filed, readies[-1] if readies else chair.ready, done, now),
        sheet=sheet_lines(game, position.state, dues, filed.orders, seat),
    )


def _otherwise(
    seated: AuthenticatedSeat, filed: FilingResult, ready: bool, done: Sequence[CommandResult], now: Millis
) -> str:
    """What becomes of what a seat still owes, once its letter is done."""
    position, seat = seated.position, seated.seat
    if not position.is_running:
        return "sheet"
    chair = replace_fields(seated.chair, ready=ready)
    absences = position.absences
    for act in (act for result in done for act in result.acts if isinstance(act, NoteAbsence)):
        others = tuple(absence for absence in absences if absence.seat != seat)
        absences = others if act.absence is None else (*others, act.absence)
    after = replace(
        position,
        absences=absences,
        filed={**position.filed, seat: filed.orders},
        chairs={**position.chairs, seat: chair},
    )
    return otherwise(games.kinds()[position.kind], after, seat, now)


def _write_replies(
    case: SeatCommandContext, letter: Letter, transcript: Transcript, acts: Sequence[AnyAct], now: Millis
) -> list[LetterDraft]:
    """Return the reply to a seat; beyond the hour's limit one notice, then nothing."""
    to, service, hour = case.address, case.office, now // HOUR
    reader = reader_of(case.seated.position, case.seated.chair, to, case.books, service)
    for act in acts:
        if isinstance(act, NotePerson) and act.person.zone:
            reader = replace_fields(reader, zone=ZoneInfo(act.person.zone))
        elif isinstance(act, EndGame) or (isinstance(act, TakeSeat) and act.address is None):
            # He owes nothing any more, and his token dies with the seat.
            transcript = replace_fields(transcript, turn=None, sheet=())
            reader = caller_of(to, RequestContext(case.books, service, now))
    if _has_replies_left(case, now):
        return [verdict(case.game, transcript, reader)]
    return [
        notice(
            reader,
            Heading(f"limit/{to}/{hour}", sentence("clerk.desk.enough_for_an_hour_subject")),
            (sentence("clerk.desk.enough_for_an_hour", most=service.answers_an_hour),),
        )
    ]


def _has_replies_left(case: SeatCommandContext, now: Millis) -> bool:
    """Return whether the seat's address may get another reply this hour."""
    return case.books.replies_since(case.address, now // HOUR * HOUR) < case.office.answers_an_hour


# Emails whose subject says that somebody is away: a player may have written one that has orders.


def admit_with_orders(
    passed: FilterResult,
    lines: Sequence[FreshLine],
    speaker: AuthenticatedSeat | None,
    books: Repository | None = None,
) -> FilterResult:
    """Return how such an email comes through: it is read if it has a whole order of its seat, or names one.

    speaker: the seat for which it speaks, None: it does not say that without a password.
    """
    if not passed.is_absence:
        return passed
    if speaker is None:
        begins = any(
            command.verb == "SIGNON" for command in read_lines(lines, COMMANDS_ONLY_CONTEXT).commands
        )
        return replace_fields(passed, disposition="read", weak=True) if begins else passed
    context = parse_context(games.kinds()[speaker.position.kind], speaker, books)
    orders = [row for row in read_lines(lines, context).orders if row.in_force and row.source != "sheet"]
    return replace_fields(passed, disposition="read", weak=True) if orders else passed


# Emails that were sent before others and arrive after them: they count, and their replies say so.


MAX_USUAL_TRANSIT = 2 * MINUTE
"""An email that took longer may have been overtaken. Clocks differ by less."""


def late_notes(
    letter: Letter, case: SeatCommandContext, before: Sequence[Item], after: Sequence[Item]
) -> tuple[str, ...]:
    """Say that an email has replaced orders of one that was sent later; nothing where it has not.

    before, after: what the seat had on file, and has from now on.
    """
    if letter.date is None or letter.date > case.received - MAX_USUAL_TRANSIT or not _replaces(before, after):
        return ()
    dates = case.books.dates_sent(letter.sender, case.name, case.seat)
    later = max((date for date in dates if date > letter.date), default=None)
    if later is None:
        return ()
    position, chair = case.seated.position, case.seated.chair
    zone = reader_of(position, chair, case.address, case.books, case.office).zone
    note = sentence("clerk.late_arrivals.replaced", earlier=both(letter.date, zone), later=both(later, zone))
    return (note,)


def _replaces(before: Sequence[Item], after: Sequence[Item]) -> bool:
    """Return whether another order stands on file in place of one that was there."""
    now = {key_of(item): item for item in after if not is_flag(item)}
    return any(not is_flag(item) and now.get(key_of(item)) != item for item in before)
