"""The map: outlines, labels, units and order arrows, drawn for a report or a page."""
