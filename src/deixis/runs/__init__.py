"""Running: what remains, ask, append."""
