"""The GMs of single games: who has the right, and the commands that they send by email.

`inbound.gm_mail` says which commands there are and who may send them. Here each is carried out by the same
functions as at the command line. A command that changes something is first tried and rolled back, to tell
the GM what it would change. A YES to that email carries it out.
"""

import logging
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from adjudicator.admin import deadlines, game_admin, overrides, seats
from adjudicator.admin.game_admin import player_address, seat_of
from adjudicator.admin.lookup import missing_orders
from adjudicator.auth.correspondents import request_mark
from adjudicator.auth.tokens import redact_text
from adjudicator.clock import Millis
from adjudicator.config import terms
from adjudicator.context import RequestContext
from adjudicator.errors import Fault, Refusal, WriteConflict
from adjudicator.inbound.confirmations import answered_at
from adjudicator.inbound.gm_mail import (
    GM_VERBS,
    MAX_GM_COMMANDS,
    GmVerb,
    gm_help,
    read_player_command,
    sees_hidden,
    why_not,
)
from adjudicator.messages import sentence
from adjudicator.model.addresses import short_seat_name
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import Attachment, HeaderText, LetterDraft
from adjudicator.model.orders_on_file import write_item
from adjudicator.model.people import (
    AskBack,
    GameGm,
    GameGms,
    GmCommands,
    GmJob,
    GmLook,
    GmRole,
    Request,
    SetGms,
)
from adjudicator.reports.messages import Heading, caller_of, gm_notice, notice, zone_of
from adjudicator.reports.times import both
from adjudicator.service import Service
from adjudicator.storage import outbox, people, stored_games
from adjudicator.storage.stored_games import Minute
from adjudicator.turns.deadlines import zone_named
from games.protocol import Seat
from games.record import replace_fields

MAX_GMS = 10
"""The most GMs of a game."""

MAX_LOG_ROWS, MAX_PRESS_SHOWN = 40, 200
"""The latest entries of a log, and pieces of press, that a reply shows."""

_MAX_LOCAL_CHARS = 64
_TO_SEATS = re.compile(r"to\s+([^:\n]+):\s*", re.IGNORECASE)
"""The beginning of GM SEND with the seats that alone get its text."""

log = logging.getLogger(__name__)


# Rights: granted, listed and revoked at the command line.


def grant(service: Service, name: str, address: str, role: GmRole) -> GameGm:
    """Give a person a right of the GM in a game that runs or is open, and mail them how to use it.

    A person who has it already gets a new reply address, and the earlier one no longer works.
    """
    if service.repository.people.offer(name) is None:
        game_admin.position_of(service, name)
    new, now = player_address(service, address), service.clock.now()
    before = service.repository.people.gms(name)
    others = tuple(member for member in before.members if member.address != new)
    if len(others) >= MAX_GMS:
        raise Refusal(
            f"Can't add a GM to game {name}",
            f"it has {MAX_GMS}",
            f'Use "gm game revoke {name} ADDRESS" to remove one',
        )
    old = before.find(new)
    number = before.numbered + 1 if old is None else old.number
    gm = GameGm(number=number, address=new, role=role, mark=secrets.token_hex(8), since=now)
    after = replace_fields(
        before,
        members=tuple(sorted((*others, gm), key=lambda member: member.number)),
        numbered=max(before.numbered, number),
    )
    context = _context(service, now)
    heading = Heading(
        f"{name}/gm/{gm.mark}", sentence("inbound.gm_mail.granted_subject", game=name, role=role)
    )
    paragraphs = (sentence("inbound.gm_mail.granted", game=name, role=role), *gm_help(role).split("\n\n"))
    draft = gm_notice(gm, name, heading, paragraphs, context)
    if len(str(draft.reply_to).rpartition("@")[0]) > _MAX_LOCAL_CHARS:
        raise Refusal(
            f"Can't add a GM to game {name}",
            "the service's address is too long for reply addresses",
            "Use the command line for this game",
        )
    minute = Minute(game=name, at=now, by=service.actor, what=f"GM {number}: {role}")
    _set(service, before, after, minute, [draft])
    return gm


def revoke(service: Service, name: str, address: str) -> GameGm:
    """Take a person's right in a game away. Their reply address stops working, and they get an email."""
    before, now = service.repository.people.gms(name), service.clock.now()
    gm = before.find(address.strip().lower())
    if gm is None:
        known = ", ".join(member.address for member in before.members)
        raise Refusal(
            f"{address} isn't a GM of game {name}",
            "",
            f"Its GMs: {known}" if known else f'Use "gm game grant {name} {address} gm" to make them one',
        )
    after = replace_fields(before, members=tuple(each for each in before.members if each != gm))
    heading = Heading(f"{name}/gm/{gm.mark}/revoked", sentence("inbound.gm_mail.revoked_subject", game=name))
    reader = caller_of(gm.address, _context(service, now))
    draft = notice(reader, heading, (sentence("inbound.gm_mail.revoked", game=name),))
    minute = Minute(game=name, at=now, by=service.actor, what=f"GM {gm.number}: revoked")
    _set(service, before, after, minute, [draft])
    return gm


def _set(
    service: Service, before: GameGms, after: GameGms, minute: Minute, drafts: Sequence[LetterDraft]
) -> None:
    """Store the GMs of a game, with the entry in its log and the emails about it."""
    with service.database.writing():
        action = SetGms(by=service.actor, game=minute.game, before=before, after=after)
        sealed = [service.composer.seal(draft, minute.at) for draft in drafts]
        stored_games.perform(service.database, [action], sealed, minute.at)
        stored_games.note(service.database, minute)


def _context(service: Service, now: Millis) -> RequestContext:
    return RequestContext(service.repository, service.service_context, now)


# The commands of an email: tried, asked back, carried out.


@dataclass(frozen=True)
class GmCall:
    """A command as a GM sent it. service: with the GM's name in the log. text: the words after the verb.

    why: the reason after "because". is_trial: whether it is rolled back, and only tells what it would do.
    """

    service: Service
    game: str
    gm: GameGm
    now: Millis
    line: str
    verb: GmVerb
    text: str = ""
    why: str = ""
    is_trial: bool = False

    @property
    def position(self) -> GamePosition:
        """Return the current position of the game. Raises Refusal if it can't be read."""
        position = self.service.repository.position(self.game)
        if position is None:
            stuck = self.service.repository.suspension(self.game)
            raise Refusal(
                sentence("inbound.gm_refusals.no_position", game=self.game), stuck.why if stuck else ""
            )
        return position

    @property
    def reason(self) -> overrides.OverrideReason:
        """Return the reason for the log."""
        return overrides.OverrideReason(self.why, by=self.service.actor)

    def split_seat(self) -> tuple[Seat, str]:
        """Return the seat that the text begins with, and the rest. Raises Refusal."""
        words = self.text.replace(":", " : ", 1).split(" ")
        words = [word for word in words if word]
        known = {short_seat_name(seat): seat for seat in self.position.assignments}
        for size in range(min(5, len(words)), 0, -1):
            seat = known.get(short_seat_name(" ".join(words[:size])))
            if seat is not None:
                return seat, " ".join(words[size:]).removeprefix(":").strip()
        first = words[0] if words else ""
        seats_shown = ", ".join(self.position.assignments)
        raise Refusal(sentence("inbound.gm_refusals.no_seat", typed=first, seats=seats_shown), "", self.usage)

    @property
    def usage(self) -> str:
        """Return how to write the command."""
        return sentence("inbound.gm_mail.usage", example=self.verb.example)

    def shown_time(self, at: Millis | None) -> str:
        """Return an instant in the GM's time zone, "" for none."""
        zone = zone_of(self.gm.address, self.service.repository, self.service.service_context)
        return "" if at is None else both(at, zone)


@dataclass(frozen=True)
class GmAnswer:
    """The answer to a command: paragraphs, and files."""

    paragraphs: tuple[str, ...]
    attached: tuple[Attachment, ...] = ()


class _RolledBack(Exception):  # not an error
    """Raised to roll back what was only tried."""


def carry_out(service: Service, now: Millis) -> None:
    """Carry out the waiting commands of GMs, and tell everybody of looks in games that are over.

    Only one worker may do this at a time. Raises Fault.
    """
    for key, job in people.gm_jobs(service.database).items():
        try:
            _work_off(service, key, job, now)
        except WriteConflict:
            log.info(sentence("service.mail.game_again", game=job.game))
        except Fault:
            raise
        except Exception:  # a bug in one command stops neither the service nor the other commands
            log.exception(sentence("service.mail.gm_mail_failed", game=job.game))
            _give_up(service, key, job, now)
    for name, gms in people.all_gms(service.database).items():
        if any(not look.announced for look in gms.looks):
            _announce_old_looks(service, name, gms, now)


def _give_up(service: Service, key: str, job: GmJob, now: Millis) -> None:
    with service.database.writing():
        if people.take_gm_job(service.database, key):
            text = sentence("inbound.gm_mail.failed", game=job.game, address=job.address)
            subject = sentence("inbound.gm_mail.failed_subject", game=job.game)
            sealed = service.composer.to_gamesmaster(f"gm-mail-failed/{key}", subject, (text,), now)
            outbox.put(service.database, [sealed], now)


@dataclass(frozen=True)
class _Work:
    """The commands of one email of a GM at work. key: of the job in the database."""

    service: Service
    key: str
    job: GmJob
    gm: GameGm
    now: Millis

    @property
    def context(self) -> RequestContext:
        return _context(self.service, self.now)

    def take(self) -> bool:
        """Remove the job within the caller's transaction. Return whether it was still waiting."""
        return people.take_gm_job(self.service.database, self.key)

    def heading(self, what: str, subject: str = "") -> Heading:
        """Return the header of a reply. what: its part in the key."""
        usual = f"Re: {self.job.subject}" if self.job.subject else ""
        return Heading(
            f"gm-mail/{self.job.letter}/{self.gm.number}/{what}",
            subject or usual or sentence("inbound.gm_mail.subject", game=self.job.game),
            answer_to=self.job.message_id,
            replies=True,
        )

    def write(
        self,
        heading: Heading,
        answers: Sequence[GmAnswer],
        problems: Sequence[str] = (),
        reply_to: str | None = None,
    ) -> None:
        """Put the reply into the outbox, within the caller's transaction. reply_to: None for the GM's own."""
        paragraphs = (*problems, *(text for answer in answers for text in answer.paragraphs))
        draft = gm_notice(self.gm, self.job.game, heading, tuple(map(redact_text, paragraphs)), self.context)
        files = tuple(file for answer in answers for file in answer.attached)
        draft = replace_fields(draft, attached=files)
        if reply_to is not None:
            draft = replace_fields(draft, reply_to=HeaderText(reply_to))
        outbox.put(self.service.database, [self.service.composer.seal(draft, self.now)], self.now)

    def ask_back(self, answers: Sequence[GmAnswer], calls: Sequence[GmCall]) -> None:
        """Ask the GM whether to carry commands out, with what they would change."""
        game, turn = self.job.game, _turn_of(self.service, self.job.game)
        commands = GmCommands(game=game, turn=turn, commands=tuple(call.line for call in calls))
        mark = request_mark(
            self.service.service_context.key, self.gm.address, (*commands.lines, self.job.letter)
        )
        request = Request(address=self.gm.address, lines=commands.lines, at=self.now, mark=mark)
        rows = "\n".join(f"| GM {row}" for call in calls for row in call.line.split("\n"))
        question = sentence("inbound.gm_mail.question", game=game, turn=turn)
        first = GmAnswer((question, rows, sentence("inbound.gm_mail.would_change")))
        heading = self.heading("question", sentence("inbound.gm_mail.question_subject", game=game))
        with self.service.database.writing():
            if self.take():
                asked = AskBack(by=self.gm.address, request=request)
                stored_games.perform(self.service.database, [asked], (), self.now)
                reply_to = answered_at(self.gm.address, mark, self.context)
                self.write(heading, [first, *answers], reply_to=reply_to)


def _work_off(service: Service, key: str, job: GmJob, now: Millis) -> None:
    """Answer, ask back or carry out the commands of one email. All that it writes is in one transaction.

    A turn is processed in its own transaction before, which a crash can't repeat: the turn is then another.
    """
    gms = service.repository.people.gms(job.game)
    gm = gms.find(job.address)
    if gm is None:  # revoked since the email came
        with service.database.writing():
            people.take_gm_job(service.database, key)
        return
    work = _Work(replace(service, actor=f"gm {gm.number} by mail"), key, job, gm, now)
    calls, problems = _read_calls(work, gms)
    changing = [call for call in calls if call.verb.changes]
    answers = [_answer(call) for call in calls if not call.verb.changes]
    if not (calls or problems):
        problems = [sentence("inbound.gm_mail.nothing_read")]
    elif job.confirmed and _turn_of(service, job.game) != job.turn:
        problems, changing = [sentence("inbound.gm_mail.turn_over")], []
    if job.left_out:
        problems.append(sentence("inbound.gm_mail.left_out", count=job.left_out, most=MAX_GM_COMMANDS))
    if problems and changing:
        problems.append(sentence("inbound.gm_mail.none_done"))
        changing = []
    if changing and not job.confirmed:
        problem, told = _try(changing)
        if problem is None:
            work.ask_back([*answers, *told], changing)
            return
        problems.append(problem)
        changing = []
    if changing and changing[0].verb.name == "PROCESS":
        answers.append(_answer(changing.pop()))
    with service.database.writing():
        if not work.take():
            return
        if changing:
            problem, told = _do(changing)
            answers += told
            problems += [problem] if problem else []
        work.write(work.heading("answer"), answers, problems)


def _do(calls: Sequence[GmCall]) -> tuple[str | None, list[GmAnswer]]:
    """Carry out all commands or none, in the caller's transaction. Return why not, and the answers."""
    try:
        with calls[0].service.database.savepoint():
            return None, [HANDLERS[call.verb.name](call) for call in calls]
    except Refusal as refusal:
        return _explain(calls, refusal), []


def _try(calls: Sequence[GmCall]) -> tuple[str | None, list[GmAnswer]]:
    """Return why commands can't be carried out, and what they would change. Nothing is changed."""
    result: tuple[str | None, list[GmAnswer]] = (None, [])
    with suppress(_RolledBack), calls[0].service.database.writing():
        result = _do([replace(call, is_trial=True) for call in calls])
        raise _RolledBack
    return result


def _answer(call: GmCall) -> GmAnswer:
    try:
        answer = HANDLERS[call.verb.name](call)
    except Refusal as refusal:
        answer = GmAnswer((_explain([call], refusal),))
    return answer


def _explain(calls: Sequence[GmCall], refusal: Refusal) -> str:
    """Return a refusal in a sentence, with commands of email in place of those of the command line."""
    instead = refusal.instead or ""
    for verb in GM_VERBS.values():
        if verb.shell:
            instead = re.sub(rf'"{verb.shell}\b[^"]*"', f'"GM {verb.example}"', instead)
    advice = "" if re.search(r"\bgm [a-z]", instead) or "--" in instead else instead
    parts = [refusal.what + (f": {refusal.why}" if refusal.why else ""), advice or calls[-1].usage]
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part)


def _read_calls(work: _Work, gms: GameGms) -> tuple[list[GmCall], list[str]]:
    """Return the commands that the GM may send, and a sentence about each other line."""
    service, job, gm = work.service, work.job, work.gm
    position = service.repository.position(job.game)
    if position is None and service.repository.people.offer(job.game) is None:
        return [], [f"{sentence('inbound.gm_refusals.no_position', game=job.game)}."]
    calls: list[GmCall] = []
    problems: list[str] = []
    for line in job.lines:
        word, _, text = line.partition(" ")
        verb = GM_VERBS.get(word)
        if verb is None:
            problems.append(_explain_unknown(service, line, word))
            continue
        text, why = _split_reason(text, verb)
        if verb.name == "ORDERS" and " " in text.strip():
            verb = GM_VERBS["ORDER"]
            text, why = _split_reason(line.partition(" ")[2], verb)
        problem = why_not(verb, gm, gms, position)
        if problem is None and verb.reason == "needed" and not why:
            problem = sentence("inbound.gm_mail.no_reason", line=f"{verb.name} {text}".strip())
        if problem is not None:
            problems.append(problem)
        else:
            calls.append(GmCall(service, job.game, gm, work.now, line, verb, text, why))
    changing = [call for call in calls if call.verb.changes]
    if len(changing) > 1 and any(call.verb.name == "PROCESS" for call in changing):
        problems.append(sentence("inbound.gm_mail.process_alone"))
    return calls, problems


def _explain_unknown(service: Service, line: str, word: str) -> str:
    """Return a sentence about a command that no GM can send, with where to send a command of players."""
    other = read_player_command(line)
    if other is None:
        return sentence("inbound.gm_mail.unknown", typed=word)
    address = service.service_context.address
    return sentence("inbound.gm_mail.for_players", line=other.shown, address=address)


def _split_reason(text: str, verb: GmVerb) -> tuple[str, str]:
    """Return the text of a command without its reason, and the reason, which ends with its line."""
    first, because, after = text, "", ""
    if verb.reason != "none":
        first, because, after = (*re.split(r"(?i)\b(because)\b", text, maxsplit=1), "", "")[:3]
    if not because:
        return text.strip(), ""
    reason, *below = after.split("\n")
    return "\n".join(filter(None, (first.strip(), *below))), " ".join(reason.split())


def _turn_of(service: Service, game: str) -> str:
    """Return the short name of a game's turn, "" before it has begun."""
    position = service.repository.position(game)
    return "" if position is None else position.game.rules.turn(position.state).short


# What each command does. While it is tried, all that it writes is rolled back.


def _show_help(call: GmCall) -> GmAnswer:
    return GmAnswer(tuple(gm_help(call.gm.role).split("\n\n")))


def _show_status(call: GmCall) -> GmAnswer:
    """Return who is missing, without orders."""
    repository = call.service.repository
    offer = repository.people.offer(call.game)
    if offer is not None:
        joined = len(repository.people.signups(call.game))
        return GmAnswer(
            (sentence("inbound.gm_mail.open", game=call.game, count=joined, needed=offer.needed),)
        )
    position = call.position
    lacking = missing_orders(position)
    stop = position.timing.stop
    rows = [
        f"  {seat:<16}"
        + sentence(
            "inbound.gm_mail.seat_row",
            plays="person" if assignment.is_person else "bot",
            lacks=bool(lacking.get(seat)),
            free=seat in repository.people.vacancies(call.game),
        )
        for seat, assignment in position.assignments.items()
    ]
    head = sentence(
        "inbound.gm_mail.status",
        turn=position.game.rules.turn(position.state).name,
        over=not position.is_running,
        deadline=call.shown_time(position.deadline),
        stop=None if stop is None else stop.kind,
    )
    return GmAnswer((head, "\n".join(rows)))


def _show_log(call: GmCall) -> GmAnswer:
    """Return the log, for an assistant and for a GM who plays without orders."""
    position = call.position
    whole = sees_hidden(call.gm, call.service.repository.people.gms(call.game), position)
    entries = overrides.entries_of(call.service, call.game)[-MAX_LOG_ROWS:]
    minutes = stored_games.minutes(call.service.database, call.game)[-MAX_LOG_ROWS:]
    rows = [
        "  "
        + "  ".join(
            filter(
                None,
                (
                    str(entry.number),
                    call.shown_time(entry.at),
                    entry.turn,
                    entry.kind,
                    entry.by,
                    overrides.describe_entry(entry) if whole else "",
                    entry.why,
                ),
            )
        )
        for entry in entries
    ]
    noted = [
        "  " + "  ".join(filter(None, (call.shown_time(note.at), note.by, note.what, note.why)))
        for note in minutes
    ]
    shown = ["\n".join(rows), *(["\n".join(noted)] if noted else [])]
    return GmAnswer((sentence("inbound.gm_mail.log", game=call.game), *shown))


def _show_orders(call: GmCall) -> GmAnswer:
    position = call.position
    wanted = (seat_of(position, call.text),) if call.text else tuple(position.assignments)
    saved = {seat: position.filed.get(seat, ()) for seat in wanted}
    rows = [
        "\n".join((f"  {seat}", *(f"    {write_item(position.game, item)}" for item in items)))
        for seat, items in saved.items()
        if items
    ]
    none = () if rows else (sentence("inbound.gm_mail.no_orders"),)
    return GmAnswer((sentence("inbound.gm_mail.orders"), *rows, *none))


def _show_press(call: GmCall) -> GmAnswer:
    pieces = call.service.repository.people.press(call.game)[-MAX_PRESS_SHOWN:]
    if not pieces:
        return GmAnswer((sentence("inbound.gm_mail.no_press"),))
    texts = [
        f"{piece.turn}  {call.shown_time(piece.at)}  {piece.seat or 'GM'}  {piece.heading}\n\n{piece.text}\n"
        for piece in pieces
    ]
    file = _text_file(f"{call.game}-press.txt", "\n".join(texts))
    return GmAnswer((sentence("inbound.gm_mail.press", count=len(pieces)),), (file,))


def _show_preview(call: GmCall) -> GmAnswer:
    played, reports = overrides.preview(call.service, call.game, call.text or None)
    texts = [f"{seat or 'observers'}: {draft.subject}\n\n{draft.text}\n" for seat, draft in reports]
    names = [step.turn.short for step in played.steps]
    file = _text_file(f"{call.game}-{names[0]}-preview.txt", "\n".join(texts))
    return GmAnswer((sentence("inbound.gm_mail.preview", turns=names),), (file,))


def _text_file(name: str, text: str) -> Attachment:
    return Attachment(
        name=HeaderText(name), media=HeaderText("text/plain"), content=redact_text(text).encode()
    )


def _look(call: GmCall) -> GmAnswer:
    """Record that a GM who plays looks at hidden orders, and tell everybody if the settings say so."""
    position, turn = call.position, _turn_of(call.service, call.game)
    before = call.service.repository.people.gms(call.game)
    at_once = call.service.repository.people.policy(call.game).looks == "now"
    look = GmLook(turn=turn, gm=call.gm.number, at=call.now, why=call.why, announced=at_once)
    drafts = _look_drafts(call.service, position, [look], call.now) if at_once else []
    after = replace_fields(before, looks=(*before.looks, look))
    what = f"{turn}: GM {call.gm.number} looks at hidden orders and press"
    minute = Minute(game=call.game, at=call.now, by=call.service.actor, what=what, why=call.why)
    _set(call.service, before, after, minute, drafts)
    return GmAnswer((sentence("inbound.gm_mail.looks", turn=turn, at_once=at_once),))


def _announce_old_looks(service: Service, name: str, gms: GameGms, now: Millis) -> None:
    """Tell everybody of a game that is over who looked at hidden orders, and why."""
    position = service.repository.position(name)
    if position is None or position.is_running:
        return
    drafts = _look_drafts(service, position, [look for look in gms.looks if not look.announced], now)
    announced = tuple(replace_fields(look, announced=True) for look in gms.looks)
    with suppress(WriteConflict):
        after = replace_fields(gms, looks=announced)
        what = "everyone learned who looked at hidden orders"
        _set(service, gms, after, Minute(game=name, at=now, by=service.actor, what=what), drafts)


def _look_drafts(
    service: Service, position: GamePosition, looks: Sequence[GmLook], now: Millis
) -> list[LetterDraft]:
    """Return the emails to all players and observers about looks at hidden orders."""
    context = _context(service, now)
    players = [
        service.composer.reader(position, assignment)
        for assignment in position.assignments.values()
        if assignment.is_person
    ]
    observers = [
        caller_of(address, context, position.name)
        for address in service.repository.people.observers(position.name)
    ]
    subject = sentence("inbound.gm_mail.looked_subject", game=position.name)
    return [
        notice(
            reader,
            Heading(f"{position.name}/looks/{looks[-1].at}/{reader.seat or reader.address}", subject),
            (
                sentence("inbound.gm_mail.looked"),
                "\n".join(f"  {look.turn}  {both(look.at, reader.zone)}  {look.why}" for look in looks),
            ),
        )
        for reader in (*players, *observers)
    ]


def _begin(call: GmCall) -> GmAnswer:
    offer = call.service.repository.people.offer(call.game)
    if offer is None:
        raise Refusal(sentence("inbound.gm_refusals.begun_already", game=call.game), "")
    joined = len(call.service.repository.people.signups(call.game))
    if not call.is_trial:
        game_admin.start(call.service, call.game)
    return GmAnswer((sentence("inbound.gm_mail.begins", game=call.game, count=joined),))


def _change_time(change: Callable[[GmCall], GamePosition]) -> Callable[[GmCall], GmAnswer]:
    """Return the function for a command that changes when the turn runs. Its answer tells what changes."""

    def carry_out_change(call: GmCall) -> GmAnswer:
        before = call.position
        after = change(call)
        stop = after.timing.stop
        line = sentence(
            "inbound.gm_mail.time",
            turn=after.game.rules.turn(after.state).name,
            before=call.shown_time(before.deadline),
            after=call.shown_time(after.deadline),
            stop=None if stop is None else stop.kind,
        )
        return GmAnswer((line,))

    return carry_out_change


def _extend(call: GmCall) -> GamePosition:
    length = terms.length_of(sentence("inbound.gm_refusals.no_length", typed=call.text), call.text)
    return deadlines.extend(call.service, call.game, length, call.why)


def _set_deadline(call: GmCall) -> GamePosition:
    words = call.text.split()
    flags = {word.lower() for word in words if word.lower() in ("earlier", "any-day")}
    text = " ".join(word for word in words if word.lower() not in flags)
    at = terms.parse_instant(text, zone_named(call.position.deadlines.zone), call.now)
    earlier, any_day = "earlier" in flags, "any-day" in flags
    return deadlines.set_deadline(call.service, call.game, at, call.why, earlier=earlier, any_day=any_day)


def _process(call: GmCall) -> GmAnswer:
    lacking = [
        seat
        for seat, missing in missing_orders(call.position).items()
        if missing and call.position.assignments[seat].is_person
    ]
    turn = call.position.game.rules.turn(call.position.state).name
    if not call.is_trial:
        game_admin.play_now(call.service, call.game)
    elif not call.position.is_running:
        raise Refusal(sentence("inbound.gm_refusals.is_over", game=call.game), "")
    return GmAnswer((sentence("inbound.gm_mail.runs", turn=turn, missing=lacking),))


def _seat(call: GmCall) -> GmAnswer:
    seat, address = call.split_seat()
    if not address:
        raise Refusal(sentence("inbound.gm_refusals.no_address", seat=seat), "", call.usage)
    held = call.position.assignments[seat].is_person
    to_bot = address.lower() == game_admin.BOT
    if to_bot and held:
        seats.kick(call.service, call.game, seat, call.why)
    elif held:
        seats.replace_player(call.service, call.game, seat, address, call.why)
    else:
        game_admin.assign(call.service, call.game, seat, None if to_bot else address, call.why)
    text = sentence("inbound.gm_mail.seat", seat=seat, address="" if to_bot else address, held=held)
    return GmAnswer((text,))


def _bot(call: GmCall) -> GmAnswer:
    seat, rest = call.split_seat()
    level, *temper = rest.split() or [""]
    game_admin.set_bot(call.service, call.game, seat, level, temper[0] if temper else None, call.why)
    return GmAnswer((sentence("inbound.gm_mail.bot", seat=seat, level=" ".join((level, *temper))),))


def _rekey(call: GmCall) -> GmAnswer:
    seat, _ = call.split_seat()
    seats.rekey(call.service, call.game, seat, call.why)
    return GmAnswer((sentence("inbound.gm_mail.rekeyed", seat=seat),))


def _invite(call: GmCall) -> GmAnswer:
    addresses = [address for address in re.split(r"[\s,;]+", call.text) if address]
    if not addresses:
        raise Refusal(sentence("inbound.gm_refusals.nobody_named"), "", call.usage)
    written, left_out = seats.invite(call.service, call.game, addresses)
    return GmAnswer((sentence("inbound.gm_mail.invited", written=list(written), left_out=list(left_out)),))


def _order(call: GmCall) -> GmAnswer:
    seat, text = call.split_seat()
    before = [write_item(call.position.game, item) for item in call.position.filed.get(seat, ())]
    filed, done = overrides.set_orders(call.service, call.game, seat, text.split("\n"), call.reason)
    problems = [f"{row.line}: {row.problem}" for row in filed.rows if row.problem]
    if done is None:
        raise Refusal(sentence("inbound.gm_refusals.no_order", seat=seat), "; ".join(problems), call.usage)
    after = [write_item(done.after.game, item) for item in done.after.filed.get(seat, ())]
    return GmAnswer(
        (
            sentence("inbound.gm_mail.orders_change", seat=seat),
            *problems,
            "\n".join(f"  - {order}" for order in before if order not in after)
            or sentence("inbound.gm_mail.none_replaced"),
            "\n".join(f"  + {order}" for order in after if order not in before),
        )
    )


def _override(change: Callable[[GmCall], overrides.OverrideOutcome]) -> Callable[[GmCall], GmAnswer]:
    """Return the function for a command that makes an entry of the log. Its answer is the entry in words."""

    def carry_out_change(call: GmCall) -> GmAnswer:
        done = change(call)
        what = overrides.describe_entry(done.entry)
        return GmAnswer((sentence("inbound.gm_mail.entry", what=what, number=done.entry.number),))

    return carry_out_change


def _edit(call: GmCall) -> overrides.OverrideOutcome:
    return overrides.edit(call.service, call.game, call.text, call.reason)


def _undo(call: GmCall) -> overrides.OverrideOutcome:
    number = int(call.text) if call.text.isdecimal() else None
    return overrides.undo(call.service, call.game, number, call.reason)


def _roll_back(call: GmCall) -> overrides.OverrideOutcome:
    return overrides.rollback(call.service, call.game, call.text, call.reason)


def _force_roll(call: GmCall) -> overrides.OverrideOutcome:
    label, _, numbers = call.text.partition(" ")
    shown = [number.strip() for number in numbers.split(",")]
    if not all(number.isdecimal() for number in shown):
        raise Refusal(sentence("inbound.gm_refusals.no_roll", typed=call.text), "", call.usage)
    forced = tuple(map(int, shown))
    return overrides.force(call.service, call.game, label, forced, call.reason, blindly=False)


def _set_terms(call: GmCall) -> GmAnswer:
    pairs = [word.partition("=") for word in call.text.split()]
    given = {key: value for key, equals, value in pairs if equals and key}
    if len(given) < len(pairs) or not pairs:
        raise Refusal(sentence("inbound.gm_refusals.no_settings", typed=call.text), "", call.usage)
    if "word" in given:  # an email is stored as it came
        raise Refusal(sentence("inbound.gm_refusals.no_word"), "")
    old = deadlines.terms(call.service, call.position)
    position = deadlines.set_terms(call.service, call.game, given, call.why)
    new = deadlines.terms(call.service, position)
    rows = [f"  {key}={text}  ({old[key]})" for key, text in new.items() if text != old[key]]
    return GmAnswer((sentence("inbound.gm_mail.settings"), "\n".join(rows)))


def _send(call: GmCall) -> GmAnswer:
    to_seats = _TO_SEATS.match(call.text)
    text, names = call.text, list[str]()
    if to_seats is not None:
        text, names = text[to_seats.end() :], re.split(r"\s*,\s*|\s+and\s+", to_seats[1].strip())
    press = seats.write(call.service, call.game, () if names in (["all"], ["ALL"]) else names, text)
    rows = "\n".join(f"| {row}" for row in press.text.split("\n"))
    return GmAnswer((sentence("inbound.gm_mail.sends", seats=press.to or ()), rows))


def _end(call: GmCall) -> GmAnswer:
    winners = [name for name in re.split(r"\s*,\s*", call.text) if name]
    position = game_admin.end(call.service, call.game, winners, call.why)
    names = list(position.agreed.winners) if position.agreed else []
    return GmAnswer((sentence("inbound.gm_mail.ends", game=call.game, winners=names),))


HANDLERS: dict[str, Callable[[GmCall], GmAnswer]] = {
    "STATUS": _show_status,
    "LOG": _show_log,
    "ORDERS": _show_orders,
    "PRESS": _show_press,
    "PREVIEW": _show_preview,
    "HELP": _show_help,
    "LOOK": _look,
    "BEGIN": _begin,
    "EXTEND": _change_time(_extend),
    "DEADLINE": _change_time(_set_deadline),
    "HOLD": _change_time(lambda call: deadlines.hold(call.service, call.game, call.why)),
    "PAUSE": _change_time(lambda call: deadlines.pause(call.service, call.game, call.why)),
    "RESUME": _change_time(lambda call: deadlines.resume(call.service, call.game, call.why)),
    "PROCESS": _process,
    "SEAT": _seat,
    "BOT": _bot,
    "REKEY": _rekey,
    "INVITE": _invite,
    "ORDER": _order,
    "EDIT": _override(_edit),
    "DICE": _override(_force_roll),
    "UNDO": _override(_undo),
    "ROLLBACK": _override(_roll_back),
    "SET": _set_terms,
    "SEND": _send,
    "END": _end,
}
"""The function of each command, by its word after GM."""
