"""The case before the arbiter: what was touched, played and shown, and what follows by the book."""
