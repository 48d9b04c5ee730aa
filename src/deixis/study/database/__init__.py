"""What a study stores: SQLite by default, PostgreSQL by URL, with the same SQL and the same guarantees."""
