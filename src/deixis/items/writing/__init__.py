"""The writer: a text participant drafts items, and nothing unsound is kept."""
