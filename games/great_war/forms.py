"""The forms in which the player's orders are written.

A line of a Round is a row of cards with a sign before each but the first: ``+`` a link, ``>`` a target,
``LEADS`` and commas what a leader leads, ``WITH`` what lets him lead more, ``AS WILD`` a Joker as a link.
"""

from games.protocol import Form

_MAX_STEPS = 19
"""Signs with cards after the first card of a line: ten cards, each with a target."""

_CARD = "card|code"
_ROUND_SLOT = "[{round:round}] [:]"
MAX_GUARDS, MAX_BLOCKADE_PAIRS = 6, 3
"""How many cards may stand ready against a leader, and how many blockades be given a target, in one line."""


def _step(number: int) -> str:
    return f"{{s{number}:sign}} {{c{number}:card|code|word}}"


def _steps(first: int, least: int, most: int) -> str:
    """The pattern of so many steps, those beyond the least left out at will."""
    pattern = " ".join(_step(number) for number in range(first, first + least))
    more = ""
    for number in reversed(range(first + least, first + most)):
        more = f"[{_step(number)} {more}]"
    return f"{pattern} {more}".strip()


_ROLE_SLOT = f"{{role:role}} {_ROUND_SLOT}"
_FIRST_CARD_SLOT = f"{{c0:{_CARD}}}"
_WITH_WORDS = "(with|by|using)"

_LINE_FORMS: tuple[tuple[str, str, str], ...] = (
    ("round", f"{_ROLE_SLOT} {_FIRST_CARD_SLOT} {_step(1)} {_step(2)}", "ATTACK 1ST: B-QS + B-10H > R-8C"),
    ("round", f"{_ROLE_SLOT} {_FIRST_CARD_SLOT} {_step(1)}", "ATTACK 1ST: B-QS + B-10H"),
    ("round", f"{_ROLE_SLOT} {_FIRST_CARD_SLOT}", "ATTACK 1ST: B-QS"),
    (
        "round",
        f"{_ROLE_SLOT} {_FIRST_CARD_SLOT} {_steps(1, 3, _MAX_STEPS)}",
        "ATTACK 2ND: B-JH WITH B04 LEADS B-QD, B-AS > R-10S + B-10H",
    ),
    ("plus-cards", f"{_ROLE_SLOT} {_steps(1, 1, _MAX_STEPS)}", "DEFEND 1ST: + B-7D + B-4D"),
    ("pass", "(pass|passes|lay nothing|play nothing) [{round:round}]", "PASS 2ND"),
)

_SINGLE_FORMS: tuple[tuple[str, str, str], ...] = (
    *(
        ("joker", f"{said} [in] [{{round:round}}]", "CANCEL R-KH WITH B-JK1 2ND")
        for said in (
            f"cancel {{target:{_CARD}|word}} {_WITH_WORDS} {{c0:{_CARD}}}",
            f"{{c0:{_CARD}}} cancels {{target:{_CARD}|word}}",
            f"use {{c0:{_CARD}}} to cancel {{target:{_CARD}|word}}",
        )
    ),
    *(
        ("stop-event", said, "CANCEL EVENT WITH B05")
        for said in (
            f"cancel [the] event {_WITH_WORDS} {{c0:{_CARD}}}",
            f"{{c0:{_CARD}}} cancels [the] event",
            f"use {{c0:{_CARD}}} against [the] event",
        )
    ),
    *(
        ("exchange", said, "EXCHANGE W10 FOR B-QD")
        for said in (
            f"exchange {{white1:{_CARD}}} for {{for1:{_CARD}}}",
            f"(swap|take|put) {{white1:{_CARD}}} (for|in place of) {{for1:{_CARD}}}",
            f"(replace|exchange) {{for1:{_CARD}}} (by|with) {{white1:{_CARD}}}",
            f"{{white1:{_CARD}}} (comes in|comes) for {{for1:{_CARD}}}",
        )
    ),
    (
        "exchange",
        f"exchange {{white1:{_CARD}}} for {{for1:{_CARD}}} (and|,|and exchange) "
        f"{{white2:{_CARD}}} for {{for2:{_CARD}}}",
        "EXCHANGE W06 FOR B-JS AND W08 FOR R-JS",
    ),
    *(
        (
            "blockade",
            "blockade [:] "
            + " [,] ".join(f"{{c{number}:{_CARD}}} > {{t{number}:{_CARD}|word}}" for number in range(count)),
            "BLOCKADE: " + ", ".join(("B-2S > R-QS", "B-3S > BEST", "W25 > BEST")[:count]),
        )
        for count in range(1, MAX_BLOCKADE_PAIRS + 1)
    ),
    ("any-blockade", "blockade [:] best", "BLOCKADE: BEST"),
    ("draw", "draw {neutral:number} / {nationality:number} / {bonus:number}", "DRAW 4/4/1"),
    *(
        (
            "draw",
            "draw " + " [,] [and] ".join(f"{{{name}:number}} {name}" for name in order),
            "DRAW 4 NATIONALITY 4 NEUTRAL 1 BONUS",
        )
        for order in (("nationality", "neutral", "bonus"), ("neutral", "nationality", "bonus"))
    ),
    ("turns", "turns {n:number}", "TURNS 10"),
    ("turns", "play {n:number} turns", "play 10 turns"),
    *(
        (
            "against-leader",
            f"cancel [the] (leader|leaders|jack|jacks) {_WITH_WORDS} "
            + " (,|and|or|then) ".join(f"{{c{number}:{_CARD}}}" for number in range(count)),
            "CANCEL LEADER WITH " + ", ".join(("B07", "B-JK1", "W01", "W02", "B-JK2", "R-JK1")[:count]),
        )
        for count in range(1, MAX_GUARDS + 1)
    ),
    ("no-guard", "cancel (no leader|leader with none|leader with nothing|leader : none)", "CANCEL NO LEADER"),
    ("bonus", f"bonus [phase] [:] {_FIRST_CARD_SLOT} {_steps(1, 0, 3)}", "BONUS: B08 > R-KH"),
    ("no-bonus", "bonus [phase] [:] (none|nothing|pass)", "BONUS: NONE"),
    ("begin", "(begin|begin the game|start|start the game|let us begin)", "begin"),
)

ORDER_FORMS: tuple[Form, ...] = (
    *(
        Form(name=name, pattern=pattern, example=example)
        for name, pattern, example in (*_LINE_FORMS, *_SINGLE_FORMS)
    ),
)
"""Every way to write an order, the canonical one of each name first."""
