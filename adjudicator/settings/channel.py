"""Channels: where people talk, and are told what anybody may know of games."""

import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from adjudicator.errors import Refusal
from adjudicator.ledger.posts import What, is_channel_name
from adjudicator.settings.keyring import Secret
from adjudicator.settings.page import Page
from adjudicator.signs.addresses import valid_address
from games.record import changed

Markup = Literal["text", "bbcode", "markdown"]
"""What is posted: a letter as observers get it, or text with the marks of a forum."""

Kind = Literal["address", "webhook", "apprise", "discourse"]
"""How it is posted: as a letter, as JSON over HTTPS, to a service that apprise speaks, or in a forum."""

KEYS = frozenset(
    {"name", "kind", "address", "as", "url", "secret", "games", "what", "map", "local", "account", "category"}
)
"""What may be said of a [[channel]]."""

USUAL: tuple[What, ...] = ("begun", "played", "ended")
"""What a [[channel]] is told that does not say."""

_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_TABLE = "channel"
THREADED = ("address", "discourse")
"""The kinds in which a game can have its thread."""
_FOR: dict[Kind, frozenset[str]] = {
    "address": frozenset({"address", "as"}),
    "webhook": frozenset({"url", "secret", "local"}),
    "apprise": frozenset({"url"}),
    "discourse": frozenset({"url", "secret", "local", "account", "category"}),
}
_OWN = frozenset().union(*_FOR.values())


@dataclass(frozen=True)
class Channel:
    """One channel. games: names, or patterns such as ``club-*``, of those that are told there; None: all.

    Where there are none of them, only games are told there whose thread it is.

    name: "" for that of the table [channel]; what: is told; map: whether it goes along; url: of a webhook, or
    as apprise writes it, or of a forum; secret: by which documents are signed, or the forum's key; local:
    whether the server may lie on this machine or in a network of its own, and be spoken to without TLS;
    account: as whom we post in a forum; category: where its topics begin.
    """

    address: str = ""
    markup: Markup = "text"
    games: frozenset[str] | None = None
    name: str = ""
    kind: Kind = "address"
    what: frozenset[What] = frozenset({"played"})
    map: bool = True
    url: Secret | None = field(default=None, repr=False)
    secret: Secret | None = field(default=None, repr=False)
    local: bool = False
    account: str = ""
    category: int | None = None

    def carries(self, game: str, *what: What) -> bool:
        """Whether something of a game, or one of several things, is told there."""
        wanted = any(one in self.what for one in what or ("played",))
        return wanted and (self.games is None or any(fnmatchcase(game, one) for one in self.games))

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What of it nobody may know."""
        hidden = (self.secret,) if self.kind == "discourse" else (self.url, self.secret)
        return tuple(one for one in hidden if one is not None)

    @property
    def where(self) -> str:
        """Where it is, as people who play there may know it."""
        found = self.url.value if self.kind == "discourse" and self.url is not None else ""
        return self.address or found or self.called

    @property
    def called(self) -> str:
        """What it is called where there are several."""
        return self.name or _TABLE


def channels_of(page: Page) -> tuple[Channel, ...]:
    """The channels that a gm.toml names. Raises Refusal naming the key."""
    said = page.raw.get(_TABLE)
    if said is None:
        return ()
    if isinstance(said, dict):
        return (_alone(page),)
    found = [_channel(page, one, number) for number, one in enumerate(said, 1)]
    for number, one in enumerate(found):
        if any(other.name == one.name for other in found[:number]):
            what = f"gm.toml: [[channel]] {number + 1}: name"
            raise Refusal(what, f"there are two called {one.name}", "name each of them otherwise")
    return tuple(found)


def _alone(page: Page) -> Channel:
    """The one of the table [channel]: an address to which each turn's report goes."""
    return Channel(_address(page), _markup(page), _games(page))


def _channel(page: Page, said: dict[str, Any], number: int) -> Channel:
    one = changed(page, raw={**page.raw, _TABLE: said})
    named = said.get("name") if isinstance(said.get("name"), str) else number
    try:
        return _read(one, f"[[channel]] {named}:")
    except Refusal as fault:
        what = fault.what.replace(" [channel]", f" [[channel]] {named}:")
        instead = None if fault.instead is None else fault.instead.replace("[channel]", "[[channel]]")
        raise Refusal(what, fault.why, instead) from fault


def _read(page: Page, heading: str) -> Channel:
    name = page.text(_TABLE, "name")
    if not is_channel_name(name):
        raise page.fault(_TABLE, "name", f"{name} is no name of a channel", 'write  name = "club"')
    kind = _kind(page)
    for key in sorted(_OWN - _FOR[kind]):
        if page.has(_TABLE, key):
            raise page.fault(_TABLE, key, f'means nothing with  kind = "{kind}"', "leave it out")
    channel = Channel(
        name=name,
        kind=kind,
        games=_games(page, may_be_none=kind in THREADED),
        what=_what(page),
        map=page.switch(_TABLE, "map", True),
    )
    if kind == "address":
        return replace(channel, address=_address(page), markup=_markup(page))
    local = page.switch(_TABLE, "local", False)
    if kind == "discourse":
        return _forum(page, replace(channel, local=local), heading)
    url = _secret(page, "url", "GM_CHANNEL_URL", heading)
    if kind == "webhook":
        check_url(url, local=local)
    signed = page.has(_TABLE, "secret")
    secret = _secret(page, "secret", "GM_CHANNEL_SECRET", heading) if signed else None
    return replace(channel, url=url, secret=secret, local=local)


def _forum(page: Page, channel: Channel, heading: str) -> Channel:
    """A forum that Discourse runs: its address is known to all, its key is a secret."""
    url = Secret("text", page.text(_TABLE, "url"), f"{heading} url")
    if (why := unfit(url.value, local=channel.local)) is not None:
        raise Refusal(f"gm.toml: {url.named}", why, 'write  url = "https://forum.example.org"')
    account = page.text(_TABLE, "account")
    if _ACCOUNT.fullmatch(account) is None:
        said = 'write  account = "turnpost",  as whom the key lets us post'
        raise page.fault(_TABLE, "account", "is no name of an account", said)
    number = page.number(_TABLE, "category", 1, 1, 10**9) if page.has(_TABLE, "category") else None
    key = _secret(page, "secret", "GM_CHANNEL_SECRET", heading)
    return replace(channel, url=url, secret=key, account=account, category=number)


def check_url(url: Secret, *, local: bool) -> None:
    """Raise Refusal where the address of a webhook can be read here, and cannot be posted to."""
    if url.kind == "text" and (why := unfit(url.value, local=local)) is not None:
        raise Refusal(f"gm.toml: {url.named}", why, 'write  url = "https://hooks.example.org/turns"')


def unfit(url: str, *, local: bool) -> str | None:
    """Why a webhook's address cannot be posted to; None: it can. Nothing of the address stands in it."""
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port is None or parts.port > 0 else None
    except ValueError:
        return "is no address"
    if parts.scheme not in ("https", "http"):
        return "is no https:// address"
    if not host:
        return "names no server"
    if parts.username is not None or parts.password is not None:
        return "holds a name or a password before its @"
    if re.search(r"[\x00-\x20\x7f]", url):
        return "holds a blank"
    if parts.scheme == "http" and not local:
        return "is spoken to without TLS, which goes only with  local = true  and on a network of your own"
    return None


def _secret(page: Page, key: str, example: str, heading: str) -> Secret:
    return replace(page.secret_of(_TABLE, key, example), named=f"{heading} {key}")


def _address(page: Page) -> str:
    address = valid_address(page.text(_TABLE, "address"))
    if address is None:
        raise page.fault(
            _TABLE, "address", "is no mail address", 'write  address = "turns@lists.example.org"'
        )
    if address == valid_address(page.text("service", "address")):
        raise page.fault(_TABLE, "address", "is the service's own", "name the list's or the forum's")
    return address


def _games(page: Page, *, may_be_none: bool = False) -> frozenset[str] | None:
    if not page.has(_TABLE, "games"):
        return None
    if may_be_none and page.value(_TABLE, "games", None) == []:
        return frozenset()
    return frozenset(page.texts(_TABLE, "games", ()))


def _markup(page: Page) -> Markup:
    said = page.text(_TABLE, "as", "text")
    for one in get_args(Markup):
        if said == one:
            return one  # type: ignore[no-any-return]  # it is one of them
    choice = " or ".join(f'as = "{one}"' for one in get_args(Markup))
    raise page.fault(_TABLE, "as", f"there is no form {said}", f"write  {choice}")


def _kind(page: Page) -> Kind:
    said = page.text(_TABLE, "kind", "address")
    for one in get_args(Kind):
        if said == one:
            return one  # type: ignore[no-any-return]  # it is one of them
    choice = " or ".join(f'kind = "{one}"' for one in get_args(Kind))
    raise page.fault(_TABLE, "kind", f"there is no kind {said}", f"write  {choice}")


def _what(page: Page) -> frozenset[What]:
    said = page.texts(_TABLE, "what", USUAL)
    known: tuple[What, ...] = get_args(What)
    if unknown := sorted(set(said) - set(known)):
        words = ", ".join(f'"{one}"' for one in known)
        raise page.fault(_TABLE, "what", f"{unknown[0]} is nothing that is told", f"choose among  [{words}]")
    return frozenset(one for one in known if one in said)
