"""An external bot, written after docs/own-bots.md only, without our board or modules.

Each unit goes to another nation's centre, one unit to each. The others support such a move, or hold. With a
word as argument it misbehaves in one way.
"""

import json
import os
import sys
from pathlib import Path


def chosen(asked: dict) -> list[str]:
    """The orders, from what is possible and who owns what."""
    if asked["due"]["kind"] != "moves":
        first = [orders[0] for orders in asked["possible"].values()]
        return first if asked["due"]["takes"] is None else first[: asked["due"]["takes"]]
    going: dict[str, str] = {}
    idle: dict[str, list[str]] = {}
    for unit, orders in asked["possible"].items():
        moves = [one for one in orders if one.split()[2] == "-" and one.split()[-1] in WANTED]
        free = [one for one in moves if one.split()[-1] not in going]
        if free:
            going[free[0].split()[-1]] = free[0]
        else:
            idle[unit] = orders
    helped = [
        next((one for one in orders if one.split(" S ")[-1] in going.values()), None)
        for orders in idle.values()
    ]
    held = [f"{unit} H" for unit in idle]
    return [*going.values(), *(help or hold for help, hold in zip(helped, held, strict=True))]


WANTED = {
    "BEL",
    "HOL",
    "DEN",
    "SWE",
    "NWY",
    "SPA",
    "POR",
    "TUN",
    "SER",
    "GRE",
    "BUL",
    "RUM",
    "MUN",
    "VEN",
    "TRI",
}

MODE = sys.argv[1] if len(sys.argv) > 1 else ""

HOARD: list[bytes] = []

if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        while MODE == "floods":
            print(json.dumps({"id": -1, "orders": ["x" * 900]}), flush=True)
        while MODE == "eats":
            HOARD.append(b"x" * 8_000_000)
        if MODE == "counts":
            Path(sys.argv[2]).write_text(f"{sorted(os.environ)}\n")
        orders = chosen(asked)
        if MODE == "ends":
            break
        if MODE == "silent":
            continue
        if MODE == "garbage":
            print("Burgundy, please", flush=True)
            continue
        if MODE == "unlawful":
            orders = ["A PAR - MOS", "dance", *orders[1:], orders[-1]]
        if MODE == "tardy":
            print(json.dumps({"id": asked["id"] - 1, "orders": []}), flush=True)
        print(json.dumps({"id": asked["id"], "orders": orders, "reason": "a centre for each"}), flush=True)
