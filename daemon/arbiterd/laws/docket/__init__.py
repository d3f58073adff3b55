"""The open rulings of a table: which laws hear a fact, what is open, revised, decided, closed."""
