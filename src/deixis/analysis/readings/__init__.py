"""How two readings differ, how far reader, judge and person agree, and accuracies corrected for it."""
