"""The formats of other programs for games on one board: `protocol.ForeignFormats`."""
