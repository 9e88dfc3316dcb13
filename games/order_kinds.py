"""Orders whose classes know how they are written: their forms, their reading and their text.

To add a kind of order to a game, write its class and list it in the game's `KindNotation`.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar

from games.protocol import Condition, Form, LegalOrder, Notation, Order
from games.record import from_text

ViewT = TypeVar("ViewT")
OrderT = TypeVar("OrderT", bound="OrderKind")

ConditionRow = tuple[str, str, str, str]
"""A condition of IF: its name, pattern, example, and its canonical text with the places in braces."""


class OrderKind(Order, frozen=True, kw_only=True):
    """A kind of order of a game.

    FORMS: the ways to write it, the canonical one of each name first. A form's name belongs to one kind.
    """

    FORMS: ClassVar[tuple[Form, ...]] = ()

    @classmethod
    def from_slots(cls, _view: Any, _form: str, slots: Mapping[str, str], /) -> Self:
        """Return the order of a matched form. By default the places of its forms are its fields.

        view: completes what players leave out; slots: the id of each place that was filled.
        """
        return from_text(cls, slots)

    @abstractmethod
    def write(self) -> str:
        """Return the canonical text, which the forms read back."""


def one_form_of_each_name(forms: Iterable[Form]) -> tuple[Form, ...]:
    """Return the first form of each name."""
    first: dict[str, Form] = {}
    for form in forms:
        first.setdefault(form.name, form)
    return tuple(first.values())


def list_legal(
    groups: Iterable[tuple[str, Iterable[tuple[Any, str]]]], is_legal: Callable[[Any], bool]
) -> Iterator[LegalOrder]:
    """Yield the legal orders of groups of orders in words.

    groups: each with its name, which is the unit or thing as players call it.
    """
    for of, orders in groups:
        for order, words in orders:
            if is_legal(order):
                yield LegalOrder(of=of, order=order, words=words)


class KindNotation(Notation[ViewT, OrderT]):
    """The notation of a game from the classes of its orders. A game derives from it for its names.

    order_kinds: every kind of order of the game, in the order in which their forms are tried.
    condition_rows: the conditions that IF can check.
    """

    order_kinds: ClassVar[tuple[type[OrderKind], ...]]
    condition_rows: ClassVar[tuple[ConditionRow, ...]] = ()

    @cached_property
    def _kinds_by_form(self) -> Mapping[str, type[OrderKind]]:
        return {form.name: kind for kind in self.order_kinds for form in kind.FORMS}

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to write an order, the canonical one of each name first."""
        return tuple(form for kind in self.order_kinds for form in kind.FORMS)

    def build(self, view: ViewT, form: str, slots: Mapping[str, str]) -> Any:
        """Return the order of a matched form. Raises KeyError for an unknown form."""
        return self._kinds_by_form[form].from_slots(view, form, slots)

    def write(self, order: OrderT) -> str:
        """Return the canonical text of an order."""
        return order.write()

    @cached_property
    def conditions(self) -> tuple[Form, ...]:
        """The conditions that IF can check."""
        rows = self.condition_rows
        return tuple(Form(name=name, pattern=pattern, example=example) for name, pattern, example, _ in rows)

    def write_condition(self, condition: Condition) -> str:
        """Return the canonical text of a condition. Raises KeyError for an unknown form."""
        texts = {name: text for name, _, _, text in self.condition_rows}
        words = {place: self.condition_word(place, value) for place, value in condition.slots.items()}
        return texts[condition.form].format(**words)

    def condition_word(self, _place: str, value: str, /) -> str:
        """Return what the canonical text of a condition has in a place. value: the id there."""
        return value
