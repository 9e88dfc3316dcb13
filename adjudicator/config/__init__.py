"""gm.toml: read once into frozen settings. Each error names its key."""
