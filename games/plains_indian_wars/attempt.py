"""A plan tried out up to its engagements, which are thrown for."""

from collections.abc import Sequence

from games.plains_indian_wars import lawful
from games.plains_indian_wars.carrying_out import carry_out
from games.plains_indian_wars.engagements import battlefields
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import AnyOrder, Region, View
from games.plains_indian_wars.nations import carrying_out as nations
from games.plains_indian_wars.nations import fights as nations_fights
from games.plains_indian_wars.nations import lawful as nations_lawful
from games.plains_indian_wars.nations import phase as nations_phase
from games.plains_indian_wars.nations import sequence as nations_sequence
from games.plains_indian_wars.phase import Phase
from games.plains_indian_wars.phrases import listed, place
from games.plains_indian_wars.sifting import sifted
from games.protocol.optional import Trial

_DISC = "Then the next disc is drawn."


def attempt(view: View, orders: Sequence[AnyOrder]) -> Trial:
    """What a plan would do, and where there would be engagements."""
    play = Play(view)
    if play.scenario.plays == "Nations":
        return _of_nations(play, orders)
    mine = sifted(play, orders, lawful.objection)
    if view.disc is None:
        return Trial(after=play.freeze(), events=tuple(play.events), open=_DISC)
    carry_out(Phase(play, mine))
    return _told(play, battlefields(play))


def _of_nations(play: Play, orders: Sequence[AnyOrder]) -> Trial:
    mine = sifted(play, orders, nations_lawful.objection)
    disc, tribes = play.now.disc, nations_sequence.acting(play.now)
    for colour in nations_sequence.asked(play.now, tribes):
        play.set(disc=colour)
        nations.carry_out(nations_phase.Plan(play, colour, mine))
    play.set(disc=disc)
    return _told(play, nations_fights.fields(play, tribes))


def _told(play: Play, fought: Sequence[Region]) -> Trial:
    where = listed([place(one) for one in fought])
    said = f"Then there are engagements, which are thrown for, in {where}." if fought else _NEXT
    return Trial(after=play.freeze(), events=tuple(play.events), open=said)


_NEXT = "There is no engagement; then the game goes on, by draws and dice."
