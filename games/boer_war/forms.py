"""The forms in which orders are written.

Leaders of a group are joined by ``+``; the points of a path follow one another; a link is its two ends.
"""

from games.protocol import Form

MAX_LEADERS_PER_ORDER, MAX_POINTS_PER_PATH, MAX_LINKS_PER_ORDER = 5, 9, 3
"""The most leaders, points of a way, and links that one order names."""

_LEADER_JOINT = "[(+|and|with|,|&|)]"
_POINT_JOINT = "[(-|to|via|through|by|,|>|into)]"
_FROM_WORD = "[(from|to|by|via|at|in|-|:)]"
_OF_WORD = "[(to|for|at|in|by|of|with|:|,)]"


def _repeat_pattern(item: str, least: int, most: int, joint: str) -> str:
    """Return the pattern of so many things in a row, those beyond the least left out at will."""
    more = ""
    for number in range(most, least, -1):
        more = f"[{joint} {item.format(n=number)} {more}]"
    text = f" {joint} ".join(item.format(n=number) for number in range(1, least + 1))
    return f"{text} {more}".strip()


def _leaders_pattern(least: int, most: int) -> str:
    return _repeat_pattern("{{l{n}:leader}}", least, most, _LEADER_JOINT)


def _points_pattern(least: int, most: int = MAX_POINTS_PER_PATH) -> str:
    return _repeat_pattern("{{p{n}:point}}", least, most, _POINT_JOINT)


def _links_pattern(least: int, most: int) -> str:
    return _repeat_pattern("{{a{n}:point}} [(-|to)] {{b{n}:point}}", least, most, "[(,|and)]")


_GROUP_PATTERN, _PATH_PATTERN, _LINK_ENDS_PATTERN = (
    _leaders_pattern(1, 3),
    _points_pattern(1),
    "{a1:point} [(-|to|and)] {b1:point}",
)
_AT_POINT_PATTERN = "[at|in|on|of|the] {p1:point}"
_SP_PATTERN = "{sp:number} [sp]"
_STORM_WORDS = "(storm|storms|attack|attacks|assault)"
_GUNS_WORDS = "[with] [the] [naval] (guns|e02)"
_MARCH_WORDS = "(move|moves|march|m)"
_RAIL_WORDS = "(rail|rails|entrain|train|by rail)"
_RAILWAY_WORDS = "[the] [(railway|rails|line|link)] [(between|from|at|on)]"
_REINFORCE_WORDS = "(reinforce|reinforces|recruit|recruits)"
_REORGANIZE_WORDS = "(reorganize|reorganise|reorg|rally)"

_ACTION_FORMS: tuple[tuple[str, str, str], ...] = (
    ("move", f"{_MARCH_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}}", "MOVE BUL EST"),
    ("move", f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN}", "MOVE BUL DUR PMB EST"),
    ("move", f"{_GROUP_PATTERN} (moves|marches|goes|-) [to] {_PATH_PATTERN}", "Buller moves to Estcourt"),
    (
        "move",
        f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN} (and|to|) (invest|besiege)",
        "MOVE CRO ZEE MAF INVEST",
    ),
    (
        "move-storm",
        f"{_MARCH_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}} [and|to] {_STORM_WORDS}",
        "MOVE CRO MAF STORM",
    ),
    (
        "move-storm",
        f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN} [and|to] {_STORM_WORDS}",
        "MOVE CRO ZEE MAF STORM",
    ),
    (
        "move-guns",
        f"{_MARCH_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}} {_GUNS_WORDS}",
        "MOVE BUL COS GUNS",
    ),
    (
        "move-guns",
        f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN} {_GUNS_WORDS}",
        "MOVE BUL EST COS GUNS",
    ),
    ("rail", f"{_RAIL_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}}", "RAIL MET DEA"),
    ("rail", f"{_RAIL_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN}", "RAIL MET CPT DEA"),
    (
        "rail",
        f"{_GROUP_PATTERN} (rails|entrains|goes by rail) [from|to] {_PATH_PATTERN}",
        "Methuen goes by rail to De Aar",
    ),
    ("trek", f"(trek|treks|ride|rides) {{l1:leader}} {_FROM_WORD} {{p1:point}}", "TREK DWT REI"),
    ("trek", f"(trek|treks|ride|rides) {{l1:leader}} {_FROM_WORD} {_PATH_PATTERN}", "TREK DWT LIN REI FRK"),
    ("trek", f"{{l1:leader}} (treks|rides) [from|to] {_PATH_PATTERN}", "De Wet treks to Reitz"),
    ("assault", f"(assault|sortie|sally) {_AT_POINT_PATTERN}", "ASSAULT LAD"),
    ("assault-guns", f"(assault|sortie|sally) {_AT_POINT_PATTERN} {_GUNS_WORDS}", "ASSAULT LAD GUNS"),
    ("siege", f"(siege|besiege|shell|bombard) {_AT_POINT_PATTERN}", "SIEGE KIM"),
    ("entrench", f"(entrench|dig in) {_AT_POINT_PATTERN}", "ENTRENCH COS"),
    ("cut", f"(cut|break) {_RAILWAY_WORDS} {{k1:link}}", "CUT ORS-MOD"),
    (
        "cut",
        f"(cut|break) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN}",
        "cut the railway between Orange River and Modder River",
    ),
    ("raid", f"(raid|wreck) {_RAILWAY_WORDS} {{k1:link}}", "RAID BRA-KRO"),
    (
        "raid",
        f"(raid|wreck) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN}",
        "raid the line from Brandfort to Kroonstad",
    ),
    (
        "raid",
        f"(raid|wreck) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN} [(by|with|:)] {{l1:leader}}",
        "RAID BRA-KRO DWT",
    ),
    ("repair", f"(repair|repairs|mend) {_RAILWAY_WORDS} {{k1:link}}", "REPAIR ORS-MOD"),
    ("repair", f"(repair|repairs|mend) {_RAILWAY_WORDS} {_links_pattern(1, 2)}", "REPAIR ORS-MOD NAA-COL"),
    (
        "reinforce",
        f"{_REINFORCE_WORDS} {_OF_WORD} {{l1:leader}} [{_OF_WORD} {{p1:point}}] [{_OF_WORD} {_SP_PATTERN}]",
        "REINFORCE MET 2",
    ),
    (
        "reinforce",
        f"{_REINFORCE_WORDS} {_SP_PATTERN} {_OF_WORD} {{l1:leader}} [{_OF_WORD} {{p1:point}}]",
        "REINFORCE 2 SP for Methuen",
    ),
    (
        "reinforce-garrison",
        f"{_REINFORCE_WORDS} {_OF_WORD} {{p1:point}} [{_OF_WORD} {_SP_PATTERN}]",
        "REINFORCE DUR 1",
    ),
    (
        "reorganize",
        f"{_REORGANIZE_WORDS} {_OF_WORD} {{l1:leader}} [{_OF_WORD} {{p1:point}}] [{_OF_WORD} {_SP_PATTERN}]",
        "REORGANIZE BOT 2",
    ),
    ("drive", "drive [on|at|to|against] {p1:point} [with|by|:] {l1:leader}", "DRIVE REI ELL"),
    (
        "drive",
        f"drive [on|at|to|against] {{p1:point}} {_OF_WORD} {_leaders_pattern(1, MAX_LEADERS_PER_ORDER)}",
        "DRIVE REI ELL KNO RUN",
    ),
    ("camp", f"(camp|build camp|set up camp|build a camp|set up a camp) {_AT_POINT_PATTERN}", "CAMP KRO"),
    ("blockhouse", f"(blockhouse|blockhouses) {_RAILWAY_WORDS} {{k1:link}}", "BLOCKHOUSE KRO-VER"),
    (
        "blockhouse",
        f"(blockhouse|blockhouses) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN}",
        "blockhouses from Kroonstad to Vereeniging",
    ),
    ("pass", "(pass|passes|do nothing)", "PASS"),
    ("done", "(done|action done|action carried out|carried out)", "DONE"),
)

_EVENT_WORDS = "(event|play event|play)"
_EVENT_FORMS: tuple[tuple[str, str, str], ...] = (
    ("event", f"{_EVENT_WORDS} {{event:event}}", "EVENT E02"),
    ("event", f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {{l1:leader}}", "EVENT B02 OLI"),
    ("event", f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {{p1:point}}", "EVENT E01 DUR"),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {{l1:leader}} {_FROM_WORD} {{p1:point}}",
        "EVENT E01 BUL DUR",
    ),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_leaders_pattern(1, MAX_LEADERS_PER_ORDER)}",
        "EVENT B07 BOT DLR",
    ),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_leaders_pattern(1, MAX_LEADERS_PER_ORDER)} "
        f"{_FROM_WORD} {_points_pattern(1)}",
        "EVENT E05 FRE DUR PMB",
    ),
    ("event", f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_points_pattern(1)}", "EVENT B01 MAF"),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_points_pattern(1, 1)} {_OF_WORD} "
        f"{_leaders_pattern(1, MAX_LEADERS_PER_ORDER)}",
        "EVENT E11 REI ELL KNO RUN HUN",
    ),
    ("event-links", f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {{k1:link}}", "EVENT E08 ORS-MOD"),
    (
        "event-links",
        f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {_links_pattern(1, MAX_LINKS_PER_ORDER)}",
        "EVENT E08 ORS-MOD KRO-VER",
    ),
    (
        "event-links",
        f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {{l1:leader}} {_OF_WORD} {{k1:link}}",
        "EVENT B08 DWT BRA-KRO",
    ),
    (
        "event-links",
        f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {{l1:leader}} {_OF_WORD} "
        f"{_links_pattern(1, MAX_LINKS_PER_ORDER)}",
        "EVENT B08 DWT BRA-KRO KRO-VER",
    ),
)

_FREE_ORDER_FORMS: tuple[tuple[str, str, str], ...] = (
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
    ("transfer", f"(transfer|hand) {{l1:leader}} [to] {{l2:leader}} {_SP_PATTERN}", "TRANSFER BUL CLE 2"),
    (
        "transfer",
        f"(transfer|hand) {_SP_PATTERN} [from] {{l1:leader}} [to] {{l2:leader}}",
        "TRANSFER 2 SP from BUL to CLE",
    ),
    ("leave", f"transfer {{l1:leader}} [to] [the] garrison {_SP_PATTERN}", "TRANSFER BUL GARRISON 1"),
    ("fetch", f"transfer [the] garrison [to] {{l1:leader}} {_SP_PATTERN}", "TRANSFER GARRISON BUL 1"),
    (
        "garrison",
        f"(garrison|leave) {{l1:leader}} {_AT_POINT_PATTERN} [{_OF_WORD} {_SP_PATTERN}]",
        "GARRISON ELL KRO 1",
    ),
    (
        "garrison",
        f"garrison {_AT_POINT_PATTERN} {_OF_WORD} [{_SP_PATTERN}] {_OF_WORD} {{l1:leader}}",
        "GARRISON KRO ELL",
    ),
    ("land", f"(land|lands) {{l1:leader}} {_AT_POINT_PATTERN}", "LAND BUL DUR"),
)

ORDER_FORMS: tuple[Form, ...] = tuple(
    Form(name=name, pattern=pattern, example=example)
    for name, pattern, example in (*_ACTION_FORMS, *_EVENT_FORMS, *_FREE_ORDER_FORMS)
)
"""Every way to write an order, the canonical one of each name first."""
