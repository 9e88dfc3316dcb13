"""The doctor: checks the service from its files to its mail, and says how to fix problems.

It changes nothing in games. It sends emails only to the service's own address.
"""

from __future__ import annotations

import ast
import stat
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import tzinfo
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from jinja2 import Environment, TemplateSyntaxError, meta, nodes

import games
from adjudicator import messages
from adjudicator.auth.sender import VERIFIED_FROM
from adjudicator.clock import DAY, Clock, Millis, format_instant
from adjudicator.config.secrets import Grant, Login, Secret
from adjudicator.config.servers import Imap, MaildirAt, Smtp
from adjudicator.config.service import Settings
from adjudicator.config.terms import INSTALL_HOLIDAYS, is_country_code, is_library_installed
from adjudicator.daemon.environment import MAIL_ROUTES, Ask, Finding, Grade, environment, program_output
from adjudicator.errors import Fault, LoginFault, PostFault, Refusal
from adjudicator.external_bots import program
from adjudicator.mail import local_server
from adjudicator.mail.discourse import FORUM
from adjudicator.mail.discovery import mail_advice, plus_advice
from adjudicator.mail.dkim import Texts
from adjudicator.mail.smtp import create_mailbox
from adjudicator.messages import sentence
from adjudicator.model.mail import HeaderText, LetterDraft, OutgoingMessage, ServiceStart
from adjudicator.reports.render import check as broken_templates
from adjudicator.service import Service
from adjudicator.storage import inbox, metadata, migrating, queries, workers
from adjudicator.storage.database import Database
from adjudicator.storage.due_games import BRING_BACK, LOGS_LOST_REMEDY
from adjudicator.storage.inbox import ShownLetter
from adjudicator.storage.pruning import sizes
from adjudicator.storage.queries import DatabaseRepository, RunningGame, all_people, broken_offers
from adjudicator.turns.deadlines import zone_exists
from adjudicator.turns.runner import is_ruling_fixed, rules_version_of, verify_log
from orders.mail.headers import agreed_addresses, read_headers, split_message
from orders.mail.letter import envelope_of, fingerprint

if TYPE_CHECKING:
    from adjudicator.service import Service


SKEW_MILLIS: Millis = 60_000
"""Deadlines are rounded to minutes, so a smaller error of the clock does no harm."""

MAX_LOGS_VERIFIED = 50
"""The maximum number of logs that are replayed. The others are replayed before their game's next turn."""

LOOK_SECONDS, RARE_LOOK_SECONDS = 0.5, 8.0
"""The shortest and the longest wait between two checks, because a server counts its logins."""

PRIVATE = stat.S_IRWXG | stat.S_IRWXO


def examine(
    service: Service, wait_seconds: float, texts: Texts | None = None, ask: Ask = program_output
) -> Iterator[Finding]:
    """Check everything. wait_seconds: for emails to ourselves; 0: send none. Raises no Fault.

    texts: looks up DNS records, None: no lookups. ask: runs programs of this machine.
    """
    yield from _files(service)
    yield from environment(service, ask)
    yield from _database(service)
    yield from _sizes(service)
    yield from _kinds()
    yield from _own_bots(service)
    yield from game_findings(service)
    yield from _templates()
    yield from _authentication(service)
    yield from unnamed_aliases(service)
    with _office_open(service) as own_server:
        if own_server is not None:
            yield own_server
        post = [*_letters_in(service), *_letters_out(service)]
        yield from post
        if wait_seconds and all(finding.grade != "bad" for finding in post):
            yield from check_mail_to_itself(service, wait_seconds)
    leaves_here = service.settings.local is None and isinstance(service.settings.outbox, Smtp)
    if texts is not None and leaves_here:
        yield from dns_records(service.service_context.domain, texts)
    yield from _known_troubles(service)


# Files.


def _authentication(service: Service) -> Iterator[Finding]:
    """Yield a warning if the settings require something that no email can have."""
    service_context = service.service_context
    if (
        VERIFIED_FROM in service_context.accept
        and service_context.signed is None
        and not service_context.authserv_id
    ):
        problem = (
            f"{VERIFIED_FROM} can't work: we can't check signatures here, and no mail server is "
            f"named that "
            "checks senders for us"
        )
        instead = (
            "write the name of your mail server as  authserv_id  below [trust], give this machine a name "
            f"server, or remove  {VERIFIED_FROM}  from  accept"
        )
        yield Finding("authentication", "odd", problem, instead)


def _files(service: Service) -> Iterator[Finding]:
    settings = service.settings
    at_servers = [at for at in _places(settings) if isinstance(at, Imap | Smtp)]
    secrets = [secret for at in at_servers for secret in _secrets(at)]
    secrets += [secret for at in settings.channels for secret in at.secrets]
    private = [(Path(secret.value), "it contains a password") for secret in secrets if secret.kind == "file"]
    if any(secret.kind == "text" for secret in secrets) or _tells_database_password(settings):
        private.append((settings.file, "it contains a password"))
    elif any(secret.kind == "command" for secret in secrets):
        private.append((settings.file, "it contains a command that fetches a password"))
    if "://" not in settings.database:
        private.append((Path(settings.database), "it contains the secrets of the service and of the dice"))
    for path, why in private:
        yield _private(path, why)
    maildirs = [at.path for at in _places(settings) if isinstance(at, MaildirAt)]
    yield from (_private(path, "it contains emails") for path in maildirs)


def _tells_database_password(settings: Settings) -> bool:
    """Return whether the file contains it: the URL may come from the environment and needn't have one."""
    password = urlsplit(settings.database).password
    return bool(password) and f":{password}@" in settings.file.read_text(encoding="utf-8")


def _places(settings: Settings) -> tuple[MaildirAt | Imap | Smtp, ...]:
    return (settings.inbox, *settings.also, settings.outbox)


def _secrets(at: Imap | Smtp) -> list[Secret]:
    """Return all secrets of a login."""
    token = at.token.document if isinstance(at.token, Login) else at.token
    granted = (token.refresh_token, token.client_secret) if isinstance(token, Grant) else (token,)
    return [secret for secret in (at.password, *granted) if secret is not None]


def _private(path: Path, why: str) -> Finding:
    try:
        mode = path.stat().st_mode
    except OSError as fault:
        return Finding("files", "bad", f"{path} can't be checked: {fault.strerror}", f"ls -l {path}")
    if not mode & PRIVATE:
        return Finding("files", "good", f"{path} is private")
    # A folder is still open if people who know a name in it can open that.
    grade: Grade = "odd" if path.is_dir() or not mode & stat.S_IRWXO else "bad"
    return Finding("files", grade, f"other users can read {path}, and {why}", f"chmod go= {path}")


def _own_bots(service: Service) -> Iterator[Finding]:
    """Yield the GM's own bots whose commands aren't started, and why."""
    for bot in service.settings.own_bots:
        what, agree = f"your bot {bot.name} ({bot.command})", f"gm seat bots --agree {bot.name}"
        if not bot.is_agreed:
            text = f"{what} isn't started, because you haven't agreed to it on this machine"
            yield Finding("bots", "odd", text, f"{agree}  if you know the command")
            continue
        try:
            program(bot.command, bot.folder)
        except Refusal as fault:
            yield Finding("bots", "bad", f"{what} can't be started: {fault.why}", fault.instead)
        else:
            yield Finding("bots", "good", f"{what} may be started")


# The database and the templates.


def _database(service: Service) -> Iterator[Finding]:
    try:
        with service.database.session():
            damage = service.database.health()
            count = len(service.repository.games())
    except Fault as fault:
        yield Finding("database", "bad", str(fault), "check that it runs and that its disk has room")
        return
    if damage:
        yield Finding("database", "bad", damage, "stop the service and restore the last backup")
    else:
        yield Finding("database", "good", f"intact and up to date; games: {count}")
    path = service.settings.database
    for copy in () if "://" in path else migrating.copies_of(Path(path)):
        size = _large(copy.stat().st_size)
        text = f"{copy} is a copy from before an upgrade ({size}), with emails and addresses"
        yield Finding("database", "good", text, "delete it when you no longer need it")


def _sizes(service: Service) -> Iterator[Finding]:
    """Yield the size of the database, its parts, and its growth."""
    try:
        database_sizes = sizes(service.database, service.clock.now())
    except Fault:  # reported already
        return
    text = (
        f"{_large(database_sizes.all)}: incoming emails {_large(database_sizes.letters_in)}, outgoing emails "
        f"{_large(database_sizes.letters_out)}, "
        f"pictures and other files {_large(database_sizes.parts)}, logs {_large(database_sizes.logs)}; "
        f"emails of the last week {_large(database_sizes.a_day)} a day"
    )
    yield Finding("database", "good", text)


def _large(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"


def _kinds() -> Iterator[Finding]:
    """Yield kinds of games that are installed but can't be played, or not completely."""
    for unfit in games.unplayable_kinds():
        text = unfit.why if unfit.lame else f"{unfit.kind} can't be played: {unfit.why}"
        instead = "gm variant check FOLDER  shows the errors of a variant; fix or remove it"
        yield Finding("games", "odd" if unfit.lame else "bad", f"{unfit.where}: {text}", instead)


def game_findings(service: Service) -> Iterator[Finding]:
    """Yield suspended games, games that can't continue, and logs that haven't been verified."""
    try:
        for name, why in broken_offers(service.database).items():
            yield Finding(
                "games", "odd", f"{name}, which is open for players, can't start: {why}", BRING_BACK
            )
        lost = queries.without_logs(service.database)
        if lost:
            text = f"an upgrade deleted the logs, seats, orders and press of: {', '.join(lost)}"
            yield Finding("games", "bad", text, LOGS_LOST_REMEDY)
        held = queries.suspects(service.database, games.kinds())
        for name in (name for name in held if name not in lost):
            if (stuck := service.repository.suspension(name)) is not None:
                yield Finding("games", "bad", f"{name} is suspended: {stuck.why}", stuck.instead)
        others = [
            terms_of_game
            for terms_of_game in queries.running_games(service.database)
            if terms_of_game.game not in {*held, *lost}
        ]
        yield from _zones(service, others)
        yield from _country_days(others)
        yield from _editions(others)
        yield from _logs(service, others)
    except Fault as fault:
        yield Finding("games", "bad", str(fault), "check that the database runs")


def _logs(service: Service, terms: Sequence[RunningGame]) -> Iterator[Finding]:
    """Return the logs that haven't been verified, the next deadline first."""
    fresh = [
        game_terms.game
        for game_terms in terms
        if game_terms.proven != rules_version_of(game_terms.edition or _installed_edition(game_terms.kind))
    ]
    for name in fresh[:MAX_LOGS_VERIFIED]:
        yield from _log(service, name)
    if (remaining := len(fresh) - MAX_LOGS_VERIFIED) > 0:
        text = f"logs not verified now, but before their games' next turn: {remaining}"
        yield Finding("games", "good", text, "gm game replay GAME  verifies one")


def _installed_edition(kind: str) -> str:
    """Return the digest of the edition of a variant that is installed, "" for none."""
    game = games.kinds().get(kind)
    return game.edition.sha if game is not None and game.edition is not None else ""


def _editions(terms: Sequence[RunningGame]) -> Iterator[Finding]:
    """Yield the games that are played by another edition of their variant than the one installed."""
    older: dict[str, list[str]] = {}
    for game_terms in terms:
        if game_terms.edition and game_terms.edition != _installed_edition(game_terms.kind):
            older.setdefault(game_terms.kind, []).append(game_terms.game)
    for kind, named in sorted(older.items()):
        one = named[0]
        if _installed_edition(kind):
            text = f"{kind} has changed since these games began, and they go on as they began: "
            instead = f'gm game update-variant {one} --why "..."  moves one to the new edition'
        else:
            text = f"{kind} can't be begun now, but these games go on by their own copy: "
            instead = "gm variant list  shows what can be begun"
        yield Finding(
            "games", "odd" if _installed_edition(kind) else "good", text + ", ".join(named), instead
        )


def _log(service: Service, name: str) -> Iterator[Finding]:
    position = service.repository.position(name)
    if position is None:
        if (stuck := service.repository.suspension(name)) is not None:
            yield Finding("games", "bad", f"{name} is suspended: {stuck.why}", stuck.instead)
        return
    game, log_of = position.game, partial(service.repository.log, name)
    if (why := verify_log(game, position, log_of)) is not None:
        mended = is_ruling_fixed(game, position, log_of)
        text = f"the log of {name} gives another result when it is replayed: {why}"
        instead = f"gm game replay {name}  shows the place"
        yield Finding("games", "odd" if mended else "bad", text, instead)


def _zones(service: Service, terms: Sequence[RunningGame]) -> Iterator[Finding]:
    """Yield time zones of games that no longer exist, before their games are suspended for it."""
    for game_terms in terms:
        if game_terms.zone and not zone_exists(game_terms.zone):
            why = sentence("outbound.stuck_games.zone_gone", zone=game_terms.zone)
            zone = service.service_context.zone.key
            instead = sentence("outbound.stuck_games.mend_zone", game=game_terms.game, zone=zone)
            yield Finding(
                "games", "bad", f"{game_terms.game} will be suspended at its next deadline: {why}", instead
            )


def _country_days(terms: Sequence[RunningGame]) -> Iterator[Finding]:
    """Yield countries whose holidays a game skips but whose holidays are unknown here."""
    for game_terms in () if is_library_installed() else terms:
        if named := [day for day in game_terms.holidays if is_country_code(day)]:
            text = f"{game_terms.game} skips the holidays of {', '.join(named)}, which aren't installed here"
            yield Finding("games", "odd", text, INSTALL_HOLIDAYS)


def _templates() -> Iterator[Finding]:
    broken = [
        *broken_templates(None),
        *(x for game in games.kinds().values() for x in broken_templates(game)),
        *broken_wording(),
    ]
    for why in broken:
        yield Finding("templates", "bad", why, "restore the installed file")
    if not broken:
        yield Finding(
            "templates",
            "good",
            f"all are readable, with those of {len(games.kinds())} kinds of game, and so is every sentence",
        )


# The mail servers.


@contextmanager
def _office_open(service: Service) -> Iterator[Finding | None]:
    """Open the built-in mail server while the doctor works: the running service's, or our own."""
    local = service.settings.local
    with ExitStack() as open_things:
        state = None
        if local is not None:
            address = service.service_context.address
            server = local_server.LocalServer(
                local.host, local.port, address, local.inbox, local.folder, service.clock
            )
            try:
                server.start()
                open_things.callback(server.stop)
                state = "is free, so gm serve doesn't run"
            except PostFault:
                state = "is in use, so gm serve runs"
        yield Finding("mail server", "good", f"port {local.port} {state}") if local else None


def _letters_in(service: Service) -> Iterator[Finding]:
    try:
        for works in service.mailbox.try_out():
            yield Finding("inbox", "good", works)
    except PostFault as fault:
        yield Finding("inbox", "bad", str(fault), _advice("inbox", service.settings.inbox, fault))
    else:
        yield from left_findings(service)


def _letters_out(service: Service) -> Iterator[Finding]:
    try:
        for works in service.carrier.try_out():
            yield Finding("outbox", "good", works)
    except PostFault as fault:
        yield Finding("outbox", "bad", str(fault), _advice("outbox", service.settings.outbox, fault))


def _advice(table: str, at: MaildirAt | Imap | Smtp, fault: PostFault) -> str:
    if (forum := fault.what.removeprefix(FORUM)) != fault.what:
        if isinstance(fault, LoginFault):
            return (
                f"check url, account and secret of [[channel]] {forum}, and what its key may do in the forum"
            )
        return f"check that the forum runs, and that url of [[channel]] {forum} names it"
    return mail_advice(fault, table, at)


def check_mail_to_itself(service: Service, wait_seconds: float) -> Iterator[Finding]:
    """Send two emails: to the address itself, and to it with a +suffix, as players reply."""
    if isinstance(service.settings.outbox, MaildirAt):
        yield Finding("to oneself", "good", "not tested: another program sends the emails in the Maildir")
        return
    local, _, domain = service.service_context.address.partition("@")
    host = "" if isinstance(service.settings.inbox, MaildirAt) else service.settings.inbox.host
    ways = {
        service.service_context.address: "have emails to this address delivered to the mailbox of [inbox]",
        f"{local}+doctor@{domain}": plus_advice(service.service_context.address, host),
    }
    began = service.clock.now()
    sent: dict[str, OutgoingMessage] = {}
    for place, (address, instead) in enumerate(ways.items()):
        letter, refusal = _send(service, f"doctor/{began}/{place}", address)
        if refusal:
            text = f"the server rejected an email to {address}: {refusal}"
            yield Finding("to oneself", "bad", text, instead)
        else:
            sent[address] = letter
    arrivals = _arrivals(service, sent, wait_seconds)
    for address, taken in arrivals.items():
        if taken is None:
            text = f"an email to {address} didn't come back within {wait_seconds:g} seconds"
            yield Finding("to oneself", "bad", text, ways[address])
        else:
            yield Finding("to oneself", "good", f"an email to {address} came back")
    if came := [taken for taken in arrivals.values() if taken is not None]:
        yield _skew(began, min(came), service.clock.now())


def _send(service: Service, key: str, address: str) -> tuple[OutgoingMessage, str | None]:
    text = "A test by gm doctor, from the service to itself. No one needs to read it.\n"
    asked = LetterDraft(key=key, to=HeaderText(address), subject=HeaderText("gm doctor"), text=text)
    letter = service.composer.seal(asked, service.clock.now())
    (receipt,) = service.carrier.deliver([letter], lambda _sealed: True)
    return letter, None if receipt.outcome == "sent" else receipt.why or receipt.outcome


def send_elsewhere(service: Service, to: str) -> str | None:
    """Send a test email to a mailbox at another provider. Return why the server rejects it, or None."""
    now, address = service.clock.now(), service.service_context.address
    local, _, domain = address.partition("@")
    asked = LetterDraft(
        key=f"doctor/{now}/elsewhere",
        to=HeaderText(to),
        subject=HeaderText.clean(sentence("service.delivery.subject", service=service.service_context.name)),
        text=sentence("service.delivery.text", address=address) + "\n",
        reply_to=HeaderText(f"{local}+doctor@{domain}"),
    )
    letter = service.composer.seal(asked, now)
    (receipt,) = service.carrier.deliver([letter], lambda _sealed: True)
    return None if receipt.outcome == "sent" else receipt.why or receipt.outcome


def has_answer_to(service: Service, message_id: str) -> bool:
    """Return whether a reply to an email has been stored, looking at the latest emails."""
    mark = message_id.encode()
    with service.database.session():
        return any(
            header.name in ("in-reply-to", "references") and mark in header.value
            for shown in inbox.list_letters(service.database, MOST_LETTERS)
            for header in read_headers(split_message(shown.raw.removeprefix(envelope_of(shown.raw)))[0])
        )


def _arrivals(
    service: Service, sent: dict[str, OutgoingMessage], wait_seconds: float
) -> dict[str, Millis | None]:
    """Return when each email was received, or None if it didn't arrive in time."""
    taken: dict[str, Millis | None] = dict.fromkeys(sent)
    end, pause = time.monotonic() + wait_seconds, LOOK_SECONDS
    while True:
        missing = [sent[address] for address, at in taken.items() if at is None]
        with suppress(Fault):  # the next check may find it
            new_times = _times_taken(service, missing)
            taken |= {address: new_times.get(sent[address].message_id, at) for address, at in taken.items()}
        if None not in taken.values() or time.monotonic() > end:
            return taken
        time.sleep(pause)
        pause = min(2 * pause, RARE_LOOK_SECONDS)


def _times_taken(service: Service, letters: Sequence[OutgoingMessage]) -> dict[str, Millis]:
    """Return the times of the emails that arrived, in the mailbox or piped straight into the database."""
    with service.database.session():
        marks = {letter.message_id: fingerprint(letter.raw) for letter in letters}
        kept = {message_id: inbox.received_at(service.database, mark) for message_id, mark in marks.items()}
    times = {message_id: at for message_id, at in kept.items() if at is not None}
    return {
        **service.mailbox.arrival_times([message_id for message_id in marks if message_id not in times]),
        **times,
    }


def _skew(began: Millis, taken: Millis, noticed_at: Millis) -> Finding:
    """Return the difference between the mailbox's clock and ours. The mailbox's decides what is in time."""
    wrong = max(began - taken, taken - noticed_at, 0)
    if wrong <= SKEW_MILLIS:
        return Finding("clock", "good", "the mailbox's clock agrees with ours")
    side = "behind" if taken < began else "ahead of"
    text = f"the mailbox's clock is {wrong // 1000} seconds {side} ours, and decides which emails are in time"
    return Finding("clock", "odd", text, "let the network set this machine's clock: timedatectl set-ntp true")


def _known_troubles(service: Service) -> Iterator[Finding]:
    try:
        with service.database.session():
            known = workers.current_incidents(service.database)
    except Fault:
        return  # reported above
    for trouble in known:
        if (channel := workers.channel_of(trouble.name)) is not None:
            text = f"{channel} doesn't accept posts: {trouble.why}"
            yield Finding("channels", "odd", text, f"gm channel test {channel}")
            continue
        text = f"no {MAIL_ROUTES.get(trouble.name, trouble.name)}: {trouble.why}"
        yield Finding("trouble", "odd", text, "gm status  shows since when")


# Checks of the message catalogue: each broken sentence is named.


_READING = Environment(autoescape=False)
_READING.filters.update(messages.LANGUAGE_FILTERS)


def broken_wording() -> tuple[str, ...]:
    """Return the errors in the installed catalogue, each with its file and its slug."""
    return tuple(faults(messages.sentence_files(), slugs_in_code()))


def faults(texts: Mapping[str, str], wanted: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the errors in the texts of the catalogue's files, by package.

    wanted: every slug that the service uses, with its values.
    """
    for room, text in texts.items():
        file = f"messages/{room}.toml"
        asked = {slug: values for slug, values in wanted.items() if slug.startswith(f"{room}.")}
        families = {slug[:-1]: asked.pop(slug) for slug in [*asked] if slug.endswith("*")}
        try:
            entries = dict(_entries(room, tomllib.loads(text)))
        except tomllib.TOMLDecodeError as fault:
            yield f"{file}: {fault}"
            continue
        yield from (f"{file}: {slug} is missing" for slug in asked if slug not in entries)
        for slug, entry in entries.items():
            forms = entry if isinstance(entry, dict) else {"": entry}
            family = families.get(f"{slug.rpartition('.')[0]}.", families.get(f"{room}."))
            values = asked.get(slug, family)
            faults_of_entry = [fault for form in forms.values() for fault in _faults(form, values)]
            yield from (f"{file}: {slug}{fault}" for fault in dict.fromkeys(faults_of_entry))
            if isinstance(entry, dict) and "other" not in entry:
                yield f'{file}: {slug} has no form "other"'


def _entries(room: str, tables: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield each entry of a file by its slug: a text, or a text for each plural form."""
    for name, table in tables.items():
        if isinstance(table, dict):
            yield from ((f"{room}.{name}.{entry}", text) for entry, text in table.items())
        else:
            yield f"{room}.{name}", table


_ANY_VALUES = frozenset({"*"})
"""The values of sentences that a page's script fills in."""


def _faults(sentence: object, values: frozenset[str] | None) -> Iterator[str]:
    if values is None:
        yield " isn't used anywhere"
    elif not isinstance(sentence, str):
        yield " isn't a text; put it into quotation marks"
    else:
        try:
            places = meta.find_undeclared_variables(_READING.parse(sentence))
        except TemplateSyntaxError as fault:
            yield f": {fault.message}"
            return
        known = ", ".join(sorted(values)) or "none"
        if values != _ANY_VALUES:
            yield from (
                f": there is no {{{{ {place} }}}}; its values: {known}" for place in sorted(places - values)
            )


_TEMPLATE_ENDINGS = (".txt", ".html", ".md", ".bbcode", ".forum", ".jinja")


@cache
def slugs_in_code() -> Mapping[str, frozenset[str]]:
    """Return every slug that code and templates use, with the values that all its callers fill in."""
    values_by_slug: dict[str, frozenset[str]] = {}
    for slug, values in _all_sentence_calls():
        values_by_slug[slug] = values_by_slug.get(slug, values) & values
    return values_by_slug


def _all_sentence_calls() -> Iterator[tuple[str, frozenset[str]]]:
    for text in _texts(files("adjudicator"), ".py"):
        if "sentence(" in text or "sentences(" in text:
            calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
            for call in calls:
                name = getattr(call.func, "id", None)
                if name == "sentence":
                    yield _read_slug(call.args[0]), frozenset(keyword.arg or "" for keyword in call.keywords)
                elif name == "sentences" and isinstance(call.args[0], ast.Constant):
                    yield f"{_read_slug(call.args[0])}.*", _ANY_VALUES
    for package in ("templates", "games"):
        for text in _texts(files(package), *_TEMPLATE_ENDINGS):
            if "sentence(" in text:
                yield from template_sentence_calls(text)


def _read_slug(argument: ast.expr) -> str:
    """Return the slug in a call. An f-string that ends with a value is its beginning and "*"."""
    if isinstance(argument, ast.JoinedStr):
        return f"{ast.literal_eval(argument.values[0])}*"
    return str(ast.literal_eval(argument))


def _texts(folder: Traversable, *endings: str) -> Iterator[str]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _texts(file, *endings)
        elif file.name.endswith(endings):
            yield file.read_text(encoding="utf-8")


def template_sentence_calls(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the slug of each sentence in a template, with the names of its values."""
    for call in Environment().parse(text).find_all(nodes.Call):
        if getattr(call.node, "name", None) == "sentence":
            yield call.args[0].as_const(), frozenset(keyword.key for keyword in call.kwargs)


# Checks of a domain's DNS records about mail: SPF, DKIM, DMARC. They are only hints.


EXAMPLE_DOMAINS = (
    "test",
    "example",
    "invalid",
    "localhost",
    "local",
    "example.org",
    "example.com",
    "example.net",
)
"""Domains reserved for examples (RFC 2606), which aren't checked."""


def dns_records(domain: str, texts: Texts) -> Iterator[Finding]:
    """Yield what a domain's records say, and what to add if one is missing. texts: as in `dns`."""
    if domain in EXAMPLE_DOMAINS or domain.endswith(tuple(f".{name}" for name in EXAMPLE_DOMAINS)):
        return
    try:
        yield _spf(domain, texts(domain) or ())
        yield _dkim(domain, texts)
        yield _dmarc(domain, texts)
    except PostFault as fault:
        yield Finding("names", "odd", str(fault), "check that this machine can look up names, then try again")


def _spf(domain: str, texts: tuple[str, ...]) -> Finding:
    rules = [text for text in texts if text.lower().split(" ")[0] == "v=spf1"]
    write = f'TXT record of {domain}:  "v=spf1 include:YOUR-PROVIDER -all"'
    if not rules:
        return Finding("SPF", "odd", f"{domain} doesn't say which servers send its emails", write)
    if len(rules) > 1:
        return Finding("SPF", "odd", f"{domain} has {len(rules)} SPF records, so none counts", "keep one")
    words = rules[0].lower().split()
    if not {"-all", "~all"} & set(words) and not any(word.startswith("redirect=") for word in words):
        return Finding("SPF", "odd", f"{domain} lets anyone send: {rules[0]}", "end it with -all")
    return Finding("SPF", "good", f"{domain} says which servers send its emails")


def _dkim(domain: str, texts: Texts) -> Finding:
    # Selectors can't be listed. But if there is any key, the name above all of them exists.
    if texts(f"_domainkey.{domain}") is None:
        return Finding(
            "DKIM",
            "odd",
            f"{domain} doesn't publish a key for signed emails",
            "turn on DKIM at your mail provider, and publish the record that it shows you",
        )
    return Finding("DKIM", "good", f"{domain} publishes keys for signed emails")


def _dmarc(domain: str, texts: Texts) -> Finding:
    labels = domain.split(".")
    for place in range(max(len(labels) - 1, 1)):
        above = ".".join(labels[place:])
        for text in texts(f"_dmarc.{above}") or ():
            if text.replace(" ", "").lower().startswith("v=dmarc1;"):
                return Finding("DMARC", "good", f"{above} says what to do with forged emails")
    write = f'TXT record of _dmarc.{domain}:  "v=DMARC1; p=quarantine"  (p=none to begin with)'
    return Finding("DMARC", "odd", f"{domain} doesn't say what to do with emails forged in its name", write)


# Addresses that receive players' emails for us but are missing in the settings.


MOST_LETTERS, LATELY = 300, 30 * DAY
"""The number of emails that are checked, and their maximum age."""

MAX_ALIASES_NAMED = 5
_MAILING_LIST_HEADERS = frozenset({"list-id", "list-post"})


def unnamed_aliases(service: Service) -> Iterator[Finding]:
    """Yield a warning for each address that receives emails for seats but isn't ours.

    Such an email only counts by its token, its password or a YES. Addresses of players are skipped: they may
    have forwarded an email.
    """
    if VERIFIED_FROM not in service.service_context.accept:
        return
    try:
        with service.database.session():
            recipients = _strange_recipients(service, service.clock.now() - LATELY)
    except Fault:  # reported already
        return
    for address, count in recipients.most_common(MAX_ALIASES_NAMED):
        emails = "1 email of a player was" if count == 1 else f"{count} emails of players were"
        problem = f"{emails} addressed to {address}, which isn't in [trust] addresses"
        instead = (
            f'if it is an address of the service, write  addresses = ["{address}"]  below [trust]; if you do '
            "not know it, leave it out: somebody passes emails on to you"
        )
        yield Finding("addresses", "odd", problem, instead)


def _strange_recipients(service: Service, since: Millis) -> Counter[str]:
    people, recipients = {person.address for person in all_people(service.database)}, Counter[str]()
    for shown in inbox.list_letters(service.database, MOST_LETTERS):
        # For a seat: it was read for one, or its writer was asked whether it was meant for us.
        is_of_seat = shown.seat is not None and shown.disposition in ("read", "quarantined")
        if is_of_seat and shown.received >= since:
            recipients.update(_recipients(shown, service) - people - {shown.speaker or ""})
    return recipients


def _recipients(shown: ShownLetter, service: Service) -> set[str]:
    """Return the recipients of an email, or nothing if that is us or if a list sent it."""
    headers = read_headers(split_message(shown.raw.removeprefix(envelope_of(shown.raw)))[0])
    if any(header.name in _MAILING_LIST_HEADERS for header in headers):
        return set()
    named = {
        address
        for header in headers
        if header.name in ("to", "cc")
        for address in agreed_addresses(header.value)
    }
    return set() if any(map(service.service_context.is_ours, named)) else named


# The first start on a mailbox in use: earlier emails are left alone and counted.


def begin_service(settings: Settings, database: Database, clock: Clock) -> tuple[int, str]:
    """Record now as the start of a service without games and open games.

    Return the number of earlier emails in its mailbox, and a message about them. Raises PostFault,
    StoreFault.
    """
    with database.session():
        repository = DatabaseRepository(database)
        if not repository.games() and not repository.people.offers():
            numbers = create_mailbox(settings).first_numbers()
            metadata.note_service_start(database, ServiceStart(at=clock.now(), first_numbers=dict(numbers)))
        start = metadata.service_start(database)
    count = create_mailbox(settings, start=start).count_left()
    return count, "" if start is None else _emails_left(count, start.at, settings.zone)


def left_findings(service: Service) -> Iterator[Finding]:
    """Report how many emails in the mailbox are left alone, if any. Raises no Fault."""
    try:
        start = metadata.service_start(service.database)
        count = service.mailbox.count_left()
    except Fault:
        return  # reported for the mailbox, or for the database
    if count and start is not None:
        text = _emails_left(count, start.at, service.service_context.zone)
        yield Finding("inbox", "good", text, sentence("service.first_start.hand_over"))


def _emails_left(count: int, since: Millis, zone: tzinfo) -> str:
    return sentence("service.first_start.left", count=count, since=format_instant(since, zone))
