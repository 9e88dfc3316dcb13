"""One turn from start to end: gather orders, roll dice, adjudicate, log. Only decides, stores nothing."""
