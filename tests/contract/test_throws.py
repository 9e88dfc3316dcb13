"""Every roll that a game makes is among those that its rules announce."""

import re

import pytest

from tests.kit.campaign import campaign, every_kind, kinds_that


@pytest.mark.parametrize("kind", kinds_that(lambda game: game.throws is not None))
def test_every_throw_of_a_campaign_is_one_that_the_game_names(kind: str) -> None:
    played = campaign(kind)
    assert played.game.throws is not None
    known = played.game.throws(played.start.options)
    for step in played.steps:
        for throw in step.entry.throws:
            if throw.is_by_bot:
                continue
            (form,) = (one for one in known if re.fullmatch(one.label, throw.label))
            assert max(throw.numbers) <= form.most, throw
            assert form.takes in (None, len(throw.numbers)), throw


@pytest.mark.parametrize("kind", every_kind())
def test_an_example_is_such_a_label(kind: str) -> None:
    played = campaign(kind)
    known = played.game.throws(played.start.options) if played.game.throws else ()
    assert [one.example for one in known if not re.fullmatch(one.label, one.example)] == []
