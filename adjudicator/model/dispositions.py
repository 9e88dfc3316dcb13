"""The dispositions of a letter that came in: everything that can be decided about it."""

WAITING, HELD, DROPPED = "waiting", "held", "dropped"
POSTPONED = "postponed"
"""It is for a turn to come, and read when that is due."""

DISPOSITIONS = (WAITING, "read", "ignored", "quarantined", HELD, POSTPONED, DROPPED)
"""All that can be; the first of them: nothing yet."""
