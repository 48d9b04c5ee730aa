"""The tables of the perspectival-words paper (Dong et al. 2026) ours beside the published, and those it leaves out."""
