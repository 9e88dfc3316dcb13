"""Discourse by its REST interface: topics begun, posts written and read, maps uploaded.

Written against the published description of that interface (docs.discourse.org). One thing goes beyond it:
posts are asked for together with what was typed (``include_raw``), since only that can be read for orders; a
forum that leaves it out is asked for each post by itself, as the description has it.
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

# The interface of a forum: what the service needs of it, on any server.
#
# Posts that we write go out as those of channels do: they wait in the outbox under the channel's name, and
# its crier hands them to `Board.post`. What others write comes in as letters do: `letter_of` makes a letter
# of each post, which a mailbox of its own hands to the poll, so that it is kept, read and answered like any
# other.


_UNSAFE_ACCOUNT_CHARS = re.compile(r"[^A-Za-z0-9._-]")
_HOST = "forum.invalid"


@dataclass(frozen=True)
class PostPlace:
    """Where a post of ours stands: the number of its topic, and its own."""

    topic: str
    number: str


@dataclass(frozen=True)
class WrittenPost:
    """A post as it stands in a forum.

    number: its own; version: raised whenever it is changed (but not always at once); poster: the account, as
    the forum itself proves it; text: in the forum's marks; at: when it was written, or changed last.
    """

    number: str
    version: int
    poster: str
    text: str
    at: Millis


@dataclass(frozen=True)
class NewestPosts:
    """The last posts of a whole forum, by which it is seen where nothing is new.

    topics: by topic the number of the newest post in it; since: whatever has a higher number is among them.
    """

    topics: Mapping[str, int]
    since: int


class PostRejected(Exception):
    """A forum refuses a post for good. Its text says why."""


class ForumClient(Protocol):
    """One forum, as one account of it sees it. All raise PostFault when the world does not do its part.

    Nothing is posted twice: `post` looks first whether there is a post that bears the mark already.
    """

    def post(
        self, mark: str, topic: str | None, title: str, text: str, uploads: Sequence[Attachment]
    ) -> PostPlace:
        """Write a post. topic None: it begins one of that title. mark: names the post for ever.

        Raises PostRejected where it is refused for good.
        """

    def posts(self, topic: str, after: int) -> Sequence[WrittenPost]:
        """The posts of a topic with numbers after one, and the last ones anyhow, as they may have changed.

        Oldest first. Ours are not among them, nor those that were deleted; none where the topic is.
        """

    def newest(self) -> NewestPosts | None:
        """The last posts of the whole forum, whoever wrote them where; None: it does not tell."""

    def account(self) -> str:
        """As whom we post there."""

    def try_out(self) -> str:
        """Ask whether we are let in. Returns what was found to work, in words."""


def place_name(topic: str, post: WrittenPost) -> str:
    """Return the name of a post, as it stands now, among all that a forum sends: its place in a mailbox.

    An author who changes a post soon after writing leaves its version as it is, so its text is named too.
    """
    return f"{topic}/{post.number}/{_state_of(post)}"


def letter_of_post(post: WrittenPost, game: str, forum: str, address: str) -> bytes:
    """A post as the letter by which the service reads it.

    game: in whose topic it stands; forum: the channel's name; address: where it goes. Its sender is the
    account, at a host that no mail can come from.
    """
    host = _host(forum)
    head = (
        f"Date: {format_datetime(datetime_of(post.at))}\r\n"
        f"From: {poster_address(post.poster, forum)}\r\n"
        f"To: {address}\r\n"
        # Of what its topic is called anybody with rights there may make something else.
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
    """Under which address the database knows an account of a forum: another for each."""
    local = _UNSAFE_ACCOUNT_CHARS.sub(lambda sign: f"={ord(sign[0]):x}=", account.lower())
    return f"{local}@{_host(forum)}"


def _host(forum: str) -> str:
    return f"{_UNSAFE_ACCOUNT_CHARS.sub('-', forum)}.{_HOST}"


def _state_of(post: WrittenPost) -> str:
    digest = hashlib.sha256(post.text.encode(errors="replace")).hexdigest()[:12]
    return f"{post.version}.{digest}"


# Rule 1: nothing of the key, and nothing that the server says, stands in what is told of it.
# Rule 2: whatever is written is looked for first, by its mark: so that a broken answer makes no second post.


CHUNK = 20
"""So many posts are asked for at once."""

POSTS_LOOKED_BACK = 60
"""Among so many posts, the last of a topic, one of ours is looked for before it is written again."""

CHANGES = 40
"""So many posts, the last of a topic, are looked at for changes."""

LONGEST_TEXT = 32_000
SHORTEST_TITLE = 15
"""What Discourse takes, where its owner has not set it otherwise."""

_MAX_FORUM_ANSWER_BYTES = 8_000_000
_RETRY_STATUSES = (408, 409, 425, 429)
_PLAIN_POST = 1
_API_KEY_RE = re.compile(r"[\x21-\x7e]+")
_CHAPTER = "\n## "
_CALLS_SOMEBODY = re.compile(r"@(?=\w)")


@dataclass(frozen=True)
class _DiscourseAnswer:
    """An answer of the forum: its status, and the object in JSON that comes with it."""

    status: int
    about: dict[str, Any]


@dataclass
class Discourse:
    """`board.Board` of a forum that Discourse runs. look_up: by which its server's name is."""

    channel: Channel
    look_up: NameLookup = addresses_of
    seconds: float = WEBHOOK_TIMEOUT_SECONDS
    _texts: dict[tuple[int, int, str], str] = field(default_factory=dict, repr=False)
    _not_before: float = 0.0
    _tells_newest: bool = True

    def account(self) -> str:
        """As in `board.Board`."""
        return self.channel.account

    def post(
        self, mark: str, topic: str | None, title: str, text: str, uploads: Sequence[Attachment]
    ) -> PostPlace:
        """As in `board.Board`."""
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
        """As in `board.Board`."""
        posts = [
            post
            for post in self._posts_of_topic(topic, after, CHANGES)
            if not self._is_ours(post) and _is_readable_post(post)
        ]
        return sorted((self._read(post) for post in posts), key=lambda post: (post.at, int(post.number)))

    def newest(self) -> NewestPosts | None:
        """As in `board.Board`. A key that may not ask for it is not used for it again."""
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
        """As in `board.Board`."""
        answer = self._get(f"/u/{self.channel.account}.json")
        if answer.status >= 400:
            raise LoginFault("channel", f"the forum does not know the account {self.channel.account}")
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
        """The posts of a topic with numbers after one, and the last ones anyhow. gone: raised where it is."""
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
        # A name may be given up and taken by somebody else; the number of an account never is.
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
        answer = self._ask("POST", "/uploads.json", body, f"multipart/form-data; boundary={line}")
        if answer.status in (413, 422):
            return ""
        self._check_login(answer)
        return f"![{name}]({_string(answer.about, 'short_url')})"

    # The wire.

    def _create(self, path: str, fields: dict[str, Any]) -> dict[str, Any]:
        answer = self._ask("POST", path, json.dumps(fields).encode(), "application/json")
        self._check_login(answer)
        if answer.status >= 300:
            why = "may our account post there, in that category, under such a title?"
            raise PostRejected(f"the forum refuses it ({answer.status}): {why}")
        if "id" not in answer.about:
            raise PostRejected(
                "the forum keeps it for a moderator to look at: let our account post by itself"
            )
        return answer.about

    def _get(self, path: str) -> _DiscourseAnswer:
        answer = self._ask("GET", path)
        if answer.status not in (404, 410):
            self._check_login(answer)
            if answer.status >= 300:
                raise PostFault("channel", f"the forum answers {answer.status}")
        return answer

    def _check_login(self, answer: _DiscourseAnswer) -> None:
        if answer.status in (401, 403):
            why = f"the forum does not let us in ({answer.status}): its key is void, or may not do so much"
            raise LoginFault("channel", why)

    def _ask(self, method: str, path: str, body: bytes | None = None, media: str = "") -> _DiscourseAnswer:
        wait_seconds = self._not_before - time.monotonic()
        if wait_seconds > 0:
            raise PostFault("channel", "the forum wants to be left alone for a while", wait_seconds)
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
                raise PostFault("channel", "the forum sends us to another server")
        raise PostFault("channel", "the forum sends us round in a ring")

    def _once(
        self, method: str, url: str, body: bytes | None, headers: dict[str, str], ends: float
    ) -> tuple[_DiscourseAnswer, str | None, str | None]:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        try:
            addresses = reachable_addresses(host, port, local=self.channel.local, look_up=self.look_up)
        except NotPublic as fault:
            why = "its address leads to this machine or into its own network, and  local = true  is not said"
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
        waits_for = "" if seconds is None else f" and wants to be left alone for {round(seconds)} seconds"
        return PostFault("channel", f"the forum answers {answer.status}{waits_for}", seconds)

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
    """Return the text of a post. It notifies nobody by @name; readers do not see the mark.

    Pictures stand before the first chapter: below all of them nobody would look for a map.
    """
    first, chapter, rest = _CALLS_SOMEBODY.sub("@\u2060", text.strip()).partition(_CHAPTER)
    parts = (first.strip(), *pictures, f"{chapter}{rest}".strip(), _mark(mark))
    return "\n\n".join(filter(None, parts))


def _mark(mark: str) -> str:
    return f"<!-- turnpost {mark} -->"


def _place_of_post(about: dict[str, Any]) -> PostPlace:
    return PostPlace(str(_number(about, "topic_id")), str(_number(about, "id")))


def _is_readable_post(post: dict[str, Any]) -> bool:
    """Return whether it is a post that all may read, and not a note of the forum between posts."""
    gone = post.get("deleted_at") or post.get("user_deleted") or post.get("hidden")
    return not gone and post.get("post_type", _PLAIN_POST) == _PLAIN_POST


def _chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


# The data comes from another server: none of it is trusted to have the documented form.


def _parse_object(content: bytes, status: int) -> dict[str, Any]:
    if len(content) > _MAX_FORUM_ANSWER_BYTES:
        raise PostFault("channel", "the forum answers at too great a length")
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
    return PostFault("channel", "the forum answers otherwise than Discourse does")


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


# A forum as a mailbox: posts in the topics of games, and changes of them.
#
# They come in as letters do, and are kept, read and answered like any other.


Topics = Callable[[], Mapping[str, tuple[str, Millis | None]]]
"""By the numbers of the topics in which there are running games, their names and deadlines."""

FORUM = "forum "
"""So the name of each such mailbox begins."""

RELOOK = 3 * MINUTE
"""So long a topic in which nobody has written anew is not looked through for what was changed there."""


@dataclass
class ForumMailbox:
    """`mailbox.Mailbox` of a forum. address: to which the letters go that are made of its posts.

    A forum allows so many questions a minute. So a topic is read where there is something new, where it was
    not looked at for a while, and once after the deadline of its game; those first that were not asked for
    longest, so that a forum that breaks off has not the same ones wait every time.
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
        """As in `mailbox.Mailbox`."""
        return f"{FORUM}{self.forum}"

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `mailbox.Mailbox`. A post that was changed is another letter; one that is gone is none."""
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
                # Of what lies further back only what is new has to be looked at: all of it is in the
                # database.
                self._settled[topic] = max((int(post.number) for post in posts), default=0)
                self._read[topic] = _TopicRead(began, newest)

    def _is_due(self, topic: str, deadline: Millis | None, newest: NewestPosts | None) -> bool:
        """Return whether a topic has to be read now. newest: what the forum says of its last posts."""
        read = self._read.get(topic)
        if read is None or newest is None or read.newest is None:
            return True
        now = self.clock.now()
        is_due = deadline is not None and read.at <= deadline <= now
        is_old = now - read.at >= RELOOK or newest.since > max(read.newest.topics.values(), default=0)
        return is_due or is_old or newest.topics.get(topic, 0) > read.newest.topics.get(topic, 0)

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """As in `mailbox.Mailbox`."""
        return {}

    def count_left(self) -> int:
        """As in `mailbox.Mailbox`: nothing is read in a forum but the topics of our games."""
        return 0

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `mailbox.Mailbox`: posts stay where they are, and are known by their places."""

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `mailbox.Mailbox`: no letter of ours ever comes here."""
        return {}

    def try_out(self) -> tuple[str, ...]:
        """As in `mailbox.Mailbox`."""
        return (self.board.try_out(),)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `mailbox.Mailbox`: it cannot tell."""

    def close(self) -> None:
        """As in `mailbox.Mailbox`."""


@dataclass(frozen=True)
class _TopicRead:
    """When a topic was last read whole, all of it in the database, and what the forum had said before."""

    at: Millis
    newest: NewestPosts | None
