"""Disables drawing, because nobody looks at pictures here."""

from tests.kit import pictures

skip_drawing = pictures.skip_drawing
