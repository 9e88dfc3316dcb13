"""The facts that a convoy depends on: whether its fleets stay, and whether the army gets across."""

from games.diplomacy.adjudication.convoy_routes import places_of_bits
from games.diplomacy.adjudication.season import Ask, PreparedSeason


def survives(season: PreparedSeason, ask: Ask, fleet: int) -> bool | None:
    """Return whether a convoying fleet is not dislodged; None while that depends on itself."""
    answer: bool | None = True
    for attacker in season.aimed.get(fleet, ()):
        won = ask(attacker)
        if won:
            return False
        if won is None:
            answer = None
    return answer


def crosses(season: PreparedSeason, ask: Ask, army: int) -> bool | None:
    """Return whether a way is open to an army at sea: one chain of fleets not dislodged is enough.

    Source: DATC 4.A.1 (Rulebook.convoy_routes).
    """
    fleets = season.carriers[army]
    if season.rulebook.convoy_routes == "all":
        return _all_sail(season, ask, army)
    sure = possible = fleets
    for fleet in places_of_bits(fleets):
        safe = ask(fleet)
        if not safe:
            sure -= 1 << fleet
            if safe is not None:
                possible -= 1 << fleet
    goal, is_open = season.goal[army], season.mustered.is_open
    if is_open(army, goal, sure):
        return True
    return None if possible != sure and is_open(army, goal, possible) else False


def _all_sail(season: PreparedSeason, ask: Ask, army: int) -> bool | None:
    """Return whether an army's fleets make a way, and none of them is dislodged."""
    fleets = season.carriers[army]
    if not season.mustered.is_open(army, season.goal[army], fleets):
        return False
    answers = [ask(fleet) for fleet in places_of_bits(fleets)]
    if False in answers:
        return False
    return None if None in answers else True
