"""The database: opening, upgrading and querying it. Exceptions of libraries don't leave this module.

Each thread has its own connection. `Database.session` keeps one open; transactions open one if needed.
"""

import os
import sqlite3
from collections import Counter, namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

import peewee

from adjudicator.errors import Refusal, StoreFault
from adjudicator.storage import migrating
from adjudicator.storage.forgotten import ForgottenPeople
from adjudicator.storage.tables import DatabaseText

if TYPE_CHECKING:
    import psycopg


# Prepared statements: composing the SQL of a small query takes longer than running it.


_LIST_SLOT_PREFIX = "one"


class QuerySlot:
    """The placeholder for a value that is given when the statement runs."""

    def __init__(self, name: str) -> None:
        self.name = name


def slot(name: str) -> Any:
    """Return a placeholder for a query. The statement gets its value by this name when it runs."""
    return peewee.Value(QuerySlot(name), converter=False)


def slots(count: int) -> list[Any]:
    """Return a number of slots for use in a list. `slot_values` gives the values for them by name."""
    return [slot(f"{_LIST_SLOT_PREFIX}{number}") for number in range(count)]


def slot_values(values: Iterable[Any]) -> dict[str, Any]:
    """Return values for the slots of a list, by their names."""
    return {f"{_LIST_SLOT_PREFIX}{number}": value for number, value in enumerate(values)}


def lock_unclaimed(query: Any, shared: bool) -> Any:
    """Return a selection of rows to claim, locked until this transaction ends. shared: `Database.is_shared`.

    Rows that another worker is claiming are skipped. An engine with one writer needs neither.
    """
    return query.for_update(skip_locked=True) if shared else query


class Prepared:
    """A query with slots. Its SQL is compiled at the first use, separately for each kind of database."""

    def __init__(self, query: Any) -> None:
        self._query = query
        self._made: dict[type, tuple[str, tuple[tuple[str | None, Any], ...]]] = {}
        self._row: Callable[..., Any] | None = None
        self._switches: tuple[int, ...] = ()

    def sql(self, library: peewee.Database, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Return the SQL for that database, and its parameters. values: for all slots, by name."""
        kind = type(library)
        if kind not in self._made:
            context: Any = library.get_sql_context()
            sql, parameters = context.sql(self._query).query()
            self._made[kind] = (
                sql,
                tuple((p.name, None) if isinstance(p, QuerySlot) else (None, p) for p in parameters),
            )
        sql, places = self._made[kind]
        return sql, [value if name is None else _TEXT_FIELD.db_value(values[name]) for name, value in places]

    def rows(self, cursor: Any) -> list[Any]:
        """Return the result rows with named columns. SQLite has no booleans, so they are converted here."""
        records = cursor.fetchall()
        if not records:
            return []
        if self._row is None:
            names = [column[0] for column in cursor.description]
            columns: Any = namedtuple("Row", names)  # type: ignore[misc] # the fields are known only at run time
            fields = self._query._returning
            self._switches = tuple(
                place for place, field in enumerate(fields) if isinstance(field, peewee.BooleanField)
            )
            self._row = partial(tuple.__new__, columns)
        if self._switches:
            records = list(map(list, records))
            for record in records:
                for place in self._switches:
                    record[place] = bool(record[place])
        return list(map(self._row, records))


_TEXT_FIELD = DatabaseText()


MIGRATIONS = Path(__file__).with_name("migrations")
BUSY_SECONDS = 30
MIGRATION_SECONDS = 3600
"""The time that a process waits for another process to upgrade the tables."""
IDLE_TRANSACTION_SECONDS = 20
"""A transaction without activity for this long is rolled back, before others have waited BUSY_SECONDS."""
STUCK_SESSION_SECONDS = 900
IDLE_SINCE = 140_000
"""The first version of PostgreSQL that ends idle connections."""
CONNECT_SECONDS = 10
POSTGRESQL = "postgresql://"
MIGRATION_LOCK = 0x7475726E
"""The lock number for services on one PostgreSQL server that change the tables."""

NOTIFY_CHANNEL = "turnpost"
"""The notification channel of services on one PostgreSQL server."""

# The exceptions of the libraries, their meaning, and when to retry. Any other exception is our own bug.
_DATABASE_FAULTS: tuple[tuple[type[peewee.PeeweeException], str, float | None], ...] = (
    (peewee.OperationalError, "it is locked, full or out of reach", 5.0),
    (peewee.InterfaceError, "its connection broke", 5.0),
    (peewee.InternalError, "it had an internal error", None),
    (peewee.DatabaseError, "it is damaged or isn't a database", None),
)


class Database:
    """One database, for any number of threads. Queries are built on the models of `tables`."""

    def __init__(self, library: "_SQLite | _PostgreSQL", name: str) -> None:
        self._library = library
        self._name = name
        self.draw: Callable[[str, int], bytes] | None = None
        """Draws a picture again from the stored SVG and its width."""
        self.forgotten: ForgottenPeople | None = None
        """The list of the forgotten people, None if nobody was forgotten."""
        self.upgrade: migrating.Upgrade | None = None
        """The migrations that ran when it was opened."""

    @contextmanager
    def session(self) -> Iterator[None]:
        """Keep this thread's connection open for a while. Can be nested. Raises StoreFault."""
        with self._translate_faults(), self._library.connection_context():
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run one transaction that writes everything or nothing. SQLite takes its write lock at once.

        Within another transaction it is part of that one and is rolled back with it. Use `savepoint` to go on
        without it. Raises StoreFault.
        """
        nested = self._library.in_transaction()
        with self.session(), nullcontext() if nested else self._library.atomic():
            yield

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Run a part of a transaction that can be rolled back alone. Raises StoreFault."""
        with self._translate_faults():
            self._library.execute_sql("SAVEPOINT apart")
            try:
                yield
            except BaseException:
                self._library.execute_sql("ROLLBACK TO SAVEPOINT apart")
                raise
            finally:  # also if it was rolled back: otherwise it would be found in place of an outer one
                self._library.execute_sql("RELEASE SAVEPOINT apart")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read one consistent snapshot in several queries, without locks. Raises StoreFault."""
        library, nested = self._library, self._library.in_transaction()
        with self.session(), nullcontext() if nested else library.transaction(*library.snapshot):
            yield

    @contextmanager
    def _translate_faults(self) -> Iterator[None]:
        """Raise the library's exceptions as StoreFault, but not those that a bug of this program causes."""
        try:
            yield
        except peewee.PeeweeException as last:
            fault = _first_cause(last)
            for kind, meaning, retry_after in _DATABASE_FAULTS:
                # Exactly this type: the last is the base class of all, also of the exceptions for our bugs.
                if type(fault) is kind:
                    why = f"{meaning} ({' '.join(str(fault).split())})"
                    raise StoreFault(f"database {self._name}", why, retry_after) from fault
            raise
        except sqlite3.OperationalError as fault:
            if _NO_TEXT not in str(fault):
                raise
            # The driver raises this while rows are read, outside the library's own conversion.
            why = f"it is damaged ({' '.join(str(fault).split())})"
            raise StoreFault(f"database {self._name}", why) from fault

    def names_of(self, text: str) -> tuple[str, ...]:
        """Return an address, or a key with one in it, and the hash that stands for it if it is forgotten."""
        return (text,) if self.forgotten is None else (text, self.forgotten.hash_of(text))

    def run(self, query: Any) -> Any:
        """Return the library's result of a query, executed here: rows, the number of changed rows, or a
        new key."""
        return query.execute(self._library)

    def first(self, query: Any) -> Any:
        """Return the first row of a selection, or None."""
        return next(iter(self.run(query.limit(1))), None)

    def ask(self, prepared: Prepared, **values: Any) -> list[Any]:
        """Return all rows of a prepared selection. values: for its slots."""
        return prepared.rows(self._library.execute_sql(*prepared.sql(self._library, values)))

    def rows(self, prepared: Prepared) -> list[Any]:
        """Return all rows of a prepared selection without slots, as raw tuples."""
        sql, parameters = prepared.sql(self._library, {})
        rows: list[Any] = self._library.execute_sql(sql, parameters).fetchall()
        return rows

    def do(self, prepared: Prepared, **values: Any) -> int:
        """Run a prepared change. Return the number of changed rows."""
        return int(self._library.execute_sql(*prepared.sql(self._library, values)).rowcount)

    def count(self, query: Any) -> int:
        """Return the number of rows in a selection. It must not be grouped or limited."""
        with self.session():
            return int(query.columns(peewee.fn.COUNT(peewee.SQL("*"))).scalar(self._library))

    @property
    def is_shared(self) -> bool:
        """Return whether several processes, perhaps on several machines, can use the database at once."""
        return bool(self._library.for_update)

    def wait_for_lock(self, what: int) -> None:
        """Take a lock until this transaction ends. Other processes that ask for it wait."""
        self._library.wait_for(what)

    @contextmanager
    def exclusive_lock(self, what: int) -> Iterator[bool]:
        """Yield whether this thread has a lock that only one thread on any machine can have.

        what: the number of the lock. A process that dies releases it. Raises StoreFault.
        """
        with self.session():
            is_mine = self._library.try_lock(what)
            try:
                yield is_mine
            finally:
                if is_mine:
                    # A broken connection has released the lock.
                    with suppress(peewee.PeeweeException):
                        self._library.unlock(what)

    def hold(self, what: int, number: int) -> None:
        """Show with a lock that this process is alive. The lock ends with the process. Raises StoreFault."""
        with self._translate_faults():
            self._library.hold(what, number)

    def let_go(self) -> None:
        """Release the lock of `hold`."""
        self._library.let_go()

    def is_held(self, what: int, number: int) -> bool:
        """Return whether the process with a lock of `hold` is alive. Raises StoreFault."""
        with self.session():
            return self._library.is_held(what, number)

    def notify(self, what: str) -> None:
        """Notify all processes in `wait_for_notification` that there is work. Raises StoreFault."""
        with self.session():
            self._library.notify(what)

    def wait_for_notification(self, seconds: float) -> tuple[str, ...]:
        """Return the notifications of other connections, waiting at most some seconds.

        Empty if no other process can notify. Raises StoreFault if the connection broke: then call `hold`
        again.
        """
        with self._translate_faults():
            return self._library.wait_for_notification(seconds)

    def lock_for_share(self, query: Any) -> Any:
        """Return a selection of rows. Others can't change or delete them until this transaction ends."""
        return query.for_update("FOR SHARE") if self._library.for_update else query

    def health(self) -> str | None:
        """Return a description of damage that the database finds in itself, or None."""
        with self.reading():
            asked: Any = self._library
            (verdict,) = asked.execute_sql(asked.own_check).fetchone()
        return None if verdict == "ok" else str(verdict)

    def size(self) -> int:
        """Return the size of the database in bytes."""
        asked: Any = self._library
        return int(asked.execute_sql(asked.own_size).fetchone()[0])

    def count_on(self, columns: Iterable[tuple[str, str]]) -> None:
        """Continue automatic numbers after the highest number. columns: each as (table, column)."""
        for table, column in columns:
            self._library.count_on(table, column)

    def scrub(self) -> bool:
        """Overwrite the space of deleted rows. Return False if that isn't possible now.

        It isn't possible in a transaction, and waits for those of others.
        """
        if self._library.in_transaction():
            return False
        with self.session():
            try:
                return bool(self._library.scrub())
            except peewee.OperationalError:
                return False

    def close(self) -> None:
        """Close this thread's connection, if it is open."""
        with self._translate_faults():
            self._library.close()

    def bring_up_to_date(self, copies: Path | None = None) -> "migrating.Upgrade | None":
        """Run the missing migrations. Return the migrations that ran, or None if none was missing.

        Only one process runs them while others wait. copies: the file to copy before, None for no copy.
        Raises Refusal if a later program has run migrations unknown to this one, or if rows would be lost;
        StoreFault if the copy doesn't fit on the disk. Then nothing has changed.
        """
        if self._is_up_to_date():
            return None
        copy: Path | None = None
        with self.session(), self._library.for_migrations():
            try:
                with self.writing():
                    self._library.lock_tables()
                    if self._is_up_to_date():  # another process was faster
                        return None
                    if later := migrating.later_migrations(self._library, MIGRATIONS):
                        raise Refusal(
                            f"Can't open database {self._name}",
                            f"a later program has upgraded it, to {later[-1]}",
                            'Install that program again, or use "gm restore" with an earlier backup',
                        )
                    if copies is not None and self._library.table_exists("game"):
                        first, *_ = migrating.missing_migrations(self._library, MIGRATIONS)
                        copy = migrating.copy_before(copies, first)
                    ran = migrating.run_migrations(self._library, MIGRATIONS, self._name)
            except BaseException:
                if copy is not None:  # nothing has changed, so it is the same as the database
                    copy.unlink()
                raise
        return migrating.Upgrade(ran, copy)

    def _is_up_to_date(self) -> bool:
        """Return whether the database has run the migrations that this program knows, and no others."""
        known = {file.stem for file in MIGRATIONS.glob("[0-9]*.py")}
        asked: Any = self._library
        with self.reading():
            if "migration" not in asked.get_tables():
                return False
            return known == {name for (name,) in asked.execute_sql('SELECT "name" FROM "migration"')}


_ITS_OWN: Any = vars(peewee)["__exception_wrapper__"]
"""Raises a driver's exception as the library's exception."""

_NO_TEXT = "Could not decode to UTF-8"
"""The driver's message for a text column with bytes that aren't text."""

_UNDONE = ("cannot rollback", "no such savepoint")
"""The library's message when it rolls back a transaction that the database has already rolled back."""


def _first_cause(fault: peewee.PeeweeException) -> peewee.PeeweeException:
    """Return the first error: a full database rolls the transaction back before the library tries to."""
    before: BaseException | None = fault
    while before is not None and any(sign in str(fault) for sign in _UNDONE):
        before = before.__context__
        if isinstance(before, peewee.PeeweeException):
            fault = before
    return fault


def open_database(url: str, *, keep_copy: bool = True, may_be_empty: bool = False) -> Database:
    """Return the database at a path or a ``postgresql://`` URL, with upgraded tables.

    A missing file is created, readable only for its owner. keep_copy: whether to copy a SQLite file before
    its tables change. may_be_empty: whether to accept a file of 0 bytes. Raises Refusal for an unknown kind
    of database and an empty file, StoreFault if it can't be opened.
    """
    if url.startswith(POSTGRESQL):
        database = Database(
            _PostgreSQL(url, prefer_psycopg3=True, connect_timeout=CONNECT_SECONDS), _bare(url)
        )
        database.bring_up_to_date(None)
        return database
    if "://" in url:
        raise Refusal(
            f"database {url.partition('://')[0]}://",
            "only SQLite and PostgreSQL are supported",
            "Give the path of a file, like turnpost.db, or postgresql://user:password@host/name",
        )
    file = Path(url)
    _refuse_empty(file, may_be_empty)
    if not file.exists():
        _create(file)
    database = _sqlite_at(url)
    database.upgrade = database.bring_up_to_date(file if keep_copy else None)
    return database


def _sqlite_at(url: str) -> Database:
    pragmas = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": 1}
    return Database(_SQLite(url, pragmas=pragmas, lock_type="IMMEDIATE", timeout=BUSY_SECONDS), url)


def _refuse_empty(file: Path, may_be_empty: bool) -> None:
    """Raise Refusal for a file of 0 bytes: its content was lost, and the service must not start with no
    games."""
    if not file.is_file() or file.stat().st_size:
        return
    if not may_be_empty:
        raise Refusal(
            f"Can't open database {file}",
            "it is an empty file (0 bytes), so it holds no games",
            'Put back a copy of it, or use "gm restore FILE". To begin without games, delete it',
        )
    file.unlink()


def _create(file: Path) -> None:
    """Create a database under a temporary name and rename it when its tables exist, as it will hold secrets.

    If another process has created the database meanwhile, its file stays. Raises StoreFault.
    """
    new = file.with_name(f"{file.name}.new-{os.urandom(6).hex()}")
    try:
        new.touch(mode=0o600, exist_ok=False)
    except OSError as fault:
        raise StoreFault(f"Can't create database {file}", f"{fault.strerror}") from fault
    try:
        database = _sqlite_at(str(new))
        database.bring_up_to_date(None)
        database.close()
        with suppress(FileExistsError):
            migrating.link_new(new, file)
    finally:
        for leftover in new.parent.glob(f"{new.name}*"):
            leftover.unlink(missing_ok=True)


class _SQLite(peewee.SqliteDatabase):
    """SQLite: one writer at a time. A writing transaction takes the lock at its start."""

    snapshot = ("DEFERRED",)
    own_check = "PRAGMA quick_check(1)"
    own_size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"

    def count_on(self, table: str, column: str) -> None:
        """Do nothing: the next number is always the highest plus one."""

    def lock_tables(self) -> None:
        """Do nothing: there is only one writer."""

    def scrub(self) -> bool:
        """Rewrite the file, and empty its write-ahead log. Return whether the log is empty."""
        library: Any = self
        library.execute_sql("VACUUM")
        busy, *_ = library.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    @contextmanager
    def for_migrations(self) -> Iterator[None]:
        """Turn foreign keys off for a while, and wait as long as another process may need.

        To change a table, the library copies it and drops the old one. With foreign keys on, this would
        delete the rows that refer to it. The setting can't change inside a transaction.
        """
        library: Any = self
        library.execute_sql("PRAGMA foreign_keys = 0")
        library.execute_sql(f"PRAGMA busy_timeout = {MIGRATION_SECONDS * 1000}")
        try:
            yield
        finally:
            library.execute_sql(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
            library.execute_sql("PRAGMA foreign_keys = 1")

    def broken_references(self) -> Counter[tuple[str, str]]:
        """Count the rows that refer to a missing row, by table and target table."""
        library: Any = self
        rows = library.execute_sql("PRAGMA foreign_key_check").fetchall()
        return Counter((table, parent) for table, _, parent, _ in rows)

    def wait_for(self, what: int) -> None:
        """Do nothing: there is only one writer."""

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        """Execute as the library does, but without its query log, which takes as long as a small query."""
        library: Any = self
        if library._state.closed:
            return super().execute_sql(sql, params)  # type: ignore[no-untyped-call]  # the library is untyped
        try:
            return library._state.conn.execute(sql, params or ())
        except sqlite3.Error:
            with _ITS_OWN:
                raise
        except UnicodeDecodeError as fault:
            raise _damage_error(fault) from fault

    def try_lock(self, what: int) -> bool:
        """Return True: only one process uses a SQLite file."""
        return True

    def unlock(self, what: int) -> None:
        """Do nothing: there is no lock."""

    def hold(self, what: int, number: int) -> None:
        """Do nothing: no other process checks this lock."""

    def let_go(self) -> None:
        """Do nothing: no lock was shown."""

    def is_held(self, what: int, number: int) -> bool:
        """Return False: no other process uses a SQLite file."""
        return False

    def notify(self, what: str) -> None:
        """Do nothing: no other process listens."""

    def wait_for_notification(self, seconds: float) -> tuple[str, ...]:
        """Return no notifications."""
        return ()

    def _set_pragmas(self, conn: Any) -> None:
        """Lock a new file to switch on its write-ahead log. SQLite doesn't wait for this lock, so we do."""
        until = monotonic() + BUSY_SECONDS
        while True:
            try:
                super()._set_pragmas(conn)  # type: ignore[misc]  # the library is untyped
                return
            except UnicodeDecodeError as fault:
                raise _damage_error(fault) from fault
            except sqlite3.OperationalError:
                if monotonic() > until:
                    raise
                sleep(0.01)


class _PostgreSQL(peewee.PostgresqlDatabase):
    """PostgreSQL: many writers, which wait for each other's row locks."""

    snapshot = ("REPEATABLE READ",)
    own_check = "SELECT 'ok'"
    own_size = "SELECT pg_database_size(current_database())"
    _held: "psycopg.Connection[Any] | None" = None

    def count_on(self, table: str, column: str) -> None:
        """Set the sequence of the column's numbers."""
        highest = f'(SELECT COALESCE(MAX("{column}"), 0) + 1 FROM "{table}")'
        sequence = "SELECT setval(pg_get_serial_sequence(%s, %s), " + highest + ", false)"
        self.execute_sql(sequence, (table, column))  # type: ignore[no-untyped-call]  # the library is untyped

    def _initialize_connection(self, connection: Any) -> None:
        connection.execute(f"SET lock_timeout = {BUSY_SECONDS * 1000}")
        # A worker that stops in the middle isn't waited for: its transaction is rolled back, and it gets an
        # error.
        connection.execute(f"SET idle_in_transaction_session_timeout = {IDLE_TRANSACTION_SECONDS * 1000}")

    def lock_tables(self) -> None:
        """Prevent others from changing the tables before this transaction ends."""
        library: Any = self
        library.execute_sql(f"SET LOCAL lock_timeout = {MIGRATION_SECONDS * 1000}")
        self.wait_for(MIGRATION_LOCK)

    def scrub(self) -> bool:
        """Rewrite every table, one at a time. The server's own log and its copies stay."""
        library: Any = self
        for table in library.get_tables():
            library.execute_sql(f'VACUUM FULL "{table}"')
        return True

    def for_migrations(self) -> AbstractContextManager[None]:
        """Do nothing: tables are changed in place."""
        return nullcontext()

    def broken_references(self) -> Counter[tuple[str, str]]:
        """Return nothing: the engine doesn't allow broken references."""
        return Counter()

    def wait_for(self, what: int) -> None:
        """Take a lock until this transaction ends. Other processes that ask for it wait."""
        self._ask("SELECT pg_advisory_xact_lock(%s)", what)

    def try_lock(self, what: int) -> bool:
        """Take a lock that lasts as long as this connection, unless another connection has it.

        A process that hangs while it has the lock loses it eventually.
        """
        if not self._ask("SELECT pg_try_advisory_lock(%s)", what):
            return False
        self._leave_after(STUCK_SESSION_SECONDS)
        return True

    def unlock(self, what: int) -> None:
        """Release the lock."""
        self._ask("SELECT pg_advisory_unlock(%s)", what)
        self._leave_after(0)

    def hold(self, what: int, number: int) -> None:
        """Open a separate connection that holds a lock and receives notifications."""
        self.let_go()
        library: Any = self
        held = library._connect()
        with _translate_connection_errors(held):
            held.execute("SELECT pg_advisory_lock(%s, %s)", (what, number))
            held.execute(f"LISTEN {NOTIFY_CHANNEL}")
        self._held = held

    def let_go(self) -> None:
        """Close that connection, if it is open."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def is_held(self, what: int, number: int) -> bool:
        """Return whether a worker has its lock."""
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        here = " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        return bool(self._ask(held + here + " AND classid = %s AND objid = %s", what, number))

    def notify(self, what: str) -> None:
        """Send a notification."""
        self._ask("SELECT pg_notify(%s, %s)", NOTIFY_CHANNEL, what)

    def wait_for_notification(self, seconds: float) -> tuple[str, ...]:
        """Wait for notifications."""
        if self._held is None:
            raise peewee.InterfaceError("nobody listens")
        with _translate_connection_errors(self._held):
            return tuple(
                notification.payload for notification in self._held.notifies(timeout=seconds, stop_after=1)
            )

    def _leave_after(self, seconds: int) -> None:
        """Let the server end this connection after this much idle time; 0 means never."""
        if self.server_version >= IDLE_SINCE:
            self._ask("SELECT set_config('idle_session_timeout', %s, false)", f"{seconds}s")

    def _ask(self, sql: str, *parameters: object) -> Any:
        cursor = self.execute_sql(sql, parameters)  # type: ignore[no-untyped-call]  # the library is untyped
        return cursor.fetchone()[0]


def _damage_error(fault: UnicodeDecodeError) -> peewee.DatabaseError:
    """Return the exception for an engine message that can't be decoded because of the data it quotes."""
    return peewee.DatabaseError(f"it contains bytes that aren't text: {fault.reason}")


@contextmanager
def _translate_connection_errors(connection: Any) -> Iterator[None]:
    """Raise connection errors that the library doesn't catch as errors of the library."""
    try:
        yield
    except connection.Error as fault:
        raise peewee.OperationalError(str(fault)) from fault


def display_url(url: str) -> str:
    """Return a database's name for messages: a file's path, or a URL without user and password."""
    return _bare(url) if url.startswith(POSTGRESQL) else url


def _bare(url: str) -> str:
    return POSTGRESQL + url.removeprefix(POSTGRESQL).rpartition("@")[2]


# A cache for values that can't change. It keeps them until it is full.


K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(dict[K, V]):
    """The latest values, for any number of threads. The capacity is fixed."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def keep(self, key: K, value: V) -> None:
        """Store a value, and drop the older half if the cache is full."""
        if len(self) >= self._room:
            # In one step, because another thread may be storing a value at the same time.
            for oldest in tuple(self)[: self._room // 2]:
                self.pop(oldest, None)
        self[key] = value
