"""Temperaments: the same bot with other weights."""

from collections.abc import Mapping

from games.diplomacy.bots.alliances import DEFAULT_LEAD
from games.record import Record


class Temper(Record, frozen=True, kw_only=True):
    """The temperament of a bot: the things that it values more, or less.

    enemy, unowned: how many steps nearer a centre of another nation, or of nobody, counts than it is.
    watch: how many enemies next door keep a unit in its centre in Spring; in Fall one does.
    odds: how much stronger than a lone defender an attack on a nation's unit has to be.
    lead: how many centres more than itself a friend may not have, for its leaning to last.
    offers: what it proposes to others in press, "truce", "attack", "empty" for a demilitarised place; it
    answers to all of them.
    """

    name: str
    meaning: str
    enemy: int = 0
    unowned: int = 0
    watch: int = 2
    odds: int = 1
    lead: int = DEFAULT_LEAD
    offers: tuple[str, ...] = ("truce", "attack", "empty")


EVEN_TEMPER = Temper(name="even", meaning="takes what is closest")

TEMPERS: Mapping[str, Temper] = {
    temper.name: temper
    for temper in (
        Temper(
            name="raider",
            meaning="rather takes from others, leaves its own centres open in Spring, soon tires of friends",
            enemy=1,
            watch=9,
            lead=2,
            offers=("attack",),
        ),
        Temper(
            name="settler",
            meaning="rather takes what belongs to nobody, attacks others when it is sure to win",
            unowned=2,
            odds=2,
        ),
        Temper(
            name="guardian",
            meaning="stays in centres with enemies next door, all the year, and keeps to its friends",
            watch=1,
            lead=6,
            offers=("truce", "empty"),
        ),
    )
}
"""The temperaments that a seat may have, by name."""
