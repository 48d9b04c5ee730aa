"""A second reading of a sample of items: drawn, put before reviewers, read back, compared."""
