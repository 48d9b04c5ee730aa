"""Shares and what is tested of them: intervals, clusters, groups, pairs, equivalence, detection."""
