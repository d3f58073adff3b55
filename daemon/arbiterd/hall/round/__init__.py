"""A round from its pairings to its results, in the files of organisers."""
