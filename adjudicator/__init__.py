"""The adjudicator: decide (inbound, turns, reports), store (storage), send (mail), in order (service)."""

__version__ = "1.0.0"
