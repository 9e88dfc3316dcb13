"""Events that would do nothing as the board stands, so that nobody is told to play them."""

from games.plains_indian_wars import hands, lawful
from games.plains_indian_wars.box import box
from games.plains_indian_wars.model import AnyOrder, PlayAction, PlayEvent, State
from games.plains_indian_wars.nations import lawful as nations_lawful


def is_in_vain(view: State, order: AnyOrder) -> bool:
    """Whether an Event would be left out, or do nothing, in a plan of it and an action card alone."""
    if not isinstance(order, PlayEvent):
        return False
    scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
    rules = lawful if scenario.plays == "US" else nations_lawful
    if rules.objection(view, order) is not None:
        return False
    leads = (PlayAction(card=one.id) for deck in scenario.decks for one in hands.actions(view, deck))
    lead = next((one for one in leads if rules.objection(view, one) is None), None)
    plan = (order, lead) if lead is not None else (order,)
    return any(one.drops and one.detail["order"] == "0" for one in rules.concerns(view, plan))
