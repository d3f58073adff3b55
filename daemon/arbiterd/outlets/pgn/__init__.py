"""Games as PGN, read from the journal.

games      the record of each game, and what became of it on the way
full       all of it, for arbiters: what no legal move made, corrections and rulings in comments
safe       for broadcasts: every move legal, at every moment
tags, movetext, files      what both are made of, and where they are asked for
"""
