"""What takes a letter apart: from its bytes to the lines that its sender wrote."""
