"""Posts as forums and chats show them: `python -m tests.kit.post_previews FOLDER`.

Discourse and Discord can't run here. Their markup is converted to HTML by their descriptions: for Discourse
CommonMark with tables and hard line breaks, for Discord headings, lists, bold and code, no tables, and two
thousand characters. (HyperKitty does run: see `tests/system/test_forum_year.py`.)
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from markdown_it import MarkdownIt
from markupsafe import escape

from adjudicator.admin import game_admin
from adjudicator.config.channels import Channel
from adjudicator.config.secrets import Secret
from adjudicator.mail.discourse import post_text
from adjudicator.mail.webhooks import render_post
from adjudicator.model.channel_posts import ChannelPost
from games.record import load
from tests.kit.browser import chromium
from tests.kit.service_harness import local_service
from tests.kit.webhook_server import webhook_server

SECRET = b"thirty-two bytes, sealed for us."
TURNS = 2
DISCORD_ROOM = 2_000
WIDTH, HIGHEST = 640, 1_500

_STYLES = {
    "discourse": """
      body { margin: 0; background: #fff; color: #222; font: 15px/1.4 Arial, "Liberation Sans", sans-serif; }
      .post { display: flex; gap: 12px; padding: 16px 20px; } .face { background: #0e76bd; color: #fff; }
      h1 { font-size: 1.5em; } h2 { font-size: 1.32em; } h3 { font-size: 1.15em; } img { max-width: 100%; }
      table { border-collapse: collapse; }
      th { text-align: left; border-bottom: 2px solid #ddd; }
      td, th { padding: 3px 3px 3px .5em; } td { border-bottom: 1px solid #e9e9e9; }
      code { background: #f8f8f8; }
    """,
    "discord": """
      body { margin: 0; background: #313338; color: #dbdee1; font: 16px/1.375 "Noto Sans", sans-serif; }
      .post { display: flex; gap: 16px; padding: 16px 20px; } .face { background: #5865f2; color: #fff; }
      h1 { font-size: 24px; } h2 { font-size: 20px; } h3 { font-size: 16px; }
      h1, h2, h3 { margin: 12px 0 6px; }
      img { max-width: 550px; border-radius: 8px; margin-top: 8px; }
      p, ul { margin: 0; white-space: pre-line; }
    """,
}
_FACE = ".face { flex: none; width: 40px; height: 40px; border-radius: 50%; font: 20px/40px serif; }"
_FACE += ".face { text-align: center; }"


def channel_posts(kind: str, name: str) -> Iterator[ChannelPost]:
    """Yield the posts to channels about some turns of a bots' game, with maps."""
    with webhook_server() as board, TemporaryDirectory() as folder, local_service(Path(folder)) as here:
        url, hush = Secret("text", board.url), Secret("text", "hush")
        channel = Channel(name="club", kind="webhook", url=url, secret=hush, map=True, local=True)
        service = replace(
            here.service, service_context=replace(here.service.service_context, channels=(channel,))
        )
        game_admin.new_game(service, game_admin.GameRequest(kind, name), secret=SECRET)
        for _ in range(TURNS):
            position = game_admin.position_of(service, name)
            assert service.turns.play(position, service.clock.now(), ripe=True, by="gm") is not None
        service.post_to_channels()
        for document in board.taken.values():
            yield load(ChannelPost, json.dumps(document).encode())


def page(service: str, post: ChannelPost) -> str:
    """Return a post as a page that looks like the service's."""
    uri = "" if post.map is None else f"data:image/png;base64,{post.map.base64}"
    if service == "discourse":
        marks = MarkdownIt("commonmark", {"breaks": True}).enable("table")
        html = marks.render(post_text(post.markdown, [f"![map]({uri})"], post.id))
    else:
        marks = MarkdownIt("zero", {"breaks": True}).enable(["heading", "list", "emphasis", "newline"])
        html = marks.render("\n".join(render_post(post, DISCORD_ROOM))) + f'<img src="{uri}" alt="map">'
    return (
        f"<!doctype html><meta charset=utf-8><style>{_STYLES[service]}{_FACE}</style>"
        f'<div class="post"><div class="face">T</div><div><b>{escape(post.service)}</b>{html}</div></div>'
    )


def main(folder: Path) -> None:
    """Draw the last posts into a folder, as each service shows them."""
    folder.mkdir(parents=True, exist_ok=True)
    *_, post = channel_posts("indianomacy", "beaver")
    with chromium() as browser:
        for service in _STYLES:
            (folder / "page.html").write_text(page(service, post), encoding="utf-8")

            def look(name: str = service) -> None:
                window = browser.browser.new_page(viewport={"width": WIDTH, "height": 400})
                window.goto((folder / "page.html").as_uri())
                high = min(HIGHEST, int(window.evaluate("document.body.scrollHeight")))
                clip = {"x": 0, "y": 0, "width": WIDTH, "height": high}
                window.screenshot(path=str(folder / f"posts-{name}.png"), full_page=True, clip=clip)

            browser.hands.submit(look).result()
    (folder / "page.html").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
