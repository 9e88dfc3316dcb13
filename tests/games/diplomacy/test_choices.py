"""The choices of a game: the readings of the board, and the rulings as options."""

import pytest

from games.diplomacy import GAMES
from games.diplomacy.boards.variants import RULINGS
from games.diplomacy.variant_check import findings
from games.options import settle, settle_for_new_game
from games.protocol import Invalid
from tests.kit.positions import BOARD, DICE, RULES, VARIANT, position, season

(GAME,) = (game for game in GAMES if game.about.kind == "indianomacy")


def opening(**given):
    """The opening with some options."""
    return RULES.setup(settle(GAME.about.options, given), DICE).state


@pytest.mark.clause("indianomacy", "Map-centres")
@pytest.mark.clause("indianomacy", "Map-crossings")
def test_games_begin_with_the_evener_board_and_positions_that_say_nothing_keep_theirs():
    """Earlier games and questions to the judge use the defaults."""
    told, begun = settle(GAME.about.options, {}), settle_for_new_game(GAME.about, {})
    assert {name: (told.get(name), value) for name, value in begun.items() if told.get(name) != value} == {
        "centres": ("assumed", "defended"),
        "crossings": (True, False),
        "passages": (None, True),
    }
    chosen = settle_for_new_game(GAME.about, {"centres": "assumed", "crossings": "yes"})
    assert chosen == {**told, "passages": True}, "whoever says so gets the former board"


@pytest.mark.clause("indianomacy", "Map-centres")
def test_centres_may_be_one_more_home_of_each_nation():
    state = opening(centres="home-rival")
    board = VARIANT.under(state.options).board
    assert len(board.centres) == 44
    assert set(BOARD.centres) - set(board.centres) == set(BOARD.chart.assumed_centres)
    assert set(board.centres) - set(BOARD.centres) == set(BOARD.chart.rival_centres)
    gained = set(state.centres) - set(opening().centres)
    assert gained == set(BOARD.chart.rival_centres)
    assert {state.centres[centre] for centre in gained} == set(BOARD.powers)
    assert {home for power in board.chart.powers for home in power.homes} >= gained


@pytest.mark.clause("indianomacy", "Map-centres")
def test_inland_centres_lie_in_lands_that_are_nobodys_homes():
    state = opening(centres="inland")
    board = VARIANT.under(state.options).board
    inland = [one.id for one in board.places.values() if one.centre == "assumed"]
    assert inland == [*BOARD.chart.inland_centres]
    assert len(inland) == len(set(inland)) == 8
    assert len(board.centres) == 44
    homes = {home for power in BOARD.chart.powers for home in power.homes}
    assert not {*inland} & {*homes, BOARD.chart.taboo}
    assert {one for one in board.centres if one not in inland} == {
        place.id for place in BOARD.chart.provinces if place.centre in ("sourced", "deduced")
    }
    assert state.centres == opening(centres="assumed").centres, "nobody starts with more"


@pytest.mark.clause("indianomacy", "Map-centres")
def test_defended_centres_are_next_door_to_one_nation_at_most_and_to_none_in_a_corner():
    state = opening(centres="defended")
    board = VARIANT.under(state.options).board
    defended = [one.id for one in board.places.values() if one.centre == "assumed"]
    assert defended == [*BOARD.chart.defended_centres]
    assert len(set(defended)) == 8
    assert len(board.centres) == 44
    assert not {*defended} & {
        *(home for power in BOARD.chart.powers for home in power.homes),
        BOARD.chart.taboo,
    }
    begun = {unit.at: unit.power for unit in state.units if unit.power in BOARD.powers}
    reached = {at: {begun[near] for near in board.army[at] if near in begun} for at in defended}
    assert max(map(len, reached.values())) == 1
    assert set().union(*reached.values()) == {"Caddoan", "Dakota", "Illinois", "Shoshoni"}
    assert state.centres == opening(centres="assumed").centres, "nobody starts with more"


@pytest.mark.clause("indianomacy", "Map-centres")
def test_even_centres_lie_in_lands_that_are_nobodys_homes_and_off_the_bay():
    board = VARIANT.under(opening(centres="even").options).board
    even = [one.id for one in board.places.values() if one.centre == "assumed"]
    assert even == [*BOARD.chart.even_centres]
    assert len(set(even)) == 8
    assert len(board.centres) == 44
    homes = {home for power in BOARD.chart.powers for home in power.homes}
    assert not {*even} & {*homes, BOARD.chart.taboo}
    bay = {at for water in BOARD.chart.stormy for at in BOARD.fleet[water]}
    assert not {*even} & bay, "Hudson Bay is of use for the Cree alone"
    assert "36" in even, "Nootka is there to be won by canoe"


@pytest.mark.clause("indianomacy", "Map-borders")
def test_even_borders_are_ten_of_those_that_may_be_turned_and_part_whom_the_designer_parts():
    board = VARIANT.under(opening(borders="even", centres="assumed").options).board
    turned = board.chart.turned
    assert len(turned) == 10
    assert {*turned} == {*BOARD.chart.even_turns} < {*BOARD.chart.turns}
    for one in turned:
        assert one.parts[1] not in board.army[one.parts[0]]
        assert one.ends[1] in board.army[one.ends[0]]
    assert sum(map(len, board.army.values())) == sum(map(len, BOARD.army.values()))
    assert board.centres == BOARD.centres
    for here in (BOARD, board):
        shut = {
            place: [at for at in near if at != "120"] for place, near in here.army.items() if place != "120"
        }
        homes = {power.id: power.homes for power in here.chart.powers}
        assert steps_between(shut, homes["Iroquois"], homes["Muskhogean"]) == 5
        assert steps_between(here.army, homes["Iroquois"], homes["Muskhogean"]) == 4
        assert "108" in here.army["100"], "Caddoan and Apache are next to each other"


def steps_between(near, some, others):
    """Return the distance in steps between the nearest places of two groups."""
    found, front, steps = {*some}, {*some}, 0
    while not found & {*others}:
        front = {there for here in front for there in near[here]} - found
        found, steps = found | front, steps + 1
    return steps


@pytest.mark.clause("indianomacy", "Map-borders")
def test_the_readings_of_the_board_are_chosen_each_for_itself():
    chosen = VARIANT.under(opening(centres="even", borders="even", crossings=False).options)
    both = chosen.board
    assert "15" not in both.army["14"]
    assert "22" in both.army["48"]
    assert "8" in both.centres
    assert findings(chosen)[0] in findings(VARIANT.under(opening(crossings=False).options))


@pytest.mark.clause("indianomacy", "Map-centres")
@pytest.mark.parametrize("kept", [{}, {"centres": "assumed"}])
def test_a_game_that_began_with_the_assumed_centres_keeps_them(kept):
    """A game keeps its options as they were settled; one that is older than the option has none."""
    state = RULES.setup(kept, DICE).state
    assert VARIANT.under(state.options).board.centres == BOARD.centres
    assert VARIANT.under(state.options).board.army == BOARD.army
    assert {*BOARD.chart.assumed_centres} <= {*BOARD.centres}


@pytest.mark.clause("indianomacy", "Map-centres")
def test_with_such_homes_everybody_may_build_in_the_first_winter():
    state = opening(centres="home-rival")
    while state.phase.kind != "A":
        state = RULES.adjudicate(state, {}, DICE).state
    assert [(due.seat, due.takes) for due in RULES.due(state)] == [(power, 1) for power in BOARD.powers]


@pytest.mark.clause("indianomacy", "Map-crossings")
def test_without_crossings_nobody_walks_over_the_rivers_and_no_canoe_passes():
    bound = settle(GAME.about.options, {"crossings": "no"})
    season("Iroquois: W Seneca - Huron | moves\nW Lake Erie - Lake Ontario | moves")
    season(
        """
        Iroquois: W Seneca - Huron             | void: not adjacent
                  W Lake Erie - Lake Ontario   | void: not adjacent
        """,
        options=bound,
    )
    board = VARIANT.under(bound).board
    lost = [(one, other) for one in BOARD.places for other in BOARD.army[one] + BOARD.fleet[one]]
    kept = [(one, other) for one in board.places for other in board.army[one] + board.fleet[one]]
    assert len(lost) - len(kept) == 2 * len(BOARD.chart.crossings)


@pytest.mark.clause("indianomacy", "Map-passages")
def test_with_passages_canoe_fleets_pass_the_rivers_that_nobody_crosses_on_foot():
    season(
        """
        Iroquois: W Seneca - Huron             | void: not adjacent
                  W Lake Erie - Lake Ontario   | moves
        """,
        options=settle(GAME.about.options, {"crossings": "no", "passages": "yes"}),
    )
    season(
        """
        Iroquois: W Seneca - Huron             | moves
                  W Lake Erie - Lake Ontario   | void: not adjacent
        """,
        options=settle(GAME.about.options, {"crossings": "yes", "passages": "no"}),
    )


@pytest.mark.clause("indianomacy", "Map-passages")
@pytest.mark.parametrize("crossings", [True, False])
def test_a_game_older_than_passages_has_them_if_it_has_crossings(crossings):
    older = VARIANT.under({"crossings": crossings}).board
    chosen = VARIANT.under({"crossings": crossings, "passages": crossings}).board
    assert (older.army, older.fleet) == (chosen.army, chosen.fleet)


@pytest.mark.parametrize(
    ("crossings", "passages", "says"),
    [
        ("yes", "yes", None),
        ("no", "yes", "War Parties can't cross these rivers on foot: "),
        ("yes", "no", "Canoe-fleets can't pass these rivers: "),
        ("no", "no", "War Parties and canoe-fleets can't cross these rivers: "),
    ],
)
def test_a_welcome_names_the_rivers_that_nobody_crosses(crossings, passages, says):
    """Both banks touch on the map, so that nothing else shows it."""
    given = settle(GAME.about.options, {"crossings": crossings, "passages": passages})
    state = RULES.setup(given, DICE).state
    said = " ".join(GAME.telling.introduction(RULES.view(state, "Iroquois"), "Iroquois"))
    names = {name for *_, name in BOARD.chart.crossings}
    assert {name for name in names if name in said} == (names if says else set())
    assert says is None or says in said


def test_a_board_is_compiled_once_for_each_choice():
    one, other = opening(centres="home-rival"), opening(centres="home-rival", last_year=9)
    assert VARIANT.under(one.options) is VARIANT.under(other.options)
    assert VARIANT.under({}).board is VARIANT.board


@pytest.mark.parametrize("option", [option for option in GAME.about.options if option.name in RULINGS])
def test_a_ruling_that_is_an_option_has_its_values_its_default_and_its_clause(option):
    assert option.values == RULINGS[option.name]
    assert option.default == getattr(VARIANT.rulebook, option.name)
    assert option.ruling is not None
    assert option.meaning
    for value in option.values:
        chosen = VARIANT.under(settle(GAME.about.options, {option.name: value}))
        assert getattr(chosen.rulebook, option.name) == value
    with pytest.raises(Invalid):
        settle(GAME.about.options, {option.name: "whatever"})


def test_rulings_that_nobody_disputes_are_no_options():
    offered = {option.name for option in GAME.about.options} & set(RULINGS)
    assert offered == {"portage", "standoffs", "attacked", "destruction", "taboo_ends", "bay_exit"}
    assert position("Iroquois: W Mohawk").options == {}
