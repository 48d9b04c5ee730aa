"""Reports: numbers, figures and the page."""
