"""`kill -9` in mid-game: of the service, and of its broker."""
