"""What a new variant must not have: boards and rules that can't be played, or can't be told apart.

A variant that is in use isn't asked, so that games on it go on.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable

from games import language
from games.diplomacy.boards.board import Board, Chart, Power, ProvinceEntry, WinningCondition
from games.diplomacy.boards.misfits import refuse_feature, unplayed_feature
from games.diplomacy.boards.variants import BOARD_READINGS, RULINGS, Rulebook, Variant
from games.diplomacy.model import Phase, Province
from games.messages import sentence
from games.protocol import Invalid

_MAX_YEAR = 9999
_SHEET_SIDES = (100, 10_000)
"""The least and the most width and height of a sheet."""
_MIN_PROVINCES = 3
_MAX_LETTERS = 3
_MAX_HATCH = 9
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_KIND_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_POWER_NAME = re.compile(r"[^\W\d_][^\W_]*(-[^\W_]+)*")
_PROVINCE_NAME = re.compile(r"[^\W_]+")


def check_new_board(board: Board) -> None:
    """Raise Invalid for a board that can't be played or printed, with the entry and the remedy."""
    chart = board.chart
    _check_heading(chart)
    if not chart.powers:
        why = sentence("diplomacy.variants.no_powers")
        raise Invalid("map.json: powers", why, sentence("diplomacy.variants.add_power"))
    if len(board.places) < _MIN_PROVINCES or not any(map(board.is_land, board.places)):
        why = sentence("diplomacy.variants.too_small", number=len(board.places))
        remedy = sentence("diplomacy.variants.add_provinces", number=_MIN_PROVINCES)
        raise Invalid("map.json: provinces", why, remedy)
    for place in chart.provinces:
        _check_province(place)
    ids: set[str] = set()
    for nation in chart.powers:
        _check_power(nation, ids)
    _check_owners(chart)
    _check_kinds(board)
    _check_borders(board)
    _check_victory(board)
    _check_readings(board)


def _check_heading(chart: Chart) -> None:
    """Raise Invalid for the year, the names and the sheet."""
    if not -_MAX_YEAR <= chart.first_year <= _MAX_YEAR:
        is_early = chart.first_year < 0
        why = sentence(
            "diplomacy.variants.year_too_early" if is_early else "diplomacy.variants.year_too_late",
            year=chart.first_year,
        )
        raise Invalid("map.json: first_year", why, sentence("diplomacy.variants.write_year"))
    if not _KIND_NAME.fullmatch(chart.name):
        why = sentence("diplomacy.variants.odd_kind_name", name=chart.name)
        raise Invalid("map.json: name", why, sentence("diplomacy.variants.write_kind_name"))
    for entry in ("title", "designer"):
        _check_text(getattr(chart, entry), f"map.json: {entry}")
    if chart.zoom != 1.0 or chart.turned:
        raise Invalid(
            "map.json: zoom" if chart.zoom != 1.0 else "map.json: turned",
            sentence("diplomacy.variants.not_in_files"),
            sentence("diplomacy.variants.remove_it"),
        )
    for number, side in enumerate(chart.size):
        least, most = _SHEET_SIDES
        if not least <= side <= most:
            why = sentence("diplomacy.variants.odd_size", side=side)
            remedy = sentence("diplomacy.variants.write_size", least=least, most=most)
            raise Invalid(f"map.json: size[{number}]", why, remedy)


def _check_province(place: ProvinceEntry) -> None:
    """Raise Invalid for a province whose names can't be read or printed, or that is far off the sheet."""
    where = f"map.json: provinces: {place.id or place.name}"
    if not (place.id.strip() and place.abbr.strip() and place.name.strip()):
        why = sentence("diplomacy.variants.nameless")
        raise Invalid(where, why, sentence("diplomacy.variants.see_page"))
    for entry, text in (("id", place.id), ("abbr", place.abbr)):
        if not _PROVINCE_NAME.fullmatch(text):
            why = sentence("diplomacy.variants.odd_name", name=text)
            raise Invalid(f"{where}: {entry}", why, sentence("diplomacy.variants.write_province_name"))
    for name in (place.name, *place.aliases):
        _check_text(name, f"{where}: {'name' if name == place.name else 'aliases'}")
    for entry, several in (("label", [place.label]), ("anchors", place.anchors.values())):
        if any(abs(value) > _SHEET_SIDES[1] for at in several for value in at):
            why = sentence("diplomacy.variants.far_away")
            raise Invalid(f"{where}: {entry}", why, sentence("diplomacy.variants.write_on_sheet"))
    for coast in place.anchors:
        if coast not in place.coasts:
            why = sentence("diplomacy.variants.no_such_coast", coast=coast)
            raise Invalid(f"{where}: anchors", why, sentence("diplomacy.variants.remove_it"))
    if place.convoys and (place.kind == "sea" or not place.fleet):
        why = sentence("diplomacy.variants.odd_convoys")
        raise Invalid(f"{where}: convoys", why, sentence("diplomacy.variants.remove_it"))


def _check_text(text: str, where: str) -> None:
    """Raise Invalid for a text that can't be printed."""
    if not (text.isprintable() and any(char.isalnum() for char in text)):
        why = sentence("diplomacy.variants.not_printable", text=json.dumps(text))
        raise Invalid(where, why, sentence("diplomacy.variants.write_text"))


def _check_power(nation: Power, ids: set[str]) -> None:
    """Raise Invalid for a power that can't be named or drawn. ids: those of the powers before it."""
    where = f"map.json: powers: {nation.id}"
    if nation.id.lower() == "neutral":
        why = sentence("diplomacy.variants.named_neutral")
        raise Invalid(where, why, sentence("diplomacy.variants.another_name"))
    if not _POWER_NAME.fullmatch(nation.id):
        why = sentence("diplomacy.variants.odd_name", name=nation.id)
        raise Invalid(f"{where}: id", why, sentence("diplomacy.variants.write_power_name"))
    if nation.id.lower() in ids:
        why = sentence("diplomacy.variants.power_twice", power=nation.id)
        raise Invalid(f"{where}: id", why, sentence("diplomacy.variants.another_name"))
    ids.add(nation.id.lower())
    for name in (nation.name, *nation.aliases):
        _check_text(name, f"{where}: {'name' if name == nation.name else 'aliases'}")
    if not _PROVINCE_NAME.fullmatch(nation.letter) or len(nation.letter) > _MAX_LETTERS:
        why = sentence("diplomacy.variants.odd_letter", letter=nation.letter)
        raise Invalid(f"{where}: letter", why, sentence("diplomacy.variants.write_letter"))
    for entry, colour in (("colour", nation.colour), ("ink", nation.ink or nation.colour)):
        if not _COLOUR.fullmatch(colour):
            why = sentence("diplomacy.variants.odd_colour", colour=colour)
            raise Invalid(f"{where}: {entry}", why, sentence("diplomacy.variants.write_colour"))
    if not 0 <= nation.hatch <= _MAX_HATCH:
        why = sentence("diplomacy.variants.odd_hatch", hatch=nation.hatch)
        raise Invalid(f"{where}: hatch", why, sentence("diplomacy.variants.write_hatch", most=_MAX_HATCH))


def _check_owners(chart: Chart) -> None:
    """Raise Invalid for a letter or a centre of two powers."""
    letters: dict[str, str] = {}
    builders: dict[Province, str] = {}
    owners: dict[Province, str] = {}
    for nation in chart.powers:
        where = f"map.json: powers: {nation.id}"
        if other := letters.get(nation.letter):
            why = sentence("diplomacy.variants.letter_taken", letter=nation.letter, power=other)
            raise Invalid(f"{where}: letter", why, sentence("diplomacy.variants.another_letter"))
        letters[nation.letter] = nation.id
        for entry, mine, taken in (
            ("centres", nation.centres, builders),
            ("owns", nation.owned_at_start, owners),
        ):
            for centre in mine:
                if other := taken.get(centre):
                    why = sentence("diplomacy.variants.centre_of_two", place=centre, power=other)
                    raise Invalid(f"{where}: {entry}", why, sentence("diplomacy.variants.one_owner"))
                taken[centre] = nation.id


def _check_borders(board: Board) -> None:
    """Raise Invalid for a name of a coast that can't be read, and for a border that doesn't lead one way."""
    names = board.coast_names
    for coast in board.chart.coast_names:
        is_word = _PROVINCE_NAME.fullmatch(coast) and all(map(str.isalpha, names[coast].split(" ")))
        if not is_word or Counter(name.lower() for name in names.values())[names[coast].lower()] > 1:
            why = sentence("diplomacy.variants.odd_coast_name", coast=coast, name=json.dumps(names[coast]))
            remedy = sentence("diplomacy.variants.write_coast_name")
            raise Invalid(f"map.json: coast_names: {coast}", why, remedy)
    for number, (here, there) in enumerate(board.chart.one_way):
        leads, returns = (
            other in board.army.get(at, ()) or other in board.fleet.get(at, ())
            for at, other in ((here, there), (there, here))
        )
        if not leads or returns:
            slug = "diplomacy.variants.both_ways" if leads else "diplomacy.variants.no_border"
            why = sentence(slug, province=here, other=there)
            remedy = sentence("diplomacy.variants.write_one_way", province=here, other=there)
            raise Invalid(f"map.json: one_way[{number}]", why, remedy)


def _check_victory(board: Board) -> None:
    """Raise Invalid for a board without a centre, or a condition of victory that says nothing or too much."""
    if not board.centres:
        why = sentence("diplomacy.variants.no_centres")
        raise Invalid("map.json: provinces", why, sentence("diplomacy.variants.mark_centres"))
    if not board.winning_conditions:
        why = sentence("diplomacy.variants.no_victory")
        raise Invalid("map.json: victory", why, sentence("diplomacy.variants.write_victory"))
    for number, condition in enumerate(board.winning_conditions):
        entry = f"[{number}]" if isinstance(board.chart.victory, tuple) else ""
        _check_condition(board, condition, f"map.json: victory{entry}")


def _check_condition(board: Board, condition: WinningCondition, where: str) -> None:
    """Raise Invalid for a condition of victory that can't be judged."""
    write_victory = sentence("diplomacy.variants.write_victory")
    if condition == WinningCondition(power=condition.power, lead_from=condition.lead_from):
        raise Invalid(where, sentence("diplomacy.variants.asks_for_nothing"), write_victory)
    if condition.power is not None and condition.power not in board.powers:
        why = sentence("diplomacy.judge.no_power", name=condition.power)
        known = sentence("diplomacy.judge.known", names=language.join_list(board.powers))
        raise Invalid(f"{where}: power", why, known)
    for entry in ("centres", "units", "lead"):
        number = getattr(condition, entry)
        if number is not None and number < 1:
            why = sentence("diplomacy.variants.too_few_to_win", number=number)
            raise Invalid(f"{where}: {entry}", why, sentence("diplomacy.variants.write_more", number=0))
    for place in condition.provinces:
        if place not in board.centres:
            why = sentence("diplomacy.places.not_a_centre", place=place)
            remedy = sentence("diplomacy.variants.mark_centre", place=place)
            raise Invalid(f"{where}: provinces", why, remedy)
    years = [year for year, _ in condition.lead_from]
    leads = [condition.lead or 0, *(lead for _, lead in condition.lead_from)]
    if years and (
        condition.lead is None or years != sorted(set(years)) or leads != sorted(leads, reverse=True)
    ):
        why = sentence("diplomacy.variants.odd_leads")
        raise Invalid(f"{where}: lead_from", why, sentence("diplomacy.variants.write_leads"))
    if min(leads[1:], default=1) < 1:
        why = sentence("diplomacy.variants.too_few_to_win", number=min(leads))
        raise Invalid(f"{where}: lead_from", why, sentence("diplomacy.variants.write_leads"))
    if condition.most_from is not None and condition.most_from < board.chart.first_year:
        why = sentence("diplomacy.variants.most_too_early", year=condition.most_from)
        remedy = sentence("diplomacy.variants.write_year_from", year=board.chart.first_year)
        raise Invalid(f"{where}: most_from", why, remedy)


def _check_readings(board: Board) -> None:
    """Raise Invalid for a province that isn't on the map, where the options of a game name some."""
    chart = board.chart
    several: dict[str, Iterable[Province]] = {
        name: getattr(chart, name)
        for name in (
            *("assumed_centres", "defended_centres", "inland_centres", "even_centres"),
            "rival_centres",
        )
    }
    for name in ("turns", "even_turns"):
        several[name] = [at for border in getattr(chart, name) for at in (*border.parts, *border.ends)]
    several["crossings"] = [at for crossing in chart.crossings for at in crossing[:2]]
    for name, provinces in several.items():
        for at in provinces:
            if at not in board.places or (name != "crossings" and not board.is_land(at)):
                why = sentence("diplomacy.variants.not_land", place=at)
                raise Invalid(f"map.json: {name}", why, sentence("diplomacy.variants.remove_it"))


def _check_kinds(board: Board) -> None:
    """Raise Invalid for a War Party among armies and fleets, or the other way round."""
    kinds = ["W"] if board.kinds[0] == "W" else ["A", "F"]
    names = language.join_list(kinds, "or")
    for piece in (*(piece for pieces in board.starts.values() for piece in pieces), *board.neutral):
        if piece.kind not in kinds:
            why = sentence("diplomacy.variants.mixed_kinds", kind=piece.kind, kinds=names)
            where = f"map.json: {piece.kind} {piece.at}"
            raise Invalid(where, why, sentence("diplomacy.variants.write_kind", kinds=names))


def check_new_rulebook(variant: Variant) -> None:
    """Raise Invalid for rules that can't be played, with the entry and the remedy."""
    book = variant.rulebook
    _check_year(book)
    _check_seasons(variant)
    try:
        book.turn(Phase(season=book.year[0].season, year=1, kind=book.year[0].kind))
    except (ValueError, LookupError, AttributeError, TypeError) as fault:
        why = sentence("diplomacy.variants.odd_turn_name", name=book.turn_name)
        raise Invalid(
            "rulebook.toml: turn_name", why, sentence("diplomacy.variants.write_turn_name")
        ) from fault
    wanted = ("{season}", "{year}", "{kind}")
    if not book.turn_name.isprintable() or any(part not in book.turn_name for part in wanted):
        why = sentence("diplomacy.variants.odd_turn_name", name=book.turn_name)
        raise Invalid("rulebook.toml: turn_name", why, sentence("diplomacy.variants.write_turn_name"))
    units = {*book.builds_of}
    meant = {"W"} if variant.board.kinds[0] == "W" else {"A", "F"}
    if units - meant:
        why = sentence("diplomacy.variants.builds_others", kinds=language.join_list(sorted(units - meant)))
        remedy = sentence("diplomacy.variants.write_kind", kinds=language.join_list(sorted(meant), "or"))
        raise Invalid("rulebook.toml: builds_of", why, remedy)
    for name, several in Counter(option.name for option in book.options).items():
        if several > 1 or name == "last_year":
            why = sentence("diplomacy.variants.option_twice", option=name)
            raise Invalid("rulebook.toml: options", why, sentence("diplomacy.variants.remove_it"))
    for option in book.options:
        if option.name not in RULINGS and option.name not in BOARD_READINGS:
            where = f"rulebook.toml: options: {option.name}"
            if feature := unplayed_feature(option.name):
                raise refuse_feature(where, feature)
            why = sentence("diplomacy.variants.option_without_rule", option=option.name)
            raise Invalid(where, why, sentence("diplomacy.variants.see_rulebook"))
        for value in option.values:
            variant.under({option.name: value})


def _check_seasons(variant: Variant) -> None:
    """Raise Invalid for names of seasons that can't be told apart, and for steps that skip storms or bans."""
    book, chart = variant.rulebook, variant.board.chart
    seasons = dict.fromkeys(step.season for step in book.year)
    first_words = Counter(book.season_name(season).lower().partition(" ")[0] for season in seasons)
    for season, name in book.season_names.items():
        where = f"rulebook.toml: season_names: {season}"
        if season not in seasons:
            why = sentence("diplomacy.variants.season_not_in_year", season=season)
            raise Invalid(where, why, sentence("diplomacy.variants.remove_it"))
        is_readable = all(word.isalpha() for word in name.split(" "))
        if not is_readable or first_words[name.lower().partition(" ")[0]] > 1:
            why = sentence("diplomacy.variants.odd_season_name", name=json.dumps(name, ensure_ascii=False))
            raise Invalid(where, why, sentence("diplomacy.variants.write_season_name"))
    if book.year_step > 1 and (chart.taboo or chart.stormy):
        why = sentence("diplomacy.variants.step_with_storms")
        raise Invalid("rulebook.toml: year_step", why, sentence("diplomacy.variants.write_step"))


def _check_year(book: Rulebook) -> None:
    """Raise Invalid for a year that never ends a game, or leaves dislodged units where they are."""
    kinds = [step.kind for step in book.year]
    if "M" not in kinds:
        why = sentence("diplomacy.variants.no_moves")
        raise Invalid("rulebook.toml: year", why, sentence("diplomacy.variants.add_moves"))
    for step, before in zip(book.year, (book.year[-1], *book.year), strict=False):
        if (step.kind == "R" and before.kind != "M") or (before.kind == "M" and step.kind != "R"):
            why = sentence("diplomacy.variants.no_retreats")
            raise Invalid("rulebook.toml: year", why, sentence("diplomacy.variants.add_retreats"))
    if book.begins.endswith("R"):
        why = sentence("diplomacy.variants.begins_with_retreats")
        raise Invalid("rulebook.toml: begins", why, sentence("diplomacy.variants.write_phase"))
    if not any(step.captures for step in book.year):
        why = sentence("diplomacy.variants.no_captures")
        raise Invalid("rulebook.toml: year", why, sentence("diplomacy.variants.add_captures"))
    if book.garrisons == "return" and "A" not in kinds:
        why = sentence("diplomacy.variants.garrisons_without_winter")
        raise Invalid("rulebook.toml: garrisons", why, sentence("diplomacy.variants.add_builds"))
