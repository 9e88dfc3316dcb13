"""Emails of the GMs of single games: which commands there are, who may send them, and who only tries to.

A GM of a game has a reply address of their own. Only an email that went to it and names the GM in From
counts, with `strict` only if From is authenticated too. `admin.gm_mail` carries the commands out. It asks the
GM back first about every command that changes something.
"""

import re
import zlib
from collections.abc import Iterable, Sequence

from adjudicator.auth.correspondents import GM_SEAT, find_gm, is_playing
from adjudicator.auth.reply_tokens import reply_tokens_held
from adjudicator.auth.sender import BY_TOKEN, Grade, authenticate
from adjudicator.auth.tokens import redact_text, remove_passwords
from adjudicator.clock import DAY, HOUR
from adjudicator.context import RequestContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import claims
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterDraft, LetterOutcome, StoredLetter
from adjudicator.model.people import GameGm, GameGms, GmJob, QueueGmJob, TellGamesmaster
from adjudicator.reports.messages import Heading, gm_notice
from adjudicator.reports.render import render
from games.record import Value
from orders.commands import PLAYER_COMMANDS, ParsedCommand, compile_verbs
from orders.mail.body import FreshLine, fresh_lines
from orders.mail.letter import Letter

MAX_GM_COMMANDS = 10
"""The most commands in one email of a GM."""

MAX_REPORTED_SENDERS_PER_DAY = 20
"""The GM of the service gets this many emails a day about people who send commands of a GM without the right.

Senders that share a number share an email, so a flood from made-up addresses writes no more.
"""

MAX_LINES_SHOWN = 10
"""The most lines of such an email that the report shows."""


class GmVerb(Value, frozen=True):
    """A command of a GM by email.

    shell: the same command of `gm`, "" if it has none. changes: whether
    it changes something, so that it is asked back. assistant: whether an assistant may send it. hidden:
    whether it shows, or its effect depends on, orders or press of others. reason: whether it needs a
    "because …", may have one, or has none. text: whether the lines below belong to it. before: whether it
    also works before the game has begun.
    """

    name: str
    shell: str = ""
    changes: bool = True
    assistant: bool = False
    hidden: bool = False
    reason: str = "needed"
    text: bool = False
    before: bool = False

    @property
    def example(self) -> str:
        """Return how to write it, after "GM"."""
        return sentence(f"inbound.gm_examples.{self.name.lower()}")

    @property
    def summary(self) -> str:
        """Return what it does, in a phrase."""
        return sentence(f"inbound.gm_does.{self.name.lower()}")


GM_VERBS: dict[str, GmVerb] = {
    verb.name: verb
    for verb in (
        GmVerb("STATUS", changes=False, assistant=True, reason="none", before=True),
        GmVerb("LOG", "gm game log", changes=False, assistant=True, reason="none"),
        GmVerb("ORDERS", "gm orders show", changes=False, hidden=True, reason="none"),
        GmVerb("PRESS", "gm press show", changes=False, hidden=True, reason="none"),
        GmVerb("PREVIEW", "gm turn preview", changes=False, hidden=True, reason="none"),
        GmVerb("HELP", changes=False, assistant=True, reason="none", before=True),
        GmVerb("LOOK"),
        GmVerb("BEGIN", "gm game start", reason="none", before=True),
        GmVerb("EXTEND", "gm turn extend"),
        GmVerb("DEADLINE", "gm turn deadline"),
        GmVerb("HOLD", "gm turn hold"),
        GmVerb("PAUSE", "gm game pause"),
        GmVerb("RESUME", "gm game resume", reason="optional"),
        GmVerb("PROCESS", "gm turn process", reason="none"),
        GmVerb("SEAT", "gm seat assign"),
        GmVerb("BOT", "gm seat bot", reason="optional"),
        GmVerb("REKEY", "gm seat rekey"),
        GmVerb("INVITE", "gm game invite", reason="none", before=True),
        GmVerb("ORDER", "gm orders set", hidden=True, text=True),
        GmVerb("EDIT", "gm edit"),
        GmVerb("DICE", "gm dice set-next", hidden=True),
        GmVerb("UNDO", "gm game undo"),
        GmVerb("ROLLBACK", "gm game rollback"),
        GmVerb("SET", "gm game terms"),
        GmVerb("SEND", "gm press send", reason="none", text=True),
        GmVerb("END", "gm game end"),
    )
}
"""Every command that a GM can send by email, by its word after GM."""

_GM_LINE = re.compile(r"\W*GM[:,]?\s+(\w[\w-]*)[:,]?(?:\s+(.*))?$", re.IGNORECASE | re.DOTALL)
_BARE_LINE = re.compile(r"\s*([A-Z]{3,})\b[:,]?(?:\s+(.*))?$", re.DOTALL)
_TRIED_LINE = re.compile(r"\W*GM[:,]?\s+([A-Z]{3,})\b")


def read_gm_letter(kept: StoredLetter, letter: Letter, context: RequestContext) -> LetterOutcome | None:
    """Return the outcome of an email from a GM of a game, or None for any other email.

    Its commands are queued. The reply follows when they have been carried out.
    """
    service, repository = context.service_context, context.repository
    if BY_TOKEN not in service.accept:
        return None
    found_gm = find_gm(service.key, letter.sender, letter.recipients, repository.people.gms)
    if found_gm is None:
        return None
    if service.strict and authenticate(letter, kept, repository, service) is not Grade.PROVED:
        return None
    game, _ = found_gm
    if repository.letters_since(letter.sender, context.now // HOUR * HOUR) >= service.answers_an_hour:
        why = sentence("inbound.gm_reasons.too_many", most=service.answers_an_hour)
        return LetterOutcome("quarantined", why, letter.sender)
    lines = read_commands(fresh_lines(letter))
    job = GmJob(
        letter=kept.fingerprint,
        game=game,
        address=letter.sender,
        lines=lines[:MAX_GM_COMMANDS],
        at=context.now,
        subject=redact_text(letter.subject),
        message_id=letter.message_id or None,
        left_out=max(0, len(lines) - MAX_GM_COMMANDS),
    )
    return LetterOutcome(
        "read",
        sentence("inbound.gm_reasons.queued", count=len(job.lines)),
        letter.sender,
        game=game if repository.position(game) is not None else None,
        acts=(QueueGmJob(by=letter.sender, job=job),),
    )


def read_commands(lines: Sequence[FreshLine]) -> tuple[str, ...]:
    """Return the commands in an email to a GM's address, without the word GM, each with its further lines.

    A command of players in capitals is among them, so that it is answered.
    """
    commands: list[str] = []
    is_open = False
    for line in lines:
        if line.source == "subject" or line.below:
            continue
        match = _GM_LINE.match(line.text) or _BARE_LINE.match(line.text)
        if match is not None and (match.re is _GM_LINE or match[1] in GM_VERBS):
            word = match[1].upper()
            commands.append(" ".join(filter(None, (word, " ".join((match[2] or "").split())))))
            is_open = word in GM_VERBS and GM_VERBS[word].text
        elif not line.text.strip():
            is_open = False
        elif is_open:
            commands[-1] += f"\n{line.text.strip()}"
        elif line.text.isupper() and (other := read_player_command(line.text)) is not None:
            commands.append(other.shown)  # it isn't carried out, but answered
    return tuple(commands)


def read_player_command(line: str) -> ParsedCommand | None:
    """Return the command of players that a line is, or None. An email to a GM's address can't send it."""
    return compile_verbs(PLAYER_COMMANDS).read(line)


def why_not(verb: GmVerb, gm: GameGm, gms: GameGms, position: GamePosition | None) -> str | None:
    """Return why a GM may not send a command now, in a sentence, or None if they may."""
    if gm.role == "assistant" and not verb.assistant:
        return sentence("inbound.gm_mail.for_gms", verb=verb.name)
    if position is None:
        return None if verb.before else sentence("inbound.gm_mail.not_begun")
    if verb.name == "LOOK" and not is_playing(gm, position):
        return sentence("inbound.gm_mail.needs_no_look")
    if verb.hidden and not sees_hidden(gm, gms, position):
        return sentence("inbound.gm_mail.plays", verb=verb.name)
    return None


def sees_hidden(gm: GameGm, gms: GameGms, position: GamePosition) -> bool:
    """Return whether a person may read orders and press of others: a GM who doesn't play, or who has looked.

    A look counts only in its own turn.
    """
    if gm.role == "assistant":
        return False
    turn = position.game.rules.turn(position.state).short
    has_looked = any(look.gm == gm.number and look.turn == turn for look in gms.looks)
    return has_looked or not is_playing(gm, position)


def gm_help(role: str = "gm") -> str:
    """Return the help on the commands of a GM, or on those of an assistant."""
    verbs = [verb for verb in GM_VERBS.values() if role == "gm" or verb.assistant]
    return render(None, "help/gm.txt", {"verbs": verbs, "role": role}).strip()


# Attempts: commands of a GM in an email that doesn't come from one.


def find_attempts(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the lines that are commands of a GM, as they would be written at a GM's own address."""
    matches = ((line, _TRIED_LINE.match(line)) for line in lines)
    return tuple(line.strip() for line, match in matches if match is not None and match[1] in GM_VERBS)


def report_attempt(
    sender: str, game: str | None, lines: Sequence[str], context: RequestContext
) -> TellGamesmaster:
    """Return the email to the GM of the service about commands of a GM without the right to send them."""
    slot = zlib.crc32(sender.encode()) % MAX_REPORTED_SENDERS_PER_DAY
    keys = reply_tokens_held(sender, context.repository, context.service_context)
    shown = "\n".join(f"| {keys.redact(remove_passwords(line))}" for line in lines[:MAX_LINES_SHOWN])
    return TellGamesmaster(
        by=sender,
        key=f"gm-attempt/{context.now // DAY}/{slot}",
        subject=sentence("inbound.gm_mail.attempt_subject", game=game),
        paragraphs=(
            sentence("inbound.gm_mail.attempt", sender=sender, game=game),
            shown,
            sentence("inbound.gm_mail.attempt_look"),
        ),
    )


def refuse_attempt(
    letter: Letter, lines: Sequence[FreshLine], context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of an email for no seat with commands of a GM, or None for any other.

    Nothing is done, and the sender gets no reply. If From names a GM, we mail them their valid address: a
    forger doesn't get it.
    """
    tried = find_attempts(line.text for line in lines)
    if not tried:
        return None
    claimed = (claim.game for claim in claims(letter.recipients, "", ()) if claim.seat == GM_SEAT)
    report = report_attempt(letter.sender, next(claimed, None), tried, context)
    runs = context.repository.people.games_run_by(letter.sender)
    drafts = (_address_again(letter.sender, game, context) for game in runs[:MAX_GM_COMMANDS])
    return LetterOutcome(
        "quarantined",
        sentence("inbound.gm_mail.refused_why"),
        letter.sender,
        acts=(report,),
        answers=tuple(draft for draft in drafts if draft is not None),
    )


def _address_again(address: str, game: str, context: RequestContext) -> LetterDraft | None:
    """Return the email with the valid address of a GM, once a day."""
    key = f"gm-address/{address}/{game}/{context.now // DAY}"
    gm = context.repository.people.gms(game).find(address)
    if gm is None or context.repository.has_written(key):
        return None
    heading = Heading(key, sentence("inbound.gm_mail.address_subject", game=game))
    return gm_notice(gm, game, heading, (sentence("inbound.gm_mail.address_again", game=game),), context)
