"""Recorded exchanges with a Discourse forum: our client and the tests' forum agree with them."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import pytest

from adjudicator.clock import datetime_of
from adjudicator.config.channels import Channel
from adjudicator.config.secrets import Secret
from adjudicator.errors import LoginFault, PostFault
from adjudicator.mail.discourse import Discourse, PostRejected
from adjudicator.model.mail import Attachment, HeaderText
from tests.kit.discourse import ACCOUNT, KEY, Forum, Trouble, forum
from tests.kit.recorded import playing
from tests.kit.servers import HANGING_SECONDS

FILES = sorted(Path(__file__).with_name("exchanges").glob("*.json"))
FAULTS = {fault.__name__: fault for fault in (LoginFault, PostFault, PostRejected)}
PICTURE = b"\x89PNG\r\n\x1a\n..."


def board(url: str) -> Discourse:
    channel = Channel(
        name="club",
        kind="discourse",
        url=Secret("text", url),
        secret=Secret("text", KEY, "[[channel]] club: secret"),
        account=ACCOUNT,
        category=5,
        local=True,
    )
    return Discourse(channel, seconds=HANGING_SECONDS)


def run_record(one: Discourse, does: dict[str, list[Any]]) -> Any:
    """Do what a record says and return the outcome in the record's form."""
    ((what, words),) = does.items()
    if what == "post":
        pictures = [
            Attachment(name=HeaderText(name), media=HeaderText("image/png"), content=PICTURE)
            for name in words[4:]
        ]
        return asdict(one.post(*words[:4], pictures))
    if what == "posts":
        return [
            [
                int(post.number),
                post.version,
                post.poster,
                post.text,
                f"{datetime_of(post.at):%Y-%m-%dT%H:%M:%S}.000Z",
            ]
            for post in one.posts(*words)
        ]
    if what == "newest":
        newest = one.newest()
        return newest and asdict(newest)
    assert what == "try_out"
    return one.try_out()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_client_does_with_each_answer_what_is_recorded(file: Path) -> None:
    record = json.loads(file.read_text(encoding="utf-8"))
    gives = record["gives"]
    with playing(file) as it:
        one = board(it.url)
        if isinstance(gives, dict) and "raises" in gives:
            with pytest.raises(FAULTS[gives["raises"]]) as fault:
                run_record(one, record["does"])
            assert gives["says"] in f"{fault.value}"
            waits = getattr(fault.value, "retry_after", None)
            assert waits is None or gives["waits"] - 2 < waits <= gives["waits"]
            assert ("waits" in gives) == (waits is not None)
        elif isinstance(gives, str):
            assert gives in run_record(one, record["does"])
        else:
            assert run_record(one, record["does"]) == gives
        assert (it.left, it.astray) == ([], [])


def nothing_more(it: Forum) -> None:
    """The forum is as it is at the start."""


def a_topic(it: Forum) -> None:
    it.topics[70] = {"title": "[beaver] Indianomacy II", "external_id": "a" * 32}
    it.write(70, ACCOUNT, "Here the game is played.")


def a_topic_with_a_post(it: Forum) -> None:
    a_topic(it)
    it.write(70, "jane", "line 1")


def a_long_topic(it: Forum) -> None:
    a_topic(it)
    for count in range(1, 23):
        it.write(70, "jane" if count % 2 else "joe", f"line {count}")


def trouble(at: str) -> Callable[[Forum], None]:
    """The tests' forum fails as recorded; our client only has to report it."""

    def befalls(it: Forum) -> None:
        record = json.loads(next(one for one in FILES if one.stem == at).read_text(encoding="utf-8"))
        last = record["exchanges"][-1]
        asked = f"{last['request']['method']} {last['request']['path']}"
        said = last["answer"]
        it.script = [(asked, Trouble(said["status"], tuple(said["headers"].items()), said["body"]))]

    return befalls


def used_title(it: Forum) -> None:
    it.topics[71] = {"title": "[beaver] Indianomacy II", "external_id": "c" * 32}


BEFORE: dict[str, Callable[[Forum], None]] = {
    "account-known": nothing_more,
    "kept-for-a-moderator": trouble("kept-for-a-moderator"),
    "map-uploaded": a_topic,
    "newest-posts": a_long_topic,
    "not-let-in": trouble("not-let-in"),
    "post-written": a_topic,
    "posts-since": a_long_topic,
    "posts-without-what-was-typed": a_topic_with_a_post,
    "title-refused": used_title,
    "too-often": trouble("too-often"),
    "topic-begun": nothing_more,
    "topic-found-again": a_topic,
    "topic-gone": nothing_more,
}
"""How the forum of the tests stands before an exchange, by the name of its file."""


class Unled(HTTPRedirectHandler):
    """Redirects are answers here."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def ask_forum(it: Forum, request: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
    """Return the answer of the tests' forum: its status, object and headers."""
    headers = {"Api-Key": KEY, "Api-Username": ACCOUNT}
    data = None
    if "body" in request:
        data, headers["Content-Type"] = json.dumps(request["body"]).encode(), "application/json"
    elif "form" in request:
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="beaver-S1M.png"\r\n'
        data = head + b"Content-Type: image/png\r\n\r\n" + PICTURE + b"\r\n--x--\r\n"
        headers["Content-Type"] = "multipart/form-data; boundary=x"
    wanted = Request(it.url + request["path"], data, headers, method=request["method"])
    try:
        with build_opener(Unled).open(wanted, timeout=300) as answer:
            return answer.status, json.loads(answer.read() or b"null"), dict(answer.headers)
    except HTTPError as answer:
        with answer:
            return answer.code, json.loads(answer.read() or b"null"), dict(answer.headers)


def unlike(ours: Any, theirs: Any, at: str = "") -> list[str]:
    """Return where the tests' forum answers with a key or type that the recorded answer doesn't have."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = [f"{at}/{key}" for key in ours.keys() - theirs.keys()]
        return found + [
            one
            for key in ours.keys() & theirs.keys()
            for one in unlike(ours[key], theirs[key], f"{at}/{key}")
        ]
    if isinstance(ours, list) and isinstance(theirs, list):
        return [one for item in ours for one in unlike(item, theirs[0], f"{at}/0")] if theirs else []
    return [] if type(ours) is type(theirs) or None in (ours, theirs) else [f"{at}: {type(ours).__name__}"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_forum_of_the_tests_answers_as_recorded(file: Path) -> None:
    record = json.loads(file.read_text(encoding="utf-8"))
    with forum() as it:
        BEFORE[file.stem](it)
        it.raw = file.stem != "posts-without-what-was-typed"
        for one in record["exchanges"]:
            status, about, headers = ask_forum(it, one["request"])
            assert status == one["answer"]["status"], one["request"]
            assert unlike(about, one["answer"]["body"]) == []
            assert ("Location" in headers) == ("Location" in one["answer"]["headers"])
