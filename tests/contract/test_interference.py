"""Secrets stay secret: non-interference, for every kind of game.

The same game is played in two worlds that differ in one secret only. Everything that other readers get, in
emails and attachments, posts, documents and replies, is identical until the secret becomes public.
`tests/kit/non_interference.py` compares, `tests/kit/game_secrets.py` makes the secrets.
"""

import os
import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as tried
from hypothesis import strategies as st

import games
from tests.kit.campaign import every_kind
from tests.kit.game_secrets import THINGS, TWISTS, things
from tests.kit.non_interference import ServiceTwin, Setting, delete_game, settings, two_services
from tests.kit.toy import toy_found

SOAKED = 400
"""So many games of each kind in the soak."""

Worlds = tuple[ServiceTwin, ServiceTwin]
_numbers = count(1)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    """Two services, in which one game after the other is played."""
    with toy_found(), two_services(tmp_path_factory.mktemp("worlds")) as found:
        yield found


def compared(worlds: Worlds, setting: Setting, thing: str, seed: int, name: str) -> int:
    """Return how often a reader's emails were compared in a game with one hidden thing."""
    try:
        return THINGS[thing](worlds, setting, name, seed)
    finally:
        for world in worlds:
            if name in world.service.repository.games():
                delete_game(world, name)


def named(kind: str, thing: str, seed: int) -> str:
    """The name of a game, which decides how its dice fall."""
    return f"{kind[:6]}-{thing[:6]}-{seed}".replace("_", "-").replace("--", "-")


@st.composite
def cases(draw: st.DrawFn, kind: str) -> tuple[Setting, str, int]:
    """Yield a game of a kind, its hidden thing, and the random choices."""
    setting = draw(st.sampled_from(settings(kind)))
    return setting, draw(st.sampled_from(things(setting))), draw(st.integers(0, 10_000))


def sweep(worlds: Worlds, kind: str, examples: int) -> int:
    """Play so many games of a kind. Returns the number of comparisons; a failure names its game."""
    looks = 0

    @tried(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases(kind))
    def one(case: tuple[Setting, str, int]) -> None:
        nonlocal looks
        looks += compared(worlds, *case, f"any-{next(_numbers)}")

    one()
    return looks


@pytest.mark.long
@pytest.mark.parametrize("kind", every_kind())
def test_what_is_hidden_is_told_to_nobody(worlds: Worlds, kind: str) -> None:
    """In a random game of the kind, at any turn; CI always uses the same games."""
    lot = random.Random(kind if os.environ.get("CI") == "true" else None)
    setting = lot.choice(settings(kind))
    thing, seed = lot.choice(things(setting)), lot.randrange(10_000)
    compared(worlds, setting, thing, seed, f"any-{next(_numbers)}")


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("kind", every_kind())
def test_what_is_hidden_is_told_to_nobody_in_thousands_of_games(worlds: Worlds, kind: str) -> None:
    assert sweep(worlds, kind, SOAKED) > SOAKED


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "thing", "seed"),
    [
        ("plains-indian-wars", "by_hand", 0),
        ("fleet-rome", "order", 0),
        ("standard", "letter", 4),
        ("fleet-rome", "grey", 0),
        ("fleet-rome", "founder", 0),
        ("fleet-rome", "zone", 1),
        ("fleet-rome", "signature", 0),
        ("fleet-rome", "token", 0),
        ("fleet-rome", "vote", 1),
        ("great-war", "hand", 0),
        ("great-war", "hand", 19),
        ("war-chest", "hand", 5),
        ("cairn", "hand", 0),
        ("boer-war", "dice", 0),
        ("war-chest", "condition", 0),
        ("great-war", "person", 0),
    ],
)
def test_each_thing_that_may_be_hidden(worlds: Worlds, kind: str, thing: str, seed: int) -> None:
    """One game of each, in which the secret was public once, or would be with one changed line of the
    service.
    """
    assert compared(worlds, settings(kind)[-1], thing, seed, named(kind, thing, seed)) > 2


@pytest.mark.long
def test_pictures_show_no_more_than_their_drawings(tmp_path: Path) -> None:
    """Once with real ones: everywhere else a drawing stands in for its picture."""
    with toy_found(), two_services(tmp_path, drawn=True) as found:
        assert compared(found, settings("war-chest")[-1], "hand", 3, "drawn") > 2


def test_what_a_position_hides_is_known_of_every_kind() -> None:
    """A further game in which seats see different things has to say what these are."""
    with toy_found():
        hiding = {kind for kind, game in games.kinds().items() if game.about.hidden}
    assert hiding == set(TWISTS)
