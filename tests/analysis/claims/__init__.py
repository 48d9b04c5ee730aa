"""Tests of the claims ledger."""
