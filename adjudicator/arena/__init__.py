"""Where bots play many games against each other: who sits where, what comes of it, how sure that is."""
