"""How many people, items and repeats a study needs."""
