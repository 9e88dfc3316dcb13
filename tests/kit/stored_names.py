"""Names in logs, exports, backups and databases, one per line: `python -m tests.kit.stored_names`."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import peewee

import adjudicator
import games
import orders
from games.record import Record

ROOT = Path(__file__).parents[2]
DICE_METHODS = {"draw", "roll", "pick", "shuffle"}


def load_everything() -> None:
    """Import each module of the three packages."""
    for package in (adjudicator, games, orders):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)


def subclasses(base: type) -> Iterator[type]:
    for kind in base.__subclasses__():
        if kind.__module__.partition(".")[0] in ("adjudicator", "games", "orders"):
            yield kind
            yield from subclasses(kind)


def records() -> Iterator[str]:
    """Yield the tag and the keys of each record, in its canonical form."""
    for kind in subclasses(Record):
        keys = sorted(field.encode_name for field in msgspec.structs.fields(kind))
        tag = kind.__struct_config__.tag
        if tag and kind.__subclasses__():
            continue  # a base class itself isn't stored
        yield f"record {tag or '(no tag)'}: {', '.join(keys)}"


def tables() -> Iterator[str]:
    """Yield the name and the columns of each table."""
    for kind in subclasses(peewee.Model):
        if "migrations" in kind.__module__ or kind.__name__.startswith("Frozen"):
            continue
        meta = kind._meta  # type: ignore[attr-defined]  # peewee makes it
        columns = sorted(f"{field.column_name} {field.field_type}" for field in meta.sorted_fields)
        yield f"table {meta.table_name}: {', '.join(columns)}"


def migrations() -> Iterator[str]:
    """Yield the name of each migration, which databases record."""
    for file in (ROOT / "adjudicator").rglob("migrations/[0-9]*.py"):
        yield f"migration {file.stem}"


def dice_labels() -> Iterator[str]:
    """Yield the texts that make up the labels of rolls: each decides a number."""
    for file in (ROOT / "games").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            if call.func.attr in DICE_METHODS and call.args:
                texts = [
                    part.value
                    for part in ast.walk(call.args[0])
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                ]
                if texts:
                    yield f"dice {file.relative_to(ROOT / 'games').parts[0]}: {' … '.join(texts)}"


if __name__ == "__main__":
    load_everything()
    print("\n".join(sorted([*records(), *tables(), *migrations(), *dice_labels()])))
