"""Tells what pip-audit was told: `python .ci/advised.py ANSWER.json… WORDS.said…`.

pip-audit ends well where a service knows none of the packages; so each has to have been answered for.
"""

import json
import sys
from pathlib import Path

UNREACHED = """The advisory service could not be reached, so nothing is known about what is locked.
Try again with a connection to the world, or ask another service: .ci/audit --vulnerability-service osv"""


EMPTY = "No known vulnerabilities found"
"""What pip-audit says then, too."""


def judged(answers: list[str], words: list[str]) -> tuple[int, str]:
    """The exit code and what to say.

    answers: the documents that pip-audit wrote, as far as it could; words: the last lines of its complaints.
    """
    every = [one for answer in answers for one in json.loads(answer)["dependencies"]]
    open_ = [one for one in every if one.get("vulns")]
    left = [one["name"] for one in every if "skip_reason" in one]
    asked = len(every) - len(left)
    if open_:
        return 1, "\n".join(
            _told(one) for one in open_
        ) + "\nmake lock UPGRADE='--upgrade-package NAME' mends what can be."
    if not asked:
        return 2, "\n".join(
            [UNREACHED, *(f"It said: {one}" for one in dict.fromkeys(words) if one and one != EMPTY)]
        )
    if left or len(answers) < 2:
        names = ", ".join(left) or "one of the locks"
        return 2, f"No holes are known in {asked} packages. Nobody could answer for: {names}."
    return 0, f"No holes are known in the {asked} packages that are locked."


def _told(one: dict) -> str:
    lines = [f"{one['name']} {one['version']}:"]
    for hole in one["vulns"]:
        mended = ", ".join(hole["fix_versions"]) or "no version yet"
        lines.append(f"  {', '.join([hole['id'], *hole.get('aliases', ())])}; mended in {mended}")
    return "\n".join(lines)


if __name__ == "__main__":
    files = [Path(one) for one in sys.argv[1:]]
    said = [
        (one.read_text().strip().splitlines() or [""])[-1][:200]
        for one in files
        if one.suffix == ".said" and one.exists()
    ]
    code, text = judged([one.read_text() for one in files if one.suffix == ".json" and one.exists()], said)
    print(text)
    sys.exit(code)
