"""The tree of the product as it lies on the disk."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "orders", "adjudicator")


def sources(*packages: str) -> list[Path]:
    """The Python files of these packages, in order."""
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
