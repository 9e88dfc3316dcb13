"""TRY: the result of a plan before its engagements, without dice."""

from collections.abc import Sequence

from games.language import join_list
from games.messages import sentence
from games.plains_indian_wars import legality
from games.plains_indian_wars.engagements import battlefields
from games.plains_indian_wars.execution import carry_out_orders
from games.plains_indian_wars.legality import validate_orders
from games.plains_indian_wars.model import AnyOrder, Region, View
from games.plains_indian_wars.nations import execution as nations
from games.plains_indian_wars.nations import legality as nations_lawful
from games.plains_indian_wars.nations import sequence as nations_sequence
from games.plains_indian_wars.nations import tribe_phase as nations_fights
from games.plains_indian_wars.nations import tribe_phase as nations_phase
from games.plains_indian_wars.phrases import region_name
from games.plains_indian_wars.us_phase import UsPhase
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import DryRun


def dry_run(view: View, orders: Sequence[AnyOrder]) -> DryRun:
    """Return the position after a plan, and the regions where engagements would follow."""
    play = WorkingState(view)
    if play.scenario.plays == "Nations":
        return _dry_run_nations(play, orders)
    mine = validate_orders(play, orders, legality.objection)
    if view.disc is None:
        text = sentence("plains_indian_wars.dry_run.next_disc")
        return DryRun(after=play.freeze(), events=tuple(play.events), open=text)
    carry_out_orders(UsPhase(play, mine))
    return _dry_run_result(play, battlefields(play))


def _dry_run_nations(play: WorkingState, orders: Sequence[AnyOrder]) -> DryRun:
    mine = validate_orders(play, orders, nations_lawful.objection)
    disc, tribes = play.now.disc, nations_sequence.acting_tribes(play.now)
    for colour in nations_sequence.tribes_with_cards(play.now, tribes):
        play.set(disc=colour)
        nations.carry_out_plan(nations_phase.TribePhase(play, colour, mine))
    play.set(disc=disc)
    return _dry_run_result(play, nations_fights.tribe_battlefields(play, tribes))


def _dry_run_result(play: WorkingState, fought: Sequence[Region]) -> DryRun:
    if fought:
        regions = join_list(region_name(region) for region in fought)
        text = sentence("plains_indian_wars.dry_run.engagements", regions=regions)
    else:
        text = sentence("plains_indian_wars.dry_run.no_engagement")
    return DryRun(after=play.freeze(), events=tuple(play.events), open=text)
