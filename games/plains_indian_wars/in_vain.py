"""Events that would do nothing as the board stands, so that nobody is told to play them."""

from games.plains_indian_wars import hands, legality
from games.plains_indian_wars.model import AnyOrder, PlayAction, PlayEvent, State
from games.plains_indian_wars.nations import legality as nations_lawful
from games.plains_indian_wars.owner_data import box


def is_useless_event(view: State, order: AnyOrder) -> bool:
    """Return whether an Event would be left out, or do nothing, in a plan of it and an action card alone."""
    if not isinstance(order, PlayEvent):
        return False
    scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
    rules = legality if scenario.plays == "US" else nations_lawful
    if rules.objection(view, order) is not None:
        return False
    leads = (PlayAction(card=card.id) for deck in scenario.decks for card in hands.action_cards(view, deck))
    lead = next((action for action in leads if rules.objection(view, action) is None), None)
    plan = (order, lead) if lead is not None else (order,)
    return any(concern.drops and concern.detail["order"] == "0" for concern in rules.concerns(view, plan))
