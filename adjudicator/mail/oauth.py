"""Access tokens for a login without a password: printed by a command, or fetched with a refresh token.

A token is reused until it is rejected or expires. Renewing is one request (RFC 6749 §6), so it is done here:
a service needs no library of a provider, only `gm login` does (`sign_in`).
"""

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

from adjudicator.config.secrets import Grant, Login, Secret, Token
from adjudicator.config.servers import Imap, Smtp
from adjudicator.errors import PostFault, Refusal
from adjudicator.model.addresses import is_loopback
from games.record import Value, canonical, load, replace_fields

TOKEN_REQUEST_SECONDS = 30.0
EARLY_SECONDS = 60.0
"""A token isn't used any more this long before it expires."""

_MAX_TOKEN_ANSWER_BYTES = 100_000
_lock = threading.Lock()
_fetched: dict[Grant | Login, "_Fetched"] = {}
_rotated: dict[Grant, str] = {}
"""Refresh tokens that replace those in the settings but couldn't be written there."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Fetched:
    """An access token. ends: when it isn't used any more. version: of the source that it came from."""

    ends: float
    text: str
    version: object


class SignIn(Value, frozen=True):
    """What `gm login` keeps: a refresh token, and how to use it.

    url: of the token server. revoke_url: where to revoke it, "" if the provider has no such address. user:
    the address that signed in.
    """

    flow: str
    url: str
    client_id: str
    refresh_token: str
    scope: str
    user: str = ""
    client_secret: str = ""
    revoke_url: str = ""


LOG_IN = 'Log in again: "gm login"'


def read_sign_in(login: Login) -> SignIn:
    """Return what `gm login` has kept. Raises Refusal if it has kept nothing."""
    try:
        text = login.document.reveal()
    except Refusal as fault:
        raise Refusal(f"gm.toml: {login.named}", "nobody has logged in", 'Use "gm login"') from fault
    try:
        return load(SignIn, text.encode())  # type: ignore[no-any-return]  # it is one
    except ValueError as fault:
        raise Refusal(f"gm.toml: {login.named}", "it isn't what gm login writes", LOG_IN) from fault


def keep_sign_in(login: Login, sign_in: SignIn) -> bool:
    """Keep it where gm.toml says. Return False if that can't be written."""
    return login.document.renew(canonical(sign_in).decode())


def is_signed_in(login: Login) -> bool:
    """Return whether `gm login` has kept anything there."""
    try:
        read_sign_in(login)
    except Refusal:
        return False
    return True


def login_version(at: Imap | Smtp) -> object:
    """Return a value that changes when the file with a server's password or token does."""
    source = at.token or at.password
    if isinstance(source, Login):
        return source.document.version()
    return source.refresh_token.version() if isinstance(source, Grant) else source and source.version()


def access_token(token: Token) -> str:
    """Return the access token, and fetch a new one if the last one isn't valid. This may take a while.

    Raises Refusal if the settings don't allow it, PostFault if the server doesn't reply.
    """
    if isinstance(token, Secret):
        return token.reveal()
    with _lock:
        last = _fetched.get(token)
        if last is None or time.monotonic() >= last.ends or last.version != _version(token):
            last = _fetched[token] = _fetch(token)
        return last.text


def _version(token: Grant | Login) -> object:
    return (token.document if isinstance(token, Login) else token.refresh_token).version()


def forget_token(token: Token) -> None:
    """Fetch a new token next time, because the current one was rejected."""
    if isinstance(token, Secret):
        token.forget()
        return
    with _lock:
        _fetched.pop(token, None)
    (token.document if isinstance(token, Login) else token.refresh_token).forget()


def _fetch(token: Grant | Login) -> _Fetched:
    if isinstance(token, Login):
        sign_in = read_sign_in(token)
        secret = Secret("text", sign_in.client_secret) if sign_in.client_secret else None
        refresh = Secret("text", sign_in.refresh_token)
        grant = Grant(sign_in.url, sign_in.client_id, refresh, secret, sign_in.scope or None, token.named)
        ends, text = _renew(
            grant, lambda new: keep_sign_in(token, replace_fields(sign_in, refresh_token=new))
        )
    else:
        ends, text = _renew(token, token.refresh_token.renew)
    return _Fetched(ends, text, _version(token))


def _renew(grant: Grant, keep: Callable[[str], bool]) -> tuple[float, str]:
    """Return an access token and when it ends. keep: stores a refresh token that replaces ours."""
    fields = {
        "grant_type": "refresh_token",
        "client_id": grant.client_id,
        "refresh_token": _rotated.get(grant) or grant.refresh_token.reveal(),
    }
    if grant.client_secret is not None:
        fields["client_secret"] = grant.client_secret.reveal()
    if grant.scope is not None:
        fields["scope"] = grant.scope
    answer = _request_token(grant, urlencode(fields).encode())
    text, lasts = answer.get("access_token"), answer.get("expires_in", 3_600)
    if not isinstance(text, str) or not text or not isinstance(lasts, int | float):
        raise PostFault(_name(grant), "its reply contains no access token", 300.0)
    if isinstance(rotated := answer.get("refresh_token"), str) and rotated != fields["refresh_token"]:
        _store_refresh_token(grant, rotated, keep)
    return time.monotonic() + max(lasts - EARLY_SECONDS, 0), text


def _store_refresh_token(grant: Grant, rotated: str, keep: Callable[[str], bool]) -> None:
    """Store a refresh token that replaces ours, which may soon expire."""
    if keep(rotated):
        _rotated.pop(grant, None)
        return
    if grant not in _rotated:
        log.warning(
            "%s: the server issues new refresh tokens, but we can't store them, so the one in the settings "
            'will stop working. Put it in a file that we can write to:  refresh_token = { file = "…" }',
            grant.named,
        )
    _rotated[grant] = rotated


def _request_token(grant: Grant, body: bytes) -> dict[str, object]:
    request = Request(grant.url, body, {"Accept": "application/json"})
    # The proxy settings of the environment apply only to addresses outside this machine.
    opener = build_opener(*([ProxyHandler({})] if is_loopback(request.host.partition(":")[0]) else []))
    try:
        with opener.open(request, timeout=TOKEN_REQUEST_SECONDS) as answer:
            parsed_answer = json.loads(answer.read(_MAX_TOKEN_ANSWER_BYTES))
    except HTTPError as fault:
        with fault:
            why = _complaint(fault.read(_MAX_TOKEN_ANSWER_BYTES))
        if 400 <= fault.code < 500:
            raise Refusal(
                f"gm.toml: {grant.named}",
                f"{_name(grant)} rejected it: {fault.code} {why}",
                LOG_IN,
            ) from fault
        raise PostFault(_name(grant), f"{fault.code} {why}", 300.0) from fault
    except (OSError, ValueError) as fault:
        raise PostFault(_name(grant), f"it can't be reached ({fault})", 60.0) from fault
    if not isinstance(parsed_answer, dict):
        raise PostFault(_name(grant), "its reply isn't valid", 300.0)
    return parsed_answer


def revoke(sign_in: SignIn) -> None:
    """Revoke a refresh token at its provider (RFC 7009). Raises PostFault if the server doesn't reply."""
    fields = {"token": sign_in.refresh_token, "client_id": sign_in.client_id}
    if sign_in.client_secret:
        fields["client_secret"] = sign_in.client_secret
    request = Request(sign_in.revoke_url, urlencode(fields).encode())
    where = f"token server {sign_in.revoke_url.partition('?')[0]}"
    try:
        with build_opener().open(request, timeout=TOKEN_REQUEST_SECONDS):
            return
    except HTTPError as fault:
        fault.close()
        if fault.code != 400:  # 400: the token was revoked before
            raise PostFault(where, f"it rejected that: {fault.code}", 300.0) from fault
    except OSError as fault:
        raise PostFault(where, f"it can't be reached ({fault})", 60.0) from fault


def _complaint(body: bytes) -> str:
    """Return the server's description of an error, never the data that was sent."""
    try:
        parsed_body = json.loads(body)
        words = (str(parsed_body[key]) for key in ("error", "error_description") if key in parsed_body)
        return " ".join(" ".join(words).split())[:200]
    except (ValueError, TypeError):
        return ""


def _name(grant: Grant) -> str:
    return f"token server {grant.url.partition('?')[0]}"
