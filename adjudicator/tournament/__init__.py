"""Where bots play many games against each other: who sits where, who wins, how sure that is."""
