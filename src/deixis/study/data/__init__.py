"""What a study's answers become: rows, codebook, data sets, a run folder."""
