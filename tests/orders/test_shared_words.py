"""A line that is an order is an order, on a board where New Guinea is NEW, Allegheny ALL, and Notts NOT."""

import pytest

from games.protocol import LexiconEntry
from games.record import replace_fields
from orders.verdict import IN_FORCE
from tests.kit.dry_runs import read_text
from tests.kit.words_board import read, words_game
from tests.orders.plain import HOLDING, LEXICON, TEXTS, Read, reading

NAMED = (
    ("201", "New Guinea", "NEW"),
    ("202", "Celebes Sea", "CEL"),
    ("203", "Allegheny", "ALL"),
    ("204", "Map", "MAP"),
)
NAMES = {id_: short for id_, _, short in NAMED} | {term.id: term.names[1] for term in LEXICON}


def write(order):
    return TEXTS[order.form].format(**{name: NAMES[id_] for name, id_ in order.slots.items()})


def resting():
    return tuple(Read(form="hold", slots={"unit": unit}) for unit in ("10", "203"))


ISLANDS = replace_fields(
    HOLDING,
    lexicon=(
        *LEXICON,
        *(LexiconEntry(sort="province", id=id_, names=(name, short)) for id_, name, short in NAMED),
    ),
    write=write,
    resting=resting,
    reaches=lambda order: order.slots["unit"] in ("10", "201", "203", "204"),
)
"""A game with these islands. Its sender's units are in Mohawk, New Guinea, Allegheny and Map."""


def read_line_as(text):
    found = reading(text, ISLANDS)
    return [one.said for one in found.orders if one.grade in IN_FORCE], [one.verb for one in found.commands]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("NEW - Celebes Sea", "W NEW - CEL"),
        ("new - celebes sea", "W NEW - CEL"),
        ("NEW GUINEA - CELEBES SEA", "W NEW - CEL"),
        ("NEW - Celebs Sea", "W NEW - CEL"),
        ("NEW Celebes Sea", "W NEW - CEL"),
        ("NEW suports Mohawk", "W NEW S W MHK"),
        ("NEW H", "W NEW H"),
        ("- NEW H", "W NEW H"),
        ("MAP H", "W MAP H"),
        ("MAP - Celebs Sea", "W MAP - CEL"),
    ],
)
def test_an_order_for_a_province_is_no_command(line, order):
    assert read_line_as(line) == ([order], [])


def test_the_reply_says_that_the_word_is_also_a_command():
    (verdict,) = reading("NEW - Celebes Sea", ISLANDS).orders
    assert verdict.grade == "corrected"
    assert verdict.problem == 'we read "NEW" as New Guinea, and not as the command NEW'
    first, second = reading("NEW - Celebes Sea, Mohawk H", ISLANDS).orders
    assert (first.grade, second.grade, second.problem) == ("corrected", "taken", None)


def test_a_typo_in_the_order_begins_no_game():
    found = reading("NEW - Atlantis", ISLANDS)
    assert (found.commands, [one.grade for one in found.orders]) == ((), ["unread"])


@pytest.mark.parametrize(
    "line", ["NEW", "NEW standard", "NEW GAME standard", "MAP", "MAP S1901M", "MAP ORDERS"]
)
def test_a_line_that_is_no_order_is_the_command(line):
    orders, commands = read_line_as(line)
    assert (orders, len(commands)) == ([], 1)


@pytest.mark.parametrize("line", ["all hold", "All hold.", "ALL HOLD", "hold all", "all H"])
def test_all_hold_means_all(line):
    assert read_line_as(line) == (["W MHK H", "W ALL H"], [])


def test_the_abbreviation_of_an_own_unit_in_capitals_means_that_unit():
    (verdict,) = reading("ALL H", ISLANDS).orders
    assert (verdict.grade, verdict.said) == ("corrected", "W ALL H")
    assert verdict.problem == 'we read one unit. To let all your units hold, write "all hold"'
    elsewhere = replace_fields(
        ISLANDS, reaches=lambda order: order.slots["unit"] == "10", resting=lambda: resting()[:1]
    )
    assert [one.said for one in reading("ALL H", elsewhere).orders] == ["W MHK H"]


def read_orders_of(text):
    """Return the condition and the text of each order in force, and the other grades."""
    return [
        f"{row['when'] or ''}: {row['read_as']}" if row["grade"] in IN_FORCE else row["grade"]
        for row in read(text)["orders"]
    ]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("IF - THEN", ": A IF - THEN"),
        ("IF - THEN, ELSE - ELSEIF", ": A IF - THEN"),
        ("ENDIF H", ": A ENDIF H"),
        ("PHASE - Endphase", ": A PHASE - ENDPHASE"),
        ("STOP - SPRING", ": A STOP - SPRING"),
        ("A WINTER - RETREATS", ": A WINTER - RETREATS"),
        ("Wenn hält", ": A WENN H"),
        ("IF NOT THEN AND - OR", "IF W NOT: A AND - OR"),
        ("IF NOT NOT THEN AND - OR", "IF NOT W NOT: A AND - OR"),
        ("IF Red is not in NOT THEN AND - OR", "IF NOT Red W NOT: A AND - OR"),
        ("IF Red is in NOT THEN AND - OR", "IF Red W NOT: A AND - OR"),
        ("IF Red is not in NEW\nIF - THEN\nENDIF", "IF NOT Red W NEW: A IF - THEN"),
        ("IF AND OR OR THEN AND - OR", "IF W AND OR W OR: A AND - OR"),
        ("IF NEW\nENDIF - AND\nELSE\nENDIF H\nENDIF", "IF W NEW: A ENDIF - AND"),
    ],
)
def test_words_of_conditions_and_turns_are_provinces_too(text, order):
    assert read_orders_of(text)[:1] == [order]


@pytest.mark.parametrize(
    ("condition", "when"),
    [
        ("Germany is not in Burgundy", "IF NOT Germany in BUR"),
        ("Germany is not in Burgundi", "IF NOT Germany in BUR"),
        ("the Germans are not in Burgundy", None),
        ("Germans isn't in Burgundy", "IF NOT Germany in BUR"),
        ("no army is not in Burgundy", None),
        ("no army is in Burgundy", "IF NOT A BUR"),
        ("an army is not in Burgundy", "IF NOT A BUR"),
        ("any fleet is in Brest", "IF F BRE"),
    ],
)
def test_a_negation_also_counts_beside_a_misspelt_name(condition, when):
    (*_, row) = read_text(f"IF {condition} THEN A PAR - BUR")["orders"]
    assert (row["grade"] in IN_FORCE, row["when"]) == (when is not None, when)


def test_a_line_below_an_order_that_ends_with_endif_is_still_in_the_block():
    assert read_orders_of("IF NEW\nAND - ENDIF\nOR H\nENDIF\nNOT H") == [
        "IF W NEW: A AND - ENDIF",
        "IF W NEW: A OR H",
        ": A NOT H",
    ]


def test_an_empty_line_leaves_an_unfinished_if_open_however_the_orders_below_end():
    """Without an ENDIF below, we ask whether the lines after an empty line belong to it."""
    assert read_orders_of("IF NEW\nWAIT H\n\nAND - ENDIF") == ["IF W NEW: A WAIT H", "doubtful"]


@pytest.mark.long
@pytest.mark.parametrize("way", ["abbreviation", "small", "name", "alias"])
def test_each_word_of_ours_orders_its_province(way):
    """None is misread and none is lost: at the beginning of a line, by abbreviation, name and alias."""
    places = words_game().notation._board.chart.provinces  # the names are the board's
    assert len(places) > 200
    wrong = []
    for number, place in enumerate(places):
        goal = places[(number + 1) % len(places)]
        goes, stays = f"A {place.abbr} - {goal.abbr}", f"A {place.abbr} H"
        lines = {
            "abbreviation": {f"{place.abbr} - {goal.abbr}": goes, f"{place.abbr} H": stays},
            "small": {f"{place.abbr.lower()} - {goal.abbr.lower()}": goes},
            "name": {f"{place.name} - {goal.name}": goes, f"{place.name.upper()} HOLDS": stays},
            "alias": {f"{place.aliases[-1]} to {goal.aliases[-1]}": goes},
        }[way]
        for line, order in lines.items():
            found = read(line)
            force = [
                row["read_as"] for row in found["orders"] if row["grade"] in IN_FORCE and not row["when"]
            ]
            if force != [order] or found["commands"]:
                wrong.append((line, found["orders"][:2], found["commands"]))
    assert wrong == []
