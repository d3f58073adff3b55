"""A hall on paper: the HTTP room's own faces kept in memory, driven by a test line by line."""
