"""An email that kills the service: the others get replies, and it is quarantined in the end."""

import pytest

from adjudicator import service
from adjudicator.admin import game_admin
from adjudicator.storage import inbox, outbox
from tests.kit.service_harness import local_service

IROQUOIS = "iroquois@example.org"


class Death(BaseException):
    """The service ends here, as if it had been killed."""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A service whose service dies over each letter that says poison; three letters wait, the second does."""
    handle = service.handle_letter

    def deadly(kept, *others):
        if b"poison" in kept.raw:
            raise Death
        return handle(kept, *others)

    monkeypatch.setattr(service, "handle_letter", deadly)
    with local_service(tmp_path) as it:
        game_admin.new_game(it.service, game_admin.GameRequest("indianomacy", "demo"), secret=b"s" * 32)
        game_admin.assign(it.service, "demo", "Iroquois", IROQUOIS)
        it.work()
        (welcome,) = it.mail(IROQUOIS)
        for text in ("Mohawk H", "poison", "Oneida H"):
            it.clock.advance(1000)
            it.answer(IROQUOIS, welcome, text)
        it.service.poll()
        yield it


def die(it):
    """Start the service, and see it die."""
    it.service.recover()
    with pytest.raises(Death):
        it.service.process()


def letters(it):
    """Return the states of the emails, in order of arrival."""
    return [shown.disposition for shown in reversed(inbox.list_letters(it.service.database))]


def test_it_dies_once_with_others_and_five_times_alone(place):
    """Emails that were read before it but not yet committed are read again, alone."""
    die(place)
    assert letters(place) == [None, None, None]
    for _ in range(5):
        die(place)
        assert letters(place) == ["read", None, None]
    place.service.process()
    assert letters(place) == ["read", "quarantined", "read"]
    told = [
        one.sealed for one in outbox.list_posted(place.service.database) if "quarantine" in one.sealed.key
    ]
    assert [one.to for one in told] == ["gm@example.org"]


def test_the_letter_after_it_is_no_suspect(place):
    """Like the one before it: started with the fatal one, it is answered at its own first attempt."""
    for _ in range(6):
        die(place)
    place.service.process()
    tries = [shown.tries for shown in reversed(inbox.list_letters(place.service.database))]
    assert tries == [2, 7, 2]
