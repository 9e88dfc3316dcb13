"""Gets the first refresh token of a mailbox: Microsoft's device code flow, Google's loopback flow.

Both need a registered client, and a library of the provider that only this module loads. Renewing needs
neither: see `oauth`.
"""

from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

from adjudicator.errors import PostFault, Refusal
from adjudicator.mail.oauth import SignIn
from games.record import Value

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
