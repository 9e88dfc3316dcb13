"""The valid tokens of a game, and the texts that are worth searching for them."""

import pytest

from adjudicator.auth.reply_tokens import (
    ReplyTokens,
    TokenHolder,
    may_contain_token,
    remove_foreign_tokens,
    reply_tokens_of_game,
)
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import HeaderText, LetterDraft
from games.protocol import Seat
from tests.kit.memory_repository import OFFICE, MemoryRepository, token_of, with_changed_seat

IROQUOIS = Seat("Iroquois")
OWN, OTHER = "jwdubx3qgsjxc", "mbfdiyi5vfgbg"


@pytest.mark.parametrize(
    ("text", "is_worth"),
    [
        ("Seneca H", False),
        (f"gm+demo.iroquois.{OWN}@example.org", False),
        (f"{OWN} and {OWN}", False),
        (f"{OWN} and {OTHER}", True),
        (f"{OTHER} and {OWN}", True),
        (OTHER.upper(), True),
        (f"{OWN}{OTHER}", True),
    ],
)
def test_one_s_own_token_is_nothing_to_look_at_and_any_other_is(text: str, is_worth: bool) -> None:
    assert may_contain_token(["", text], {OWN}) is is_worth


@pytest.mark.parametrize(
    "page",
    [
        f"<p>{OTHER}</p>",
        f"<p>{OTHER[:6]}<b>{OTHER[6:]}</b></p>",
        f"<p>{OTHER[:6]}<b\nclass='x'>{OTHER[6:]}</b></p>",
        f"| {' '.join(OTHER)}",
    ],
)
def test_a_letter_shows_no_token_of_others_among_rows_that_are_known(page: str) -> None:
    """In any kind of line, and if a tag in it continues on the next line."""
    known = ReplyTokens({OTHER: TokenHolder("demo", Seat("Dakota"), "dak@players.example")})
    for above in ("", "<p>Spring</p>\n"):
        letter = LetterDraft(
            key="k",
            to=HeaderText("iro@players.example"),
            subject=HeaderText("orders"),
            text="Spring\n",
            html=f"{above}{page}\n<p>Spring</p>",
            game="demo",
            seat=IROQUOIS,
            token=OWN,
        )
        shown = remove_foreign_tokens(letter, lambda game: known).html
        assert shown is not None
        assert OTHER[:3] not in shown
        assert shown.endswith("\n<p>Spring</p>")


def test_the_tokens_of_a_game_are_those_of_who_sits_there_now(demo: GamePosition) -> None:
    repository = MemoryRepository({"demo": demo}, past={"demo": ("S1M",)})
    assert reply_tokens_of_game("demo", repository, OFFICE).holders[token_of(demo, IROQUOIS)].seat == IROQUOIS
    moved = demo.assignments[IROQUOIS].with_player("successor@example.net")
    repository.positions["demo"] = with_changed_seat(
        demo, IROQUOIS, address=moved.address, generation=moved.generation
    )
    after = reply_tokens_of_game("demo", repository, OFFICE).holders
    assert token_of(demo, IROQUOIS) not in after
    assert after[token_of(repository.positions["demo"], IROQUOIS)].address == "successor@example.net"
