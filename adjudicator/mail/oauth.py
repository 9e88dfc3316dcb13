"""Access tokens for XOAUTH2: printed by a command, or fetched with a refresh token (RFC 6749 §6).

A token is reused until it is rejected or expires.
"""

import json
import logging
import threading
import time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

from adjudicator.config.secrets import Grant, Token
from adjudicator.errors import PostFault, Refusal
from adjudicator.model.addresses import is_loopback

TOKEN_REQUEST_SECONDS = 30.0
EARLY_SECONDS = 60.0
"""A token isn't used any more this long before it expires."""

_MAX_TOKEN_ANSWER_BYTES = 100_000
_lock = threading.Lock()
_fetched: dict[Grant, tuple[float, str]] = {}
_rotated: dict[Grant, str] = {}
"""Refresh tokens that replace those in the settings but couldn't be written there."""

log = logging.getLogger(__name__)


def access_token(token: Token) -> str:
    """Return the access token, and fetch a new one if the last one isn't valid. This may take a while.

    Raises Refusal if the settings don't allow it, PostFault if the server doesn't reply.
    """
    if not isinstance(token, Grant):
        return token.reveal()
    with _lock:
        ends, text = _fetched.get(token, (0.0, ""))
        if time.monotonic() >= ends:
            ends, text = _fetch(token)
            _fetched[token] = ends, text
        return text


def forget_token(token: Token) -> None:
    """Fetch a new token next time, because the current one was rejected."""
    if isinstance(token, Grant):
        with _lock:
            _fetched.pop(token, None)
    else:
        token.forget()


def _fetch(grant: Grant) -> tuple[float, str]:
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
        _store_refresh_token(grant, rotated)
    return time.monotonic() + max(lasts - EARLY_SECONDS, 0), text


def _store_refresh_token(grant: Grant, rotated: str) -> None:
    """Store a refresh token that replaces ours, which may soon expire."""
    if grant.refresh_token.renew(rotated):
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
                "Sign in again where you got the refresh token, and put the new token there",
            ) from fault
        raise PostFault(_name(grant), f"{fault.code} {why}", 300.0) from fault
    except (OSError, ValueError) as fault:
        raise PostFault(_name(grant), f"it can't be reached ({fault})", 60.0) from fault
    if not isinstance(parsed_answer, dict):
        raise PostFault(_name(grant), "its reply isn't valid", 300.0)
    return parsed_answer


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
