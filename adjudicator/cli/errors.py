"""Refusals and failures are printed without a traceback."""

import json
import sys

from adjudicator.errors import Fault, Refusal


def print_failure(fault: Refusal | Fault, as_json: bool) -> None:
    """Print what was refused or failed, and what to do instead."""
    instead = getattr(fault, "instead", None)
    if as_json:
        error = {
            "error": f"{fault.what}: {fault.why}",
            "what": fault.what,
            "why": fault.why,
            "instead": instead,
        }
        print(json.dumps(error, ensure_ascii=False), flush=True)
        return
    print(f"{fault.what}: {fault.why}", file=sys.stderr, flush=True)
    if instead:
        print(f"  {instead}", file=sys.stderr, flush=True)
