"""Games as other programs keep them: implements `protocol.Exchange` for one board."""
