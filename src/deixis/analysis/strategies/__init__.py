"""The fingerprint: which reference strategies explain a participant's answers."""
