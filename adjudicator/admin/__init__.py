"""The GM's actions: on games and their deadlines, on seats, on players, and against the rules."""
