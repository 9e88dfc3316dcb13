"""Edits whose classes hold all about them: how they are written, if they are possible, and what they do.

To add a kind of edit to a game, write its class and list it in the game's `KindEdits`.
"""

from abc import abstractmethod
from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Self, TypeVar

from games.messages import sentence
from games.protocol import Advice, Edit, Edits, Form, Seat
from games.record import from_text, plain

StateT = TypeVar("StateT")


class EditKind(Edit, frozen=True, kw_only=True):
    """A kind of edit of a game. Its fields have the names of the places in its forms.

    FORMS: the ways to write it, the canonical one of each name first. TEXT: the canonical text with fields in
    braces, for classes that leave `write` as it is.
    """

    FORMS: ClassVar[tuple[Form, ...]]
    TEXT: ClassVar[str]

    @classmethod
    def from_slots(cls, slots: Mapping[str, Any]) -> Self:
        """Return the edit of a matched form. slots: the id of each place that was filled."""
        return from_text(cls, slots)

    def write(self) -> str:
        """Return the canonical text, which the forms read back."""
        return self.TEXT.format(**plain(self))

    @abstractmethod
    def check(self, state: Any) -> Advice | None:
        """Return why the edit is impossible and what to write instead, or None."""

    @abstractmethod
    def apply(self, state: Any) -> Any:
        """Return the state after an edit that `check` accepted."""

    @abstractmethod
    def describe(self, viewer: Seat | None) -> str:
        """Return the edit in one sentence, as a viewer may know it. viewer: None for observers."""


class KindEdits(Edits[StateT, EditKind]):
    """The edits of a game, from their classes. A game derives from it for its lexicon.

    kinds: every kind of edit of the game.
    """

    kinds: ClassVar[tuple[type[EditKind], ...]]

    @property
    def edit_type(self) -> Any:
        """The union of all kinds."""
        return reduce(or_, self.kinds)

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms of all kinds, each with an example."""
        return tuple(form for kind in self.kinds for form in kind.FORMS)

    def build(self, state: StateT, form: str, slots: Mapping[str, str]) -> EditKind:  # noqa: ARG002
        """Return the edit of a matched form. Raises KeyError for an unknown form."""
        return {form.name: kind for kind in self.kinds for form in kind.FORMS}[form].from_slots(slots)

    def write(self, edit: EditKind) -> str:
        """Return the canonical text of an edit."""
        return edit.write()

    def check(self, state: StateT, edit: EditKind) -> Advice | None:
        """Return why an edit is impossible and what to write instead, or None."""
        return edit.check(state)

    def apply(self, state: StateT, edit: EditKind) -> StateT:
        """Return the state after an edit that `check` accepted."""
        after: StateT = edit.apply(state)
        return after

    def tell(self, edit: EditKind, viewer: Seat | None) -> str:
        """Return an edit in one sentence."""
        return edit.describe(viewer)


def advice(problem: str, instead: str | None = None, **values: object) -> Advice:
    """Return the sentences of two slugs as advice."""
    return Advice(
        problem=sentence(problem, **values), instead=sentence(instead, **values) if instead else None
    )
