"""The replication kit: runs, their report, and what rebuilds it byte for byte in its numbers."""
