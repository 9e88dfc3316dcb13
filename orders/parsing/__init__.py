"""What understands lines: spans, forms, names, conditions, and what each of them comes to."""
