"""Text items: passages, questions and options, from the bank or from a file."""
