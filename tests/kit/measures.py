"""Measures of the code's readability: `python -m tests.kit.measures` prints each next to its aim.

They cover the three packages without the tests. A function named by a bare participle has a name like `told`
or `_kept`. A vague variable is one of those in VAGUE. A docstring that begins with one of OPENINGS doesn't
say what something is to a new reader. Classes of events are named by participles on purpose.
"""

import ast
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("adjudicator", "games", "orders")
VAGUE = ("one", "found", "said", "told", "laid", "left")
OPENINGS = ("What", "Who", "Whose", "How", "Whether", "Of", "By", "So")
IRREGULAR = frozenset(
    {
        "beaten",
        "become",
        "been",
        "begun",
        "bent",
        "bitten",
        "born",
        "borne",
        "bought",
        "bound",
        "broken",
        "brought",
        "built",
        "burnt",
        "caught",
        "chosen",
        "come",
        "cut",
        "dealt",
        "done",
        "drawn",
        "driven",
        "eaten",
        "fallen",
        "fed",
        "felt",
        "forgiven",
        "forgotten",
        "fought",
        "found",
        "frozen",
        "given",
        "gone",
        "got",
        "grown",
        "had",
        "heard",
        "held",
        "hidden",
        "hit",
        "hurt",
        "kept",
        "known",
        "laid",
        "led",
        "left",
        "lent",
        "let",
        "lost",
        "made",
        "meant",
        "met",
        "paid",
        "put",
        "read",
        "risen",
        "run",
        "rung",
        "said",
        "sat",
        "seen",
        "sent",
        "set",
        "sewn",
        "shaken",
        "shown",
        "shut",
        "spelt",
        "spent",
        "spoilt",
        "spoken",
        "spread",
        "stolen",
        "stood",
        "struck",
        "stuck",
        "swept",
        "sworn",
        "taken",
        "taught",
        "thought",
        "thrown",
        "told",
        "torn",
        "unbound",
        "understood",
        "undone",
        "unread",
        "unsaid",
        "unseen",
        "upheld",
        "woken",
        "won",
        "worn",
        "written",
    }
)
NOT_PARTICIPLES = frozenset(
    {
        "need",
        "seed",
        "speed",
        "feed",
        "embed",
        "shed",
        "bed",
        "red",
        "read",
        "run",
        "put",
        "set",
        "cut",
        "let",
        "hit",
        "shut",
        "spread",
        "come",
        "become",
        "split",
    }
)


def modules() -> Iterator[tuple[Path, ast.Module, str]]:
    """Yield each Python file of the packages, parsed."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            yield file.relative_to(ROOT), ast.parse(text), text


def is_participle(name: str) -> bool:
    """Return whether a function's name is one participle and nothing else."""
    word = name.strip("_")
    if "_" in word or word in NOT_PARTICIPLES:
        return False
    return word in IRREGULAR or bool(re.fullmatch(r"[a-z]{2,}ed", word))


def opens_vaguely(docstring: str) -> bool:
    """Return whether a docstring opens with a word that hides what is returned."""
    first = re.match(r"[A-Za-z]+", docstring.strip())
    return first is not None and first[0] in OPENINGS


def bindings(tree: ast.AST) -> Iterator[str]:
    """Yield the name of each variable where it is bound: assigned, looped over, or an argument."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of a module, its classes and its functions."""
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                if text := ast.get_docstring(node):
                    yield text


def repeated_names() -> dict[str, list[str]]:
    """Return class and constant names that occur in several modules, except for roles that each game has."""
    where: dict[str, set[Path]] = defaultdict(set)
    for file, tree, _ in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                where[node.name].add(file)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name) and target.id.strip("_").isupper():
                        where[target.id.strip("_")].add(file)
    return {name: sorted(map(str, files)) for name, files in where.items() if not _is_one_role(files)}


def _is_one_role(files: set[Path]) -> bool:
    """Return whether a name has one meaning: it occurs once, or once in each of several games.

    Migrations don't count, because they never change.
    """
    current = [file for file in files if "migrations" not in file.parts]
    games = {file.parts[1] for file in current if file.parts[0] == "games"}
    return len(current) <= 1 or len(games) == len(current)


def measure() -> dict[str, tuple[object, object]]:
    """Return each measure with its aim."""
    lines, participles, vague, docs, opening = [], 0, Counter[str](), 0, 0
    for _, tree, text in modules():
        lines.append(len(text.splitlines()))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                participles += is_participle(node.name)
        vague.update(name for name in bindings(tree) if name in VAGUE)
        for text_of in docstrings(tree):
            docs += 1
            opening += opens_vaguely(text_of)
    found: dict[str, tuple[object, object]] = {
        "Python files outside tests": (len(lines), 450),
        "median lines of a file": (statistics.median(lines), 200),
        "functions named by a bare participle": (participles, 60),
        f"bindings of {', '.join(VAGUE)}": (sum(vague.values()), 300),
        "class or constant names with several meanings": (len(repeated_names()), 0),
        "docstrings that open vaguely, in percent": (round(100 * opening / docs, 1), 3),
    }
    return found


def main(words: list[str]) -> None:
    """Print the measures; with `names` the names that have several meanings, too."""
    for name, (now, aim) in measure().items():
        print(f"{name:50} {now!s:>8}   aim {aim}")
    if "names" in words:
        for name, files in sorted(repeated_names().items()):
            print(name, *files)


if __name__ == "__main__":
    main(sys.argv[1:])
