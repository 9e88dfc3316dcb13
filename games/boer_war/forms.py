"""The forms in which orders are written.

Leaders of a group are joined by ``+``; the points of a way follow one another; a link is its two ends.
"""

from games.protocol import Form

LEADERS, POINTS, LINKS = 5, 9, 3
"""The most leaders, points of a way, and links that one order names."""

_AND = "[(+|and|with|,|&|)]"
_ON = "[(-|to|via|through|by|,|>|into)]"
_FROM = "[(from|to|by|via|at|in|-|:)]"
_OF = "[(to|for|at|in|by|of|with|:|,)]"


def _row(item: str, least: int, most: int, joint: str) -> str:
    """The pattern of so many things in a row, those beyond the least left out at will."""
    more = ""
    for number in range(most, least, -1):
        more = f"[{joint} {item.format(n=number)} {more}]"
    said = f" {joint} ".join(item.format(n=number) for number in range(1, least + 1))
    return f"{said} {more}".strip()


def _leaders(least: int, most: int) -> str:
    return _row("{{l{n}:leader}}", least, most, _AND)


def _points(least: int, most: int = POINTS) -> str:
    return _row("{{p{n}:point}}", least, most, _ON)


def _links(least: int, most: int) -> str:
    return _row("{{a{n}:point}} [(-|to)] {{b{n}:point}}", least, most, "[(,|and)]")


_GROUP, _WAY, _LINK = _leaders(1, 3), _points(1), "{a1:point} [(-|to|and)] {b1:point}"
_AT = "[at|in|on|of|the] {p1:point}"
_SP = "{sp:number} [sp]"
_STORM = "(storm|storms|attack|attacks|assault)"
_GUNS = "[with] [the] [naval] (guns|e02)"
_MARCH = "(move|moves|march|m)"
_RAIL = "(rail|rails|entrain|train|by rail)"
_LINE = "[the] [(railway|rails|line|link)] [(between|from|at|on)]"
_FEED = "(reinforce|reinforces|recruit|recruits)"
_RALLY = "(reorganize|reorganise|reorg|rally)"

_ACTS: tuple[tuple[str, str, str], ...] = (
    ("move", f"{_MARCH} {{l1:leader}} {_FROM} {{p1:point}}", "MOVE BUL EST"),
    ("move", f"{_MARCH} {_GROUP} {_FROM} {_WAY}", "MOVE BUL DUR PMB EST"),
    ("move", f"{_GROUP} (moves|marches|goes|-) [to] {_WAY}", "Buller moves to Estcourt"),
    ("move", f"{_MARCH} {_GROUP} {_FROM} {_WAY} (and|to|) (invest|besiege)", "MOVE CRO ZEE MAF INVEST"),
    ("move-storm", f"{_MARCH} {{l1:leader}} {_FROM} {{p1:point}} [and|to] {_STORM}", "MOVE CRO MAF STORM"),
    ("move-storm", f"{_MARCH} {_GROUP} {_FROM} {_WAY} [and|to] {_STORM}", "MOVE CRO ZEE MAF STORM"),
    ("move-guns", f"{_MARCH} {{l1:leader}} {_FROM} {{p1:point}} {_GUNS}", "MOVE BUL COS GUNS"),
    ("move-guns", f"{_MARCH} {_GROUP} {_FROM} {_WAY} {_GUNS}", "MOVE BUL EST COS GUNS"),
    ("rail", f"{_RAIL} {{l1:leader}} {_FROM} {{p1:point}}", "RAIL MET DEA"),
    ("rail", f"{_RAIL} {_GROUP} {_FROM} {_WAY}", "RAIL MET CPT DEA"),
    ("rail", f"{_GROUP} (rails|entrains|goes by rail) [from|to] {_WAY}", "Methuen goes by rail to De Aar"),
    ("trek", f"(trek|treks|ride|rides) {{l1:leader}} {_FROM} {{p1:point}}", "TREK DWT REI"),
    ("trek", f"(trek|treks|ride|rides) {{l1:leader}} {_FROM} {_WAY}", "TREK DWT LIN REI FRK"),
    ("trek", f"{{l1:leader}} (treks|rides) [from|to] {_WAY}", "De Wet treks to Reitz"),
    ("assault", f"(assault|sortie|sally) {_AT}", "ASSAULT LAD"),
    ("assault-guns", f"(assault|sortie|sally) {_AT} {_GUNS}", "ASSAULT LAD GUNS"),
    ("siege", f"(siege|besiege|shell|bombard) {_AT}", "SIEGE KIM"),
    ("entrench", f"(entrench|dig in) {_AT}", "ENTRENCH COS"),
    ("cut", f"(cut|break) {_LINE} {{k1:link}}", "CUT ORS-MOD"),
    ("cut", f"(cut|break) {_LINE} {_LINK}", "cut the railway between Orange River and Modder River"),
    ("raid", f"(raid|wreck) {_LINE} {{k1:link}}", "RAID BRA-KRO"),
    ("raid", f"(raid|wreck) {_LINE} {_LINK}", "raid the line from Brandfort to Kroonstad"),
    ("raid", f"(raid|wreck) {_LINE} {_LINK} [(by|with|:)] {{l1:leader}}", "RAID BRA-KRO DWT"),
    ("repair", f"(repair|repairs|mend) {_LINE} {{k1:link}}", "REPAIR ORS-MOD"),
    ("repair", f"(repair|repairs|mend) {_LINE} {_links(1, 2)}", "REPAIR ORS-MOD NAA-COL"),
    ("reinforce", f"{_FEED} {_OF} {{l1:leader}} [{_OF} {{p1:point}}] [{_OF} {_SP}]", "REINFORCE MET 2"),
    ("reinforce", f"{_FEED} {_SP} {_OF} {{l1:leader}} [{_OF} {{p1:point}}]", "REINFORCE 2 SP for Methuen"),
    ("reinforce-garrison", f"{_FEED} {_OF} {{p1:point}} [{_OF} {_SP}]", "REINFORCE DUR 1"),
    ("reorganize", f"{_RALLY} {_OF} {{l1:leader}} [{_OF} {{p1:point}}] [{_OF} {_SP}]", "REORGANIZE BOT 2"),
    ("drive", "drive [on|at|to|against] {p1:point} [with|by|:] {l1:leader}", "DRIVE REI ELL"),
    ("drive", f"drive [on|at|to|against] {{p1:point}} {_OF} {_leaders(1, LEADERS)}", "DRIVE REI ELL KNO RUN"),
    ("camp", f"(camp|build camp|set up camp|build a camp|set up a camp) {_AT}", "CAMP KRO"),
    ("blockhouse", f"(blockhouse|blockhouses) {_LINE} {{k1:link}}", "BLOCKHOUSE KRO-VER"),
    ("blockhouse", f"(blockhouse|blockhouses) {_LINE} {_LINK}", "blockhouses from Kroonstad to Vereeniging"),
    ("pass", "(pass|passes|do nothing)", "PASS"),
    ("done", "(done|action done|action carried out|carried out)", "DONE"),
)

_EVENT = "(event|play event|play)"
_EVENTS: tuple[tuple[str, str, str], ...] = (
    ("event", f"{_EVENT} {{event:event}}", "EVENT E02"),
    ("event", f"{_EVENT} {{event:event}} {_OF} {{l1:leader}}", "EVENT B02 OLI"),
    ("event", f"{_EVENT} {{event:event}} {_OF} {{p1:point}}", "EVENT E01 DUR"),
    ("event", f"{_EVENT} {{event:event}} {_OF} {{l1:leader}} {_FROM} {{p1:point}}", "EVENT E01 BUL DUR"),
    ("event", f"{_EVENT} {{event:event}} {_OF} {_leaders(1, LEADERS)}", "EVENT B07 BOT DLR"),
    (
        "event",
        f"{_EVENT} {{event:event}} {_OF} {_leaders(1, LEADERS)} {_FROM} {_points(1)}",
        "EVENT E05 FRE DUR PMB",
    ),
    ("event", f"{_EVENT} {{event:event}} {_OF} {_points(1)}", "EVENT B01 MAF"),
    (
        "event",
        f"{_EVENT} {{event:event}} {_OF} {_points(1, 1)} {_OF} {_leaders(1, LEADERS)}",
        "EVENT E11 REI ELL KNO RUN HUN",
    ),
    ("event-links", f"{_EVENT} {{event:railway}} {_OF} {{k1:link}}", "EVENT E08 ORS-MOD"),
    ("event-links", f"{_EVENT} {{event:railway}} {_OF} {_links(1, LINKS)}", "EVENT E08 ORS-MOD KRO-VER"),
    (
        "event-links",
        f"{_EVENT} {{event:railway}} {_OF} {{l1:leader}} {_OF} {{k1:link}}",
        "EVENT B08 DWT BRA-KRO",
    ),
    (
        "event-links",
        f"{_EVENT} {{event:railway}} {_OF} {{l1:leader}} {_OF} {_links(1, LINKS)}",
        "EVENT B08 DWT BRA-KRO KRO-VER",
    ),
)

_FREE: tuple[tuple[str, str, str], ...] = (
    (
        "stand",
        "(stance {l1:leader} (stand|stands|fight|hold)|{l1:leader} (stands fast|stands))",
        "STANCE DLR STAND",
    ),
    (
        "slip",
        "(stance {l1:leader} (slip|slips|evade|slip away)|{l1:leader} (slips away|evades))",
        "STANCE DLR SLIP",
    ),
    ("transfer", f"(transfer|hand) {{l1:leader}} [to] {{l2:leader}} {_SP}", "TRANSFER BUL CLE 2"),
    (
        "transfer",
        f"(transfer|hand) {_SP} [from] {{l1:leader}} [to] {{l2:leader}}",
        "TRANSFER 2 SP from BUL to CLE",
    ),
    ("leave", f"transfer {{l1:leader}} [to] [the] garrison {_SP}", "TRANSFER BUL GARRISON 1"),
    ("fetch", f"transfer [the] garrison [to] {{l1:leader}} {_SP}", "TRANSFER GARRISON BUL 1"),
    ("garrison", f"(garrison|leave) {{l1:leader}} {_AT} [{_OF} {_SP}]", "GARRISON ELL KRO 1"),
    ("garrison", f"garrison {_AT} {_OF} [{_SP}] {_OF} {{l1:leader}}", "GARRISON KRO ELL"),
    ("land", f"(land|lands) {{l1:leader}} {_AT}", "LAND BUL DUR"),
)

FORMS: tuple[Form, ...] = tuple(
    Form(name=name, pattern=pattern, example=example) for name, pattern, example in (*_ACTS, *_EVENTS, *_FREE)
)
"""Every way to write an order, the canonical one of each name first."""
