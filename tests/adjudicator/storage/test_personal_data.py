"""What the database holds about a person: every column is known, and erased on both databases."""

import pytest

from adjudicator.storage import metadata
from adjudicator.storage.archive import ALL_TABLES
from adjudicator.storage.database import Database
from adjudicator.storage.forgotten import FORGOTTEN_DOMAIN, ForgottenPeople, new_list
from adjudicator.storage.personal_data import (
    OTHER_COLUMNS,
    PERSONAL_COLUMNS,
    Traces,
    all_addresses,
    erase,
)
from adjudicator.storage.tables import (
    PASSING,
    DigestRow,
    LetterRow,
    MetaRow,
    MinuteRow,
    OutRow,
    PersonRow,
    RequestRow,
    SignupRow,
)

ADDRESS, OTHER = "austria@example.net", "xaustria@example.net"
NOW = 1_784_894_400_000


def test_every_column_is_known_to_hold_a_person_or_not() -> None:
    """A new column has to be listed, and erased if it can hold an address, a name or words."""
    columns = {
        f"{model._meta.table_name}.{name}"
        for model in (*ALL_TABLES, *PASSING)
        for name in (field.name for field in model._meta.sorted_fields)
    }
    others = [f"{table}.{name}" for table, names in OTHER_COLUMNS.items() for name in names.split()]
    assert sorted([*PERSONAL_COLUMNS, *others]) == sorted(columns)


def test_every_column_with_an_address_is_searched(database: Database) -> None:
    """`gm restore` finds the forgotten by these columns."""
    with database.writing():
        database.run(
            LetterRow.insert(fingerprint="1", received=1, data=b"", sender="a@x.org", speaker="b@x.org")
        )
        database.run(
            OutRow.insert(
                key="k", message_id="m", sender="gm@x.org", recipient="c@x.org", data=b"", state="sent",
                created=1, not_before=1,
            )
        )  # fmt: skip
        database.run(PersonRow.insert(address="d@x.org"))
        database.run(MetaRow.insert(key="turnout/e@x.org/elk", value=b"{}"))
    assert all_addresses(database) == ("a@x.org", "b@x.org", "c@x.org", "d@x.org", "e@x.org")


def fill(database: Database) -> None:
    """Write something about the person and somebody with a similar address into several tables."""
    with database.writing():
        for number, address in enumerate((ADDRESS, OTHER), 1):
            database.run(PersonRow.insert(address=address, name=f"Name {number}"))
            database.run(SignupRow.insert(game="elk", address=address, wishes="[]", since=1))
            database.run(DigestRow.insert(address=address, digest="daily", seen=1))
            database.run(RequestRow.insert(address=address, mark="m", lines="[]", asked=1))
            facts = {"received": 1, "sender": address, "speaker": address, "disposition": "read"}
            database.run(LetterRow.insert(fingerprint=address, data=address.encode(), **facts))
            facts = {"message_id": "m", "sender": "gm@x.org", "state": "sent", "created": 1, "not_before": 1}
            key = f"wish/{address}/1"
            database.run(OutRow.insert(key=key, recipient=address, data=address.encode(), **facts))
            database.run(MinuteRow.insert(game="elk", at=1, by=address, what="joined", why=f"ask {address}"))


def test_one_person_is_erased_and_nobody_else(database: Database) -> None:
    fill(database)
    people = new_list().with_person(ADDRESS, NOW)
    erased = erase(database, ADDRESS, people, NOW, "gm")
    assert (erased.emails, erased.waiting) == (2, 0)
    assert all_addresses(database) == (OTHER,)
    minutes = [(row.by, row.why) for row in database.run(MinuteRow.select().order_by(MinuteRow.number))]
    assert minutes == [("[forgotten]", "[forgotten]"), (OTHER, f"ask {OTHER}")]
    letters = [
        (row.sender, bytes(row.data)) for row in database.run(LetterRow.select().order_by(LetterRow.number))
    ]
    assert letters == [(people.hash_of(ADDRESS), b""), (OTHER, OTHER.encode())]
    keys = {row.key for row in database.run(OutRow.select())}
    assert keys == {people.hash_of(f"wish/{ADDRESS}/1"), f"wish/{OTHER}/1"}
    assert metadata.is_scrub_due(database)
    assert database.scrub()


def test_nothing_can_be_scrubbed_in_a_transaction(database: Database) -> None:
    fill(database)
    with database.writing():
        assert not database.scrub()


def test_a_hash_needs_the_key() -> None:
    """So a database alone doesn't answer whether an address was here."""
    people, others = new_list(), new_list()
    assert people.hash_of(ADDRESS).endswith(FORGOTTEN_DOMAIN)
    assert people.hash_of(ADDRESS) != others.hash_of(ADDRESS)
    listed = people.with_person(ADDRESS, 1).with_person(ADDRESS, 2)
    assert (len(listed.people), listed.forgotten_at(ADDRESS), listed.forgotten_at(OTHER)) == (1, 2, None)
    assert ADDRESS not in listed.text
    assert isinstance(listed, ForgottenPeople)


@pytest.mark.parametrize(
    ("text", "is_in"),
    [
        ("From: Austria@Example.NET", True),
        (f"<{ADDRESS}>", True),
        (OTHER, False),
        (f"{ADDRESS}.au", False),
        ("Dear Marie Curie,", True),
        ("Dear marie curie,", False),
        ("Marie Curierson", False),
    ],
)
def test_addresses_and_names_are_found_whole(text: str, is_in: bool) -> None:
    traces = Traces(ADDRESS, ["Marie Curie"])
    assert traces.is_in(text) == is_in
    assert (traces.redact(text) != text) == is_in


def test_lines_are_found_however_they_are_quoted() -> None:
    traces = Traces(ADDRESS, (), ["I say that we shall hold the line from Trieste to Warsaw.\nok"])
    quoted = (
        b"Subject: x\r\n\r\n> | I say that we shall hold\r\n> | the line from Trieste\r\n> | to Warsaw.\r\n"
    )
    assert traces.are_in_email(quoted)
    assert not traces.are_in_email(b"Subject: x\r\n\r\nok\r\n")
