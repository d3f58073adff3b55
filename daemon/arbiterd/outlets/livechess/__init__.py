"""A LiveChess-compatible server: programs written for LiveChess 2 work with arbiterd unchanged.

It serves live, so it is off unless configured, listens on loopback and checks the web origin.
Field names, types and order follow `firmware_notes/livechess.md`; no fields beyond those, for some
clients refuse them.
"""
