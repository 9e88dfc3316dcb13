"""The boards: places, neighbours, home centres and languages of each variant, and custom variants."""
