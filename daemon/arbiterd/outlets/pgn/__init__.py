"""Games as PGN, with the clock after each move. Read from the journal when asked for."""
