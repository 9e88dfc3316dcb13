"""Expired data is deleted once a day, as [keep] says. The doctor reports all sizes."""

from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import tidy
from adjudicator.errors import Refusal
from adjudicator.storage import outbox
from tests.kit.kinds import own_variants, put_variant
from tests.kit.service_harness import local_service

DAY = 86_400_000


def test_letters_are_forgotten_once_a_day_and_the_game_is_proved_all_the_same(tmp_path: Path) -> None:
    put_variant(tmp_path / "service" / "variants", "strait")
    with own_variants(tmp_path / "service" / "variants"), local_service(tmp_path / "service") as place:
        game_admin.new_game(place.service, game_admin.GameRequest("strait", "narrow"))
        game_admin.assign(place.service, "narrow", "north", "north@example.org")
        place.work()
        assert tidy(place.service) == 0, "it is new"
        game_admin.play_now(place.service, "narrow")
        place.work()
        place.clock.advance(91 * DAY)
        assert tidy(place.service) >= 2
        assert {one.sealed.raw for one in outbox.list_posted(place.service.database)} == {b""}
        assert tidy(place.service) == 0
        proved = game_admin.prove(place.service, "narrow")
        assert (proved.agreed, proved.fault) == (2, None)
        place.answer("north@example.org", place.mail("north@example.org")[-1], "Upland H\nHaven H")
        place.work()
        assert game_admin.position_of(place.service, "narrow").played > 1, "its letters are answered still"


@pytest.mark.parametrize(
    ("text", "letters", "pictures"),
    [
        ("", 90 * DAY, True),
        ('[keep]\nletters = "30d"\n', 30 * DAY, True),
        ('[keep]\nletters = "ever"\npictures = "letters"\n', None, False),
    ],
)
def test_how_long_is_said_in_gm_toml(tmp_path: Path, text: str, letters: int | None, pictures: bool) -> None:
    assert (_keep(tmp_path, text).letters, _keep(tmp_path, text).pictures) == (letters, pictures)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('letters = "soon"', '"soon" isn\'t a duration. Write letters = "90d"'),
        ('letters = "2h"', "is less than a day"),
        ('pictures = "none"', '"none" isn\'t possible here'),
        ('logs = "90d"', "there is no such key. Keys: letters, people, pictures"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        _keep(tmp_path, f"[keep]\n{text}\n")


def _keep(folder: Path, text: str):  # type: ignore[no-untyped-def]
    places = '[inbox]\nurl = "maildir:./in"\n[outbox]\nurl = "maildir:./out"\n'
    config = f'[service]\naddress = "gm@example.org"\n{places}'
    (folder / "gm.toml").write_text(config + text)
    return load_settings(folder / "gm.toml").keep
