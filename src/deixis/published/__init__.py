"""What the two papers print: their numbers as data, and nothing computed from them."""
