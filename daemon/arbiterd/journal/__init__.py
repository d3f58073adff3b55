"""What happened, and what was made of it: on disk before anything leaves the house.

`journal` writes, `reader` reads; `seal` proves that nobody has touched a row since.
"""
