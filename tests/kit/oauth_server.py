"""An OAuth server on loopback, by authlib: device codes, authorization codes, renewal, revocation.

It also tells mail servers whether an access token is valid (RFC 7662), as long as it lasts. It serves HTTPS
for programs, with the tests' certificate, and HTTP for Dovecot, which asks from this machine.
"""

import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from authlib.common.security import generate_token
from authlib.oauth2.rfc6749 import AuthorizationServer, ClientMixin, OAuth2Request, TokenMixin, grants
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict

from tests.kit.certificates import CertificateFiles

CLIENT_ID, CLIENT_SECRET, TENANT = "turnpost-client", "client-hush", "club"


@dataclass
class IssuedToken(TokenMixin):
    """A refresh token, or an access token. ends: by the monotonic clock."""

    text: str
    user: str
    client_id: str
    scope: str
    ends: float

    def check_client(self, client: Any) -> bool:
        return client.get_client_id() == self.client_id

    def get_scope(self) -> str:
        return self.scope

    def get_expires_in(self) -> int:
        return max(int(self.ends - time.monotonic()), 0)

    def is_expired(self) -> bool:
        return time.monotonic() >= self.ends

    def is_revoked(self) -> bool:
        return False

    def get_user(self) -> str:
        return self.user


class RegisteredClient(ClientMixin):
    """The one client: public for Microsoft's flow, with a secret for Google's."""

    def get_client_id(self) -> str:
        return CLIENT_ID

    def get_default_redirect_uri(self) -> str:
        return ""

    def get_allowed_scope(self, scope: str) -> str:
        return scope or ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return urlsplit(redirect_uri).hostname in ("localhost", "127.0.0.1")

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == CLIENT_SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return True

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return True


@dataclass
class OAuthServer:
    """An OAuth server's data.

    user: the account that signs in at its pages. lasts: seconds of an access token. broken: a status with
    which renewals fail. approves: whether the person agrees. rotates: whether a renewal gives a new refresh
    token. renewals: how many there were. asked: the paths of requests. signed_in: the parameters of sign-ins.
    """

    papers: CertificateFiles
    port: int = 0
    plain_port: int = 0
    user: str = "gm"
    lasts: float = 3600
    broken: int | None = None
    approves: bool = True
    rotates: bool = False
    renewals: int = 0
    refresh: dict[str, IssuedToken] = field(default_factory=dict)
    access: dict[str, IssuedToken] = field(default_factory=dict)
    devices: dict[str, DeviceCredentialDict] = field(default_factory=dict)
    codes: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    signed_in: list[dict[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Return its address for programs."""
        return f"https://localhost:{self.port}"

    def expire(self) -> None:
        """End every access token now."""
        self.access.clear()

    def revoke_all(self) -> None:
        """End every token, as after a change of the password."""
        self.access.clear()
        self.refresh.clear()


class _Request(OAuth2Request):
    """A request of our own web server."""

    def __init__(self, method: str, uri: str, fields: dict[str, str], headers: dict[str, str]) -> None:
        super().__init__(method, uri, headers=headers)
        self.payload = BasicOAuth2Payload(fields)
        self._fields = fields

    @property
    def form(self) -> dict[str, str]:
        return self._fields if self.method == "POST" else {}

    @property
    def args(self) -> dict[str, str]:
        return self._fields if self.method == "GET" else {}


class _Authorization(AuthorizationServer):
    """Authlib's server with the state of the tests."""

    def __init__(self, state: OAuthServer) -> None:
        super().__init__()
        self.state = state
        self.register_token_generator("default", self.make_token)
        self.register_endpoint(_DeviceCodes(self))
        self.register_endpoint(_Revocation)
        for grant in (_DeviceGrant, _Renewal):
            self.register_grant(grant)
        self.register_grant(_CodeGrant, [CodeChallenge(required=False)])

    def query_client(self, client_id: str) -> RegisteredClient | None:
        return RegisteredClient() if client_id == CLIENT_ID else None

    def save_token(self, token: dict[str, Any], request: Any) -> None:
        return None

    def send_signal(self, name: str, *words: Any, **more: Any) -> None:
        return None

    def create_oauth2_request(self, request: Any) -> Any:
        return request

    def handle_response(self, status: int, body: Any, headers: Any) -> Any:
        return status, body, dict(headers)

    def make_token(self, grant_type: str, client: Any, user: Any, scope: Any, **more: Any) -> dict[str, Any]:
        """Return a new access token, and a refresh token with the first one or with each."""
        it, now = self.state, time.monotonic()
        owner, scope = str(user or it.user), scope or ""
        text = f"access-{generate_token(20)}"
        it.access[text] = IssuedToken(text, owner, CLIENT_ID, scope, now + it.lasts)
        token = {"token_type": "Bearer", "access_token": text, "expires_in": int(it.lasts), "scope": scope}
        if more.get("include_refresh_token", True) and (grant_type != "refresh_token" or it.rotates):
            refresh = f"refresh-{generate_token(20)}"
            it.refresh[refresh] = IssuedToken(refresh, owner, CLIENT_ID, scope, now + 1e9)
            token["refresh_token"] = refresh
        return token


_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]


class _DeviceCodes(DeviceAuthorizationEndpoint):
    INTERVAL = 1

    def get_verification_uri(self) -> str:
        return f"{self.server.state.url}/device"

    def save_device_credential(self, client_id: str, scope: str, data: dict[str, Any]) -> None:
        kept = {**data, "client_id": client_id, "scope": scope, "expires_at": time.time() + 900}
        self.server.state.devices[data["device_code"]] = DeviceCredentialDict(kept)


class _DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = _AUTH_METHODS

    def query_device_credential(self, device_code: str) -> Any:
        return self.server.state.devices.get(device_code)

    def query_user_grant(self, user_code: str) -> Any:
        return self.server.state.user, self.server.state.approves

    def should_slow_down(self, credential: Any) -> bool:
        return False


class _CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = _AUTH_METHODS

    def save_authorization_code(self, code: str, request: Any) -> None:
        self.server.state.codes[code] = _Code(request.payload.data)

    def query_authorization_code(self, code: str, client: Any) -> Any:
        return self.server.state.codes.get(code)

    def delete_authorization_code(self, authorization_code: Any) -> None:
        it = self.server.state
        it.codes = {code: kept for code, kept in it.codes.items() if kept is not authorization_code}

    def authenticate_user(self, authorization_code: Any) -> str:
        return str(self.server.state.user)


class _Renewal(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = _AUTH_METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> IssuedToken | None:
        return self.server.state.refresh.get(refresh_token)

    def authenticate_user(self, refresh_token: IssuedToken) -> str:
        return refresh_token.user

    def revoke_old_credential(self, refresh_token: IssuedToken) -> None:
        if self.server.state.rotates:
            self.server.state.refresh.pop(refresh_token.text, None)


class _Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = _AUTH_METHODS

    def query_token(self, token_string: str, token_type_hint: str | None) -> IssuedToken | None:
        return self.server.state.refresh.get(token_string) or self.server.state.access.get(token_string)

    def revoke_token(self, token: IssuedToken, request: Any) -> None:
        it = self.server.state
        it.refresh.pop(token.text, None)
        it.access = {text: kept for text, kept in it.access.items() if kept.user != token.user}


class _Code(dict[str, Any]):
    """An authorization code with its request."""

    def get_redirect_uri(self) -> str:
        return str(self.get("redirect_uri", ""))

    def get_scope(self) -> str:
        return str(self.get("scope", ""))

    def __getattr__(self, name: str) -> Any:
        return self.get(name)


class _Pages(BaseHTTPRequestHandler):
    """The web server."""

    state: OAuthServer
    authorization: _Authorization

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.state.asked.append(parts.path)
        if parts.path.endswith("/.well-known/openid-configuration"):
            self.reply(200, _description(f"{self.state.url}/{parts.path.split('/')[1]}"))
        elif parts.path == "/authorize":
            fields = dict(parse_qsl(parts.query))
            self.state.signed_in.append(fields)
            request = self.request_of(fields)
            grant = self.authorization.get_consent_grant(request, self.state.user)
            response = self.authorization.create_authorization_response(request, self.state.user, grant)
            self.reply(*response)
        else:
            self.reply(404, {})

    def do_POST(self) -> None:
        path, body = urlsplit(self.path).path, self.rfile.read(int(self.headers["Content-Length"] or 0))
        fields = dict(parse_qsl(body.decode()))
        self.state.asked.append(path)
        if path == "/introspect":
            self.reply(200, self.introspect(fields.get("token", "")))
        elif path.endswith("/devicecode"):
            self.reply(
                *self.authorization.create_endpoint_response("device_authorization", self.request_of(fields))
            )
        elif path == "/revoke":
            self.reply(*self.authorization.create_endpoint_response("revocation", self.request_of(fields)))
        elif path.endswith("/token"):
            self.give_token(fields)
        else:
            self.reply(404, {})

    def introspect(self, text: str) -> dict[str, Any]:
        token = self.state.access.get(text)
        if token is None or token.is_expired():
            return {"active": False}
        return {"active": True, "username": token.user}

    def give_token(self, fields: dict[str, str]) -> None:
        if fields.get("grant_type") == "refresh_token":
            self.state.renewals += 1
            if self.state.broken is not None:
                self.reply(self.state.broken, {"error": "temporarily_unavailable"})
                return
        self.reply(*self.authorization.create_token_response(self.request_of(fields)))

    def request_of(self, fields: dict[str, str]) -> _Request:
        return _Request(self.command, f"{self.state.url}{self.path}", fields, dict(self.headers))

    def reply(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *words: Any) -> None:
        """Log nothing."""


@contextmanager
def oauth_server(papers: CertificateFiles) -> Iterator[OAuthServer]:
    """Run the server."""
    it = OAuthServer(papers)
    pages = type("Pages", (_Pages,), {"state": it, "authorization": _Authorization(it)})
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(papers.certificate, papers.key)
    safe, plain = (ThreadingHTTPServer(("127.0.0.1", 0), pages) for _ in range(2))
    safe.socket = context.wrap_socket(safe.socket, server_side=True)
    it.port, it.plain_port = safe.server_port, plain.server_port
    threads = [
        threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.05}) for one in (safe, plain)
    ]
    for thread in threads:
        thread.start()
    try:
        yield it
    finally:
        for one in (safe, plain):
            one.shutdown()
            one.server_close()
        for thread in threads:
            thread.join()


def _description(tenant: str) -> dict[str, str]:
    return {
        "issuer": f"{tenant}/v2.0",
        "authorization_endpoint": f"{tenant}/oauth2/v2.0/authorize",
        "token_endpoint": f"{tenant}/oauth2/v2.0/token",
        "device_authorization_endpoint": f"{tenant}/oauth2/v2.0/devicecode",
    }
