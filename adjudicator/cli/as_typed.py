"""Raw arguments: texts are taken as they were typed, without a library to convert them."""

from collections.abc import Sequence
from typing import Any

TEXTS: tuple[object, ...] = (str, list[str])


def with_raw_arguments(command: Any) -> Any:
    """Return the same command of Typer, with those below it, whose parameters take texts as they are."""
    listed = command.get_params
    command.get_params = lambda ctx: light(listed(ctx))
    for subcommand in getattr(command, "commands", {}).values():
        with_raw_arguments(subcommand)
    return command


def light(params: Sequence[Any]) -> Any:
    """The same parameters of Typer, which ask pydantic only for what they have to convert."""
    for param in params:
        known = getattr(param, "get_runtime_param", None)
        if known is not None and not isinstance(known.__self__, _ParameterConverter):
            param.get_runtime_param = _ParameterConverter(param).itself
    return params


class _ParameterConverter:
    """The conversion of one parameter. param: of Typer, which still converts what is no text."""

    def __init__(self, param: Any) -> None:
        self._converts = param.get_runtime_param
        self._is_text = param.type_descriptor.annotation in TEXTS
        self._many = bool(getattr(param, "multiple", False)) or param.nargs == -1

    def itself(self) -> "_ParameterConverter":
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return what the command gets for what the parser found."""
        if value is None:
            return () if self._many else None
        if self._is_text and self._are_texts(value):
            return list(value) if self._many else value
        return self._converts().coerce(value, param=param, ctx=ctx)

    def _are_texts(self, value: Any) -> bool:
        if self._many:
            return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
        return isinstance(value, str)
