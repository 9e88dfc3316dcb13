"""Prints what a wheel is made of and needs, as CycloneDX 1.6: `python .ci/sbom.py WHEEL LOCK`.

Packages, versions and hashes are those of the lock; licences are what packages say of themselves, as far
as they are installed for the Python that runs this, or what docs/licences.md knows. What others made, fonts
and the table of look-alikes, is read out of the wheel. Nothing depends on when or where it is run: the
moment is $SOURCE_DATE_EPOCH, the number is made of the contents.
"""

import hashlib
import json
import os
import re
import struct
import sys
import zipfile
from datetime import UTC, datetime
from email.message import Message
from email.parser import HeaderParser
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

Component = dict[str, object]
_SPDX = re.compile(r"(?!BSD-like)[\w.+-]+( (AND|OR|WITH) [\w.+-]+)*")
SPDX = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "ISC License": "ISC",
}
"""What older packages say, in the words of SPDX; by "BSD License" those of the lock mean three clauses."""


LOOK_ALIKES = "orders/confusables.toml"
"""Out of the data of Unicode."""


def bill(wheel: Path, lock: Path, epoch: int) -> dict[str, object]:
    """The whole document."""
    with zipfile.ZipFile(wheel) as opened:
        (told,) = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        about = HeaderParser().parsestr(opened.read(told).decode())
        fonts = [font(name, opened.read(name)) for name in sorted(opened.namelist()) if name.endswith(".ttf")]
        table = held(LOOK_ALIKES, Path(LOOK_ALIKES).name, "Unicode-3.0", opened.read(LOOK_ALIKES))
    packages = [package(*one) for one in pins(lock)]
    ours = component("application", about["Name"], about["Version"], licence(about))
    ours["hashes"] = [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}]
    rest = {
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": ours,
        },
        "components": [*packages, *fonts, table],
        "dependencies": [{"ref": ours["bom-ref"], "dependsOn": [one["bom-ref"] for one in packages]}],
    }
    number = uuid5(NAMESPACE_URL, json.dumps(rest, sort_keys=True))
    head = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
    }
    return {**head, **rest}


def pins(lock: Path) -> list[tuple[str, str, str, list[str]]]:
    """Name, version, marker and hashes of each package, in the order of the lock."""
    found = re.findall(
        r"^([\w.-]+)==([^\s;\\]+)(?: ; ([^\\\n]+?))? *\\\n((?: +--hash.*\n)+)", lock.read_text(), re.M
    )
    return [
        (name, version, when, re.findall(r"sha256:(\w+)", hashes)) for name, version, when, hashes in found
    ]


def package(name: str, version: str, when: str, hashes: list[str]) -> Component:
    """A package of the lock. Its hashes are of its files for every system, of which one is installed."""
    try:
        about = metadata(name)
        known = licence(about) if about["Version"] == version else None
    except PackageNotFoundError:
        known = None
    known = known or PAGE.get(canonical(name))
    made = component("library", name, version, known)
    made["properties"] = [{"name": "turnpost:sha256", "value": one} for one in hashes]
    if when:
        made["properties"] += [{"name": "turnpost:marker", "value": when}]
    return made


def component(kind: str, name: str, version: str, known: str | None) -> Component:
    """What all have. known: the licence, where something is."""
    purl = f"pkg:pypi/{canonical(name)}@{version}"
    made: Component = {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if known and _SPDX.fullmatch(known):
        made["licenses"] = [{"expression": known}]
    elif known:
        made["licenses"] = [{"license": {"name": known}}]
    return made


def canonical(name: str) -> str:
    """A name as indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


PAGE = {
    canonical(name): known
    for name, known in re.findall(
        r"^\| ([\w.-]+) \| ([\w.-]+)(?: \(.*?\))? \| ",
        (Path(__file__).parents[1] / "docs" / "licences.md").read_text(),
        re.MULTILINE,
    )
}
"""What we have found out of those that say nothing."""


def licence(about: Message) -> str | None:
    """In the words of SPDX where the package has them, else in its own; None where it says nothing."""
    if about["License-Expression"]:
        return about["License-Expression"]
    classes = [
        one.rpartition(" :: ")[2] for one in about.get_all("Classifier", []) if one.startswith("License ::")
    ]
    said = [SPDX[one] for one in classes if one in SPDX]
    short = (about["License"] or "").strip()
    if said:
        return said[0]
    return SPDX.get(short, short) if short and "\n" not in short else None


def font(name: str, content: bytes) -> Component:
    """A font inside the wheel, by its own table of names."""
    version = re.sub(r"^Version ", "", font_says(content, 5))
    return {**held(name, font_says(content, 4), "Bitstream-Vera", content), "version": version}


def held(path: str, name: str, known: str, content: bytes) -> Component:
    """A file inside the wheel that others made. known: the licence."""
    return {
        "type": "file",
        "bom-ref": f"file:{path}",
        "name": name,
        "licenses": [{"expression": known}],
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}],
        "properties": [{"name": "turnpost:file", "value": path}],
    }


def font_says(content: bytes, number: int) -> str:
    """An entry of the table of names, in the form for Windows."""
    (tables,) = struct.unpack_from(">H", content, 4)
    heads = [struct.unpack_from(">4sIII", content, 12 + 16 * n) for n in range(tables)]
    (start,) = [at for tag, _, at, _ in heads if tag == b"name"]
    _, count, texts = struct.unpack_from(">HHH", content, start)
    for n in range(count):
        platform, _, _, entry, size, at = struct.unpack_from(">6H", content, start + 6 + 12 * n)
        if (platform, entry) == (3, number):
            first = start + texts + at
            return content[first : first + size].decode("utf-16-be")
    raise ValueError(f"the font has no name {number}")


if __name__ == "__main__":
    moment = int(os.environ["SOURCE_DATE_EPOCH"])
    print(json.dumps(bill(Path(sys.argv[1]), Path(sys.argv[2]), moment), indent=1))
