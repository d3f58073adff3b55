"""Placements and presses in; touches, moves and irregular boards out, with how sure.

Generic over the rule set and the sensing class. Pure: no clock, no dice, no I/O.
"""
