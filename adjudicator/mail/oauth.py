"""Access tokens for a login without a password: printed by a command, or fetched with a refresh token.

A token is reused until it is rejected or expires. Renewing is one request (RFC 6749 §6), so it is done here:
a service needs no library of a provider. Only `SignIn` loads one, for `gm login`. It gets the first refresh
token of a mailbox: by Microsoft's device code flow, or Google's loopback flow.
"""

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
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


# The first refresh token of a mailbox, for `gm login`.


MICROSOFT = "https://login.microsoftonline.com"
MICROSOFT_SCOPES = (
    "https://outlook.office.com/IMAP.AccessAsUser.All",
    "https://outlook.office.com/SMTP.Send",
)
GOOGLE_SCOPES = ("https://mail.google.com/",)
GOOGLE = {
    "auth_uri": "https://accounts.google.com/o/oauth2/auth",
    "token_uri": "https://oauth2.googleapis.com/token",
    "revoke_uri": "https://oauth2.googleapis.com/revoke",
}
SIGN_IN_SECONDS = 900
"""The time for signing in, after which a code expires too."""

INSTALL = 'Type: pip install "turnpost[login]"'

MICROSOFT_STEPS = """\
Microsoft gives tokens only to registered clients. Register one, once:
  1. At https://entra.microsoft.com: App registrations, New registration. Name: Turnpost. Accounts: those of
     your organization, or "personal Microsoft accounts" for Outlook.com. No redirect URI.
  2. There, Authentication: set "Allow public client flows" to Yes.
  3. API permissions, Add, Microsoft Graph, Delegated: IMAP.AccessAsUser.All, SMTP.Send, offline_access. In
     an organization, an administrator presses "Grant admin consent".
  4. For Microsoft 365, at https://admin.microsoft.com: Active users, the mailbox, Mail, Manage email apps:
     turn on IMAP and Authenticated SMTP.
  5. Copy the Application (client) ID and the Directory (tenant) ID, and type:
       gm login --client-id ID --tenant TENANT   (for Outlook.com leave out --tenant)"""

GOOGLE_STEPS = """\
For Gmail, use an app password instead: https://myaccount.google.com/apppasswords. This login is for Google
Workspace, with a client of the type Internal: tokens of apps in testing end after seven days. Register one:
  1. At https://console.cloud.google.com: create a project, then Google Auth Platform. Audience: Internal.
  2. Data access: add the scope https://mail.google.com/.
  3. Clients, Create client, type Desktop app. Copy its client ID and its client secret.
  4. export GM_CLIENT_SECRET=... and type:
       gm login --client-id ID"""

# The words in an error of Microsoft, and what to do about it.
_MICROSOFT_ADVICE = {
    "AADSTS700016": "Check --client-id and --tenant: there is no such client in that tenant",
    "AADSTS90002": "Check --tenant: there is no such tenant",
    "AADSTS7000218": 'Set "Allow public client flows" to Yes in the registration of the client',
    "AADSTS65001": "An administrator has to grant consent: API permissions in the registration of the client",
    "AADSTS50105": "An administrator has to assign the mailbox to this client",
    "expired": 'The code has expired. Use "gm login" again',
    "declined": 'The sign-in was declined. Use "gm login" again',
}


class SignInClient(Value, frozen=True):
    """A registered client, and where it signs in. flow: "microsoft" or "google". authority: for Microsoft.

    secret: of a client of Google, which isn't confidential for programs that people install.
    """

    flow: str
    client_id: str
    tenant: str = "organizations"
    secret: str = ""
    authority: str = MICROSOFT


def sign_in(client: SignInClient, user: str, tell: Callable[[str], None], port: int, browser: bool) -> SignIn:
    """Return what the provider gives after somebody has signed in as the mailbox.

    tell: shows what to do. port, browser: for Google. Raises Refusal, PostFault.
    """
    if client.flow == "microsoft":
        return _by_device_code(client, user, tell)
    return _sign_in_by_loopback(client, user, tell, port, browser)


def _library(name: str) -> Any:
    if find_spec(name.partition(".")[0]) is None:
        raise Refusal("Can't log in", f"the library {name} isn't installed", INSTALL)
    return import_module(name)


# Microsoft: a code to enter at any browser.


def _by_device_code(client: SignInClient, user: str, tell: Callable[[str], None]) -> SignIn:
    msal = _library("msal")
    where = f"token server {client.authority}"
    try:
        app = msal.PublicClientApplication(
            client.client_id, authority=f"{client.authority}/{client.tenant}", instance_discovery=False
        )
        flow = app.initiate_device_flow(list(MICROSOFT_SCOPES))
        if "user_code" not in flow:
            raise _refused(flow)
        tell(
            f"Open {flow['verification_uri']} in any browser, sign in as {user}, and enter the code "
            f"{flow['user_code']}. Waiting for that…"
        )
        reply = app.acquire_token_by_device_flow(flow)
    except ValueError as fault:
        raise Refusal("Can't log in", str(fault).split(". ")[0], "Check --client-id and --tenant") from fault
    except OSError as fault:
        raise PostFault(where, f"it can't be reached ({type(fault).__name__})", 60.0) from fault
    if "refresh_token" not in reply:
        raise _refused(reply)
    return SignIn(
        flow="microsoft",
        url=f"{client.authority}/{client.tenant}/oauth2/v2.0/token",
        client_id=client.client_id,
        refresh_token=str(reply["refresh_token"]),
        scope=" ".join([*MICROSOFT_SCOPES, "offline_access"]),
        user=user,
    )


def _refused(reply: dict[str, Any]) -> Refusal:
    text = str(reply.get("error_description") or reply.get("error") or "no refresh token came")
    text = text.splitlines()[0][:300]
    marks = f"{text} {reply.get('error', '')}"
    advice = next((advice for mark, advice in _MICROSOFT_ADVICE.items() if mark in marks), None)
    return Refusal("Microsoft rejected the login", text, advice or "Check --client-id and --tenant")


# Google: the browser comes back to a port of this machine.


def _sign_in_by_loopback(
    client: SignInClient, user: str, tell: Callable[[str], None], port: int, browser: bool
) -> SignIn:
    flows = _library("google_auth_oauthlib.flow")
    if not client.secret:
        why = "Google wants the client secret of the client too"
        raise Refusal("Can't log in", why, "Type export GM_CLIENT_SECRET=…, then gm login again")
    settings = {"client_id": client.client_id, "client_secret": client.secret, **GOOGLE}
    flow = flows.InstalledAppFlow.from_client_config({"installed": settings}, list(GOOGLE_SCOPES))
    shown = _Told(tell)
    try:
        with redirect_stdout(shown):
            found = flow.run_local_server(
                bind_addr="127.0.0.1",
                port=port,
                open_browser=browser,
                authorization_prompt_message="Open this address and sign in: {url}",
                success_message="You are logged in. You can close this page.",
                timeout_seconds=SIGN_IN_SECONDS,
                prompt="consent",
                login_hint=user,
            )
    except OSError as fault:
        what = f"token server {urlsplit(GOOGLE['token_uri']).hostname}"
        raise PostFault(what, f"the login failed ({type(fault).__name__}: {fault})", 60.0) from fault
    except Exception as fault:  # the library has no common class for its errors
        why = (
            f"{type(fault).__name__}: {str(fault).splitlines()[0][:200] if str(fault) else 'no reason given'}"
        )
        raise Refusal("Google rejected the login", why, 'Use "gm login" again') from fault
    if not found.refresh_token:
        why = "no refresh token came"
        instead = "Remove Turnpost at https://myaccount.google.com/connections, then use gm login again"
        raise Refusal("Google rejected the login", why, instead)
    return SignIn(
        flow="google",
        url=GOOGLE["token_uri"],
        client_id=client.client_id,
        client_secret=client.secret,
        refresh_token=str(found.refresh_token),
        scope="",
        user=user,
        revoke_url=GOOGLE["revoke_uri"],
    )


class _Told(StringIO):
    """Passes on what the library prints, line by line."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def write(self, text: str) -> int:
        if text.strip():
            self._tell(text.strip())
        return len(text)
