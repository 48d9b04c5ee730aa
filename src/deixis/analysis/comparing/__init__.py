"""Two runs, or two participants, compared trial by trial: who is compared, on which designs, what changed, the gate."""
