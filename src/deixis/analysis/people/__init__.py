"""People and models side by side."""
