"""Sends the emails in the player's handbook to a service, and collects the replies."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import games
from adjudicator.admin import game_admin
from adjudicator.clock import ManualClock
from adjudicator.config.service import read_settings
from adjudicator.service import Service, open_service
from games.options import describe_option, starting_text
from games.protocol import Game, GameOption, Seat
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.kit.mail import letter
from tests.kit.memory_repository import HOUR, NOON, new_position
from tests.kit.service_harness import create_database, text_of

DOCS = Path(__file__).parents[2] / "docs"
SECRET = b"the secret of the handbook"
PLAYER = "player@example.net"
RAW = {
    "service": {"address": "gm@example.org"},
    "inbox": {"url": "maildir:./in"},
    "outbox": {"url": "maildir:./out"},
}


@dataclass(frozen=True, eq=False)
class Page:
    """A page of the handbook and the game that its emails are for.

    asked: the seat that writes. sent: the email without a word in its mark that is sent, to show the reply.
    positions: by the word after ``letter``, the seat and the position, as JSON or as edits of the opening.
    others: the options of a game with other orders, which the page lists too. answer, report: the beginnings
    of the passages on the page, in their order.
    """

    name: str
    kind: str
    asked: Seat
    options: Mapping[str, str] = field(default_factory=dict)
    sent: int = 0
    positions: Mapping[str, tuple[Seat, Mapping[str, Any] | tuple[str, ...]]] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    answer: tuple[str, ...] = ()
    report: tuple[str, ...] = ()

    @property
    def file(self) -> Path:
        """The path of the page."""
        return DOCS / f"{self.name}.md"

    @property
    def game(self) -> Game:
        """Its kind of game."""
        return games.kinds()[self.kind]

    def letters(self) -> list[tuple[str, str]]:
        """Return the emails on the page, each with the word in its mark."""
        return re.findall(r"^```letter ?(\w*)\n(.*?)^```$", self.file.read_text(), re.MULTILINE | re.DOTALL)


@dataclass
class HandbookPlayer:
    """A service with one game, and one player who writes. All other players are silent."""

    folder: Path
    service: Service
    clock: ManualClock
    seen: set[str] = field(default_factory=set)
    address: str = ""
    written: int = 0

    @property
    def state(self) -> Any:
        """The current state of the game."""
        return game_admin.position_of(self.service, "beaver").state

    def letters(self) -> list[EmailMessage]:
        """Return the player's emails since the last call, at first the welcome."""
        self.service.poll()
        self.service.process()
        self.service.send()
        new = [file for file in (self.folder / "out" / "new").iterdir() if file.name not in self.seen]
        self.seen |= {file.name for file in new}
        opened = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in new]
        mine = [one for one in opened if one["To"] == PLAYER]
        mine.sort(key=lambda one: not str(one["Subject"]).startswith("Welcome"))
        self.address = str(mine[-1]["Reply-To"]) if mine else self.address
        return mine

    def write(self, text: str) -> list[EmailMessage]:
        """Reply to the email of the current turn. Returns the emails that come at once."""
        self.written += 1
        date = self.clock.now()
        raw = letter(text, sender=PLAYER, to=self.address, subject="orders", date=date, number=self.written)
        (self.folder / "in" / "new" / f"{date}.{self.written}").write_bytes(raw)
        return self.letters()

    def wait(self) -> list[EmailMessage]:
        """Wait until the end of the grace period. Returns the emails that come."""
        self.clock.advance(84 * HOUR + 1)
        return self.letters()


@contextmanager
def handbook_player(folder: Path, page: Page) -> Iterator[HandbookPlayer]:
    """Start the game of a page in a new folder, ready for its emails."""
    clock = ManualClock(NOON)
    create_database(folder)
    service = open_service(read_settings(RAW, folder / "gm.toml", {}), clock)
    with service.database.session():
        game_admin.new_game(
            service, game_admin.GameRequest(page.kind, "beaver", dict(page.options)), secret=SECRET
        )
        for seat in game_admin.position_of(service, "beaver").assignments:
            if seat != "ai":
                address = PLAYER if seat == page.asked else f"{seat}@example.net".lower()
                game_admin.assign(service, "beaver", seat, address)
        found = HandbookPlayer(folder, service, clock)
        found.letters()
        yield found


def edit_state(game: Game, state: Any, changes: Sequence[str]) -> Any:
    """Return a state after edits, each as a GM types it."""
    edits = game.edits
    assert edits is not None
    for change in changes:
        found = match_text(change, compile_forms(tuple(edits.forms)), names_of(edits.lexicon(state)))
        assert len(found) == 1, change
        edit = edits.build(state, found[0].form.name, found[0].slots)
        refused = edits.check(state, edit)
        assert refused is None, refused
        state = edits.apply(state, edit)
    return state


def quote_passages(one: EmailMessage, beginnings: Sequence[str]) -> str:
    """Return the passages of an email with these beginnings, with dots for the parts between them."""
    passages = re.split(r"\n\n+", text_of(one).strip())
    chosen = [
        next(number for number, text in enumerate(passages) if text.startswith(start)) for start in beginnings
    ]
    parts = []
    for place, number in enumerate(chosen):
        if place and number != chosen[place - 1] + 1:
            parts.append("[...]")
        parts.append(passages[number])
    return "```text\n" + "\n\n".join(parts) + "\n```"


def forms(game: Game, chosen: Mapping[str, str] | None = None) -> str:
    """Return examples of all orders and conditions.

    chosen: only the orders in a game with these options, as the game lists them.
    """
    notation, shown = game.notation, game.notation.forms
    own = (
        () if chosen is None else notation.examples(new_position(game.about.kind, options=dict(chosen)).state)
    )
    if own:
        names = {form.name for form in own}
        shown = own if chosen else tuple(form for form in shown if form.name in names)
    rows: dict[str, list[str]] = {}
    for form in shown:
        rows.setdefault(form.name.replace("-", " "), []).append(form.example)
    asks = {form.name: form.example for form in reversed(game.notation.conditions)}
    rows["`IF` may ask"] = list(reversed(asks.values()))
    lines = [f"| {name} | {_examples(found)} |" for name, found in rows.items()]
    return "\n".join(["| what | as in |", "|---|---|", *lines])


def _examples(found: Sequence[str]) -> str:
    return "<br>".join(f"`{example}`" for example in dict.fromkeys(found))


def options(game: Game) -> str:
    """Return the options of a new game."""
    lines = [f"| `{one.name}` | {describe_option(one)} | {_values(one)} |" for one in game.about.options]
    return "\n".join(["| option | meaning | values |", "|---|---|---|", *lines])


def _values(option: GameOption) -> str:
    default = starting_text(option)
    if option.values:
        return ", ".join(f"**{value}**" if value == default else value for value in option.values)
    span = {
        "flag": "yes, no",
        "number": f"from {option.low}",
        "text": "a text",
        "file": "a file",
        "folder": "a folder",
    }[option.sort]
    return span if not default else f"{span}; default: **{default}**"


def fill_sections(page: str, sections: Mapping[str, str]) -> str:
    """Return a page with these sections between their marks."""
    for name, text in sections.items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, _, rest = page.partition(begin)
        _, mark, after = rest.partition(end)
        assert mark, f"the page has no place for {name}"
        page = f"{before}{begin}{text}\n{mark}{after}"
    return page
