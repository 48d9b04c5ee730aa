"""The claims ledger: what the two papers say, held against their printed numbers and against the runs at hand."""
