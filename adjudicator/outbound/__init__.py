"""Outgoing mail: the side effects of actions on other players, and our emails about them."""
