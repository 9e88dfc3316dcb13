"""A GM's command without effect says so, and isn't logged or announced."""

from email import message_from_string, policy

import pytest

from tests.adjudicator.cli.conftest import Terminal

pytestmark = pytest.mark.usefixtures("undrawn")

PLACE = 'edit beaver place W Pima for Iroquois --why "lost in the mail"'


def kinds(there: Terminal) -> list[str]:
    """Return the kinds of entries in beaver's log."""
    return [entry["kind"] for entry in there.told("game log beaver")]


def read_saved_orders(there: Terminal) -> list[str]:
    """Return the saved orders of the Iroquois."""
    orders: list[str] = there.told("orders show beaver iroquois")[0]["orders"]
    return orders


def newest(there: Terminal) -> str:
    """The text of the newest report to the Iroquois."""
    letters = there.told("mail list --out")
    reports = [one for one in letters if not one["subject"].startswith(("Press:", "Re:"))]
    return " ".join(there.told(f"mail show {reports[0]['number']} --out")["text"].split())


@pytest.fixture
def mistaken(beaver: Terminal) -> Terminal:
    """The newest email of the Iroquois has an order and a mistake, both on file."""
    number = beaver.told("mail list --out")[0]["number"]
    welcome = message_from_string(beaver.says(f"mail show {number} --out --raw"), policy=policy.default)
    beaver.mail(str(welcome["Reply-To"]), "Mohawk - Delaware\nOneida H\nSeneca - Atlantis\n")
    beaver.says("run poll")
    beaver.says("run process")
    assert read_saved_orders(beaver) == ["W MHK - DEL", "W ONE H", "# not taken: Seneca - Atlantis"]
    return beaver


NOTHING = ('"Seneca - Pequot"', '"Seneca - Nowhere"', '"good morning"')
SAID_ALREADY = ('"Mohawk - Delaware"', '"Oneida H"', '"Oneida H" "Mohawk - Delaware"')


@pytest.mark.parametrize("orders", [*NOTHING, *SAID_ALREADY])
def test_orders_that_file_nothing_leave_everything_as_it_is(mistaken: Terminal, orders: str) -> None:
    """The mistakes in the seat's newest email also stay as they are, and no report mentions it."""
    before, log = read_saved_orders(mistaken), kinds(mistaken)
    result = mistaken.gm(f"orders set beaver iroquois {orders} --why phone")
    assert result.exit_code == (0 if orders in SAID_ALREADY else 1), result.output
    assert "Nothing was changed for Iroquois." in result.stdout
    assert (read_saved_orders(mistaken), kinds(mistaken)) == (before, log)
    mistaken.says("turn process beaver --yes")
    assert "phone" not in newest(mistaken)


@pytest.mark.parametrize("orders", NOTHING)
def test_afresh_nothing_is_withdrawn_where_nothing_is_filed_instead(mistaken: Terminal, orders: str) -> None:
    before, log = read_saved_orders(mistaken), kinds(mistaken)
    result = mistaken.gm(f"orders set beaver iroquois {orders} --afresh --why phone")
    assert result.exit_code == 1
    assert (read_saved_orders(mistaken), kinds(mistaken)) == (before, log)


def test_an_order_that_is_filed_takes_the_place_of_the_mistake(mistaken: Terminal) -> None:
    mistaken.says('orders set beaver iroquois "Seneca H" --why phone')
    assert read_saved_orders(mistaken) == ["W MHK - DEL", "W ONE H", "W SEN H"]
    assert kinds(mistaken) == ["setup", "orders"]
    mistaken.says("orders clear beaver iroquois --why wish --yes")
    assert read_saved_orders(mistaken) == []


def test_all_that_is_on_file_is_withdrawn_though_it_be_a_mistake_alone(
    beaver: Terminal, mistaken: Terminal
) -> None:
    mistaken.says('orders set beaver iroquois "Seneca H" --afresh --why phone')
    assert read_saved_orders(mistaken) == ["W SEN H"]


@pytest.mark.parametrize(
    ("kind", "throw", "numbers", "known"),
    [
        ("indianomacy", "foo/bar", "99", False),
        ("indianomacy", "storm/b/U1", "7", True),
        ("indianomacy", "storm/b/U1", "3,4", True),
        ("indianomacy", "storm/x/U1", "3", False),
        ("indianomacy", "storm/b", "3", False),
        ("indianomacy", "storm/b/S1", "3", False),
        ("standard", "storm/b/U1", "3", False),
        ("war-chest", "reveal/first", "1", False),
        ("war-chest", "reveal/3", "99", True),
        ("great-war", "hand/1", "7", True),
        ("great-war", "hand", "1", False),
        ("plains-indian-wars", "T1/disc/1", "8", True),
        ("plains-indian-wars", "T1/Pink/d12/1", "3", False),
        ("boer-war", "T1/B1/battle COS/boers", "7", True),
        ("boer-war", "T1/X1/battle COS/boers", "3", False),
    ],
)
def test_a_throw_that_never_comes_is_not_set_even_with_yes(
    terminal: Terminal, kind: str, throw: str, numbers: str, known: bool
) -> None:
    """The rules have no such roll, or they know it (last column) and it can't show that."""
    terminal.says(f"game new {kind} beaver")
    log = kinds(terminal)
    refused = terminal.refused(f'dice set-next beaver "{throw}" {numbers} --why x --yes')
    unknown = f'No roll of this game is called "{throw}"'
    assert refused.startswith(f"Roll {throw}: it can't show this" if known else unknown)
    assert kinds(terminal) == log
    assert terminal.told("dice show beaver")["set"] == {}


@pytest.mark.parametrize(
    ("kind", "throw", "numbers"),
    [
        ("indianomacy", "storm/b/W7", "6"),
        ("war-chest", "reveal/30", "2"),
        ("great-war", "hand/3", "6"),
        ("plains-indian-wars", "T9/Green/d12/2", "12"),
        ("plains-indian-wars", "T2/Blue/N3#1/1/Blue2", "1"),
        ("boer-war", "T1/B3/battle COS/cards", "1,31,4"),
        ("boer-war", "T2/E11/next action/2", "3"),
    ],
)
def test_a_throw_that_may_come_later_is_set_with_yes(
    terminal: Terminal, kind: str, throw: str, numbers: str
) -> None:
    terminal.says(f"game new {kind} beaver")
    assert "Add --yes" in terminal.refused(f'dice set-next beaver "{throw}" {numbers} --why x')
    terminal.says(f'dice set-next beaver "{throw}" {numbers} --why x --yes')
    assert list(terminal.told("dice show beaver")["set"]) == [throw]


def test_a_report_tells_nothing_of_an_edit_that_a_rollback_struck_out(beaver: Terminal) -> None:
    beaver.says("turn process beaver --yes")
    beaver.says(PLACE)
    beaver.says('edit beaver remove Pima --why "the second one"')
    beaver.says("game undo beaver --why undone")
    beaver.says('game rollback beaver S1M --why "begin anew" --yes')
    beaver.says('edit beaver free Santee --why "after it"')
    beaver.says("turn process beaver --yes")
    report = newest(beaver)
    for struck in ("lost in the mail", "the second one", "undone", "Pima"):
        assert struck not in report
    assert "begin anew" in report
    assert "after it" in report


def test_a_report_tells_of_an_edit_again_once_the_rollback_is_taken_back(beaver: Terminal) -> None:
    beaver.says("turn process beaver --yes")
    beaver.says(PLACE)
    beaver.says('game rollback beaver S1M --why "begin anew" --yes')
    beaver.says("game undo beaver --why no")
    beaver.says("turn process beaver --yes")
    assert "lost in the mail" in newest(beaver)


def test_replay_counts_turns_as_turns(beaver: Terminal) -> None:
    assert "0 turns" in beaver.says("game replay beaver")
    beaver.says("turn process beaver --yes")
    for _ in range(3):
        beaver.says(PLACE)
        beaver.says("game undo beaver --why x")
    told = beaver.told("game replay beaver")
    assert (told["turns"], told["entries"], told["difference"]) == (1, 8, None)
    assert beaver.says("game replay beaver").strip() == "beaver: 1 turn, identical."
    beaver.says("game rollback beaver S1M --why x --yes")
    beaver.says("turn process beaver --yes")
    told = beaver.told("game replay beaver")
    assert told["turns"] == beaver.told("game show beaver")["turns_played"] == 1, "the one struck out is none"
