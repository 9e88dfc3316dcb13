"""What can be decided about a letter that came in."""

WAITING, HELD, DROPPED = "waiting", "held", "dropped"
DISPOSITIONS = (WAITING, "read", "ignored", "quarantined", HELD, DROPPED)
"""All that can be; the first of them: nothing yet."""
