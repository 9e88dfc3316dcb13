"""The formats of other programs for games on one board: implements `protocol.exchange.ForeignFormats`."""
