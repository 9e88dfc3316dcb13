"""Channels: places where people talk about games and get the public news of them."""

import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from adjudicator.config.secrets import Secret
from adjudicator.config.toml_reader import ConfigPage
from adjudicator.errors import Refusal
from adjudicator.model.addresses import valid_address
from adjudicator.model.channel_posts import PostReason, is_channel_name
from games.record import replace_fields

Markup = Literal["text", "bbcode", "markdown"]
"""The markup of posts: "text" for an email as observers get it, or text with the markup of a forum."""

Kind = Literal["address", "webhook", "apprise", "discourse"]
"""How posts are sent: by email, as JSON over HTTPS, through a service of apprise, or to a forum."""

CHANNEL_KEYS = frozenset(
    {"name", "kind", "address", "as", "url", "secret", "games", "what", "map", "local", "account", "category"}
)
"""The keys of a [[channel]]."""

DEFAULT_CHANNEL_EVENTS: tuple[PostReason, ...] = ("begun", "played", "ended")
"""The events that a [[channel]] gets by default."""

_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_CHANNEL_TABLE = "channel"
THREADED = ("address", "discourse")
"""The kinds of channels that can carry a game's thread."""
_FOR: dict[Kind, frozenset[str]] = {
    "address": frozenset({"address", "as"}),
    "webhook": frozenset({"url", "secret", "local"}),
    "apprise": frozenset({"url"}),
    "discourse": frozenset({"url", "secret", "local", "account", "category"}),
}
_KIND_SPECIFIC_KEYS = frozenset().union(*_FOR.values())


@dataclass(frozen=True)
class Channel:
    """One channel. games: names or patterns (such as ``club-*``) of the games with news here. None: all.

    If `games` is empty, only games whose thread is here have news here.

    name: empty for the table [channel]. what: the events to post. map: whether posts include the map. url:
    the address of a webhook, of a forum, or for apprise. secret: the key that signs documents, or the forum's
    key. local: whether the server may be on this machine or in a private network, without TLS. account: our
    account in a forum. category: the category of new topics.
    """

    address: str = ""
    markup: Markup = "text"
    games: frozenset[str] | None = None
    name: str = ""
    kind: Kind = "address"
    what: frozenset[PostReason] = frozenset({"played"})
    map: bool = True
    url: Secret | None = field(default=None, repr=False)
    secret: Secret | None = field(default=None, repr=False)
    local: bool = False
    account: str = ""
    category: int | None = None

    def carries(self, game: str, *what: PostReason) -> bool:
        """Return whether this channel carries a game's news of one of some reasons."""
        wanted = any(event in self.what for event in what or ("played",))
        return wanted and (self.games is None or any(fnmatchcase(game, pattern) for pattern in self.games))

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """Return the secret parts of the channel."""
        hidden = (self.secret,) if self.kind == "discourse" else (self.url, self.secret)
        return tuple(secret for secret in hidden if secret is not None)

    @property
    def where(self) -> str:
        """Return the channel's address in a form that players may see."""
        url = self.url.value if self.kind == "discourse" and self.url is not None else ""
        return self.address or url or self.display_name

    @property
    def display_name(self) -> str:
        """Return a name that distinguishes the channel from others."""
        return self.name or _CHANNEL_TABLE


def read_channels(page: ConfigPage) -> tuple[Channel, ...]:
    """Return the channels of a gm.toml. Raises Refusal naming the key."""
    tables = page.raw.get(_CHANNEL_TABLE)
    if tables is None:
        return ()
    if isinstance(tables, dict):
        return (_alone(page),)
    channels = [_channel(page, table, number) for number, table in enumerate(tables, 1)]
    for number, channel in enumerate(channels):
        if any(other.name == channel.name for other in channels[:number]):
            what = f"gm.toml: [[channel]] {number + 1}: name"
            raise Refusal(what, f"two channels are called {channel.name}", "Give each its own name")
    return tuple(channels)


def _alone(page: ConfigPage) -> Channel:
    """Return the channel of the table [channel]: an address that gets each turn's report."""
    return Channel(_address(page), _markup(page), _games(page))


def _channel(page: ConfigPage, table: dict[str, Any], number: int) -> Channel:
    own_page = replace_fields(page, raw={**page.raw, _CHANNEL_TABLE: table})
    named = table.get("name") if isinstance(table.get("name"), str) else number
    try:
        return _read(own_page, f"[[channel]] {named}:")
    except Refusal as fault:
        what = fault.what.replace(" [channel]", f" [[channel]] {named}:")
        instead = None if fault.instead is None else fault.instead.replace("[channel]", "[[channel]]")
        raise Refusal(what, fault.why, instead) from fault


def _read(page: ConfigPage, heading: str) -> Channel:
    name = page.text(_CHANNEL_TABLE, "name")
    if not is_channel_name(name):
        raise page.fault(
            _CHANNEL_TABLE, "name", f'a channel can\'t be called "{name}"', 'Write name = "club"'
        )
    kind = _kind(page)
    for key in sorted(_KIND_SPECIFIC_KEYS - _FOR[kind]):
        if page.has(_CHANNEL_TABLE, key):
            raise page.fault(_CHANNEL_TABLE, key, f'it has no meaning with kind = "{kind}"', "Leave it out")
    channel = Channel(
        name=name,
        kind=kind,
        games=_games(page, may_be_none=kind in THREADED),
        what=_read_events(page),
        map=page.switch(_CHANNEL_TABLE, "map", True),
    )
    if kind == "address":
        return replace(channel, address=_address(page), markup=_markup(page))
    local = page.switch(_CHANNEL_TABLE, "local", False)
    if kind == "discourse":
        return _forum(page, replace(channel, local=local), heading)
    url = _secret(page, "url", "GM_CHANNEL_URL", heading)
    if kind == "webhook":
        check_url(url, local=local)
    signed = page.has(_CHANNEL_TABLE, "secret")
    secret = _secret(page, "secret", "GM_CHANNEL_SECRET", heading) if signed else None
    return replace(channel, url=url, secret=secret, local=local)


def _forum(page: ConfigPage, channel: Channel, heading: str) -> Channel:
    """Return a Discourse forum: its address is public, its key is secret."""
    url = Secret("text", page.text(_CHANNEL_TABLE, "url"), f"{heading} url")
    if (why := unfit(url.value, local=channel.local)) is not None:
        raise Refusal(f"gm.toml: {url.named}", why, 'Write url = "https://forum.example.org"')
    account = page.text(_CHANNEL_TABLE, "account")
    if _ACCOUNT.fullmatch(account) is None:
        advice = 'Write account = "turnpost", the account that owns the key'
        raise page.fault(_CHANNEL_TABLE, "account", "this isn't the name of an account", advice)
    number = (
        page.number(_CHANNEL_TABLE, "category", 1, 1, 10**9) if page.has(_CHANNEL_TABLE, "category") else None
    )
    key = _secret(page, "secret", "GM_CHANNEL_SECRET", heading)
    return replace(channel, url=url, secret=key, account=account, category=number)


def check_url(url: Secret, *, local: bool) -> None:
    """Raise Refusal if the address of a webhook is readable here and unsuitable."""
    if url.kind == "text" and (why := unfit(url.value, local=local)) is not None:
        raise Refusal(f"gm.toml: {url.named}", why, 'Write url = "https://hooks.example.org/turns"')


def unfit(url: str, *, local: bool) -> str | None:
    """Return why a webhook's address can't be used, without quoting it, or None."""
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port is None or parts.port > 0 else None
    except ValueError:
        return "isn't an address"
    if parts.scheme not in ("https", "http"):
        return "isn't an https:// address"
    if not host:
        return "doesn't name a server"
    if parts.username is not None or parts.password is not None:
        return "contains a name or a password before its @"
    if re.search(r"[\x00-\x20\x7f]", url):
        return "contains a space"
    if parts.scheme == "http" and not local:
        return "is without TLS, which needs  local = true  and a private network"
    return None


def _secret(page: ConfigPage, key: str, example: str, heading: str) -> Secret:
    return replace(page.secret_of(_CHANNEL_TABLE, key, example), named=f"{heading} {key}")


def _address(page: ConfigPage) -> str:
    address = valid_address(page.text(_CHANNEL_TABLE, "address"))
    if address is None:
        raise page.fault(
            _CHANNEL_TABLE,
            "address",
            "this isn't an email address",
            'Write address = "turns@lists.example.org"',
        )
    if address == valid_address(page.text("service", "address")):
        raise page.fault(
            _CHANNEL_TABLE,
            "address",
            "this is the service's own address",
            "Give the address of the list or forum",
        )
    return address


def _games(page: ConfigPage, *, may_be_none: bool = False) -> frozenset[str] | None:
    if not page.has(_CHANNEL_TABLE, "games"):
        return None
    if may_be_none and page.value(_CHANNEL_TABLE, "games", None) == []:
        return frozenset()
    return frozenset(page.texts(_CHANNEL_TABLE, "games", ()))


def _markup(page: ConfigPage) -> Markup:
    text = page.text(_CHANNEL_TABLE, "as", "text")
    for markup in get_args(Markup):
        if text == markup:
            return markup  # type: ignore[no-any-return]  # it is one of them
    choice = " or ".join(f'as = "{markup}"' for markup in get_args(Markup))
    raise page.fault(_CHANNEL_TABLE, "as", f'"{text}" isn\'t a form', f"Write {choice}")


def _kind(page: ConfigPage) -> Kind:
    text = page.text(_CHANNEL_TABLE, "kind", "address")
    for kind in get_args(Kind):
        if text == kind:
            return kind  # type: ignore[no-any-return]  # it is one of them
    choice = " or ".join(f'kind = "{kind}"' for kind in get_args(Kind))
    raise page.fault(_CHANNEL_TABLE, "kind", f'"{text}" isn\'t a kind', f"Write {choice}")


def _read_events(page: ConfigPage) -> frozenset[PostReason]:
    texts = page.texts(_CHANNEL_TABLE, "what", DEFAULT_CHANNEL_EVENTS)
    known: tuple[PostReason, ...] = get_args(PostReason)
    if unknown := sorted(set(texts) - set(known)):
        words = ", ".join(f'"{reason}"' for reason in known)
        raise page.fault(
            _CHANNEL_TABLE,
            "what",
            f'"{unknown[0]}" isn\'t something that channels get',
            f"Choose from [{words}]",
        )
    return frozenset(reason for reason in known if reason in texts)
