"""Who writes, what he wants, what he is told. The clerk decides; the house does what he decided."""
