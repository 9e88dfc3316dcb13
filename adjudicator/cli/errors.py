"""Print refusals and failures, without a traceback."""

import json
import sys

from adjudicator.errors import Fault, Refusal, error_text


def print_failure(fault: Refusal | Fault, as_json: bool) -> None:
    """Print what failed, why, and what to type."""
    instead = getattr(fault, "instead", None)
    if as_json:
        error = {
            "error": f"{fault.what}: {fault.why}" if fault.why else fault.what,
            "what": fault.what,
            "why": fault.why,
            "instead": instead,
        }
        print(json.dumps(error, ensure_ascii=False), flush=True)
        return
    print(error_text(fault.what, fault.why, instead), file=sys.stderr, flush=True)
