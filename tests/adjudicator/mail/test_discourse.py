"""Discourse's API, at a server that follows its description: each post once, whatever fails."""

from collections.abc import Iterator

import pytest

from adjudicator.config.channels import Channel
from adjudicator.config.secrets import Secret
from adjudicator.errors import LoginFault, PostFault
from adjudicator.mail.discourse import CHANGES, CHUNK, Discourse, PostRejected
from adjudicator.model.mail import Attachment, HeaderText
from tests.kit.discourse import ACCOUNT, KEY, Forum, Trouble, forum
from tests.kit.servers import HANGING_SECONDS
from tests.kit.webhook_server import closed_port

MAP = Attachment(
    name=HeaderText("beaver-S1M.png"), media=HeaderText("image/png"), content=b"\x89PNG\r\n\x1a\n..."
)
MARK, OTHER = "a" * 32, "b" * 32
TITLE = "[beaver] Indianomacy II"


@pytest.fixture
def forum_server() -> Iterator[Forum]:
    """The forum."""
    with forum() as it:
        yield it


def board(url: str, *, key: str = KEY, local: bool = True) -> Discourse:
    channel = Channel(
        name="club",
        kind="discourse",
        url=Secret("text", url),
        secret=Secret("text", key, "[[channel]] club: secret"),
        account=ACCOUNT,
        category=5,
        local=local,
    )
    return Discourse(channel, seconds=HANGING_SECONDS)


def test_a_topic_is_begun_once_and_posts_stand_in_it(forum_server: Forum) -> None:
    one = board(forum_server.url)
    begun = one.post(MARK, None, TITLE, "Here the game is played.", [MAP])
    assert forum_server.topics == {70: {"title": TITLE, "external_id": MARK, "category": 5}}
    placed = one.post(OTHER, begun.topic, TITLE, "Orders of all @seats.", [])
    assert (placed.topic, forum_server.posts[int(placed.number)]["topic_id"]) == ("70", 70)
    first, second = forum_server.ours
    assert "![beaver-S1M.png](upload://a1B2c3.png)" in first
    assert first.endswith(f"<!-- turnpost {MARK} -->")
    assert "@seats" not in second, "nobody is called by what we write"
    assert forum_server.uploads == {MAP.content[:8].hex(): 1}
    for path, headers, _ in forum_server.sent:
        assert (headers["api-key"], headers["api-username"]) == (KEY, ACCOUNT)
        assert KEY not in path


def test_a_map_stands_above_the_orders(forum_server: Forum) -> None:
    text = "# beaver: Spring, year 1\n\nIroquois took Delaware.\n\n## Iroquois\n\n- W MHK - DEL: moved."
    board(forum_server.url).post(MARK, None, TITLE, text, [MAP])
    before, _, after = forum_server.ours[0].partition("![beaver-S1M.png](upload://a1B2c3.png)")
    assert before.endswith("Iroquois took Delaware.\n\n")
    assert after.startswith("\n\n## Iroquois\n")


def test_each_post_is_written_once_whatever_breaks(forum_server: Forum) -> None:
    """If the answer is lost, this process or another finds the post by its mark."""
    forum_server.script = [
        ("POST /posts", Trouble()),
        ("POST /posts", Trouble(502)),
        ("POST /posts", Trouble()),
    ]
    with pytest.raises(PostFault, match="broke"):
        board(forum_server.url).post(MARK, None, TITLE, "It begins.", [])
    begun = board(forum_server.url).post(MARK, None, TITLE, "It begins.", [])
    assert begun.number == str(min(forum_server.posts))
    for _ in range(2):
        with pytest.raises(PostFault):
            board(forum_server.url).post(OTHER, begun.topic, TITLE, "A turn.", [])
    for number in range(CHUNK * 2):
        forum_server.write(70, "jane", f"Talk {number}. <!-- turnpost {'c' * 32} -->")
    forum_server.raw = False
    again = board(forum_server.url).post(OTHER, begun.topic, TITLE, "A turn.", [])
    assert again.topic == "70"
    assert len(forum_server.ours) == 2
    board(forum_server.url).post("c" * 32, begun.topic, TITLE, "Another.", [])
    assert len(forum_server.ours) == 3, "what others write in our manner is not ours"


def test_posts_are_read_with_their_changes_and_without_what_is_gone(forum_server: Forum) -> None:
    one = board(forum_server.url)
    begun = one.post(MARK, None, TITLE, "It begins.", [])
    numbers = [forum_server.write(70, "jane", f"line {count}") for count in range(CHUNK * 3)]
    forum_server.posts[numbers[3]]["deleted_at"] = forum_server.posts[numbers[3]]["created_at"]
    forum_server.posts[numbers[4]]["hidden"] = True
    forum_server.posts[numbers[5]]["post_type"] = 3
    found = one.posts(begun.topic, 0)
    assert [post.text for post in found] == [f"line {count}" for count in range(60) if count not in (3, 4, 5)]
    assert {post.poster for post in found} == {f"jane.{forum_server.accounts['jane']}"}
    forum_server.change(numbers[-2], "line 58, mended", 1)
    forum_server.change(numbers[0], "an old one", 2)
    newer = forum_server.write(70, "joe", "and I")
    before = len(forum_server.asked)
    again = one.posts(begun.topic, numbers[-1])
    assert [post.text for post in again[-2:]] == ["line 58, mended", "and I"]
    assert (again[-1].number, again[-1].at) == (str(newer), forum_server.now)
    assert len(again) == CHANGES, "older ones are not looked at again"
    assert len(forum_server.asked) - before == 1 + CHANGES // CHUNK
    forum_server.raw = False
    assert one.posts(begun.topic, numbers[-1]) == again, "each is asked for by itself"
    before = len(forum_server.asked)
    assert one.posts(begun.topic, numbers[-1]) == again
    assert len(forum_server.asked) - before == 1 + CHANGES // CHUNK, "and no more often than it changes"
    assert one.posts("999", 0) == []


def test_a_forum_that_wants_to_be_left_alone_is(forum_server: Forum) -> None:
    for trouble, waits in (
        (Trouble(429, (("Retry-After", "90"),)), 90),
        (Trouble(429, about={"extras": {"wait_seconds": 33}}), 33),
    ):
        one = board(forum_server.url)
        forum_server.script = [("GET", trouble)]
        with pytest.raises(PostFault, match="429") as fault:
            one.posts("70", 0)
        assert waits - 2 < (fault.value.retry_after or 0) <= waits
        before = len(forum_server.asked)
        with pytest.raises((PostFault, PostRejected)) as again:
            one.post(MARK, "70", TITLE, "A turn.", [])
        assert "asks us to wait" in f"{again.value}"
        assert len(forum_server.asked) == before


def test_what_a_forum_does_not_take_is_said(forum_server: Forum) -> None:
    one = board(forum_server.url)
    forum_server.script = [("POST /posts", Trouble(422))]
    with pytest.raises(PostRejected, match="422"):
        one.post(MARK, None, TITLE, "It begins.", [])
    forum_server.script = [("POST /posts", Trouble(200, about={"action": "enqueued", "success": True}))]
    with pytest.raises(PostRejected, match="moderator"):
        one.post(MARK, None, TITLE, "It begins.", [])
    with pytest.raises(PostRejected, match="gone"):
        one.post(MARK, "999", TITLE, "It goes on.", [])
    forum_server.script = [("POST /uploads", Trouble(413))]
    one.post(MARK, None, TITLE, "It begins.", [MAP])
    assert "upload" not in forum_server.ours[0], "rather without its map than not at all"
    forum_server.script = [
        ("GET", Trouble(200, about={"post_stream": {"stream": [1], "posts": [{"id": "x"}]}}))
    ]
    with pytest.raises(PostFault, match="isn't one of Discourse"):
        one.posts("70", 0)


def test_nobody_else_is_spoken_to_and_no_key_is_told(forum_server: Forum) -> None:
    with forum() as other:
        forum_server.script = [("GET", Trouble(302, (("Location", f"{other.url}/t/70.json"),)))]
        try:
            sent_on = f"all of {board(forum_server.url).posts('70', 0)}"
        except PostFault as complaint:
            sent_on = f"{complaint!r}"
        assert other.asked == []
        assert "another server" in sent_on
    forum_server.script = [("GET", Trouble(302, (("Location", "/t/70.json"),)))] * 9
    with pytest.raises(PostFault, match="loop"):
        board(forum_server.url).posts("70", 0)
    forum_server.script = []
    with pytest.raises(PostFault, match="leads to this machine") as inside:
        board(forum_server.url.replace("http:", "https:"), local=False).posts("70", 0)
    with closed_port() as port, pytest.raises(PostFault, match="doesn't respond"):
        board(f"http://127.0.0.1:{port}").posts("70", 0)
    told = [sent_on, inside.value]
    for key in ("s3cr3t-but-wrong", "s3cr3t\nX-Evil: 1"):
        with pytest.raises(LoginFault) as fault:
            board(forum_server.url, key=key).try_out()
        told.append(fault.value)
    assert "turnpost in" in board(forum_server.url).try_out()
    one = board(forum_server.url, key="s3cr3t")
    assert not any("s3cr3t" in f"{fault!r}" or KEY in f"{fault!r}" for fault in told)
    assert "s3cr3t" not in f"{one!r}"
