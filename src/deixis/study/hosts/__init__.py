"""Studies that run elsewhere: packages for other hosts, and the way back of their result files."""
