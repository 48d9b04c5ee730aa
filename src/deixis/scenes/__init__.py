"""Scenes: who stands where, what is true of it, and the picture, kept apart from one another."""
