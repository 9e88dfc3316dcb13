"""The options of a game, settled: every choice has a value, every value is one of those allowed."""

from collections.abc import Mapping, Sequence

from games.fields import Field
from games.protocol import About, GameOption, Invalid, Options, OptionValue

YES_WORDS, NO_WORDS = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def settle(options: tuple[GameOption, ...], given: Mapping[str, OptionValue]) -> Options:
    """The given values, checked and completed with the defaults, in the order in which the game lists them.

    Text is read as what the option wants ("3", "yes"). Raises Invalid naming the option at fault.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            names = ", ".join(known) or "none"
            raise Invalid(f"option {name}", "there is no such option", f"this kind has: {names}")
    settled: dict[str, OptionValue] = {}
    for option in options:
        value = _value(option, given[option.name]) if option.name in given else option.default
        if value is not None:
            settled[option.name] = value
    return settled


def with_starting_values(options: Sequence[GameOption], given: Mapping[str, OptionValue]) -> Options:
    """Return the given values, and the starting values of the options that are not given."""
    return {option.name: option.begins for option in options if option.begins is not None} | dict(given)


def settle_for_new_game(about: About, given: Mapping[str, OptionValue]) -> Options:
    """The options of a game that begins: all of them, and whole where they rest on data that may change.

    Raises Invalid as `settle` does, and for what is wrong with such data.
    """
    settled = settle(about.options, with_starting_values(about.options, given))
    return {
        name: about.completed[name](str(value)) if name in about.completed else value
        for name, value in settled.items()
    }


def read_options(known: Sequence[GameOption], field: Field | None) -> Options:
    """The options of a game, settled. Raises Invalid."""
    names = [option.name for option in known]
    given = field.entries(names) if field else {}
    for entry in given.values():
        if not isinstance(entry.value, str | int):
            raise entry.wrong("should be a string, a number, or true or false")
    try:
        return settle(tuple(known), {name: entry.value for name, entry in given.items()})
    except Invalid as fault:
        # `settle` names an option as `gm game new` does; here each is an entry of a document.
        raise Invalid(f"options.{fault.what.removeprefix('option ')}", fault.why, fault.instead) from fault


def _value(option: GameOption, given: OptionValue) -> OptionValue:
    text = str(given).strip()
    if option.sort == "flag":
        if text.lower() in YES_WORDS + NO_WORDS:
            return text.lower() in YES_WORDS
        raise Invalid(f"option {option.name}", f"{text} is neither yes nor no", f"write {option.name}=yes")
    if option.sort == "number":
        return _number(option, text)
    if option.sort == "choice" and text not in option.values:
        raise Invalid(
            f"option {option.name}",
            f'"{text}" isn\'t one of the choices',
            "Choose one of " + ", ".join(option.values),
        )
    return text


def _number(option: GameOption, text: str) -> int:
    low, high = option.low, option.high
    span = f"from {low} to {high}" if high is not None else f"from {low} up"
    if not text.lstrip("-").isdigit():
        raise Invalid(f"option {option.name}", f'"{text}" isn\'t a whole number', f"Write a number {span}")
    number = int(text)
    if (low is not None and number < low) or (high is not None and number > high):
        raise Invalid(f"option {option.name}", f'"{text}" is out of range', f"Write a number {span}")
    return number
