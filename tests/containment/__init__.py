"""One board, one client or one row is hostile: the other seven tables of the hall never notice."""
