"""The press in a report, and the proposals that lapse with its turns, as each reader may know them."""

from adjudicator.model.people import GAMESMASTER_SEAT, Press, Vote
from adjudicator.reports.messages import dispatches, lapsed_proposal
from tests.kit.memory_people import MemoryPeople


def people_repository(kit):
    """Elm has written to all, to Oak and to the gamesmaster, and has agreed to a draw."""
    found = MemoryPeople(cast={("demo", kit.ELM): Vote(seat=kit.ELM, motion="draw")})
    for to in (None, (kit.OAK,), (GAMESMASTER_SEAT,)):
        press = Press(turn="Y1P", seat=kit.ELM, kind="white", to=to, text=f"to {to and to[0]}", at=0)
        found.said.append(("demo", press))
    return found


def test_each_reader_is_told_what_was_written_to_him(kit):
    heard = {
        viewer: [
            one.text
            for one in dispatches(people_repository(kit), "demo", kit.played(), viewer)
            if one is not lapsed_proposal()
        ]
        for viewer in (kit.ELM, kit.OAK, kit.ASH, None)
    }
    assert heard == {
        kit.ELM: ["to None", "to Oak"],
        kit.OAK: ["to None", "to Oak"],
        kit.ASH: ["to None"],
        None: ["to None"],
    }


def test_that_a_proposal_lapses_is_told_to_those_who_were_asked(kit):
    """Observers and forum readers weren't asked."""
    for viewer, told in ((kit.ELM, True), (kit.OAK, True), (None, False)):
        assert (lapsed_proposal() in dispatches(people_repository(kit), "demo", kit.played(), viewer)) is told
