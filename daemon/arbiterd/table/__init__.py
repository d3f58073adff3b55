"""One table of the hall: joins board, clock, tracking and laws. Pure; see `table`."""

from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

__all__ = ["Table", "TableSetup"]
