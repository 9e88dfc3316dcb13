"""What follows for others when something is done, and our letters that tell of it."""
