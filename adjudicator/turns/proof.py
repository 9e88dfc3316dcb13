"""The dice of a game proved from its log alone, by anybody: the chain, the seal, every throw."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.model.games import DiceRoll, LogEntry
from adjudicator.turns.overrides import dice_number_after, pending_dice
from games.dice import Dice, SealedDice, commitment


@dataclass(frozen=True)
class DiceVerification:
    """The result of a verification: the numbers of chained entries, of rolls in them, and of forced rolls.

    sealed: whether the secret is known, so that throws could be computed; recorded: how many entries name
    their own hash, since something is left out of them that it covers: of these nothing is proved but that
    the next one names them; fault: the first thing that is wrong, None if all is right.
    """

    entries: int
    throws: int
    forced: int
    sealed: bool
    fault: str | None = None
    recorded: int = 0


def verify_dice(
    name: str, published: str, secret: bytes | None, log: Sequence[LogEntry], head_sha: str
) -> DiceVerification:
    """Check that each entry names the one before, and each throw is what the secret makes it.

    published: the commitment, as it stood in the first letters; secret: None while it is not revealed, so
    that only the chain can be checked; head_sha: of the last entry. A throw that was set by hand must have
    been set by an entry before it.
    """
    if secret is not None and commitment(secret) != published:
        return DiceVerification(0, 0, 0, True, "the secret is not the one whose SHA-256 was published")
    previous, thrown, forced = "", 0, 0
    for place, entry in enumerate(log):
        if entry.number < place or entry.previous_sha != previous:
            reason = f"entry {entry.number} does not follow the one before it"
            return DiceVerification(place, thrown, forced, secret is not None, reason)
        waiting = pending_dice(log[:place])
        dice = SealedDice(secret, name, dice_number_after(log[:place])) if secret is not None else None
        for throw in entry.throws:
            fault = _find_fault(throw, dice, waiting)
            if fault:
                reason = f"entry {entry.number} ({entry.turn}), throw {throw.label}: {fault}"
                return DiceVerification(place, thrown, forced, secret is not None, reason)
            thrown, forced = thrown + 1, forced + throw.forced
        previous = entry.sha
    cut = None if previous == head_sha else "the last entry is not the one that is named as the last"
    recorded = sum(entry.sha == entry.recorded for entry in log)
    return DiceVerification(len(log), thrown, forced, secret is not None, cut, recorded)


def _find_fault(throw: DiceRoll, dice: Dice | None, waiting: dict[str, tuple[int, ...]]) -> str | None:
    if throw.forced:
        return None if waiting.get(throw.label) == throw.numbers else "it was set, and no entry says by whom"
    if dice is None:
        return None
    try:
        sealed = dice.draw(throw.label, throw.sides, len(throw.numbers))
    except ValueError:
        return "no dice can throw that"
    return (
        None
        if sealed == throw.numbers
        else f"it shows {_read(throw.numbers)}, the secret says {_read(sealed)}"
    )


def _read(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)
