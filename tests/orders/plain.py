"""A small game to read orders by: provinces, ways to order a war party, orders that are what was read."""

from collections.abc import Mapping
from typing import Any

from games.protocol import Form, LexiconEntry, Order
from games.record import replace_fields
from orders.commands import PLAYER_COMMANDS
from orders.mail.body import FreshLine
from orders.reading.letter_reader import LetterReading, ParseContext, read_lines
from orders.verdict import LineVerdict

NAMES = """
1 KWA Kwakiutl, Kwakwaka'wakw
2 CWY Chipewyan, Denesuline
3 CRE Cree, Swampy Cree
4 CBE Caribou-Eaters, Ethen-eldeli
7 MIC Micmac, Mi'kmaq
10 MHK Mohawk, Kanienkehaka
11 ONE Oneida
12 ONO Onondaga
13 CYG Cayuga
14 SEN Seneca
15 HUR Huron, Wyandot
16 OTT Ottawa, Odawa
18 CHP Chippewa, Ojibwa
20 PCR Plains Cree
21 ASN Assiniboine
22 HID Hidatsa
27 BLD Blood, Kainai
29 CRO Crow
32 NEZ Nez Perce
36 NOO Nootka
45 RMS Rocky Mountain Shoshoni
47 WRS Wind River Shoshoni, Wind River
48 NCH Northern Cheyenne, N. Cheyenne
52 SIS Sisseton
53 WAH Wahpeton
54 SNT Santee
55 MEN Menominee
56 SFX Sauk and Fox
59 ERI Erie
61 DEL Delaware, Lenape
69 MIA Miami
72 IOW Iowa
90 MWK Miwok
92 MHV Mohave
b HBY Hudson Bay, Hudson's Bay
c STL St. Lawrence River, St Lawrence
d LSU Lake Superior
f LHU Lake Huron
g LER Lake Erie
i CHB Chesapeake Bay
a NSD Nootka Sound
"""


def _term(row: str) -> LexiconEntry:
    number, abbreviation, names = row.split(maxsplit=2)
    name, *others = names.split(", ")
    return LexiconEntry(sort="province", id=number, names=(name, abbreviation, number, *others))


LEXICON = tuple(_term(row) for row in NAMES.strip().split("\n"))
ABBREVIATIONS = {term.id: term.names[1] for term in LEXICON}

_W = "[w|wp|war party|a]"
_S = "(s|sup|support|supports)"
FORMS = (
    Form(
        name="move",
        pattern=f"{_W} {{unit:province}} (-|to|m|mv|move|moves|move to|moves to) {{to:province}}",
        example="W MHK - DEL",
    ),
    Form(
        name="support-move",
        pattern=f"{_W} {{unit:province}} {_S} {_W} {{other:province}} (-|to) {{to:province}}",
        example="W ONE S W MHK - DEL",
    ),
    Form(
        name="support-hold",
        pattern=f"{_W} {{unit:province}} {_S} {_W} {{other:province}} [h|hold|holds]",
        example="W ONE S W MHK",
    ),
    Form(name="hold", pattern=f"{_W} {{unit:province}} (h|hold|holds|stand|stands)", example="W MHK H"),
    Form(name="disband", pattern=f"(d|disband|remove) {_W} {{unit:province}}", example="D W MHK"),
    Form(name="waive", pattern="waive", example="WAIVE"),
)
TEXTS = {
    "move": "W {unit} - {to}",
    "support-move": "W {unit} S W {other} - {to}",
    "support-hold": "W {unit} S W {other}",
    "hold": "W {unit} H",
    "disband": "D W {unit}",
    "waive": "WAIVE",
}


class Read(Order, frozen=True, kw_only=True):
    """An order that is what was read."""

    form: str
    slots: dict[str, str]

    @property
    def slot(self) -> str | None:
        """Its unit."""
        return self.slots.get("unit")


def build(form: str, slots: Mapping[str, str]) -> Read:
    """The order of a form."""
    return Read(form=form, slots=dict(slots))


def write(order: Any) -> str:
    """Its canonical text."""
    return TEXTS[order.form].format(**{name: ABBREVIATIONS[id_] for name, id_ in order.slots.items()})


BOOK = ParseContext(
    commands=PLAYER_COMMANDS,
    forms=FORMS,
    conditions=(),
    lexicon=LEXICON,
    build=build,
    write=write,
    titles=("Iroquois",),
    seats=("Iroquois", "Dakota"),
)


UNITS = ("10", "11", "12", "14")
"""Where the war parties of the sender stand."""


def resting() -> tuple[Read, ...]:
    """Return the orders of "all hold"."""
    return tuple(Read(form="hold", slots={"unit": unit}) for unit in UNITS)


HOLDING = replace_fields(BOOK, resting=resting)
"""The same game, in which all may hold at a word."""


def reading(text: str, book: ParseContext = BOOK) -> LetterReading:
    """Return the reading of a text's lines."""
    return read_lines(tuple(FreshLine(text=line) for line in text.split("\n")), book)


def told(text: str) -> list[str]:
    """Grade and canonical text of each order in a text: ``taken W MHK - DEL``."""
    return [f"{verdict.grade} {verdict.said}" for verdict in reading(text).orders]


def only(text: str) -> LineVerdict:
    """The one verdict on a text."""
    verdicts = reading(text).orders
    assert len(verdicts) == 1, verdicts
    return verdicts[0]
