"""IF, PHASE, headings and "all hold" in the six languages: read as they are in English."""

import pytest

from tests.kit.dry_runs import graded_lines

IN_BELGIUM = ["taken [IF England in BEL] A PAR - BUR"]
TWO_WAYS = ["taken [IF A BEL] A PAR - BUR", "taken [ELSE] A PAR - PIC"]
ALL_HOLD = ["taken F BRE H", "taken A MAR H", "taken A PAR H"]


@pytest.mark.parametrize(
    "text",
    [
        "Wenn England in Belgien steht, A Par - Bur",
        "Falls England in Belgien ist dann A Par - Bur",
        "Si l'Angleterre est en Belgique alors A Par - Bur",
        "Si Inglaterra está en Bélgica, A Par - Bur",
        "Se a Inglaterra está na Bélgica então A Par - Bur",
        "Se l'Inghilterra è in Belgio allora A Par - Bur",
        "Als Engeland in België staat dan A Par - Bur",
        "SI L'ANGLETERRE EST EN BELGIQUE ALORS A PAR - BUR",
    ],
)
def test_an_order_hangs_on_a_condition(text: str) -> None:
    assert graded_lines(text) == IN_BELGIUM


@pytest.mark.parametrize(
    "text",
    [
        "WENN A Bel DANN A Par - Bur SONST A Par - Pic",
        "WENN A Bel DANN\nA Par - Bur\nANDERNFALLS\nA Par - Pic\nENDE WENN",
        "si A Bel alors\nA Par - Bur\nsinon\nA Par - Pic\nfin si",
        "Si A Bel entonces A Par - Bur\nsi no, A Par - Pic",
        "Se A Bel então A Par - Bur\nsenão A Par - Pic",
        "Se A Bel allora A Par - Bur altrimenti A Par - Pic",
        "Als A Bel dan A Par - Bur anders A Par - Pic",
    ],
)
def test_and_another_on_the_opposite(text: str) -> None:
    assert graded_lines(text) == TWO_WAYS


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Wenn A Bel und nicht A Ruh dann A Par - Bur", "IF A BEL AND NOT A RUH"),
        ("Si A Bel et pas A Ruh alors A Par - Bur", "IF A BEL AND NOT A RUH"),
        ("Se A Ven e A Rom allora A Par - Bur", "IF A VEN AND A ROM"),
        ("Se E Ven ou E Rom então A Par - Bur", "IF A VEN OR A ROM"),
        ("Wenn Belgien leer ist, A Par - Bur", "IF BEL is empty"),
        ("Si Bélgica está vacía, A Par - Bur", "IF BEL is empty"),
        ("Als België bezet is, A Par - Bur", "IF BEL is occupied"),
        ("Se l'Italia possiede Tunisi allora A Par - Bur", "IF Italy owns TUN"),
    ],
)
def test_conditions_are_asked_in_each_language(text: str, when: str) -> None:
    assert graded_lines(text) == [f"taken [{when}] A PAR - BUR"]


@pytest.mark.parametrize(
    "text",
    [
        "PHASE Herbst 1901: A Par - Bur",
        "PHASE automne 1901: A Par - Bur",
        "FASE otoño 1901\nA Par - Bur",
        "FASE outono 1901: A Par - Bur",
        "FASE autunno 1901: A Par - Bur",
        "FASE herfst 1901: A Par - Bur",
    ],
)
def test_an_order_is_for_a_turn_to_come(text: str) -> None:
    assert graded_lines(text) == ["taken [PHASE F1901M] A PAR - BUR"]


@pytest.mark.parametrize(
    ("heading", "grade"),
    [
        ("Frühjahr 1901:", "taken"),
        ("Meine Befehle für Herbst 1901:", "doubtful [PHASE F1901M]"),
        ("Mes ordres pour l'automne 1901 :", "doubtful [PHASE F1901M]"),
        ("Otoño 1901", "doubtful [PHASE F1901M]"),
    ],
)
def test_a_heading_names_a_turn(heading: str, grade: str) -> None:
    assert graded_lines(f"{heading}\nA Par - Bur") == [f"{grade} A PAR - BUR"]


@pytest.mark.parametrize(
    "text",
    [
        "Alle anderen bleiben stehen",
        "Toutes les autres unités tiennent",
        "Todas mis unidades se mantienen",
        "O resto fica",
        "Tutti gli altri restano fermi",
        "De rest blijft staan",
    ],
)
def test_all_that_is_left_stays(text: str) -> None:
    assert graded_lines(text) == ALL_HOLD


@pytest.mark.parametrize(
    "text", ["alle Armeen halten", "toutes mes armées tiennent", "mis flotas se mantienen"]
)
def test_who_means_some_units_is_asked_which(text: str) -> None:
    (row,) = graded_lines(text)
    assert row.startswith("unread")


@pytest.mark.parametrize(
    "text", ["Si vous venez, A Par - Bur", "Wenn du willst, A Par - Bur", "Als je komt, A Par - Bur"]
)
def test_an_order_behind_what_is_no_condition_is_asked_back(text: str) -> None:
    (row,) = graded_lines(text)
    assert row.startswith("unread")


@pytest.mark.parametrize(
    "text",
    [
        "Wenn du nach Burgund gehst, dann bleibe ich in Paris.",
        "Si tu vas en Bourgogne, je reste à Paris.",
        "Se vieni in Borgogna, resto a Parigi.",
        "Als jij naar Bourgondië gaat, blijf ik in Parijs.",
    ],
)
def test_talk_that_begins_so_is_talk(text: str) -> None:
    assert graded_lines(text) == []
