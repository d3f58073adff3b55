"""The games as files, in the layout of LiveChess, with a page of the round beside them.

layout     what stands in each file, from the games that may be known
page       the round as a page that needs no server and no script
outlet     writes what changed, whole files put in place at once; then the organiser's command
"""
