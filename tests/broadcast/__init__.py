"""Rounds that are broadcast: games over wires, a reader of PGN, programs that take it."""
