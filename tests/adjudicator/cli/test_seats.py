"""``gm seat`` replace, kick and rekey: seats that a player holds."""

import pytest

from adjudicator.messages import sentence
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.test_game_changes import letters, minutes

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def pair(beaver: Terminal) -> Terminal:
    """The game beaver with a second person, who gets emails too."""
    beaver.says("seat assign beaver dakota dakota@example.org")
    return beaver


def subjects(terminal: Terminal, address: str) -> list[str]:
    """Return the subjects of a person's emails, oldest first, without their tags."""
    return [one["subject"].partition(" [")[0] for one in letters(terminal) if one["to"] == address]


def seat(terminal: Terminal) -> tuple[str | None, str | None]:
    """Return the player of the Iroquois and their reply address."""
    told = terminal.told("seat show beaver iroquois")
    return told["address"], told["reply_address"]


def orders(terminal: Terminal) -> list[str]:
    return list(terminal.told("seat show beaver iroquois")["orders"])


def write(terminal: Terminal, to: str, text: str, sender: str = "iroquois@example.org") -> None:
    terminal.mail(to, text, sender=sender)
    terminal.says("run poll")
    terminal.says("run process")


def test_a_player_is_replaced(pair: Terminal) -> None:
    """The saved orders stay, the old tokens are invalid, both players get an email, and all others learn of
    the change.
    """
    old = str(seat(pair)[1])
    write(pair, old, "Mohawk - Delaware\n")
    said = pair.says('seat replace beaver iroquois else@example.org --why "has moved"')
    assert "Player of Iroquois in beaver: else@example.org." in said
    address, new = seat(pair)
    assert (address, orders(pair)) == ("else@example.org", ["W MHK - DEL"])
    assert new != old
    write(pair, old, "CLEAR\n")
    assert orders(pair) == ["W MHK - DEL"]
    told, answered = subjects(pair, "iroquois@example.org")[-2:]
    assert told == sentence("reports.seats.no_longer_subject", seat="Iroquois", game="beaver")
    assert answered == sentence("inbound.former_seats.removed_subject", seat="Iroquois", game="beaver")
    assert subjects(pair, "else@example.org") == ["Welcome to Indianomacy II: you play the Iroquois"]
    assert subjects(pair, "dakota@example.org")[-1] == sentence(
        "reports.seats.changed_hands_subject", seat="Iroquois", by_bot=False
    )
    assert not any("else@example.org" in one["text"] for one in letters(pair))
    assert minutes(pair)[-1] == "gm Iroquois to another player has moved"


def test_a_player_is_dismissed(pair: Terminal) -> None:
    """The first person on the waiting list gets an offer of the seat, with the position."""
    pair.mail("gm@example.org", "JOIN beaver\n", sender="waiting@example.org")
    pair.says("run poll")
    pair.says("run process")
    asked = next(one for one in letters(pair) if one["to"] == "waiting@example.org")
    reply = pair.gm(f"mail show {asked['number']} --out --raw").stdout.split("Reply-To: ")[1].split()[0]
    write(pair, reply.strip("<>"), "yes\n", sender="waiting@example.org")
    told = pair.told('seat kick beaver iroquois --why "no word for weeks"')
    assert (told["player"], told["address"]) == ("bot", None)
    farewell = [one for one in letters(pair) if one["to"] == "iroquois@example.org"][-1]
    assert "The GM says: no word for weeks" in " ".join(farewell["text"].split())
    assert subjects(pair, "dakota@example.org")[-1] == sentence(
        "reports.seats.changed_hands_subject", seat="Iroquois", by_bot=True
    )
    assert subjects(pair, "waiting@example.org")[-1] == "Iroquois is free"
    assert minutes(pair)[-1] == "gm Iroquois to its bot no word for weeks"
    again = pair.says("seat assign beaver iroquois waiting@example.org")
    assert "waiting@example.org now plays" in again


def test_a_seat_that_somebody_holds_is_given_to_nobody_else_in_passing(pair: Terminal) -> None:
    """The refusal names the command for a replacement; the welcome can be sent to the player again."""
    refused = pair.refused("seat assign beaver iroquois else@example.org")
    assert "Can't assign Iroquois: iroquois@example.org plays it" in refused
    assert "gm seat replace beaver iroquois else@example.org" in refused
    assert "iroquois@example.org now plays Iroquois" in pair.says(
        "seat assign beaver iroquois iroquois@example.org"
    )


def test_a_seat_need_not_be_offered(pair: Terminal) -> None:
    said = pair.says("seat kick beaver iroquois --no-offer --why x")
    assert "JOIN" not in said
    assert "JOIN beaver Dakota" in pair.says("seat kick beaver dakota --why x")


def test_keys_are_made_anew(pair: Terminal) -> None:
    """The old reply address speaks for nobody, nor does the old password; the new ones go to the player."""
    old = str(seat(pair)[1])
    assert "no longer work" in pair.says('seat rekey beaver iroquois --why "shown around"')
    address, new = seat(pair)
    assert (address, new != old) == ("iroquois@example.org", True)
    letter = [one for one in letters(pair) if one["to"] == "iroquois@example.org"][-1]
    raw = pair.gm(f"mail show {letter['number']} --out --raw").stdout
    password = raw.split("SIGNON beaver Iroquois ")[1].split()[0]
    assert password not in letter["text"]
    write(pair, old, "Mohawk - Delaware\n", sender="thief@example.org")
    assert orders(pair) == []
    write(pair, "gm@example.org", f"SIGNON beaver Iroquois {password}\nMohawk - Delaware\n")
    assert orders(pair) == ["W MHK - DEL"]
    assert minutes(pair)[-1] == "gm Iroquois: new keys shown around"


@pytest.mark.parametrize("verb", ["replace beaver {} else@example.org", "kick beaver {}", "rekey beaver {}"])
def test_only_what_somebody_holds_can_change_hands(beaver: Terminal, verb: str) -> None:
    refused = beaver.refused(f"seat {verb.format('apache')} --why x")
    assert refused.startswith("Can't replace the player of Apache: nobody plays it")
    assert "gm seat assign beaver apache ADDRESS" in refused
    assert 'has no seat "huron"' in beaver.refused(f"seat {verb.format('huron')} --why x")
    assert beaver.gm(f"seat {verb.format('iroquois')}").exit_code == 2


def test_a_player_is_not_replaced_by_himself_or_by_nobody(beaver: Terminal) -> None:
    assert "iroquois@example.org already plays it" in beaver.refused(
        "seat replace beaver iroquois iroquois@example.org --why x"
    )
    assert "isn't a player's address" in beaver.refused("seat replace beaver iroquois nobody --why x")
    assert "isn't a player's address" in beaver.refused("seat replace beaver iroquois gm@example.org --why x")


@pytest.mark.parametrize(
    "own", ["gm@example.org", "GM+demo.iroquois.abcdefghijkl2@example.org", "gm+x@example.org"]
)
def test_no_address_of_ours_is_a_player_s(beaver: Terminal, own: str) -> None:
    """Our own letters would answer themselves."""
    assert "isn't a player's address" in beaver.refused(f"seat assign beaver dakota {own}")
