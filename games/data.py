"""Data files of a game's own package, the only files that games read, and results that the service keeps."""

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import resources
from typing import Any, Protocol, TypeVar

from games.protocol import Clause, Invalid
from games.record import Malformed, load, revive


def read_text(package: str, path: str) -> str:
    """Return the text of a file inside a package, such as ``variants/indianomacy/map.json``.

    Raises Invalid.
    """
    try:
        return resources.files(package).joinpath(*path.split("/")).read_text(encoding="utf-8")
    except FileNotFoundError as fault:
        raise Invalid(path, f"is missing in {package}") from fault
    except (OSError, UnicodeDecodeError) as fault:
        raise Invalid(path, f"cannot be read from {package} ({fault})") from fault


def read_json(package: str, path: str) -> Any:
    """Return the plain value of a JSON file inside a package. Raises Invalid with line and column."""
    text = read_text(package, path)
    with suppress(Malformed):  # the slower reader reads more, or names the place of the fault
        return load(Any, text.encode())
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise Invalid(
            path, f"is no JSON at line {fault.lineno}, column {fault.colno}: {fault.msg}"
        ) from fault


def read_value(package: str, path: str, kind: Any) -> Any:
    """Return the content of a JSON file inside a package as a value of a type. Raises Invalid."""
    return revive_or_refuse(kind, read_json(package, path), path)


def revive_or_refuse(kind: Any, plain_value: Any, what: str) -> Any:
    """Return a plain value as a value of a type. Raises Invalid, in which the value is called `what`."""
    try:
        return revive(kind, plain_value)
    except Malformed as fault:
        raise Invalid(what, str(fault)) from fault


def read_toml(package: str, path: str) -> dict[str, Any]:
    """Return the plain value of a TOML file inside a package. Raises Invalid."""
    try:
        return tomllib.loads(read_text(package, path))
    except tomllib.TOMLDecodeError as fault:
        raise Invalid(path, f"is no TOML: {fault}") from fault


def exists(package: str, path: str) -> bool:
    """Return whether there is a file of that path inside a package."""
    return resources.files(package).joinpath(*path.split("/")).is_file()


def folders(package: str, path: str) -> tuple[str, ...]:
    """Return the names of the folders below a path of a package, in order."""
    root = resources.files(package).joinpath(*path.split("/"))
    return tuple(
        sorted(entry.name for entry in root.iterdir() if entry.is_dir() and entry.name[0] not in "._")
    )


def files(package: str, path: str) -> tuple[str, ...]:
    """Return the names of the files in a folder of a package, in order."""
    root = resources.files(package).joinpath(*path.split("/"))
    return tuple(sorted(entry.name for entry in root.iterdir() if entry.is_file()))


def contents(package: str, path: str) -> dict[str, bytes]:
    """Return the bytes of the files in a folder of a package, by name, in order."""
    root = resources.files(package).joinpath(*path.split("/"))
    return {name: root.joinpath(name).read_bytes() for name in files(package, path)}


def digest(package: str, path: str) -> str:
    """Return the SHA-256 of all files in a folder of a package: their names and their bytes."""
    whole = hashlib.sha256()
    for name, content in contents(package, path).items():
        whole.update(f"{name} {len(content)}\n".encode() + content)
    return whole.hexdigest()


def read_clauses(package: str, path: str) -> tuple[Clause, ...]:
    """Return the clauses of a game from ``[[clause]]`` entries, with the tests that `make golden` noted.

    Without notes there are no tests. Raises Invalid for a malformed entry or a repeated id.
    """
    rows = read_toml(package, path).get("clause", [])
    folder, slash, _ = path.rpartition("/")
    noted = f"{folder}{slash}clause_tests.json"
    tests = read_json(package, noted) if exists(package, noted) else {}
    clauses = []
    for number, row in enumerate(rows):
        try:
            clauses.append(revive(Clause, {**row, "tests": tests.get(row.get("id"), [])}))
        except Malformed as fault:
            raise Invalid(f"{path}: clause {row.get('id', number)}", str(fault)) from fault
    ids = [clause.id for clause in clauses]
    for clause_id in ids:
        if ids.count(clause_id) > 1:
            raise Invalid(f"{path}: clause {clause_id}", "stands there twice")
    return tuple(clauses)


# A mapping that makes each value when it is first used. To list the names makes none.


ValueT = TypeVar("ValueT")


class LazyMapping(Mapping[str, ValueT]):
    """The results of these functions, by name, in their order. Each function is called once."""

    def __init__(self, makers: Mapping[str, Callable[[], ValueT]]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, ValueT] = {}

    def __getitem__(self, name: str) -> ValueT:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers


# Results of pure functions that take long. The service keeps them on disk for later processes.


class ResultStore(Protocol):
    """Keeps results by name. A name is a hash of all that the result depends on, so none is out of date."""

    def read(self, name: str) -> bytes | None:
        """Return the result kept under a name, or None."""

    def write(self, values: Mapping[str, bytes]) -> None:
        """Keep some results, if possible."""


_result_stores: list[ResultStore] = []


def keep_results_in(store: ResultStore) -> None:
    """Keep results in a store from now on."""
    _result_stores[:] = [store]


def read_result(name: str) -> bytes | None:
    """Return the result kept under a name, or None."""
    return _result_stores[0].read(name) if _result_stores else None


def keep_result(name: str, result: bytes) -> None:
    """Keep a result for later processes, if there is a store."""
    if _result_stores:
        _result_stores[0].write({name: result})
