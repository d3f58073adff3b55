"""Articles 4.1 to 4.5: touched pieces, and the moves they leave.

A touch alone is no offence, and a capture begins like a touch of both colours. The obligation is
worked out in silence; an alert is raised only when the move made does not meet it.
"""

from __future__ import annotations
