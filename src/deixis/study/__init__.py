"""Studies: the same items before people, in the browser: settings and texts in a folder, pages, a database."""
