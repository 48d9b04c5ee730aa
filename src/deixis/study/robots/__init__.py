"""Robots: made-up people, with the faults of real ones, take a whole study through its server."""
