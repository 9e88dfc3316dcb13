"""Tests of the reader, with a small board of its own."""
