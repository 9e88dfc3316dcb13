"""The AI's best play, found by trying every base with every set of Plus cards.

It is written from the rules alone and doesn't import the product. It reads the cards as JSON.
"""

import json
from itertools import combinations
from pathlib import Path

_FILE = Path(__file__).parents[3] / "games" / "great_war" / "data" / "cards.json"
_ROWS = json.loads(_FILE.read_text(encoding="utf-8"))["cards"]
CARDS = {row["id"]: row for row in _ROWS}
ORDER = {row["id"]: place for place, row in enumerate(_ROWS)}
BARRED = ("fortifications", "trenches", "barbed_wire")


def meant(card, selectors):
    """Return whether a card fits one of the selectors."""
    for one in selectors:
        if one.get("not") in card["tags"]:
            continue
        if one.get("any"):
            return True
        if (
            one.get("tag", card["tags"][0]) in card["tags"]
            and one.get("nat", card["nationality"]) == card["nationality"]
        ):
            return True
    return False


HOSTS = {
    one: {host for host, other in CARDS.items() if host != one and meant(other, card["links_to"])}
    for one, card in CARDS.items()
    if card["plus"]
}


def candidates(hand, attacks):
    """Return the cards of a hand that the AI plays by themselves."""
    return [
        one
        for one in sorted(hand, key=ORDER.get)
        if "round" in CARDS[one]["timing"]
        and not {"leader", "joker", "bonus_card"} & {*CARDS[one]["tags"]}
        and not (attacks and CARDS[one]["kind"] in BARRED)
    ]


class Try:
    """One play on a copy of both rows, which are lists of [card, face-up]."""

    def __init__(self, own, foe):
        self.own, self.foe = [list(one) for one in own], [list(one) for one in foe]
        self.count, self.hit = 0, False

    def lay(self, one):
        """Play a card with its effects."""
        self.own.append([one, True])
        self.count += 1
        for effect in CARDS[one]["effects"]:
            if effect["op"] in ("cancel", "discard_in_play"):
                found = [row for row in self.foe if row[1] and self.may_hit(one, row[0], effect["target"])]
                found.sort(key=lambda row: (-CARDS[row[0]]["bp"], ORDER[row[0]]))
                if found:
                    found[0][1] = False
                    self.hit = True
            elif effect["op"] == "restore":
                down = [row for row in self.own if not row[1] and meant(CARDS[row[0]], effect["target"])]
                down.sort(key=lambda row: (-CARDS[row[0]]["bp"], ORDER[row[0]]))
                if down:
                    down[0][1] = True

    def may_hit(self, by, one, target):
        """Return whether a card can be taken out of play by another."""
        immune = [effect for effect in CARDS[one]["effects"] if effect["op"] == "immune"]
        if immune and not meant(CARDS[by], immune[0]["except"]):
            return False
        return meant(CARDS[one], target)

    def links(self, one):
        """Return whether a Plus card has a host now."""
        return any(up and card in HOSTS[one] for card, up in self.own)

    def margin(self):
        """Return the total of one row minus the total of the other."""
        return sum(CARDS[one]["bp"] for one, up in self.own if up) - sum(
            CARDS[one]["bp"] for one, up in self.foe if up
        )

    def lay_all(self, wanted):
        """Add these Plus cards, the highest that links first, and return whether all of them found a host."""
        left = sorted(wanted, key=lambda one: (-CARDS[one]["bp"], ORDER[one]))
        while left:
            one = next((one for one in left if self.links(one)), None)
            if one is None:
                return False
            left.remove(one)
            self.lay(one)
        return True


def best(hand, own, foe, attacks, by_cards):
    """Return the best play: its key, its base, and the set of its cards.

    by_cards: whether the number of cards comes first, otherwise the swing. Of equal keys, the earlier base in
    the list wins, and a play with a base wins against one without.
    """
    able = candidates(hand, attacks)
    found = None
    for place, base in enumerate((*able, None)):
        plus = [one for one in able if one != base and CARDS[one]["plus"]]
        for size in range(len(plus), -1, -1):
            for some in combinations(plus, size):
                play = Try(own, foe)
                before = play.margin()
                if base is not None:
                    play.lay(base)
                if not play.lay_all(some):
                    continue
                swing, bp = play.margin() - before, CARDS[base]["bp"] if base else 0
                hit = int(play.hit)
                key = (play.count, swing, hit, bp) if by_cards else (swing, hit, play.count, bp)
                ranked = (key, -place)
                if found is None or ranked > found[0]:
                    found = (ranked, base, {one for one in (base, *some) if one})
    return found[0][0], found[1], found[2]
