"""Discourse by its REST interface: topics begun, posts written and read, maps uploaded.

Written against the published description of that interface (docs.discourse.org). One thing goes beyond it:
posts are asked for together with what was typed (``include_raw``), since only that can be read for orders; a
forum that leaves it out is asked for each post by itself, as the description has it.
"""

# Rule 1: nothing of the key, and nothing that the server says, stands in what is told of it.
# Rule 2: whatever is written is looked for first, by its mark: so that a broken answer makes no second post.

import hashlib
import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from adjudicator import __version__
from adjudicator.clock import Millis, WallClock, instant
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.ledger.letters import Attachment
from adjudicator.post.board import Newest, NotTaken, Placed, Written
from adjudicator.post.public_address import LookUp, NotPublic, addresses_of, reachable
from adjudicator.post.timed_connection import TimedConnection, told_apart
from adjudicator.post.webhook import PORTS, REDIRECTS, SECONDS, pause, server_of
from adjudicator.settings.channel import Channel, unfit

CHUNK = 20
"""So many posts are asked for at once."""

LOOKED_BACK = 60
"""Among so many posts, the last of a topic, one of ours is looked for before it is written again."""

CHANGES = 40
"""So many posts, the last of a topic, are looked at for changes."""

LONGEST_TEXT = 32_000
SHORTEST_TITLE = 15
"""What Discourse takes, where its owner has not set it otherwise."""

_MOST_BYTES = 8_000_000
_LATER = (408, 409, 425, 429)
_PLAIN_POST = 1
_KEY = re.compile(r"[\x21-\x7e]+")
_CHAPTER = "\n## "
_CALLS_SOMEBODY = re.compile(r"@(?=\w)")


@dataclass(frozen=True)
class _Said:
    """What the forum answers: its status, and the object in JSON that comes with it."""

    status: int
    about: dict[str, Any]


@dataclass
class Discourse:
    """`board.Board` of a forum that Discourse runs. look_up: by which its server's name is."""

    channel: Channel
    look_up: LookUp = addresses_of
    seconds: float = SECONDS
    _texts: dict[tuple[int, int, str], str] = field(default_factory=dict, repr=False)
    _not_before: float = 0.0
    _tells_newest: bool = True

    def account(self) -> str:
        """As in `board.Board`."""
        return self.channel.account

    def post(
        self, mark: str, topic: str | None, title: str, text: str, uploads: Sequence[Attachment]
    ) -> Placed:
        """As in `board.Board`."""
        found = self._begun(mark) if topic is None else self._written(mark, topic)
        if found is not None:
            return found
        said = {"raw": typed(text, [self._uploaded(one) for one in uploads], mark)}
        if topic is not None:
            return _placed(self._tell("/posts.json", {**said, "topic_id": int(topic)}))
        begins: dict[str, Any] = {**said, "title": title.ljust(SHORTEST_TITLE, "."), "external_id": mark}
        if self.channel.category is not None:
            begins["category"] = self.channel.category
        return _placed(self._tell("/posts.json", begins))

    def posts(self, topic: str, after: int) -> Sequence[Written]:
        """As in `board.Board`."""
        found = [
            one for one in self._standing(topic, after, CHANGES) if not self._is_ours(one) and _counts(one)
        ]
        return sorted((self._read(one) for one in found), key=lambda one: (one.at, int(one.number)))

    def newest(self) -> Newest | None:
        """As in `board.Board`. A key that may not ask for it is not used for it again."""
        if not self._tells_newest:
            return None
        said = self._ask("GET", "/posts.json")
        if said.status in (401, 403, 404, 410):
            self._tells_newest = False
            return None
        found = [
            (_number(one, "id"), _number(one, "topic_id")) for one in _objects(said.about, "latest_posts")
        ]
        topics: dict[str, int] = {}
        for number, topic in sorted(found):
            topics[str(topic)] = number
        return Newest(topics, min((number for number, _ in found), default=1) - 1)

    def try_out(self) -> str:
        """As in `board.Board`."""
        said = self._get(f"/u/{self.channel.account}.json")
        if said.status >= 400:
            raise LoginFault("channel", f"the forum does not know the account {self.channel.account}")
        return f"the forum of {self.channel.called} lets {self.channel.account} in"

    # Posts.

    def _begun(self, mark: str) -> Placed | None:
        said = self._get(f"/t/external_id/{mark}.json")
        if said.status in (404, 410):
            return None
        first = _objects(said.about.get("post_stream"), "posts")
        return Placed(str(_number(said.about, "id")), str(_number(first[0], "id")) if first else "")

    def _written(self, mark: str, topic: str) -> Placed | None:
        for one in self._standing(topic, None, LOOKED_BACK, gone=NotTaken("its topic is gone")):
            if self._is_ours(one) and _mark(mark) in self._text(one):
                return Placed(topic, str(_number(one, "id")))
        return None

    def _standing(
        self, topic: str, after: int | None, last: int, gone: Exception | None = None
    ) -> list[dict[str, Any]]:
        """The posts of a topic with numbers after one, and the last ones anyhow. gone: raised where it is."""
        said = self._get(f"/t/{topic}.json?include_raw=true")
        if said.status in (404, 410):
            if gone is not None:
                raise gone
            return []
        stream = said.about.get("post_stream")
        numbers = [one for one in _list(stream, "stream") if type(one) is int]
        wanted = {*numbers[-last:], *(one for one in numbers if after is not None and one > after)}
        found = {_number(one, "id"): one for one in _objects(stream, "posts")}
        for some in _chunks(sorted(wanted - found.keys())):
            asked = urlencode([*(("post_ids[]", one) for one in some), ("include_raw", "true")])
            more = self._get(f"/t/{topic}/posts.json?{asked}").about.get("post_stream")
            found |= {_number(one, "id"): one for one in _objects(more, "posts")}
        return [found[one] for one in sorted(wanted & found.keys())]

    def _read(self, one: dict[str, Any]) -> Written:
        # A name may be given up and taken by somebody else; the number of an account never is.
        return Written(
            number=str(_number(one, "id")),
            version=_number(one, "version"),
            poster=f"{_string(one, 'username')}.{_number(one, 'user_id')}",
            text=self._text(one),
            at=_instant(_string(one, "updated_at")),
        )

    def _is_ours(self, one: dict[str, Any]) -> bool:
        return _string(one, "username").lower() == self.channel.account.lower()

    def _text(self, one: dict[str, Any]) -> str:
        if isinstance(one.get("raw"), str):
            return str(one["raw"])
        number = _number(one, "id")
        here = (number, _number(one, "version"), _string(one, "updated_at"))
        if here not in self._texts:
            self._texts[here] = _string(self._get(f"/posts/{number}.json").about, "raw")
        return self._texts[here]

    def _uploaded(self, file: Attachment) -> str:
        """A picture as it is put into a post; "" where the forum does not want it: then it goes without."""
        line = "-" * 4 + hashlib.sha256(file.content).hexdigest()[:32]
        name = re.sub(r"[^A-Za-z0-9._-]", "-", str(file.name))
        fields = {"upload_type": "composer", "type": "composer", "synchronous": "true"}
        head = "".join(
            f'--{line}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in fields.items()
        )
        head += f'--{line}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        head += f"Content-Type: {file.media}\r\n\r\n"
        body = head.encode() + file.content + f"\r\n--{line}--\r\n".encode()
        said = self._ask("POST", "/uploads.json", body, f"multipart/form-data; boundary={line}")
        if said.status in (413, 422):
            return ""
        self._let_in(said)
        return f"![{name}]({_string(said.about, 'short_url')})"

    # The wire.

    def _tell(self, path: str, said: dict[str, Any]) -> dict[str, Any]:
        answer = self._ask("POST", path, json.dumps(said).encode(), "application/json")
        self._let_in(answer)
        if answer.status >= 300:
            why = "may our account post there, in that category, under such a title?"
            raise NotTaken(f"the forum refuses it ({answer.status}): {why}")
        if "id" not in answer.about:
            raise NotTaken("the forum keeps it for a moderator to look at: let our account post by itself")
        return answer.about

    def _get(self, path: str) -> _Said:
        said = self._ask("GET", path)
        if said.status not in (404, 410):
            self._let_in(said)
            if said.status >= 300:
                raise PostFault("channel", f"the forum answers {said.status}")
        return said

    def _let_in(self, said: _Said) -> None:
        if said.status in (401, 403):
            why = f"the forum does not let us in ({said.status}): its key is void, or may not do so much"
            raise LoginFault("channel", why)

    def _ask(self, method: str, path: str, body: bytes | None = None, media: str = "") -> _Said:
        left = self._not_before - time.monotonic()
        if left > 0:
            raise PostFault("channel", "the forum wants to be left alone for a while", left)
        try:
            url, headers = self._site() + path, self._headers(media)
        except Refusal as fault:
            raise LoginFault("channel", f"{fault.what}: {fault.why}") from fault
        first, ends = urlsplit(url), time.monotonic() + self.seconds
        for _ in range(REDIRECTS + 1):
            said, goes_to, waits = self._once(method, url, body, headers, ends)
            if said.status >= 500 or said.status in _LATER:
                raise self._put_off(said, waits)
            if method != "GET" or not 300 <= said.status < 400 or goes_to is None:
                return said
            url = urljoin(url, goes_to)
            if server_of(urlsplit(url)) != server_of(first):
                raise PostFault("channel", "the forum sends us to another server")
        raise PostFault("channel", "the forum sends us round in a ring")

    def _once(
        self, method: str, url: str, body: bytes | None, headers: dict[str, str], ends: float
    ) -> tuple[_Said, str | None, str | None]:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        try:
            addresses = reachable(host, port, local=self.channel.local, look_up=self.look_up)
        except NotPublic as fault:
            why = "its address leads to this machine or into its own network, and  local = true  is not said"
            raise PostFault("channel", why) from fault
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = TimedConnection(host, port, addresses, parts.scheme == "https", ends)
        with told_apart(ends), closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read(_MOST_BYTES + 1)
            goes_to, waits = answer.getheader("Location"), answer.getheader("Retry-After")
        about = _object(content, answer.status)
        return _Said(answer.status, about), goes_to, waits

    def _put_off(self, said: _Said, waits: str | None) -> PostFault:
        now = WallClock().now()
        extras = said.about.get("extras")
        also = extras.get("wait_seconds") if isinstance(extras, dict) else None
        until = pause(waits or (str(int(also)) if isinstance(also, int | float) else None), now)
        seconds = None if until is None else (until - now) / 1000
        if seconds is not None:
            self._not_before = time.monotonic() + seconds
        waits_for = "" if seconds is None else f" and wants to be left alone for {round(seconds)} seconds"
        return PostFault("channel", f"the forum answers {said.status}{waits_for}", seconds)

    def _site(self) -> str:
        assert self.channel.url is not None, "a forum has an address"
        url = self.channel.url.reveal()
        if (why := unfit(url, local=self.channel.local)) is not None:
            raise Refusal(f"gm.toml: {self.channel.url.named}", why)
        return url.rstrip("/")

    def _headers(self, media: str) -> dict[str, str]:
        assert self.channel.secret is not None, "a forum has a key"
        key = self.channel.secret.reveal()
        if _KEY.fullmatch(key) is None:
            raise Refusal(f"gm.toml: {self.channel.secret.named}", "is no key of a Discourse forum")
        headers = {
            "Accept": "application/json",
            "Api-Key": key,
            "Api-Username": self.channel.account,
            "User-Agent": f"Turnpost/{__version__}",
        }
        return {**headers, "Content-Type": media} if media else headers


def typed(text: str, pictures: Sequence[str], mark: str) -> str:
    """What is typed into a post. Nobody is called by what we write; the mark is seen by nobody who reads.

    Pictures stand before the first chapter: below all of them nobody would look for a map.
    """
    first, chapter, rest = _CALLS_SOMEBODY.sub("@\u2060", text.strip()).partition(_CHAPTER)
    parts = (first.strip(), *pictures, f"{chapter}{rest}".strip(), _mark(mark))
    return "\n\n".join(filter(None, parts))


def _mark(mark: str) -> str:
    return f"<!-- turnpost {mark} -->"


def _placed(about: dict[str, Any]) -> Placed:
    return Placed(str(_number(about, "topic_id")), str(_number(about, "id")))


def _counts(one: dict[str, Any]) -> bool:
    """Whether it is a post that all may read, and not what the forum notes between posts."""
    gone = one.get("deleted_at") or one.get("user_deleted") or one.get("hidden")
    return not gone and one.get("post_type", _PLAIN_POST) == _PLAIN_POST


def _chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


# What comes is somebody else's: nothing of it is believed to have the form that was promised.


def _object(content: bytes, status: int) -> dict[str, Any]:
    if len(content) > _MOST_BYTES:
        raise PostFault("channel", "the forum answers at too great a length")
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    if status < 300:
        raise _otherwise()
    return {}


def _otherwise() -> PostFault:
    return PostFault("channel", "the forum answers otherwise than Discourse does")


def _list(about: Any, key: str) -> list[Any]:
    found = about.get(key) if isinstance(about, dict) else None
    if not isinstance(found, list):
        raise _otherwise()
    return found


def _objects(about: Any, key: str) -> list[dict[str, Any]]:
    return [one for one in _list(about, key) if isinstance(one, dict)]


def _number(about: dict[str, Any], key: str) -> int:
    found = about.get(key)
    if type(found) is not int:
        raise _otherwise()
    return found


def _string(about: dict[str, Any], key: str) -> str:
    found = about.get(key)
    if not isinstance(found, str):
        raise _otherwise()
    return found


def _instant(text: str) -> Millis:
    try:
        return instant(datetime.fromisoformat(text))
    except ValueError as fault:
        raise _otherwise() from fault
