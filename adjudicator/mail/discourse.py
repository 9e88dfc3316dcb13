"""Discourse through its REST API: starting topics, writing and reading posts, uploading maps.

Follows the published description of the API (docs.discourse.org), with one addition: posts are requested with
their source (``include_raw``), because orders can only be read from that. If a forum leaves it out, each post
is requested alone, as the description has it.
"""

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Protocol
from urllib.parse import urlencode, urljoin, urlsplit

from adjudicator import __version__
from adjudicator.clock import MINUTE, Clock, Millis, WallClock, datetime_of, instant_of
from adjudicator.config.channels import Channel, unfit
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.mail.maildir import Known
from adjudicator.mail.smtp import TimedConnection, told_apart
from adjudicator.mail.webhooks import (
    PORTS,
    REDIRECTS,
    WEBHOOK_TIMEOUT_SECONDS,
    NameLookup,
    NotPublic,
    addresses_of,
    reachable_addresses,
    retry_at,
    server_key,
)
from adjudicator.model.mail import Attachment, IncomingLetter

# The interface that the service needs of any forum server.
#
# Our posts go out like those of channels: they wait in the outbox under the channel's name, and the channel's
# sender passes them to `ForumClient.post`. Posts of others come in like emails: `letter_of_post` makes an
# email of each post, and a separate mailbox passes it to the poll, so that it is stored, read and answered
# like any other email.


_UNSAFE_ACCOUNT_CHARS = re.compile(r"[^A-Za-z0-9._-]")
_HOST = "forum.invalid"


@dataclass(frozen=True)
class PostPlace:
    """The place of our post: the number of its topic, and its own."""

    topic: str
    number: str


@dataclass(frozen=True)
class WrittenPost:
    """A post in a forum.

    number: its own. version: raised by edits (but not always at once). poster: the account, authenticated by
    the forum. text: in the forum's markup. at: when it was written or last edited.
    """

    number: str
    version: int
    poster: str
    text: str
    at: Millis


@dataclass(frozen=True)
class NewestPosts:
    """The latest posts of a forum, which show the topics without news.

    topics: by topic, the number of its newest post. since: every post with a higher number is among them.
    """

    topics: Mapping[str, int]
    since: int


class PostRejected(Exception):
    """Raised when a forum rejects a post permanently. Its text says why."""


class ForumClient(Protocol):
    """One forum, as one of its accounts sees it. All methods raise PostFault for errors of the server.

    Nothing is posted twice: `post` first looks for a post with the same mark.
    """

    def post(
        self, mark: str, topic: str | None, title: str, text: str, uploads: Sequence[Attachment]
    ) -> PostPlace:
        """Write a post. topic None: start a topic with this title. mark: identifies the post forever.

        Raises PostRejected if it is rejected permanently.
        """

    def posts(self, topic: str, after: int) -> Sequence[WrittenPost]:
        """Return the posts of a topic after a number, and the last ones anyway, as they may have been edited.

        Oldest first, without our own and without deleted posts. Empty if the topic is gone.
        """

    def newest(self) -> NewestPosts | None:
        """Return the latest posts of the whole forum by any account, or None if it doesn't list them."""

    def account(self) -> str:
        """Return the account under which we post."""

    def try_out(self) -> str:
        """Check that we can log in. Return a sentence about the result."""


def place_name(topic: str, post: WrittenPost) -> str:
    """Return the name of this version of a post, unique in its forum: its place in a mailbox.

    An edit soon after writing doesn't raise the version, so the name also includes the text.
    """
    return f"{topic}/{post.number}/{_state_of(post)}"


def letter_of_post(post: WrittenPost, game: str, forum: str, address: str) -> bytes:
    """Return a post as an email for the service to read.

    game: of its topic. forum: the channel's name. address: of the recipient. The sender is the account, at a
    host that no email can come from.
    """
    host = _host(forum)
    head = (
        f"Date: {format_datetime(datetime_of(post.at))}\r\n"
        f"From: {poster_address(post.poster, forum)}\r\n"
        f"To: {address}\r\n"
        # The subject isn't the topic's title, which moderators can change.
        f"Subject: Re: [{game}]\r\n"
        f"Message-ID: <{_UNSAFE_ACCOUNT_CHARS.sub('-', post.number)}.{_state_of(post)}@{host}>\r\n"
        f"List-Id: <{host}>\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: text/plain; charset="utf-8"\r\n'
        "Content-Transfer-Encoding: 8bit\r\n\r\n"
    )
    lines = "\r\n".join(post.text.splitlines())
    return head.encode() + f"{lines}\r\n".encode(errors="replace")


def poster_address(account: str, forum: str) -> str:
    """Return the database's address for an account of a forum: unique per account."""
    local = _UNSAFE_ACCOUNT_CHARS.sub(lambda sign: f"={ord(sign[0]):x}=", account.lower())
    return f"{local}@{_host(forum)}"


def _host(forum: str) -> str:
    return f"{_UNSAFE_ACCOUNT_CHARS.sub('-', forum)}.{_HOST}"


def _state_of(post: WrittenPost) -> str:
    digest = hashlib.sha256(post.text.encode(errors="replace")).hexdigest()[:12]
    return f"{post.version}.{digest}"


# Rule 1: no message contains the key or any text of the server. Rule 2: before writing, look for the mark, so
# that a lost reply causes no second post.


CHUNK = 20
"""The number of posts requested at once."""

POSTS_LOOKED_BACK = 60
"""The number of last posts of a topic that we search for our post before writing it again."""

CHANGES = 40
"""The number of last posts of a topic that are checked for edits."""

LONGEST_TEXT = 32_000
SHORTEST_TITLE = 15
"""Discourse's default limits."""

_MAX_FORUM_ANSWER_BYTES = 8_000_000
_RETRY_STATUSES = (408, 409, 425, 429)
_PLAIN_POST = 1
_API_KEY_RE = re.compile(r"[\x21-\x7e]+")
_CHAPTER = "\n## "
_CALLS_SOMEBODY = re.compile(r"@(?=\w)")


@dataclass(frozen=True)
class _DiscourseAnswer:
    """A reply of the forum: its status, and its JSON object."""

    status: int
    about: dict[str, Any]


@dataclass
class Discourse:
    """Implements `ForumClient` for a Discourse forum. look_up: resolves its server's name."""

    channel: Channel
    look_up: NameLookup = addresses_of
    seconds: float = WEBHOOK_TIMEOUT_SECONDS
    _texts: dict[tuple[int, int, str], str] = field(default_factory=dict, repr=False)
    _not_before: float = 0.0
    _tells_newest: bool = True

    def account(self) -> str:
        """As in `ForumClient`."""
        return self.channel.account

    def post(
        self, mark: str, topic: str | None, title: str, text: str, uploads: Sequence[Attachment]
    ) -> PostPlace:
        """As in `ForumClient`."""
        place = self._find_topic(mark) if topic is None else self._find_post(mark, topic)
        if place is not None:
            return place
        fields = {"raw": post_text(text, [self._upload(upload) for upload in uploads], mark)}
        if topic is not None:
            return _place_of_post(self._create("/posts.json", {**fields, "topic_id": int(topic)}))
        begins: dict[str, Any] = {**fields, "title": title.ljust(SHORTEST_TITLE, "."), "external_id": mark}
        if self.channel.category is not None:
            begins["category"] = self.channel.category
        return _place_of_post(self._create("/posts.json", begins))

    def posts(self, topic: str, after: int) -> Sequence[WrittenPost]:
        """As in `ForumClient`."""
        posts = [
            post
            for post in self._posts_of_topic(topic, after, CHANGES)
            if not self._is_ours(post) and _is_readable_post(post)
        ]
        return sorted((self._read(post) for post in posts), key=lambda post: (post.at, int(post.number)))

    def newest(self) -> NewestPosts | None:
        """As in `ForumClient`. If the key may not request it, it isn't requested again."""
        if not self._tells_newest:
            return None
        answer = self._ask("GET", "/posts.json")
        if answer.status in (401, 403, 404, 410):
            self._tells_newest = False
            return None
        numbers = [
            (_number(post, "id"), _number(post, "topic_id"))
            for post in _objects(answer.about, "latest_posts")
        ]
        topics: dict[str, int] = {}
        for number, topic in sorted(numbers):
            topics[str(topic)] = number
        return NewestPosts(topics, min((number for number, _ in numbers), default=1) - 1)

    def try_out(self) -> str:
        """As in `ForumClient`."""
        answer = self._get(f"/u/{self.channel.account}.json")
        if answer.status >= 400:
            raise LoginFault("channel", f"the forum doesn't know the account {self.channel.account}")
        return f"the forum of {self.channel.display_name} lets {self.channel.account} in"

    # Posts.

    def _find_topic(self, mark: str) -> PostPlace | None:
        answer = self._get(f"/t/external_id/{mark}.json")
        if answer.status in (404, 410):
            return None
        first = _objects(answer.about.get("post_stream"), "posts")
        return PostPlace(str(_number(answer.about, "id")), str(_number(first[0], "id")) if first else "")

    def _find_post(self, mark: str, topic: str) -> PostPlace | None:
        for post in self._posts_of_topic(
            topic, None, POSTS_LOOKED_BACK, gone=PostRejected("its topic is gone")
        ):
            if self._is_ours(post) and _mark(mark) in self._text(post):
                return PostPlace(topic, str(_number(post, "id")))
        return None

    def _posts_of_topic(
        self, topic: str, after: int | None, last: int, gone: Exception | None = None
    ) -> list[dict[str, Any]]:
        """Return the posts of a topic after a number, and the last ones anyway.

        gone: raised if the topic is.
        """
        answer = self._get(f"/t/{topic}.json?include_raw=true")
        if answer.status in (404, 410):
            if gone is not None:
                raise gone
            return []
        stream = answer.about.get("post_stream")
        numbers = [number for number in _list(stream, "stream") if type(number) is int]
        wanted = {*numbers[-last:], *(number for number in numbers if after is not None and number > after)}
        posts = {_number(post, "id"): post for post in _objects(stream, "posts")}
        for some in _chunks(sorted(wanted - posts.keys())):
            asked = urlencode([*(("post_ids[]", number) for number in some), ("include_raw", "true")])
            more = self._get(f"/t/{topic}/posts.json?{asked}").about.get("post_stream")
            posts |= {_number(post, "id"): post for post in _objects(more, "posts")}
        return [posts[number] for number in sorted(wanted & posts.keys())]

    def _read(self, post: dict[str, Any]) -> WrittenPost:
        # A user name can be given up and taken by someone else, but an account's number can't.
        return WrittenPost(
            number=str(_number(post, "id")),
            version=_number(post, "version"),
            poster=f"{_string(post, 'username')}.{_number(post, 'user_id')}",
            text=self._text(post),
            at=_instant(_string(post, "updated_at")),
        )

    def _is_ours(self, post: dict[str, Any]) -> bool:
        return _string(post, "username").lower() == self.channel.account.lower()

    def _text(self, post: dict[str, Any]) -> str:
        if isinstance(post.get("raw"), str):
            return str(post["raw"])
        number = _number(post, "id")
        here = (number, _number(post, "version"), _string(post, "updated_at"))
        if here not in self._texts:
            self._texts[here] = _string(self._get(f"/posts/{number}.json").about, "raw")
        return self._texts[here]

    def _upload(self, file: Attachment) -> str:
        """Return a picture's markup for a post, or "" if the forum rejects the picture."""
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
        answer = self._ask("POST", "/uploads.json", body, f"multipart/form-data; boundary={line}")
        if answer.status in (413, 422):
            return ""
        self._check_login(answer)
        return f"![{name}]({_string(answer.about, 'short_url')})"

    # HTTP requests.

    def _create(self, path: str, fields: dict[str, Any]) -> dict[str, Any]:
        answer = self._ask("POST", path, json.dumps(fields).encode(), "application/json")
        self._check_login(answer)
        if answer.status >= 300:
            why = "check that our account may post there, in that category, with this title"
            raise PostRejected(f"the forum rejects it ({answer.status}): {why}")
        if "id" not in answer.about:
            raise PostRejected("the forum holds it for a moderator: let our account post without approval")
        return answer.about

    def _get(self, path: str) -> _DiscourseAnswer:
        answer = self._ask("GET", path)
        if answer.status not in (404, 410):
            self._check_login(answer)
            if answer.status >= 300:
                raise PostFault("channel", f"the forum replied with status {answer.status}")
        return answer

    def _check_login(self, answer: _DiscourseAnswer) -> None:
        if answer.status in (401, 403):
            why = f"the forum rejects our login ({answer.status}): the key is revoked, or lacks a permission"
            raise LoginFault("channel", why)

    def _ask(self, method: str, path: str, body: bytes | None = None, media: str = "") -> _DiscourseAnswer:
        wait_seconds = self._not_before - time.monotonic()
        if wait_seconds > 0:
            raise PostFault("channel", "the forum asks us to wait", wait_seconds)
        try:
            url, headers = self._site() + path, self._headers(media)
        except Refusal as fault:
            raise LoginFault("channel", f"{fault.what}: {fault.why}") from fault
        first, ends = urlsplit(url), time.monotonic() + self.seconds
        for _ in range(REDIRECTS + 1):
            answer, goes_to, waits = self._once(method, url, body, headers, ends)
            if answer.status >= 500 or answer.status in _RETRY_STATUSES:
                raise self._retry_fault(answer, waits)
            if method != "GET" or not 300 <= answer.status < 400 or goes_to is None:
                return answer
            url = urljoin(url, goes_to)
            if server_key(urlsplit(url)) != server_key(first):
                raise PostFault("channel", "the forum redirects to another server")
        raise PostFault("channel", "the forum redirects in a loop")

    def _once(
        self, method: str, url: str, body: bytes | None, headers: dict[str, str], ends: float
    ) -> tuple[_DiscourseAnswer, str | None, str | None]:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        try:
            addresses = reachable_addresses(host, port, local=self.channel.local, look_up=self.look_up)
        except NotPublic as fault:
            why = "its address leads to this machine or into a private network, which needs  local = true"
            raise PostFault("channel", why) from fault
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = TimedConnection(host, port, addresses, parts.scheme == "https", ends)
        with told_apart(ends), closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read(_MAX_FORUM_ANSWER_BYTES + 1)
            goes_to, waits = answer.getheader("Location"), answer.getheader("Retry-After")
        about = _parse_object(content, answer.status)
        return _DiscourseAnswer(answer.status, about), goes_to, waits

    def _retry_fault(self, answer: _DiscourseAnswer, waits: str | None) -> PostFault:
        now = WallClock().now()
        extras = answer.about.get("extras")
        also = extras.get("wait_seconds") if isinstance(extras, dict) else None
        until = retry_at(waits or (str(int(also)) if isinstance(also, int | float) else None), now)
        seconds = None if until is None else (until - now) / 1000
        if seconds is not None:
            self._not_before = time.monotonic() + seconds
        waits_for = "" if seconds is None else f" and asks us to wait {round(seconds)} seconds"
        return PostFault("channel", f"the forum replied with status {answer.status}{waits_for}", seconds)

    def _site(self) -> str:
        assert self.channel.url is not None, "a forum has an address"
        url = self.channel.url.reveal()
        if (why := unfit(url, local=self.channel.local)) is not None:
            raise Refusal(f"gm.toml: {self.channel.url.named}", why)
        return url.rstrip("/")

    def _headers(self, media: str) -> dict[str, str]:
        assert self.channel.secret is not None, "a forum has a key"
        key = self.channel.secret.reveal()
        if _API_KEY_RE.fullmatch(key) is None:
            raise Refusal(f"gm.toml: {self.channel.secret.named}", "that isn't a key of a Discourse forum")
        headers = {
            "Accept": "application/json",
            "Api-Key": key,
            "Api-Username": self.channel.account,
            "User-Agent": f"Turnpost/{__version__}",
        }
        return {**headers, "Content-Type": media} if media else headers


def post_text(text: str, pictures: Sequence[str], mark: str) -> str:
    """Return the text of a post. It notifies no user by @name, and readers don't see the mark.

    Pictures come before the first section: readers wouldn't look for a map below all sections.
    """
    first, chapter, rest = _CALLS_SOMEBODY.sub("@\u2060", text.strip()).partition(_CHAPTER)
    parts = (first.strip(), *pictures, f"{chapter}{rest}".strip(), _mark(mark))
    return "\n\n".join(filter(None, parts))


def _mark(mark: str) -> str:
    return f"<!-- turnpost {mark} -->"


def _place_of_post(about: dict[str, Any]) -> PostPlace:
    return PostPlace(str(_number(about, "topic_id")), str(_number(about, "id")))


def _is_readable_post(post: dict[str, Any]) -> bool:
    """Return whether it is a post that everyone can read, not a note by the forum between posts."""
    gone = post.get("deleted_at") or post.get("user_deleted") or post.get("hidden")
    return not gone and post.get("post_type", _PLAIN_POST) == _PLAIN_POST


def _chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


# The data comes from another server, so its form is never trusted.


def _parse_object(content: bytes, status: int) -> dict[str, Any]:
    if len(content) > _MAX_FORUM_ANSWER_BYTES:
        raise PostFault("channel", "the forum's reply is too long")
    try:
        parsed_json = json.loads(content)
    except (ValueError, RecursionError):
        parsed_json = None
    if isinstance(parsed_json, dict):
        return parsed_json
    if status < 300:
        raise _unexpected_answer()
    return {}


def _unexpected_answer() -> PostFault:
    return PostFault("channel", "the forum's reply isn't one of Discourse")


def _list(about: Any, key: str) -> list[Any]:
    items = about.get(key) if isinstance(about, dict) else None
    if not isinstance(items, list):
        raise _unexpected_answer()
    return items


def _objects(about: Any, key: str) -> list[dict[str, Any]]:
    return [item for item in _list(about, key) if isinstance(item, dict)]


def _number(about: dict[str, Any], key: str) -> int:
    value = about.get(key)
    if type(value) is not int:
        raise _unexpected_answer()
    return value


def _string(about: dict[str, Any], key: str) -> str:
    value = about.get(key)
    if not isinstance(value, str):
        raise _unexpected_answer()
    return value


def _instant(text: str) -> Millis:
    try:
        return instant_of(datetime.fromisoformat(text))
    except ValueError as fault:
        raise _unexpected_answer() from fault


# A forum as a mailbox: posts in the topics of games, and edits of them.
#
# They come in like emails, and are stored, read and answered like any other.


Topics = Callable[[], Mapping[str, tuple[str, Millis | None]]]
"""The topics with running games by number: the games' names and deadlines."""

FORUM = "forum "
"""The prefix of a forum mailbox's name."""

RELOOK = 3 * MINUTE
"""A topic without new posts is checked for edits at this interval."""


@dataclass
class ForumMailbox:
    """Implements `Mailbox` for a forum. address: the recipient of the emails made from its posts.

    A forum limits the requests per minute. So a topic is read if it has new posts, if it wasn't read for a
    while, and once after the deadline of its game. Topics that waited longest come first, so that an error
    doesn't always hit the same ones.
    """

    board: ForumClient
    forum: str
    address: str
    topics: Topics
    clock: Clock
    _settled: dict[str, int] = field(default_factory=dict, repr=False)
    _read: dict[str, "_TopicRead"] = field(default_factory=dict, repr=False)
    _asked: dict[str, int] = field(default_factory=dict, repr=False)
    _count: int = 0

    @property
    def name(self) -> str:
        """As in `Mailbox`."""
        return f"{FORUM}{self.forum}"

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `Mailbox`. An edited post is a new email, and a deleted one is none."""
        topics = self.topics()
        newest = self.board.newest() if topics else None
        for topic in sorted(topics, key=lambda topic_number: self._asked.get(topic_number, 0)):
            game, deadline = topics[topic]
            if not self._is_due(topic, deadline, newest):
                continue
            began = self.clock.now()
            self._count += 1
            self._asked[topic] = self._count
            posts = self.board.posts(topic, self._settled.get(topic, 0))
            places = [place_name(topic, post) for post in posts]
            kept = set(known(places)) if places else set()
            for place, post in zip(places, posts, strict=True):
                if place not in kept:
                    raw = letter_of_post(post, game, self.forum, self.address)
                    yield IncomingLetter(mailbox=self.name, place=place, received=post.at, raw=raw)
            if kept.issuperset(places):
                # Everything up to here is in the database, so the next poll asks for later posts.
                self._settled[topic] = max((int(post.number) for post in posts), default=0)
                self._read[topic] = _TopicRead(began, newest)

    def _is_due(self, topic: str, deadline: Millis | None, newest: NewestPosts | None) -> bool:
        """Return whether a topic must be read now. newest: the forum's list of its latest posts."""
        read = self._read.get(topic)
        if read is None or newest is None or read.newest is None:
            return True
        now = self.clock.now()
        is_due = deadline is not None and read.at <= deadline <= now
        is_old = now - read.at >= RELOOK or newest.since > max(read.newest.topics.values(), default=0)
        return is_due or is_old or newest.topics.get(topic, 0) > read.newest.topics.get(topic, 0)

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """As in `Mailbox`."""
        return {}

    def count_left(self) -> int:
        """As in `Mailbox`: only the topics of our games are read."""
        return 0

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `Mailbox`: posts stay, and are recognised by their places."""

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `Mailbox`: none of our emails arrives here."""
        return {}

    def try_out(self) -> tuple[str, ...]:
        """As in `Mailbox`."""
        return (self.board.try_out(),)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `Mailbox`: it can't announce posts."""

    def close(self) -> None:
        """As in `Mailbox`."""


@dataclass(frozen=True)
class _TopicRead:
    """The time when a topic was last read completely and stored, and the forum's list before that."""

    at: Millis
    newest: NewestPosts | None
