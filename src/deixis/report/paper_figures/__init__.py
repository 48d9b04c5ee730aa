"""The figures of the perspectival-words paper (Dong et al. 2026) over whole runs, and three that go with them."""
