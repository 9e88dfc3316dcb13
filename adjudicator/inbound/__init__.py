"""Inbound mail: authenticate the sender, parse orders and commands, decide the effects and the reply."""
