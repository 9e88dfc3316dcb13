"""Nonsense emails: commands, conditions and orders, whole and damaged, in any number."""

from collections.abc import Sequence
from random import Random

from games.protocol import Game
from orders.commands import PLAYER_COMMANDS

WORDS = (
    "IF",
    "ELSE",
    "ELSE IF",
    "ENDIF",
    "THEN",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    "PHASE",
    "STOP IF",
    "ENDPHASE",
)
SIGNS = ("", "", "", ",", ":", ";", ".", "?", " -", "!!", " (", ")", " …", " #")
ARGUMENTS = (
    "demo",
    "solo",
    "Iroquois",
    "all",
    "F1901M",
    "orders",
    "PROVINCES",
    "map",
    "indianomacy",
    "1",
    "☃",
)
TALK = ("I think that we should wait", "if you agree", "Dear all,", "my orders:", "> quoted", "", "")


class RandomLetters:
    """Emails about a kind of game. orders: some possible orders in it."""

    def __init__(self, game: Game, orders: Sequence[str]) -> None:
        self.orders = (*orders, *(form.example for form in game.notation.forms))
        self.conditions = tuple(form.example for form in game.notation.conditions) or ("it rains",)
        self.verbs = tuple(verb.example for verb in PLAYER_COMMANDS if verb.name not in ("SIGNON", "SIGNOFF"))

    def letter(self, lot: Random) -> str:
        """Return an email. A few repeat something often, and a few are one long line."""
        lines = [self.line(lot) for _ in range(lot.randint(1, 6))]
        if lot.random() < 0.03:
            lines *= lot.choice((3, 20, 400))
        if lot.random() < 0.03:
            return lot.choice((" ", ", ", " AND ", " ELSE ", ": ")).join(lines)[: lot.choice((900, 9_000))]
        return "\n".join(lines)

    def line(self, lot: Random) -> str:
        """Return a line for an email."""
        kind = lot.random()
        if kind < 0.25:
            return self._command(lot)
        if kind < 0.55:
            return self._governed(lot)
        if kind < 0.8:
            return self._torn(lot, lot.choice(self.orders)) + lot.choice(SIGNS)
        if kind < 0.9:
            said = (*WORDS, *self.conditions, *self.orders, *SIGNS)
            return " ".join(lot.choice(said) for _ in range(lot.choice((2, 2, 9, 9, 70))))
        return lot.choice(TALK)

    def _command(self, lot: Random) -> str:
        said = lot.choice(self.verbs)
        if lot.random() < 0.5:
            said = " ".join((said.split()[0], *(lot.choice(ARGUMENTS) for _ in range(lot.randint(0, 3)))))
        return lot.choice((said, said, said.lower(), self._torn(lot, said)))

    def _governed(self, lot: Random) -> str:
        asked = [
            lot.choice(("", "NOT ")) + self._torn(lot, lot.choice(self.conditions))
            for _ in range(lot.randint(1, 3))
        ]
        test = lot.choice((" AND ", " OR ", ", ")).join(asked)
        deep = lot.choice((0, 0, 0, 0, 0, 1, 3, 30, 300))
        test = "(" * deep + test + ")" * (deep - lot.choice((0, 0, 1)) if deep else 0)
        order = lot.choice(self.orders)
        return lot.choice(
            (
                f"IF {test} THEN",
                f"IF {test} THEN {order} ENDIF",
                f"IF {test}, {order}",
                f"ELSE IF {test} {order}",
                f"STOP IF {test}",
                f"ELSE {order}",
                "ENDIF",
                f"PHASE {lot.choice(ARGUMENTS)}: {order}",
                f"IF {test}",
            )
        )

    def _torn(self, lot: Random, text: str) -> str:
        """Return the text, sometimes with a character changed, left out or repeated."""
        if lot.random() < 0.7 or not text:
            return text
        at = lot.randrange(len(text))
        return text[:at] + lot.choice(("", lot.choice("abcxyz-(),"), text[at] * 30)) + text[at + 1 :]
