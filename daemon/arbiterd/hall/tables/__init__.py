"""The tables of a hall while they run: seated, folded, kept in time, taken up again."""
