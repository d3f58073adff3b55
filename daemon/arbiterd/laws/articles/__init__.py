"""One file an article of the Laws, by its number; `claims` and `results` are of several."""
