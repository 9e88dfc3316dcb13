"""gm.toml: read once into frozen settings, every fault named with its key."""
