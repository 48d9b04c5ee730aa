"""The linter of items: checks with codes over single questions, whole items and whole sets."""
