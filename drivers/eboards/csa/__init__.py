"""Shogi games sent as CSA lines, by a server or a recorder's program, over a socket."""
