"""``gm login`` and ``gm logout``: get the first token of a mailbox, and revoke it."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import config_of
from adjudicator.cli.init import record_start, try_server
from adjudicator.cli.output import document, say
from adjudicator.config import service as service_config
from adjudicator.config.secrets import Grant, Login, Secret
from adjudicator.config.servers import Imap, Smtp
from adjudicator.errors import Refusal
from adjudicator.mail import discovery, oauth, smtp

if TYPE_CHECKING:
    from adjudicator.config.service import Settings

LOOPBACK_PORT = 8765
CLIENT_SECRET = "GM_CLIENT_SECRET"
WRITE_IT = (
    'Write token = { login = "mail-login" } in place of the password, below [inbox] and [outbox] of gm.toml'
)


def _tokens(settings: Settings) -> Iterator[tuple[str, Imap | Smtp, Grant | Login]]:
    """Yield the tables of gm.toml whose tokens `gm login` can fetch."""
    places = {"inbox": settings.inbox, "outbox": settings.outbox}
    for table, at in places.items():
        if isinstance(at, Imap | Smtp) and isinstance(at.token, Grant | Login):
            yield table, at, at.token


def _refresh_secret(token: Grant | Login) -> Secret:
    return token.document if isinstance(token, Login) else token.refresh_token


def _last_sign_in(token: Grant | Login) -> oauth.SignIn | None:
    try:
        return oauth.read_sign_in(token) if isinstance(token, Login) else None
    except Refusal:
        return None


def _settings_with_tokens(ctx: typer.Context) -> Settings:
    """Return the settings. Raises Refusal if they have no token that `gm login` can fetch."""
    settings = service_config.load_settings(service_config.find_config(config_of(ctx)))
    if not any(_tokens(settings)):
        host = settings.inbox.host if isinstance(settings.inbox, Imap) else ""
        provider = discovery.provider_of_host(host)
        instead = WRITE_IT
        if provider is not None and provider.flow != "microsoft":
            instead = f"{provider.wants} Or, for a token: {WRITE_IT}"
        raise Refusal("Can't log in", "gm.toml has no token that gm login could fetch", instead)
    for table, _, token in _tokens(settings):
        secret = _refresh_secret(token)
        if secret.kind in ("text", "env") or (secret.kind == "command" and not secret.store):
            raise Refusal(
                f"gm.toml: [{table}] token",
                "we can't write a new token there",
                "Name a file, or a command with store = … that stores its standard input",
            )
    return settings


# ``gm login``.

ClientId = Annotated[
    str | None,
    typer.Option("--client-id", metavar="ID", help="The ID of the registered client (default: as before)."),
]
MicrosoftTenant = Annotated[
    str | None,
    typer.Option("--tenant", help="The Microsoft tenant (default: as before, or any organization)."),
]
SignInFlow = Annotated[
    str | None,
    typer.Option("--flow", metavar="microsoft|google", help="The provider (default: by the mail server)."),
]
SignInServer = Annotated[
    str | None,
    typer.Option("--authority", metavar="URL", help="The sign-in server, for Microsoft's national clouds."),
]
LoopbackPort = Annotated[
    int,
    typer.Option("--port", min=1, max=65535, help="The port here that a browser comes back to, for Google."),
]

login_app = alone()


@login_app.command(
    epilog=example(
        "gm login",
        "gm login --client-id 0f3c… --tenant example.onmicrosoft.com",
        then='Without a client ID it prints how to register one. "gm logout" revokes the token.',
    )
)
def login(
    ctx: typer.Context,
    client_id: ClientId = None,
    tenant: MicrosoftTenant = None,
    flow: SignInFlow = None,
    authority: SignInServer = None,
    port: LoopbackPort = LOOPBACK_PORT,
    as_json: Json = False,
) -> None:
    """Log in to a mailbox that takes tokens: Microsoft, Google Workspace.

    For Microsoft you enter a code in any browser. For Google a browser comes back to a port of this machine.
    The token is kept where [inbox] token in gm.toml says, in a file that only you can read or by your own
    command. Both logins are then tried. A running service goes on by itself. It needs the libraries of
    turnpost[login].
    """
    settings = _settings_with_tokens(ctx)
    (_, at, token), *_others = _tokens(settings)
    last = _last_sign_in(token)
    named = flow or (last.flow if last else _flow_of(at, token))
    if named not in ("microsoft", "google"):
        raise typer.BadParameter("use microsoft or google", param_hint="--flow")
    known = token.client_id if isinstance(token, Grant) else last.client_id if last else None
    if not (client_id or known):
        say(oauth.MICROSOFT_STEPS if named == "microsoft" else oauth.GOOGLE_STEPS)
        raise typer.Exit(1)
    client = oauth.SignInClient(
        flow=named,
        client_id=client_id or known or "",
        tenant=tenant or _tenant(settings, token, last),
        secret=_client_secret(token, last),
        authority=authority or _authority(token, last),
    )
    browser = named == "google" and _has_browser()
    if named == "google" and not browser:
        say(
            "This machine has no browser for that. On your own computer, type this and leave it running:",
            f"  ssh -L {port}:localhost:{port} {os.environ.get('USER', 'you')}@{socket.gethostname()}",
        )
    _keep(settings, oauth.sign_in(client, settings.address, _teller(as_json), port, browser))
    _say_done(settings, as_json)


def _client_secret(token: Grant | Login, last: oauth.SignIn | None) -> str:
    if CLIENT_SECRET in os.environ:
        return os.environ[CLIENT_SECRET]
    if isinstance(token, Grant):
        return token.client_secret.reveal() if token.client_secret else ""
    return last.client_secret if last else ""


def _keep(settings: Settings, got: oauth.SignIn) -> None:
    """Keep the token wherever gm.toml names a place for one. Raises Refusal if a place can't be written."""
    for table, _, token in _tokens(settings):
        if isinstance(token, Login):
            kept = oauth.keep_sign_in(token, got)
        else:
            kept = token.refresh_token.renew(got.refresh_token)
        if not kept:
            place = _refresh_secret(token).value
            raise Refusal(f"gm.toml: [{table}] token", f"can't write {place}", "Check who may write there")
        oauth.forget_token(token)


def _say_done(settings: Settings, as_json: bool) -> None:
    """Try both logins with the new token, and print what works. Raises Refusal."""
    tried = try_server("inbox", settings.inbox, lambda: smtp.create_mailbox(settings).try_out())
    tried += try_server("outbox", settings.outbox, lambda: smtp.create_carrier(settings).try_out())
    _, remarks = record_start(settings)
    if as_json:
        document({"logged_in": settings.address, "tried": list(tried)})
        return
    say(*(f"  works: {what}" for what in tried), *remarks)
    say(f"Logged in as {settings.address}. A running service goes on by itself.")


def _teller(as_json: bool) -> Callable[[str], None]:
    def tell(text: str) -> None:
        print(text, file=sys.stderr if as_json else sys.stdout, flush=True)

    return tell


def _flow_of(at: Imap | Smtp, token: Grant | Login) -> str:
    provider = discovery.provider_of_host(at.host)
    if provider is not None and provider.flow:
        return provider.flow
    return "google" if isinstance(token, Grant) and "google" in token.url else "microsoft"


def _authority(token: Grant | Login, last: oauth.SignIn | None) -> str:
    url = last.url if last else token.url if isinstance(token, Grant) else ""
    return "/".join(url.split("/")[:3]) if url.endswith("/oauth2/v2.0/token") else oauth.MICROSOFT


def _tenant(settings: Settings, token: Grant | Login, last: oauth.SignIn | None) -> str:
    url = last.url if last else token.url if isinstance(token, Grant) else ""
    if url.endswith("/oauth2/v2.0/token"):
        return url.split("/")[3]
    domain = settings.address.rpartition("@")[2]
    for provider in discovery.providers():
        if domain in provider.domains and provider.tenant:
            return provider.tenant
    return "organizations"


def _has_browser() -> bool:
    """Return whether a browser on this machine can come back to a port of it."""
    if os.environ.get("SSH_CONNECTION") or (
        sys.platform.startswith("linux")
        and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


# ``gm logout``.

logout_app = alone()


@logout_app.command(epilog=example("gm logout", then='The service waits until you use "gm login" again.'))
def logout(ctx: typer.Context, as_json: Json = False) -> None:
    """Revoke the token of a mailbox at its provider, and delete it here.

    Microsoft has no way to revoke a single token: it is deleted here, and the command says where you can end
    all sessions of the mailbox. A running service can go on for up to an hour, until its last access token
    ends.
    """
    settings, revoked, deleted = _settings_with_tokens(ctx), False, False
    for _, _, token in _tokens(settings):
        last = _last_sign_in(token)
        if last is not None and last.revoke_url:
            oauth.revoke(last)
            revoked = True
        deleted |= _refresh_secret(token).delete()
        oauth.forget_token(token)
    if not deleted and not revoked:
        raise Refusal("Can't log out", "nobody has logged in")
    if as_json:
        document({"revoked": revoked, "deleted": deleted})
        return
    say("The token is revoked and deleted." if revoked else "The token is deleted here.")
    if not revoked:
        say("To end it at Microsoft, as the mailbox: https://mysignins.microsoft.com, Sign out everywhere.")
