"""One turn, from due to done: gather orders, throw the dice, play, log. Decides only."""
