"""The doctor: looks the service over from its files to its mail, and says what to do.

Nothing of the games is touched. Letters go to the service's own address, and nowhere else.
"""

import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import games
from adjudicator.caretaker.aliases import unnamed_aliases
from adjudicator.caretaker.dns_records import dns_records
from adjudicator.caretaker.environment import Ask, answer_of, environment
from adjudicator.caretaker.findings import Finding, Grade
from adjudicator.caretaker.first_start import left_findings
from adjudicator.caretaker.wording import broken_wording
from adjudicator.catalogue import sentence
from adjudicator.clerk.authentication import FROM
from adjudicator.clock import Millis
from adjudicator.errors import Fault, LoginFault, PostFault
from adjudicator.house import House
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Outgoing, Sealed
from adjudicator.post.board_box import FORUM
from adjudicator.post.dns import Texts
from adjudicator.post.local import LocalServer
from adjudicator.referee.calendar import zone_exists
from adjudicator.referee.grounds import grounds, is_mended, unproven
from adjudicator.reports.render import check as broken_templates
from adjudicator.settings import countries
from adjudicator.settings.keyring import Grant, Secret
from adjudicator.settings.places import Imap, MaildirAt, Smtp
from adjudicator.settings.service import Settings
from adjudicator.store import glance, inbox, incidents
from adjudicator.store.glance import Terms
from adjudicator.store.migrating import copies_of
from adjudicator.store.pruning import sizes
from adjudicator.store.society import broken_offers
from adjudicator.store.stuck import BRING_BACK, LOST
from orders.letters.letter import fingerprint

SKEW_MILLIS: Millis = 60_000
"""Deadlines are said to the minute, so a clock that is wrong by less does no harm."""

MOST_PROVED = 50
"""So many logs are played again, if need be: each of the others before its game's next turn."""

LOOK_SECONDS, RARE_LOOK_SECONDS = 0.5, 8.0
"""What the doctor waits between two looks, at first and at most: a server counts its logins."""

PRIVATE = stat.S_IRWXG | stat.S_IRWXO


def examine(
    house: House, wait_seconds: float, texts: Texts | None = None, ask: Ask = answer_of
) -> Iterator[Finding]:
    """Look everything over. wait_seconds: for letters to oneself; 0: none is sent. Raises no Fault.

    texts: by which names are looked up; None: they are not; ask: how programs of this machine are asked.
    """
    yield from _files(house)
    yield from environment(house, ask)
    yield from _database(house)
    yield from _sizes(house)
    yield from _kinds()
    yield from game_findings(house)
    yield from _templates()
    yield from _authentication(house)
    yield from unnamed_aliases(house)
    with _office_open(house) as own_server:
        if own_server is not None:
            yield own_server
        post = [*_letters_in(house), *_letters_out(house)]
        yield from post
        if wait_seconds and all(finding.grade != "bad" for finding in post):
            yield from _to_oneself(house, wait_seconds)
    leaves_here = house.settings.local is None and isinstance(house.settings.outbox, Smtp)
    if texts is not None and leaves_here:
        yield from dns_records(house.office.domain, texts)
    yield from _known_troubles(house)


# Files.


def _authentication(house: House) -> Iterator[Finding]:
    """Yield a warning where the settings accept what no email can ever show."""
    office = house.office
    if FROM in office.accept and office.signed is None and not office.authserv_id:
        said = (
            f"{FROM} can't come true: no signature can be checked here, and no mail server is named that "
            "checks senders for us"
        )
        instead = (
            "write the name of your mail server as  authserv_id  below [trust], give this machine a name "
            f"server, or take  {FROM}  out of  accept"
        )
        yield Finding("authentication", "odd", said, instead)


def _files(house: House) -> Iterator[Finding]:
    settings = house.settings
    at_servers = [at for at in _places(settings) if isinstance(at, Imap | Smtp)]
    secrets = [secret for at in at_servers for secret in _secrets(at)]
    secrets += [one for at in settings.channels for one in at.secrets]
    private = [(Path(one.value), "a password is in it") for one in secrets if one.kind == "file"]
    if any(one.kind == "text" for one in secrets) or _tells_database_password(settings):
        private.append((settings.file, "a password stands in it"))
    elif any(one.kind == "command" for one in secrets):
        private.append((settings.file, "a command that fetches a password stands in it"))
    if "://" not in settings.database:
        private.append((Path(settings.database), "the secrets of the service and of the dice are in it"))
    for path, why in private:
        yield _private(path, why)
    maildirs = [at.path for at in _places(settings) if isinstance(at, MaildirAt)]
    yield from (_private(path, "letters are in it") for path in maildirs)


def _tells_database_password(settings: Settings) -> bool:
    """Whether it stands in the file: the whole URL may come from the environment, and need not have one."""
    password = urlsplit(settings.database).password
    return bool(password) and f":{password}@" in settings.file.read_text(encoding="utf-8")


def _places(settings: Settings) -> tuple[MaildirAt | Imap | Smtp, ...]:
    return (settings.inbox, *settings.also, settings.outbox)


def _secrets(at: Imap | Smtp) -> list[Secret]:
    """All that is secret about a login."""
    granted = (at.token.refresh_token, at.token.client_secret) if isinstance(at.token, Grant) else (at.token,)
    return [one for one in (at.password, *granted) if one is not None]


def _private(path: Path, why: str) -> Finding:
    try:
        mode = path.stat().st_mode
    except OSError as fault:
        return Finding("files", "bad", f"{path} cannot be looked at: {fault.strerror}", f"ls -l {path}")
    if not mode & PRIVATE:
        return Finding("files", "good", f"{path} is private")
    # A folder that only others can enter who know what they look for is still open.
    grade: Grade = "odd" if path.is_dir() or not mode & stat.S_IRWXO else "bad"
    return Finding("files", grade, f"{path} can be read by others, and {why}", f"chmod go= {path}")


# Books and templates.


def _database(house: House) -> Iterator[Finding]:
    try:
        with house.database.session():
            damage = house.database.health()
            count = len(house.books.games())
    except Fault as fault:
        yield Finding("database", "bad", str(fault), "see that it runs, and what its disk has left")
        return
    if damage:
        yield Finding("database", "bad", damage, "stop the service and bring back the last copy")
    else:
        yield Finding("database", "good", f"sound and up to date; games in it: {count}")
    yield from _old_copies(house.settings)


def _old_copies(settings: Settings) -> Iterator[Finding]:
    """The copies of the database that upgrades have left."""
    for copy in () if "://" in settings.database else copies_of(Path(settings.database)):
        size = _large(copy.stat().st_size)
        said = f"{copy} is a copy from before an upgrade ({size}), with emails and addresses"
        yield Finding("database", "good", said, "delete it when you no longer need it")


def _sizes(house: House) -> Iterator[Finding]:
    """How large the books are, of what, and how they grow."""
    try:
        found = sizes(house.database, house.clock.now())
    except Fault:  # told already
        return
    said = (
        f"{_large(found.all)}: letters in {_large(found.letters_in)} and out {_large(found.letters_out)}, "
        f"pictures and other files {_large(found.parts)}, logs {_large(found.logs)}; "
        f"letters of the last week {_large(found.a_day)} a day"
    )
    yield Finding("database", "good", said)


def _large(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"


def _kinds() -> Iterator[Finding]:
    """Kinds of games that lie there and cannot be played, or not wholly."""
    for one in games.unfit():
        said = one.why if one.lame else f"the kind {one.kind} cannot be played: {one.why}"
        instead = "gm variant check FOLDER  tells more of a variant; mend it, or take it away"
        yield Finding("games", "odd" if one.lame else "bad", f"{one.where}: {said}", instead)


def game_findings(house: House) -> Iterator[Finding]:
    """Games that cannot go on, or could not if they were tried; logs that nobody has proved are."""
    try:
        for name, why in broken_offers(house.database).items():
            yield Finding("games", "odd", f"{name}, which waits for people, cannot begin: {why}", BRING_BACK)
        lost = glance.without_logs(house.database)
        if lost:
            said = f"an upgrade deleted the logs, seats, orders and press of: {', '.join(lost)}"
            yield Finding("games", "bad", said, LOST)
        held = glance.suspects(house.database, games.kinds())
        for name in (name for name in held if name not in lost):
            if (stuck := house.books.stuck(name)) is not None:
                yield Finding("games", "bad", f"{name} is held: {stuck.why}", stuck.instead)
        others = [one for one in glance.terms(house.database) if one.game not in {*held, *lost}]
        yield from _zones(house, others)
        yield from _country_days(others)
        yield from _logs(house, others)
    except Fault as fault:
        yield Finding("games", "bad", str(fault), "see that the database runs")


def _logs(house: House, terms: Sequence[Terms]) -> Iterator[Finding]:
    """Logs that nobody has proved are, those whose turns are next first."""
    kinds = games.kinds()
    by = {kind: grounds(kinds[kind]) for kind in {one.kind for one in terms}}
    fresh = [one.game for one in terms if one.proven != by[one.kind]]
    for name in fresh[:MOST_PROVED]:
        yield from _log(house, name)
    if (left := len(fresh) - MOST_PROVED) > 0:
        said = f"logs that were not proved now, but are before their games' next turn: {left}"
        yield Finding("games", "good", said, "gm game replay GAME  proves one")


def _log(house: House, name: str) -> Iterator[Finding]:
    position = house.books.position(name)
    if position is None:
        if (stuck := house.books.stuck(name)) is not None:
            yield Finding("games", "bad", f"{name} is held: {stuck.why}", stuck.instead)
        return
    game, log_of = games.kinds()[position.kind], partial(house.books.log, name)
    if (why := unproven(game, position, log_of)) is not None:
        mended = is_mended(game, position, log_of)
        said = f"the log of {name} comes out otherwise when it is played again: {why}"
        instead = f"gm game replay {name}  shows the place"
        yield Finding("games", "odd" if mended else "bad", said, instead)


def _zones(house: House, terms: Sequence[Terms]) -> Iterator[Finding]:
    """Time zones of games that no longer exist, before the turns are due that would be held for it."""
    for one in terms:
        if one.zone and not zone_exists(one.zone):
            why = sentence("secretary.stuck_games.zone_gone", zone=one.zone)
            zone = house.office.zone.key
            instead = sentence("secretary.stuck_games.mend_zone", game=one.game, zone=zone)
            yield Finding("games", "bad", f"{one.game} will be held at its next deadline: {why}", instead)


def _country_days(terms: Sequence[Terms]) -> Iterator[Finding]:
    """Countries whose holidays a game leaves out, and nobody here knows them."""
    for one in () if countries.is_there() else terms:
        if named := [day for day in one.holidays if countries.is_code(day)]:
            said = f"{one.game} leaves out the holidays of {', '.join(named)}, which are not known here"
            yield Finding("games", "odd", said, countries.INSTALL)


def _templates() -> Iterator[Finding]:
    broken = [
        *broken_templates(None),
        *(x for game in games.kinds().values() for x in broken_templates(game)),
        *broken_wording(),
    ]
    for why in broken:
        yield Finding("templates", "bad", why, "bring back the file as it was installed")
    if not broken:
        yield Finding(
            "templates",
            "good",
            f"all can be read, those of {len(games.kinds())} kinds of game too, and every sentence",
        )


# The post.


@contextmanager
def _office_open(house: House) -> Iterator[Finding | None]:
    """The embedded server, as long as the doctor works: that of the running service, or one of our own."""
    local = house.settings.local
    with ExitStack() as open_things:
        said = None
        if local is not None:
            address = house.office.address
            server = LocalServer(local.host, local.port, address, local.inbox, local.folder, house.clock)
            try:
                server.start()
                open_things.callback(server.stop)
                said = "could be opened; gm serve does not run"
            except PostFault:
                said = "is taken, so gm serve runs"
        yield Finding("mail server", "good", f"port {local.port} {said}") if local else None


def _letters_in(house: House) -> Iterator[Finding]:
    try:
        for works in house.mailbox.try_out():
            yield Finding("inbox", "good", works)
    except PostFault as fault:
        yield Finding("inbox", "bad", str(fault), _advice("inbox", fault))
    else:
        yield from left_findings(house)


def _letters_out(house: House) -> Iterator[Finding]:
    try:
        for works in house.carrier.try_out():
            yield Finding("outbox", "good", works)
    except PostFault as fault:
        yield Finding("outbox", "bad", str(fault), _advice("outbox", fault))


def _advice(table: str, fault: PostFault) -> str:
    if (forum := fault.what.removeprefix(FORUM)) != fault.what:
        if isinstance(fault, LoginFault):
            return f"see url, account and secret of [[channel]] {forum}, and in the forum what its key may do"
        return f"see that the forum runs, and that url of [[channel]] {forum} names it"
    if "certificate" in str(fault).lower():
        return (
            f"write the server's full name in [{table}] url; if its authority is your own, name it in ca_file"
        )
    if isinstance(fault, LoginFault):
        return f"see [{table}] url and password in gm.toml; many providers want an app password of its own"
    return f"see that the server runs, and that [{table}] url names it and its port"


def _to_oneself(house: House, wait_seconds: float) -> Iterator[Finding]:
    """Two letters: to the address itself, and to it with a + as players answer."""
    if isinstance(house.settings.outbox, MaildirAt):
        yield Finding("to oneself", "good", "not tried: who carries letters out of a folder is not known")
        return
    local, _, domain = house.office.address.partition("@")
    ways = {
        house.office.address: "have letters to this address delivered to the mailbox of [inbox]",
        f"{local}+doctor@{domain}": "turn on plus addressing there (Postfix: recipient_delimiter = +)",
    }
    began = house.clock.now()
    sent: dict[str, Sealed] = {}
    for place, (address, instead) in enumerate(ways.items()):
        letter, refusal = _send(house, f"doctor/{began}/{place}", address)
        if refusal:
            yield Finding("to oneself", "bad", f"a letter to {address} is not taken: {refusal}", instead)
        else:
            sent[address] = letter
    arrivals = _arrivals(house, sent, wait_seconds)
    for address, taken in arrivals.items():
        if taken is None:
            said = f"a letter to {address} has not come back in {wait_seconds:g} seconds"
            yield Finding("to oneself", "bad", said, ways[address])
        else:
            yield Finding("to oneself", "good", f"a letter to {address} came back")
    if came := [taken for taken in arrivals.values() if taken is not None]:
        yield _skew(began, min(came), house.clock.now())


def _send(house: House, key: str, address: str) -> tuple[Sealed, str | None]:
    text = "A letter of the doctor to the service itself. Nobody need read it.\n"
    asked = Outgoing(key=key, to=HeaderText(address), subject=HeaderText("gm doctor"), text=text)
    letter = house.writer.seal(asked, house.clock.now())
    (receipt,) = house.carrier.deliver([letter], lambda sealed: True)
    return letter, None if receipt.outcome == "sent" else receipt.why or receipt.outcome


def _arrivals(house: House, sent: dict[str, Sealed], wait_seconds: float) -> dict[str, Millis | None]:
    """When each letter was taken; None where it has not come in the time."""
    taken: dict[str, Millis | None] = dict.fromkeys(sent)
    end, pause = time.monotonic() + wait_seconds, LOOK_SECONDS
    while True:
        missing = [sent[address] for address, at in taken.items() if at is None]
        with suppress(Fault):  # the next look may find it
            found = _times_taken(house, missing)
            taken |= {address: found.get(sent[address].message_id, at) for address, at in taken.items()}
        if None not in taken.values() or time.monotonic() > end:
            return taken
        time.sleep(pause)
        pause = min(2 * pause, RARE_LOOK_SECONDS)


def _times_taken(house: House, letters: Sequence[Sealed]) -> dict[str, Millis]:
    """When those came that have, into the mailbox or by way of a pipe straight onto the books."""
    with house.database.session():
        marks = {letter.message_id: fingerprint(letter.raw) for letter in letters}
        kept = {one: inbox.received_at(house.database, mark) for one, mark in marks.items()}
    found = {one: at for one, at in kept.items() if at is not None}
    return {**house.mailbox.arrival_times([one for one in marks if one not in found]), **found}


def _skew(began: Millis, taken: Millis, found: Millis) -> Finding:
    """What the mailbox's clock says beside ours; by that one it is decided what came in time."""
    wrong = max(began - taken, taken - found, 0)
    if wrong <= SKEW_MILLIS:
        return Finding("clock", "good", "the mailbox's clock agrees with ours")
    side = "behind" if taken < began else "ahead of"
    said = f"the mailbox's clock is {wrong // 1000} seconds {side} ours, and decides what came in time"
    return Finding("clock", "odd", said, "set this machine's clock by the network: timedatectl set-ntp true")


def _known_troubles(house: House) -> Iterator[Finding]:
    try:
        with house.database.session():
            known = incidents.present(house.database)
    except Fault:
        return  # said above
    for trouble in known:
        if (channel := incidents.channel_of(trouble.name)) is not None:
            said = f"{channel} does not take posts: {trouble.why}"
            yield Finding("channels", "odd", said, f"gm channel test {channel}")
            continue
        yield Finding("trouble", "odd", f"no {trouble.name}: {trouble.why}", "gm status  tells since when")
