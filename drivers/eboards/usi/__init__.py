"""Shogi games sent as a program sends them to a USI engine, over a socket."""
