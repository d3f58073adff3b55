"""One table of the hall: joins board, clock, tracking and laws. Pure; see `table`."""
