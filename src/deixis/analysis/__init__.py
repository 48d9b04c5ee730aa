"""From scores to estimates, always with their uncertainty and their counts."""
