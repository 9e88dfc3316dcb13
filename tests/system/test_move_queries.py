"""MOVES, NEIGHBOURS, TRY, MAP ORDERS and UNDO by real email, in every game of the product."""

import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.storage import stored_games
from adjudicator.turns.log import replay
from games.record import canonical
from tests.kit.cached_services import cached_beginning
from tests.kit.memory_repository import game_of
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

SECRET = b"thirty-two bytes, sealed for us."
GAMES: dict[str, tuple[str, dict[str, str]]] = {
    "indianomacy": ("Iroquois", {}),
    "standard": ("France", {}),
    "plains-indian-wars": ("US", {}),
    "war-chest": ("player", {}),
    "great-war": ("player", {}),
    "boer-war": ("player", {"mode": "both"}),
}
"""A seat of each, and how it is set up."""

ALL = pytest.mark.parametrize("kind", GAMES)
_FORM = re.compile(r"^    (\S.*?)(?:  +\S.*)?$")


@cached_beginning
def seat_alone(place: LocalService, kind: str, seat: str, address: str) -> None:
    """A game of a kind with one person, who was welcomed."""
    game_admin.new_game(place.service, game_admin.GameRequest(kind, "alone", GAMES[kind][1]), secret=SECRET)
    game_admin.assign(place.service, "alone", seat, address)
    place.work()


class Table:
    """A game in which one person plays against bots."""

    def __init__(self, place: LocalService, kind: str) -> None:
        self.place, (self.seat, _) = place, GAMES[kind]
        self.address = f"{self.seat.lower()}@example.org"
        seat_alone(place, kind, self.seat, self.address)

    def says(self, text: str) -> str:
        """Reply to our newest email and return the text of the answer."""
        self.place.clock.advance(HOUR)
        self.place.answer(self.address, self.letters()[-1], text)
        self.place.work()
        return text_of(self.answer())

    def answer(self) -> EmailMessage:
        """Return the newest reply to an email, or without any the report that answered it."""
        emails = self.letters()
        return next((one for one in reversed(emails) if str(one["Subject"]).startswith("Re:")), emails[-1])

    def letters(self) -> list[EmailMessage]:
        return self.place.mail(self.address)

    @property
    def position(self) -> GamePosition:
        return game_admin.position_of(self.place.service, "alone")

    @property
    def map(self) -> bytes | None:
        """The map in the newest answer."""
        found = [part for part in self.answer().walk() if part.get_content_type() == "image/png"]
        return bytes(found[0].get_payload(decode=True)) if found else None


@pytest.fixture
def seated(tmp_path: Path) -> Callable[[str], Table]:
    """A player's game of a kind, in its own service."""
    with local_service(tmp_path) as place:
        yield lambda kind: Table(place, kind)


def forms(answer: str) -> list[str]:
    """Return the orders that MOVES lists, as written there."""
    _, _, told = answer.partition("REPLY TO MOVES")
    rows = [
        _FORM.match(row)
        for row in told.partition(sentence("inbound.moves.more", longer="")[:30])[0].splitlines()
    ]
    texts = [found[1] for found in rows if found]
    return [text for text in texts if not text.startswith("and ") and " more like this:" not in text]


@ALL
def test_each_line_that_moves_lists_is_taken_when_it_is_sent_back(
    seated: Callable[[str], Table], kind: str
) -> None:
    """By TRY, so that no turn runs: every tenth of them, as it is in the email."""
    table = seated(kind)
    told = forms(table.says("MOVES"))
    assert len(told) >= 1
    for text in told[:: max(1, len(told) // 4)]:
        answer = table.says(f"TRY\n{text}\nENDTRY")
        assert f"> {text}" in answer
        assert "✗" not in answer.partition("REPLY TO TRY")[2].partition("YOUR ORDERS FOR")[0], answer


def test_where_moves_shows_samples_it_says_how_many_more_there_are(seated: Callable[[str], Table]) -> None:
    """Also their form, with the limits that each of them must keep."""
    answer = " ".join(seated("great-war").says("MOVES next hand").split())
    form = "DRAW NEUTRAL/NATIONALITY/BONUS"
    limits = "of 2 to 5 Neutral, 3 to 6 Nationality and 1 or 2 Bonus cards, 9 together"
    assert f"4 more like this: {form}, {limits}" in answer
    assert answer.count("DRAW ") == 3 + 1


@ALL
def test_what_is_tried_is_told_and_drawn_and_not_on_file(seated: Callable[[str], Table], kind: str) -> None:
    table = seated(kind)
    (first, *_) = forms(table.says("MOVES"))
    before = canonical(table.position.state), table.position.filed, table.position.entries
    answer = " ".join(table.says(f"TRY\n{first}\nENDTRY").split())
    assert sentence("inbound.dry_runs.nothing_filed") in answer
    assert sentence("inbound.dry_runs.alone", on_file=False, everybody=False, any=True)[:-1] in answer
    assert table.map is not None
    assert (canonical(table.position.state), table.position.filed, table.position.entries) == before


def test_try_all_tries_the_orders_that_one_gives_to_others(seated: Callable[[str], Table]) -> None:
    table = seated("standard")
    letter = "TRY ALL\nA PAR - BUR\nGermany:\nA MUN - BUR\nENDTRY\nA MAR H"
    answer = table.says(letter)
    assert "A PAR - BUR" in answer
    assert "Germany" in answer.partition("REPLY TO TRY")[2]
    assert answer.count("bounced") + answer.count("stood off") + answer.count("stand-off") >= 1, answer
    filed = table.position.filed["France"]
    assert [game_of(table.position).notation.write(one) for one in filed] == ["A MAR H"]


def test_try_alone_spares_others_and_says_that_their_units_are_not_ones_own(
    seated: Callable[[str], Table],
) -> None:
    table = seated("standard")
    answer = table.says("TRY\nA PAR - BUR\nA MUN - BUR\nENDTRY")
    assert "✗" in answer
    assert "A PAR - BUR: Army Paris → Burgundy." in answer
    assert "A MUN - BUR:" not in answer


def test_an_empty_trial_tries_what_is_on_file(seated: Callable[[str], Table]) -> None:
    table = seated("standard")
    answer = table.says("A PAR - BUR\nTRY\nENDTRY")
    assert sentence("inbound.dry_runs.alone", on_file=True, everybody=False, any=True) in answer
    assert "nothing to report" not in answer.partition("REPLY TO TRY")[2].partition("YOUR ORDERS FOR")[0]


def test_trials_count_against_the_budget_of_a_letter(seated: Callable[[str], Table]) -> None:
    """Lines between TRY and ENDTRY are lines of the letter; five trials are all that one may ask for."""
    table = seated("standard")
    many = "\n".join("A PAR - BUR" for _ in range(250))
    told = " ".join(table.says(f"TRY\n{many}\nENDTRY\nTRY\n{many}\nENDTRY").split())
    assert "400 lines" in told
    six = "".join(f"TRY\nA PAR - {goal}\nENDTRY\n" for goal in ("BUR", "PIC", "GAS", "BRE", "BUR", "PIC"))
    answer = table.says(six)
    assert answer.count("REPLY TO TRY") == 5


def test_map_orders_draws_what_is_on_file(seated: Callable[[str], Table]) -> None:
    table = seated("standard")
    assert sentence("inbound.maps_and_history.no_orders_to_draw") in " ".join(
        table.says("MAP ORDERS").split()
    )
    table.says("MAP")
    plain = table.map
    answer = " ".join(table.says("map orders\nA PAR - BUR\nA MAR S A PAR - BUR").split())
    assert sentence("inbound.maps_and_history.orders_drawn", count=2, turn="Spring 1901, moves") in answer, (
        answer
    )
    assert table.map is not None
    assert table.map != plain


@pytest.mark.parametrize(
    ("kind", "place", "told"),
    [
        ("standard", "Burgundy", "Marseilles (MAR)"),
        ("indianomacy", "MHK", "Oneida"),
        ("war-chest", "d4", "d5"),
        ("boer-war", "Ladysmith", "by rail"),
        ("plains-indian-wars", "N5", "border"),
        ("great-war", "Verdun", sentence("inbound.moves.no_places", title="The Great War")),
    ],
)
def test_neighbours_are_told(seated: Callable[[str], Table], kind: str, place: str, told: str) -> None:
    table = seated(kind)
    assert told in " ".join(table.says(f"NEIGHBOURS {place}").split())
    if kind != "great-war":
        assert sentence("inbound.moves.no_such_place", named="Atlantis") in table.says(
            "NEIGHBOURS of Atlantis"
        )


def test_moves_of_one_unit_are_of_that_unit(seated: Callable[[str], Table]) -> None:
    table = seated("indianomacy")
    answer = table.says("MOVES MHK").partition("REPLY TO")[2]
    assert "W Mohawk:" in answer
    assert "W Oneida:" not in answer
    assert "W MHK - " in answer
    assert "You can't give orders for Hopewell now" in " ".join(table.says("MOVES Hopewell").split())


def test_a_hidden_hand_stays_hidden_whatever_is_asked(seated: Callable[[str], Table]) -> None:
    """The AI's cards are named nowhere but on the table."""
    table = seated("great-war")
    state = table.position.state
    hidden = set(state.armies["ai"].hand)  # type: ignore[attr-defined]
    shown = {laid.card for army in state.armies.values() for laid in army.row}  # type: ignore[attr-defined]
    mine = set(state.armies["player"].hand)  # type: ignore[attr-defined]
    (first, *_) = forms(table.says("MOVES"))
    for text in ("MOVES", f"TRY\n{first}\nENDTRY", "MAP ORDERS"):
        told = table.says(text).partition("REPLY TO")[2].partition("YOUR ORDERS FOR")[0]
        assert not [card for card in hidden - shown - mine if re.search(rf"\b{card}\b", told)]


def test_undo_takes_back_what_threw_nothing(seated: Callable[[str], Table]) -> None:
    """A stance of the Boer War is free; the log proves the game all the same, and it goes on."""
    table = seated("boer-war")
    start = canonical(table.position.state)
    table.says("STANCE DLR STAND")
    assert canonical(table.position.state) != start
    answer = " ".join(table.says("UNDO").split())
    assert sentence("inbound.undo.taken_back", turn="Turn 1, Boers, round 1, action 1") in answer
    assert canonical(table.position.state) == start
    assert replays_equal(table)
    table.says("PASS")
    assert sentence("inbound.undo.thrown", turn="T1B1") in " ".join(table.says("UNDO").split())
    assert replays_equal(table)


def test_undo_and_another_order_in_one_letter(seated: Callable[[str], Table]) -> None:
    """The lines next to UNDO are for the turn that is due again."""
    table = seated("boer-war")
    table.says("STANCE DLR STAND")
    answer = table.says("UNDO\nSTANCE CRO STAND")
    assert sentence("inbound.undo.taken_back", turn="Turn 1, Boers, round 1, action 1") in " ".join(
        answer.split()
    )
    log = stored_games.log(table.place.service.database, "alone")
    assert [entry.kind for entry, _ in log] == ["setup", "turn", "rollback", "turn"]
    assert table.position.state.standing == ("CRO",)  # type: ignore[attr-defined]
    assert replays_equal(table)


def test_undo_is_refused_with_the_reason(seated: Callable[[str], Table]) -> None:
    table = seated("great-war")
    assert sentence("inbound.undo.nothing_played") in " ".join(table.says("UNDO").split())
    table.says("PASS 1ST")
    assert sentence("inbound.undo.shown", turn="T1R1") in " ".join(table.says("UNDO").split())


def test_undo_is_for_those_who_play_alone(tmp_path: Path) -> None:
    with local_service(tmp_path) as place:
        table = Table(place, "standard")
        game_admin.assign(place.service, "alone", "Germany", "germany@example.org")
        place.work()
        assert sentence("inbound.undo.others_play") in " ".join(table.says("UNDO").split())


def test_undo_in_a_letter_for_two_seats_of_a_game_is_left_out(tmp_path: Path) -> None:
    """The other part is about the turn that ran; nothing fails, nothing is lost."""
    with local_service(tmp_path) as place:
        table = Table(place, "standard")
        game_admin.assign(place.service, "alone", "Germany", table.address)
        place.work()
        table.says("PASSWORD four-fleets")
        text = "UNDO\nSIGNON alone Germany four-fleets\nA MUN - BUR\nA BER H"
        place.answer(table.address, table.letters()[0], text)
        place.work()
        told = " ".join(" ".join(text_of(one).split()) for one in table.letters()[-2:])
        assert sentence("inbound.undo.of_its_own") in told
        assert len(table.position.filed["Germany"]) == 2


def replays_equal(table: Table) -> bool:
    """Return whether the log, replayed, gives the same bytes."""
    position, log = table.position, stored_games.log(table.place.service.database, "alone")
    again = replay(game_of(position), "alone", SECRET, log, position.head_sha)
    return again.fault is None and again.states[-1] == canonical(position.state)


def test_an_order_may_be_tried_in_the_line_of_try(seated: Callable[[str], Table]) -> None:
    """Then the lines below it are orders, unless ENDTRY comes."""
    table = seated("standard")
    answer = table.says("TRY A PAR - BUR\nA MAR H").partition("YOUR ORDERS FOR")[0]
    assert "A PAR - BUR: Army Paris → Burgundy." in answer
    assert ("✓ " + sentence("reports.transcript.in_force", said="A MAR H")) in answer.partition(
        "REPLY TO TRY"
    )[0]
    answer = table.says("TRY A PAR - BUR\nF BRE - ENG\nENDTRY").partition("YOUR ORDERS FOR")[0]
    assert "✓ F BRE - ENG" in answer.partition("REPLY TO TRY")[2]
