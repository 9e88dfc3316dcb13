"""Several mailboxes as one: a poll has looked through each of them, or failed."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from adjudicator.clock import Millis
from adjudicator.errors import PostFault
from adjudicator.mail.mailbox import Known, Mailbox
from adjudicator.model.mail import IncomingLetter
from games.record import replace_fields

_MAILBOX_SEPARATOR = "|"


class Mailboxes:
    """`mailbox.Mailbox` of several. Its name is that of the first, whose places are its own.

    A place in one of the others begins with that one's name.
    """

    def __init__(self, boxes: Sequence[Mailbox]) -> None:
        self._boxes = {("" if place == 0 else box.name): box for place, box in enumerate(boxes)}

    @property
    def name(self) -> str:
        """As in `mailbox.Mailbox`."""
        return self._boxes[""].name

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `mailbox.Mailbox`. One that fails does not keep the letters of the others back; it is told in
        the end."""
        faults: list[PostFault] = []
        for own, box in self._boxes.items():
            try:
                for arrived in box.new_letters(_known_in(own, known)):
                    yield replace_fields(arrived, mailbox=self.name, place=_place(own, arrived.place))
            except PostFault as fault:
                faults.append(_name_mailbox(fault, own))
        if faults:
            raise faults[0]

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """As in `mailbox.Mailbox`: of all of them, since each names its folders by its own name."""
        return {
            folder: number for box in self._boxes.values() for folder, number in box.first_numbers().items()
        }

    def count_left(self) -> int:
        """As in `mailbox.Mailbox`."""
        return sum(box.count_left() for box in self._boxes.values())

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `mailbox.Mailbox`."""
        for own, box in self._boxes.items():
            if mine := [bare for bare in (_bare(own, place, self._boxes) for place in places) if bare]:
                box.mark_kept(mine)

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `mailbox.Mailbox`: by the first of them that has it. One that fails is told only if any is
        missing."""
        fault: PostFault | None = None
        times: dict[str, Millis] = {}
        for box in self._boxes.values():
            missing = [message_id for message_id in message_ids if message_id not in times]
            try:
                times |= box.arrival_times(missing) if missing else {}
            except PostFault as failed:
                fault = fault or failed
        if fault is not None and any(message_id not in times for message_id in message_ids):
            raise fault
        return times

    def try_out(self) -> tuple[str, ...]:
        """As in `mailbox.Mailbox`."""
        results: list[str] = []
        for own, box in self._boxes.items():
            try:
                results += box.try_out()
            except PostFault as fault:
                raise _name_mailbox(fault, own) from fault
        return tuple(results)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `mailbox.Mailbox`: each of them in a thread of its own."""
        threads = [
            threading.Thread(target=box.watch, args=(ring, stop), name=f"watch {box.name}", daemon=True)
            for box in self._boxes.values()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def close(self) -> None:
        """As in `mailbox.Mailbox`."""
        for box in self._boxes.values():
            box.close()


def _place(own: str, place: str) -> str:
    return f"{own}{_MAILBOX_SEPARATOR}{place}" if own else place


def _bare(own: str, place: str, boxes: Collection[str]) -> str | None:
    """The place as that mailbox calls it; None if it is in another."""
    named, mark, bare = place.partition(_MAILBOX_SEPARATOR)
    if mark and named in boxes:
        return bare if named == own else None
    return None if own else place


def _known_in(own: str, known: Known) -> Known:
    def ask(places: Sequence[str]) -> Collection[str]:
        known_places = set(known([_place(own, place) for place in places]))
        return [place for place in places if _place(own, place) in known_places]

    return ask


def _name_mailbox(fault: PostFault, own: str) -> PostFault:
    """A fault that says in which of the others it is. own: what that one is called, "" for the first."""
    return type(fault)(own, fault.why, fault.retry_after) if own else fault
