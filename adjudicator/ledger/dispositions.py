"""What can be decided about a letter that came in."""

WAITING, DROPPED = "waiting", "dropped"
DISPOSITIONS = (WAITING, "read", "ignored", "quarantined", DROPPED)
"""All that can be; the first of them: nothing yet."""
