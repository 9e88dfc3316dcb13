"""The desk: one letter, from its bytes to what is to be done about it. Touches nothing but its arguments."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from zoneinfo import ZoneInfo

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.absent_writers import admit_with_orders
from adjudicator.clerk.authentication import note_signature
from adjudicator.clerk.bounces import returned
from adjudicator.clerk.commands import ANSWERED_LAST, carry_all_out
from adjudicator.clerk.commands.case import Case, Done, pictures
from adjudicator.clerk.confirmations import answer_to_question, as_confirmed, ask_if_meant
from adjudicator.clerk.copies import NO_COPIES, Copies, find_copies
from adjudicator.clerk.error_flag import Said, lines_told
from adjudicator.clerk.filing import Filed, file_orders
from adjudicator.clerk.former_seats import answer_former_seat, find_former_seat
from adjudicator.clerk.gate import Passed, admit, vouched
from adjudicator.clerk.held import deaf, put_by
from adjudicator.clerk.identity import (
    CONFIRMED,
    CONFIRMED_PRESS,
    Proof,
    Refused,
    Seated,
    by_word,
    date_speaker,
    is_undated,
    proof_of,
)
from adjudicator.clerk.late_arrivals import late_notes
from adjudicator.clerk.leaks import aloud, brought_along, once_each, renewed
from adjudicator.clerk.limits import too_heavy
from adjudicator.clerk.older_tokens import Dates, Search
from adjudicator.clerk.over_allowance import told_over_allowance
from adjudicator.clerk.parse_contexts import STRANGERS, parse_context
from adjudicator.clerk.posted import Hears, from_forum, read_post
from adjudicator.clerk.postponed_emails import is_read_again, postpone, without_orders
from adjudicator.clerk.press_replies import ask_to_send, send_reply, tell_not_sent
from adjudicator.clerk.quoted_sheets import Compared, asked_to_go_back, compare, with_orders
from adjudicator.clerk.signons import left_out, spoken
from adjudicator.clerk.strangers import Visit, answer_stranger
from adjudicator.clerk.undoing import restored
from adjudicator.clock import HOUR, Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.dispositions import POSTPONED
from adjudicator.ledger.filed_orders import Item, packed
from adjudicator.ledger.game_acts import AnyAct, BeginGame, EndGame, FileOrders, Stir, TakeSeat
from adjudicator.ledger.letters import Handled, Kept, Outgoing
from adjudicator.ledger.overdue import overdue
from adjudicator.ledger.people_acts import NotePerson
from adjudicator.ledger.solitude import is_solo
from adjudicator.office import Desk, Office
from adjudicator.referee.errands import otherwise
from adjudicator.referee.talk import Talk
from adjudicator.reports.messages import Heading, notice, verdict
from adjudicator.reports.reader import caller_of, reader_of, zone_of
from adjudicator.reports.seats import shown_by_himself
from adjudicator.reports.sheet import held_up, missing, on_file, sheet_lines
from adjudicator.reports.times import both, standing
from adjudicator.reports.transcript import Transcript
from games.protocol import Game
from games.record import Value, changed
from orders.allowance import Allowance
from orders.commands import ASKING, Command
from orders.letters.body import FreshLine
from orders.letters.letter import Letter
from orders.letters.unopened_attachments import unopened
from orders.parsing.reading import Reading, read


class Section(Value, frozen=True):
    """Part of a letter that speaks for one seat: the SIGNON it begins with (None: none), and its lines."""

    signon: Command | None
    lines: tuple[FreshLine, ...]


def handle(kept: Kept, books: Books, office: Office, now: Millis, confirmed: Seated | None = None) -> Handled:
    """Decide what a letter means. Bugs raise; whatever a letter may contain does not.

    confirmed: for whom it speaks, where its writer says that it is meant.
    """
    return note_signature(kept, _decide(kept, Desk(books, office, now), confirmed), books, now)


def _decide(kept: Kept, desk: Desk, confirmed: Seated | None) -> Handled:
    books, office, now = desk.books, desk.office, desk.now
    if kept.game and deaf(kept.game, books) is not None:
        return put_by(kept, vouched(kept.raw)[0], kept.game, desk)
    given = confirmed or by_word(kept, books)
    letter, passed = admit(kept.raw, books.is_ours, office) if given is None else vouched(kept.raw)
    if given is None and (sent := from_forum(kept, letter, passed, books.is_ours, desk)) is not None:
        return sent if isinstance(sent, Handled) else read_post(sent, _hear_post, partial(_answer_post, desk))
    if passed.returned:
        return returned(letter, desk)
    if passed.heavy:
        heavy = too_heavy(kept, letter, passed.why or "", desk)
        return changed(heavy, acts=find_copies(letter, kept.raw, books, office).of_others())
    if passed.disposition != "read" and not passed.is_absence:
        return _left_unread(kept, letter, passed, books, office)

    def read_again(email: Kept, seated: Seated) -> Handled:
        return handle(email, books, office, now, seated)

    if (
        given is None
        and not passed.is_absence
        and (answer := answer_to_question(kept, letter, desk, read_again)) is not None
    ):
        return answer
    proof = proof_of(letter, kept, books, office) if given is None else Proof(given)
    search = Search(books, office, Dates.of(letter, proof.claimed, kept.waited))
    speaker = proof.speaker()
    writer = date_speaker(speaker, search) if speaker else None
    compared = compare(letter, writer, books)
    passed = admit_with_orders(passed, compared.lines, writer, books)
    if passed.disposition != "read":
        return _left_unread(kept, letter, passed, books, office)
    lines = compared.lines
    found = _sections(lines)
    said = spoken([one.signon for one in found], proof, letter.sender, desk)
    speaking = [_date_speaker(one, search) for one in said.speakers]
    sections, speakers = _joined(_select_sections(kept, list(zip(found, speaking, strict=True))))
    names = {one.position.name for one in speakers if isinstance(one, Seated)}
    copies = find_copies(letter, kept.raw, books, office, names)
    by_signon = any(one.signon for one in sections)
    told: Sequence[Seated | Refused | None] = ()
    former = None if by_signon or passed.weak or given else find_former_seat(letter, proof, books)
    if former is not None:
        handled = answer_former_seat(former, letter, desk)
    elif any(isinstance(speaker, Seated) for speaker in speakers):
        handled = _seats(kept, letter, passed, sections, speakers, search, desk, compared, copies)
        told = speakers
    elif held := next((one.held for one in speakers if isinstance(one, Refused) and one.held), None):
        handled = put_by(kept, letter, held, desk)
    elif passed.weak:
        handled = Handled("quarantined", sentence("clerk.desk.perhaps_a_robot"), letter.sender)
    else:
        parts = [(one.signon, one.lines) for one in sections]
        refused = left_out([one.signon for one in sections], speakers)
        handled = ask_if_meant(kept, letter, parts, proof, desk) or answer_stranger(
            Visit(kept, letter, lines, refused, proof, desk)
        )
    speakers = [*speakers, proof.changed_hands]
    brought = () if given else brought_along(letter, proof.claimed, speakers, books, office)
    leaked = copies.of_others(told)
    # Guesses count whatever becomes of the letter, and so do tokens of others.
    return changed(handled, acts=once_each((*said.noted, *handled.acts, *brought, *leaked)))


def _date_speaker(speaker: Seated | Refused | None, search: Search) -> Seated | Refused | None:
    """Who speaks, with the turn to come that his letter is for, if it is for one."""
    return date_speaker(speaker, search) if isinstance(speaker, Seated) else speaker


def _select_sections(
    kept: Kept, spoken: list[tuple[Section, Seated | Refused | None]]
) -> list[tuple[Section, Seated | Refused | None]]:
    """The sections of a letter; of one that was kept for a turn those of its game: the others are done."""
    if not is_read_again(kept):
        return spoken
    here = [one for one in spoken if isinstance(one[1], Seated) and one[1].position.name == kept.game]
    return here or spoken


def _left_unread(kept: Kept, letter: Letter, passed: Passed, books: Books, office: Office) -> Handled:
    """What is done about a letter that is not read."""
    if passed.disposition != "quarantined":
        return Handled(passed.disposition, passed.why, letter.sender or None)
    # What a list carries has many readers.
    brought = brought_along(letter, (), (), books, office)
    leaked = find_copies(letter, kept.raw, books, office).of_others()
    return Handled(passed.disposition, passed.why, letter.sender or None, acts=once_each((*brought, *leaked)))


def _sections(lines: Sequence[FreshLine]) -> tuple[Section, ...]:
    begun: list[tuple[Command | None, list[FreshLine]]] = [(None, [])]
    is_open = True
    for line in lines:
        mark = _mark(line)
        if mark is not None:
            is_open = mark.verb == "SIGNON"
            begun += [(mark, [])] if is_open else []
        elif is_open:
            begun[-1][1].append(line)
    sections = [Section(signon, tuple(spoken)) for signon, spoken in begun]
    used = [
        section for section in sections if section.signon or any(line.text.strip() for line in section.lines)
    ]
    return tuple(used) or (sections[0],)


def _mark(line: FreshLine) -> Command | None:
    """The SIGNON or SIGNOFF that a line is."""
    if "sign" not in line.text.lower():
        return None
    return next((c for c in read((line,), STRANGERS).commands if c.verb in ("SIGNON", "SIGNOFF")), None)


def _joined(
    spoken: Sequence[tuple[Section, Seated | Refused | None]],
) -> tuple[list[Section], list[Seated | Refused | None]]:
    """The sections with those that speak for one seat made into one, so that each builds on all of them."""
    found: dict[object, tuple[Section, Seated | Refused | None]] = {}
    for place, (section, speaker) in enumerate(spoken):
        key = (speaker.position.name, speaker.seat) if isinstance(speaker, Seated) else place
        if key in found:
            first, speaker = found[key]
            section = Section(first.signon or section.signon, (*first.lines, *section.lines))
        found[key] = (section, speaker)
    return [section for section, _ in found.values()], [speaker for _, speaker in found.values()]


def _seats(
    kept: Kept,
    letter: Letter,
    passed: Passed,
    sections: Sequence[Section],
    speakers: Sequence[Seated | Refused | None],
    search: Search,
    desk: Desk,
    compared: Compared,
    copies: Copies = NO_COPIES,
) -> Handled:
    """search: for which turns it is; compared: the sheet that it quotes; copies: of the letter."""
    acts: list[AnyAct] = []
    answers: list[Outgoing] = []
    allowance = Allowance()
    first: Seated | None = None
    refused = left_out([section.signon for section in sections], speakers)
    unread = (sentence("clerk.desk.sheet_of_no_letter"),) if compared.quotes_unknown else ()
    for number, (section, speaker) in enumerate(zip(sections, speakers, strict=True)):
        if not isinstance(speaker, Seated):
            continue
        first = first or speaker
        fingerprint = kept.fingerprint if not answers else f"{kept.fingerprint}/{number}"
        begun = tuple(act for act in acts if isinstance(act, BeginGame))
        case = Case(
            game=games.kinds()[speaker.position.kind],
            seated=speaker,
            office=desk.office,
            books=desk.books,
            sender=letter.sender,
            received=kept.received,
            now=desk.now,
            signs=letter.sender_name,
            key=fingerprint,
            begun=begun,
            allowance=allowance,
            replies_to=letter.answers,
            talk=Talk(desk.books.society),
        )
        if speaker.later is not None:
            done, transcript = _postponed(section, case, letter, kept)
            leaked, told = copies.of_speaker(speaker, desk.books, desk.office)
            transcript = changed(transcript, notes=(*transcript.notes, *told))
            acts += [*done, *leaked]
            answers += _answer(case, letter, transcript, done, desk.now)
            continue
        if len(sections) == 1 and speaker.how != CONFIRMED_PRESS and _is_answered(case, desk.now):
            question = ask_to_send(kept, letter, section.lines, case, desk)
            if question is not None:
                return question
        case = _taking_back(section, case, _speakers_of(speaker, speakers) == 1)
        quoting = compared if not answers else None
        done, transcript = _section(
            section, case, letter, fingerprint, allowance, _choose_hearing(kept, case), quoting
        )
        if is_read_again(kept):
            transcript = changed(transcript, notes=(_say_waited(kept, case), *transcript.notes))
        elif transcript.rows and is_undated(speaker, kept.received, search):
            transcript = changed(transcript, notes=(_say_undated(case), *transcript.notes))
        if not answers:
            transcript = changed(transcript, notes=(*unread, *refused, *transcript.notes))
        if renewed(speaker, done) is not speaker:
            transcript = changed(transcript, notes=(*transcript.notes, shown_by_himself(case.seat)))
        if _is_answered(case, desk.now):
            leaked, told = copies.of_speaker(speaker, desk.books, desk.office)
            transcript = changed(transcript, notes=(*transcript.notes, *told))
            done = [*done, *leaked]
            acts += done
        else:
            acts += aloud([*done, *copies.of_others()])
        case = replace(case, seated=renewed(case.seated, done))
        if speaker.position.running and speaker.position.timing.rest is not None:
            name, seat = speaker.position.name, speaker.seat
            acts.append(Stir(game=name, by=seat, seat=seat, at=kept.received))
        answers += _answer(case, letter, transcript, done, desk.now)
    assert first is not None, "somebody was seated"
    waits = {one.position.name: one.later for one in speakers if isinstance(one, Seated) and one.later}
    for name, turn in waits.items():
        why = sentence("clerk.postponed.waits", turn=turn)
        # Whose it is, is found out again when it is read.
        return Handled(
            POSTPONED,
            why,
            letter.sender,
            game=name,
            acts=tuple(acts),
            answers=tuple(answers),
            waits=waits,
        )
    perhaps = sentence("clerk.desk.perhaps_a_robot") if passed.weak else None
    return Handled(
        disposition="read",
        why="; ".join(filter(None, (passed.why, *refused, perhaps))) or None,
        speaker=letter.sender,
        game=first.position.name,
        seat=first.seat,
        acts=tuple(acts),
        answers=tuple(answers),
    )


def _postponed(section: Section, case: Case, letter: Letter, kept: Kept) -> tuple[list[AnyAct], Transcript]:
    """The acts and the transcript of lines that are for a turn to come."""
    seated = case.seated
    position, seat = seated.position, seated.seat
    reading = read(section.lines, parse_context(case.game, seated, case.books), case.allowance)
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
                orders=packed(waits.filed.everything),
            )
        )
    key = f"{case.key}/{seated.later}"
    transcript = _transcript(case.game, seated, letter, key, reading, (), waits.filed, on_books, case.time)
    return acts, changed(transcript, notes=(*waits.notes, *transcript.notes))


def _choose_hearing(kept: Kept, case: Case) -> Hears:
    """What is heard of a letter: all; of one that was kept for a turn no orders that were changed since."""
    position = case.seated.position
    if not is_read_again(kept) or len(case.game.rules.ahead(position.state)) < 2:
        return lambda reading: reading
    if not case.books.has_read_later(position.name, case.seat, kept.received):
        return lambda reading: reading
    return without_orders


def _say_waited(kept: Kept, case: Case) -> str:
    """What is said first of a letter that was kept for the turn that is due now."""
    stale, at = case.seated.stale, both(kept.received, zone_of(case.address, case.books, case.office))
    return sentence(
        "clerk.postponed.waited",
        at=at,
        over=stale is not None,
        turn=stale or case.game.rules.turn(case.seated.position.state).name,
        changed=_choose_hearing(kept, case) is without_orders,
    )


def _say_undated(case: Case) -> str:
    """What is said first of a letter of which nobody can tell for which turn it is."""
    position = case.seated.position
    mark = case.books.restore_mark(position.name)
    assert mark is not None, "of other games it is for the turn that is due"
    made = both(mark.made, zone_of(case.address, case.books, case.office))
    turn = case.game.rules.turn(position.state).name
    return sentence("clerk.postponed.undated", made=made, turn=turn)


def _speakers_of(speaker: Seated, speakers: Sequence[Seated | Refused | None]) -> int:
    """How many seats of the same game a letter speaks for."""
    said = [one.position.name for one in speakers if isinstance(one, Seated)]
    return said.count(speaker.position.name)


def _taking_back(section: Section, case: Case, alone: bool) -> Case:
    """The case in the game as it is once UNDO is done, if the section asks for it.

    alone: no other part of the letter is about that game, and would be read in the turn that was played.
    """
    if not any("undo" in line.text.lower() for line in section.lines):
        return case
    context = parse_context(case.game, case.seated, case.books)
    # What is read here is read again in the game as it is then.
    reading = read(section.lines, context, replace(case.allowance))
    if not any(command.verb == "UNDO" for command in reading.commands):
        return case
    back = restored(case) if alone else sentence("clerk.undoing.of_its_own")
    if isinstance(back, str):
        return replace(case, undo=back)
    return replace(case, undo=back.act, seated=changed(case.seated, position=back.position))


def _hear_post(
    lines: Sequence[FreshLine], case: Case, letter: Letter, hears: Hears
) -> tuple[list[AnyAct], Transcript]:
    return _section(Section(None, tuple(lines)), case, letter, case.key, case.allowance, hears)


def _answer_post(
    desk: Desk, case: Case, letter: Letter, transcript: Transcript, acts: Sequence[AnyAct]
) -> list[Outgoing]:
    return _answer(case, letter, transcript, acts, desk.now)


def _section(
    section: Section,
    case: Case,
    letter: Letter,
    fingerprint: str,
    allowance: Allowance,
    hears: Hears = lambda reading: reading,
    compared: Compared | None = None,
) -> tuple[list[AnyAct], Transcript]:
    """The acts and the transcript of the lines that speak for one seat.

    allowance: of the whole letter; hears: what of it is heard; compared: the sheet that it quotes.
    """
    game, seated = case.game, case.seated
    position, seat = seated.position, seated.seat
    reading = hears(read(section.lines, parse_context(game, seated, case.books), allowance))
    reading = as_confirmed(reading) if seated.how == CONFIRMED else reading
    full_reading = reading
    if seated.how == CONFIRMED_PRESS:
        reading = changed(reading, orders=(), commands=())
    asked = [command for command in reading.commands if command.verb in ANSWERED_LAST]
    wanted = [command for command in reading.commands if command.verb not in ANSWERED_LAST]
    done = carry_all_out(case, [*([section.signon] if section.signon else []), *wanted])
    if seated.how == CONFIRMED_PRESS:
        done += [send_reply(case, letter.subject, section.lines, full_reading)]
    elif (not_sent := tell_not_sent(case, letter.subject, section.lines, reading)) is not None:
        done += [not_sent]
    on_books = position.filed.get(seat, ())
    before = () if any(one.clears for one in done) else on_books
    # NOWAIT is a WAIT taken back.
    hurried = any(one.wait is False for one in done)
    # A question that was not answered changes nothing of what is wanted.
    unheard = [command.line for command in reading.unheard if command.verb not in ASKING]
    said = Said(ready=any(one.ready for one in done), beyond=(*reading.beyond, *unheard))
    compared = compared or Compared(())
    rows = (*reading.orders, *asked_to_go_back(compared))
    filed = file_orders(game, seated, rows, before, case.received, hurried=hurried, said=said)
    filed = changed(filed, rows=with_orders(filed.rows, compared))
    done += carry_all_out(_afterwards(case, filed, done), asked) if asked else ()
    acts = [act for one in done for act in one.acts]
    if filed.everything != on_books:
        acts.append(
            FileOrders(
                game=position.name,
                by=seat,
                seat=seat,
                turn=case.turn,
                orders=packed(filed.everything),
            )
        )
    transcript = _transcript(game, seated, letter, fingerprint, reading, done, filed, on_books, case.time)
    late = late_notes(letter, case, before, filed.everything)
    return acts, changed(transcript, notes=(*transcript.notes, *late)) if late else transcript


def _afterwards(case: Case, filed: Filed, done: Sequence[Done]) -> Case:
    """The game as it will be once the letter is done, for questions about how it stands."""
    said = {
        name: getattr(one, name)
        for one in done
        for name in ("wait", "ready")
        if getattr(one, name) is not None
    }
    position, seat = case.seated.position, case.seat
    after = replace(
        position,
        filed={**position.filed, seat: filed.everything},
        chairs={**position.chairs, seat: changed(case.seated.chair, **said)},
    )
    mapped = next((one.mapped for one in done if one.mapped), None)
    return replace(case, seated=changed(case.seated, position=after), mapped=mapped)


def _transcript(
    game: Game,
    seated: Seated,
    letter: Letter,
    fingerprint: str,
    reading: Reading,
    done: Sequence[Done],
    filed: Filed,
    before: Sequence[Item],
    now: Millis,
) -> Transcript:
    position, seat, chair = seated.position, seated.seat, seated.chair
    dues = game.rules.due(position.state) if position.running else ()
    stop, alone = position.timing.stop, position.running and is_solo(position)
    waits = [one.wait for one in done if one.wait is not None]
    readies = [one.ready for one in done if one.ready is not None]
    return Transcript(
        fingerprint=fingerprint,
        subject=letter.subject,
        answers=letter.message_id or None,
        thread=letter.thread,
        rows=filed.rows,
        notes=(
            *told_over_allowance(reading, letter),
            *unopened(letter),
            *(note for one in done for note in one.notes),
            *filed.notes,
            *((standing(stop),) if stop is not None and position.running else ()),
        ),
        answered=tuple(answer for one in done for answer in one.answered),
        **pictures(done),
        on_file=on_file(
            game,
            position.state,
            filed.everything,
            seat,
            before,
            lines_told(filed.rows) if filed.is_flagged else (),
        ),
        missing=missing(game, position.state, filed.orders, seat),
        held_up=tuple(one for one in held_up(game, position.state, filed.orders, seat) if not one.untaken),
        turn=game.rules.turn(position.state) if position.running else None,
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
        otherwise=_otherwise(seated, filed, readies[-1] if readies else chair.ready, now),
        sheet=sheet_lines(game, position.state, dues, filed.orders, seat),
    )


def _otherwise(seated: Seated, filed: Filed, ready: bool, now: Millis) -> str:
    """What becomes of what a seat still owes, once its letter is done."""
    position, seat = seated.position, seated.seat
    if not position.running:
        return "sheet"
    chair = changed(seated.chair, ready=ready)
    after = replace(
        position,
        filed={**position.filed, seat: filed.orders},
        chairs={**position.chairs, seat: chair},
    )
    return otherwise(games.kinds()[position.kind], after, seat, now)


def _answer(
    case: Case, letter: Letter, transcript: Transcript, acts: Sequence[AnyAct], now: Millis
) -> list[Outgoing]:
    """The answer to a seat; beyond the hour's limit one notice, then silence."""
    to, office, hour = case.address, case.office, now // HOUR
    reader = reader_of(case.seated.position, case.seated.chair, to, case.books, office)
    for act in acts:
        if isinstance(act, NotePerson) and act.person.zone:
            reader = changed(reader, zone=ZoneInfo(act.person.zone))
        elif isinstance(act, EndGame) or (isinstance(act, TakeSeat) and act.address is None):
            # He owes nothing any more, and his token dies with the seat.
            transcript = changed(transcript, turn=None, sheet=())
            reader = caller_of(to, Desk(case.books, office, now))
    if _is_answered(case, now):
        return [verdict(case.game, transcript, reader)]
    return [
        notice(
            reader,
            Heading(f"limit/{to}/{hour}", sentence("clerk.desk.enough_for_an_hour_subject")),
            (sentence("clerk.desk.enough_for_an_hour", most=office.answers_an_hour),),
        )
    ]


def _is_answered(case: Case, now: Millis) -> bool:
    """Whether the seat's answers of this hour are not used up."""
    return case.books.answers_since(case.address, now // HOUR * HOUR) < case.office.answers_an_hour
