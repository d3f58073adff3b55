"""Bugs on purpose, for the rehearsal to find."""
