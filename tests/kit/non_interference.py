"""Two worlds that differ in one secret, and what each tells the readers who may not know it.

Both are real services with their own database, and with the same key, clock and dice. So everything that
reaches a reader has to be identical, including tokens. Some parts are masked because they are hashes of other
readers' texts: parts of Message-IDs, MIME boundaries, the words that identify the writer of unsigned press in
a reply, and the commitments (SHA-256) to what is revealed later.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from email import message_from_bytes
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import games
from adjudicator.admin import game_admin, overrides, transfer
from adjudicator.auth.correspondents import person_address
from adjudicator.auth.reply_tokens import reply_tokens_of_game
from adjudicator.clock import ManualClock
from adjudicator.config.service import read_settings
from adjudicator.model.addresses import short_seat_name
from adjudicator.model.channel_posts import PostReason, recipient_of
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.people import GamePolicy, SetCustoms, Watch
from adjudicator.outbound import signups
from adjudicator.reports import maps, posts
from adjudicator.reports.messages import LetterReader, reader_of, turn_report
from adjudicator.service import Service, open_service
from adjudicator.storage import outbox, people, stored_games
from adjudicator.storage.stored_games import NewGame
from adjudicator.storage.tables import OutRow
from games.dice import LabelledDice
from games.options import settle
from games.protocol import Due, Event, Game, Options, Seat
from games.record import canonical, plain, replace_fields
from tests.kit.campaign import anything
from tests.kit.dice import any_dice
from tests.kit.mail import letter
from tests.kit.service_harness import HOUR, START, create_database

OBSERVER, STRANGER, FORUM, CHANNEL, EXPORT = "observer", "stranger", "forum", "channel", "export"
THREAD = "thread"
"""A reader without a seat. A public website would be another one."""

RAW = {
    "service": {"address": "gm@example.org"},
    "inbox": {"url": "maildir:./in"},
    "outbox": {"url": "maildir:./out"},
    "channel": [
        {
            "name": "forum",
            "address": "forum@example.org",
            "as": "markdown",
            "what": list(get_args(PostReason)),
        },
        {
            "name": "club",
            "kind": "webhook",
            "url": "https://hooks.example.org/club",
            "what": list(get_args(PostReason)),
        },
    ],
}
LIST = "turns@lists.example.com"
"""The thread of every game, whose orders are secret."""

SECRET = b"s" * 32
"""The default secret of the dice."""

COMMENTS = {"great-war": frozenset({"Chose"})}
"""The events that give reasons, by game. In these games much happens within a turn that no position shows.
All other events are acts, and what they show is public.
"""

_MASKS = (
    (re.compile(r"[0-9a-f]{16}(?=@)"), "HASH"),
    (re.compile(r'(boundary=")[^"]*'), r"\1MARK"),
    (re.compile(r"(?<=\bPRESS TO WRITER )[a-z2-7]{8}\b"), "WORD"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "SEAL"),
    (re.compile(r'(?<="id":")[0-9a-f]{32}'), "ID"),
)
TextsByReader = dict[str, list[str]]
"""Everything that each reader got: emails as text, posts, documents."""


@dataclass
class ServiceTwin:
    """One of the two services."""

    service: Service
    clock: ManualClock

    def says(self, address: str, to: str, text: str, name: str = "") -> None:
        """Deliver an email and answer it."""
        self.clock.advance(60_000)
        sender = f"{name} <{address}>" if name else address
        raw = letter(text, sender=sender, to=to, date=self.clock.now())
        assert self.service.receive(raw)
        self.service.process()

    def position(self, name: str) -> GamePosition:
        """Return the current position of a game."""
        return game_admin.position_of(self.service, name)

    def write_from_seat(self, name: str, seat: Seat, text: str, called: str = "") -> None:
        """Reply as a seat's player to the emails of the current turn."""
        reader = self.reader(name, seat)
        self.says(reader.address, str(reader.reply_address), text, called)

    def reader(self, name: str, seat: Seat) -> LetterReader:
        """Return a player as the reader of our emails."""
        position = self.position(name)
        assignment = position.assignments[seat]
        assert assignment.address is not None, "he is a person"
        return reader_of(
            position, assignment, assignment.address, self.service.repository, self.service.service_context
        )

    def asks(self, address: str, text: str) -> None:
        """Write as a person without a seat who has replied to us before."""
        service_context = self.service.service_context
        self.says(
            address,
            person_address(service_context.key, service_context.address, address, self.clock.now()),
            text,
        )

    def new_letters(self) -> list[tuple[str, str]]:
        """Return the emails since the last call: the address, and the text with all attachments."""
        database = self.service.database
        found = [(one.sealed.to, one.sealed.raw) for one in outbox.list_posted(database, 400)]
        with database.writing():
            database.run(OutRow.delete())
        return [(address, open_all(raw)) for address, raw in reversed(found)]


@contextmanager
def two_services(folder: Path, *, drawn: bool = False) -> Iterator[tuple[ServiceTwin, ServiceTwin]]:
    """Open two services with the same key.

    drawn: whether maps become pictures. Their drawings are compared anyway.
    """
    with pytest.MonkeyPatch.context() as patch, ExitStack() as open_things:
        if not drawn:
            patch.setattr("adjudicator.reports.maps.png", lambda svg, *_width: svg.encode())
            # Their caches don't contain real pictures for later tests.
            for kept in (maps.map_picture, maps._chart_picture):
                kept.cache_clear()
                open_things.callback(kept.cache_clear)
        patch.setattr(signups.secrets, "token_bytes", lambda size: b"p" * size)
        left, right = (_service(folder / side, open_things) for side in ("left", "right"))
        yield left, right


def _service(folder: Path, open_things: ExitStack) -> ServiceTwin:
    """Open a service whose database stays open and doesn't wait for the disk."""
    folder.mkdir()
    create_database(folder)
    clock = ManualClock(START)
    service = open_service(read_settings(RAW, folder / "gm.toml", {}), clock)
    open_things.callback(service.database.close)
    open_things.enter_context(service.database.session())
    library: Any = service.database._library
    library.execute_sql("PRAGMA synchronous = OFF")
    return ServiceTwin(
        replace(service, service_context=replace(service.service_context, key=b"the key of both")), clock
    )


def open_all(raw: bytes) -> str:
    """Return an email as its reader gets it: headers, then each part with its headers, decoded."""
    message = message_from_bytes(raw)
    rows = []
    for part in message.walk():
        rows += [f"{name}: {value}" for name, value in part.items()]
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            rows.append(content.decode("utf-8", "backslashreplace"))
    return "\n".join(rows)


def mask_hashes(text: str) -> str:
    """Return a text with masked hashes."""
    for expression, mark in _MASKS:
        text = expression.sub(mark, text)
    return text


def difference(left: Sequence[str], right: Sequence[str]) -> str:
    """Return the lines that differ, or "" if there are none."""
    if left == right:
        return ""
    rows = [[line for text in told for line in mask_hashes(text).splitlines()] for told in (left, right)]
    return "\n".join(line for line in unified_diff(*rows, n=0, lineterm="") if line[:2] not in ("--", "++"))


# The games to play.


@dataclass(frozen=True)
class Setting:
    """A game to start. people: the number of seats with players, which are the first ones."""

    kind: str
    options: tuple[tuple[str, Any], ...] = ()
    people: int = 3

    @property
    def game(self) -> Game:
        return games.kinds()[self.kind]

    @property
    def settled(self) -> Options:
        return settle(self.game.about.options, dict(self.options))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats with players."""
        return self.game.about.seats(self.settled)[: self.people]


ALONE = ("cairn", "great-war", "plains-indian-wars", "stones")
"""The kinds with a single player."""

FURTHER = {
    "war-chest": (Setting("war-chest", people=1), Setting("war-chest", (("opponent", "human"),), 2)),
    "boer-war": (Setting("boer-war", people=1), Setting("boer-war", people=2)),
}


def settings(kind: str) -> tuple[Setting, ...]:
    """Return the games of a kind that have hidden information."""
    return FURTHER.get(kind, (Setting(kind, people=1 if kind in ALONE else 3),))


@cache
def states(setting: Setting, most: int = 14) -> tuple[Any, ...]:
    """Return the states of a game by its weakest bots, from the opening on."""
    game = setting.game
    state = game.rules.setup(setting.settled, any_dice(0)).state
    found = [state]
    while len(found) < most and game.rules.result(state) is None:
        orders = {due.seat: bot_orders(game, state, due, len(found)) for due in game.rules.due(state)}
        state = game.rules.adjudicate(state, orders, any_dice(len(found))).state
        found.append(state)
    return tuple(one for one in found if game.rules.result(one) is None)


def bot_orders(game: Game, state: Any, due: Due, number: int) -> tuple[Any, ...]:
    """Return the orders of a game's weakest bot for one due, or without a bot the defaults."""
    bot = next(iter(game.bots.values()), None)
    if bot is None:
        return tuple(game.rules.default(state, due))
    dice = LabelledDice(any_dice(number), f"bot/{due.seat}/")
    return tuple(choice.order for choice in bot.orders(game.rules.view(state, due.seat), due, dice))


def sheet(game: Game, state: Any, seat: Seat, number: int = 0, lot: random.Random | None = None) -> str:
    """Return legal orders for everything due of a seat, one per line: its bot's, or with `lot` random."""
    orders: list[Any] = []
    for due in game.rules.due(state):
        if due.seat == seat:
            orders += anything(game, state, due, lot, number) if lot else bot_orders(game, state, due, number)
    return "\n".join(game.notation.write(order) for order in orders)


# The secrets.


@dataclass
class TwinGames:
    """A game in both worlds. knows: the readers who know the difference. looks: the comparisons so far.

    scanned: the searched posts to channels. happened: in each world, the events of the turns.
    """

    worlds: tuple[ServiceTwin, ServiceTwin]
    setting: Setting
    name: str
    lot: random.Random
    knows: set[str] = field(default_factory=set)
    looks: int = 0
    scanned: int = 0
    happened: tuple[list[Event], list[Event]] = field(default_factory=lambda: ([], []))

    @property
    def game(self) -> Game:
        return self.setting.game

    @property
    def left(self) -> ServiceTwin:
        return self.worlds[0]

    @property
    def state(self) -> Any:
        """The current state in the first world."""
        return self.left.position(self.name).state

    def address(self, seat: Seat) -> str:
        """Return a player's address."""
        return f"{short_seat_name(seat)}.{self.name}@example.net"

    def both(self, seat: Seat, texts: Sequence[str], called: Sequence[str] = ("", "")) -> None:
        """Send texts of a player, one in each world."""
        for world, text, name in zip(self.worlds, texts, called, strict=True):
            if text:
                world.write_from_seat(self.name, seat, text, name)
            else:
                world.clock.advance(60_000)

    def look(self) -> None:
        """Ask all possible questions, and compare everything since the last look."""
        for world in self.worlds:
            self._questions(world)
        left, right = (self._heard(world) for world in self.worlds)
        for reader in sorted(left.keys() | right.keys()):
            if reader not in self.knows and not self.has_seen(reader):
                differs = difference(left.get(reader, []), right.get(reader, []))
                assert not differs, f"{reader} is told what is hidden:\n{differs}"
                self.looks += 1

    def has_seen(self, reader: str) -> bool:
        """Return whether a position or an act reveals the difference to a reader, so that it isn't secret."""
        seat = Seat(reader) if reader in self.setting.seats else None
        left, right = (
            (self.game.rules.view(world.position(self.name).state, seat), acts(self.game, events, seat))
            for world, events in zip(self.worlds, self.happened, strict=True)
        )
        return canonical(left[0]) != canonical(right[0]) or left[1] != right[1]

    def _questions(self, world: ServiceTwin) -> None:
        """Ask everything as a stranger and as one player, and for the status as the other players."""
        world.clock.advance(HOUR)
        position = world.position(self.name)
        log = stored_games.log(world.service.database, self.name)
        played = [entry.turn for entry, _ in log if entry.kind == "turn"]
        last = f"\nHISTORY {played[-1]}" if played else ""
        asking = [seat for seat in self.setting.seats if seat not in self.knows and position.is_running]
        for seat in asking:
            whole = f"\nHISTORY{last}\nMAP\nORDERS\nGET PROVINCES" if seat == asking[-1] else ""
            world.write_from_seat(self.name, seat, f"STATUS{whole}")
        stranger = f"{STRANGER}.{self.name}@example.com"
        named = f"\nHISTORY {self.name} {played[-1]}" if played else ""
        world.asks(stranger, f"STATUS {self.name}\nHISTORY {self.name}{named}\nMAP {self.name}")

    def _heard(self, world: ServiceTwin) -> TextsByReader:
        heard: TextsByReader = {}
        people_ = {self.address(seat): str(seat) for seat in self.setting.seats}
        known = {
            **people_,
            f"{OBSERVER}.{self.name}@example.com": OBSERVER,
            f"{STRANGER}.{self.name}@example.com": STRANGER,
            "forum@example.org": FORUM,
            LIST: THREAD,
            recipient_of("club"): CHANNEL,
        }
        for address, text in world.new_letters():
            if address in known:
                heard.setdefault(known[address], []).append(text)
        for text in (text for place in (FORUM, CHANNEL, THREAD) for text in heard.get(place, ())):
            self._scan(world, text, people_)
        heard.setdefault(FORUM, []).extend(self._posts(world))
        heard[EXPORT] = [self._document(world)]
        return heard

    def _scan(self, world: ServiceTwin, text: str, addresses: Iterable[str]) -> None:
        """Check that no post contains a player's address or a token."""
        keys = reply_tokens_of_game(self.name, world.service.repository, world.service.service_context)
        assert [one for one in (*addresses, *keys.holders) if one in text] == []
        self.scanned += 1

    def _posts(self, world: ServiceTwin) -> list[str]:
        """Return the public report of the last turn, in all forms."""
        position, service_context = world.position(self.name), world.service.service_context
        report = overrides.report_of(
            world.service, position, overrides.replayed_turns(world.service, position), None
        )
        reader = LetterReader(address=service_context.address, game=self.name, zone=service_context.zone)
        again = turn_report(self.game, report, reader)
        pages = [posts.post(self.game, report, reader, markup) for markup in ("bbcode", "markdown")]
        return [*pages, again.text, again.html or ""]

    def _document(self, world: ServiceTwin) -> str:
        if self.game.about.hidden and world.position(self.name).is_running:
            return ""
        return json.dumps(plain(transfer.export(world.service, self.name, public=True)), indent=1)

    def play(self) -> bool:
        """Send all other orders and run the turn. Returns whether the games continue identically."""
        if not all(world.position(self.name).is_running for world in self.worlds):
            return False
        for world, happened in zip(self.worlds, self.happened, strict=True):
            position = world.position(self.name)
            for seat in self.setting.seats:
                if not position.filed.get(seat) and (said := sheet(self.game, position.state, seat)):
                    world.write_from_seat(self.name, seat, said)
            played = game_admin.play_now(world.service, self.name)
            happened += (event for step in played.steps for event in step.events)
        return all(world.position(self.name).is_running for world in self.worlds)

    @property
    def orders_agree(self) -> bool:
        """Return whether all orders so far are the same in both worlds."""
        logs = [stored_games.log(world.service.database, self.name) for world in self.worlds]
        return [entry.orders for entry, _ in logs[0]] == [entry.orders for entry, _ in logs[1]]

    @property
    def has_thrown(self) -> bool:
        """Return whether dice have been rolled since the game started."""
        logs = [stored_games.log(world.service.database, self.name) for world in self.worlds]
        return any(entry.throws for log in logs for entry, _ in log[1:])


def acts(game: Game, events: Iterable[Event], viewer: Seat | None) -> list[bytes]:
    """Return the acts that a viewer sees, in games whose position doesn't show everything."""
    comments = COMMENTS.get(game.about.kind)
    if comments is None:
        return []
    seen = (event for event in events if event.seen_by is None or viewer in event.seen_by)
    return [canonical(event) for event in seen if type(event).__name__ not in comments]


def begin(
    worlds: tuple[ServiceTwin, ServiceTwin],
    setting: Setting,
    name: str,
    seed: int,
    *,
    depth: int = 0,
    twisted: Callable[[Any], Any] = lambda state: state,
    secrets: tuple[bytes, bytes] = (SECRET, SECRET),
    customs: GamePolicy | None = None,
    bots: str | None = None,
    terms: Mapping[str, str] | None = None,
) -> TwinGames:
    """Start a game in both worlds, with an observer. twisted: the difference in the second world.

    depth: the number of turns that `states` plays before.
    """
    table = TwinGames(worlds, setting, name, random.Random(seed))
    synchronise_clocks(worlds)
    past = states(setting)
    state = past[depth % len(past)]
    entry = None
    for world, opening, secret in zip(worlds, (state, twisted(state)), secrets, strict=True):
        assignments = [
            SeatAssignment(
                seat=seat, address=table.address(seat) if seat in setting.seats else None, bot=bots
            )
            for seat in setting.game.about.seats(setting.settled)
        ]
        deadlines = game_admin.read_deadlines(
            {"solo": "clock", **(terms or {})}, world.service.settings.deadlines
        )
        arranged = signups.GameSetup(name, setting.settled, assignments, deadlines, early=False)
        new: NewGame = signups.new_game(setting.game, arranged, world.clock.now(), secret)
        # The rolls of the set-up are public, all later ones aren't.
        entry = entry or new.entry
        new = replace(new, state=opening, entry=entry)
        welcomes = world.service.composer.welcomes(
            signups.initial_position(new), dict.fromkeys(setting.seats, "a password"), world.clock.now()
        )
        stored_games.create(world.service.database, new, welcomes, world.clock.now())
        watch = Watch(by="gm", game=name, address=f"{OBSERVER}.{name}@example.com")
        there = replace_fields(customs or GamePolicy(), forum=LIST)
        for action in (watch, SetCustoms(by="gm", game=name, customs=there)):
            people.apply_action(world.service.database, action)
        # Bots act at once before any player has to.
        world.service.process()
    return table


def synchronise_clocks(worlds: tuple[ServiceTwin, ServiceTwin]) -> None:
    """Synchronise the clocks of both worlds, whose looks may have taken different times."""
    latest = max(world.clock.now() for world in worlds)
    for world in worlds:
        world.clock.set(latest)


def delete_game(world: ServiceTwin, name: str) -> None:
    """Delete a game from the database, so that it doesn't slow down later ones."""
    game_admin.delete(world.service, name, "looked at")
    world.new_letters()
