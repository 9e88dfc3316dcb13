"""The service: decide (clerk, referee, reports), keep (store), speak (post), in order (house)."""

__version__ = "1.0.0"
