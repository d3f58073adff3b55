"""Whose the files are that stand in the service's folder.

The installed service runs as a user of its own; who takes a copy back or teaches a board is root.
"""

from __future__ import annotations

import os
from pathlib import Path


def give_to_owner(made: int, folder: Path) -> None:
    """What root has just made in a folder is its owner's, who goes on with it. Raises OSError.

    `made` is a descriptor: by a name, the folder's owner could have another file given away.
    """
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(made, owner.st_uid, owner.st_gid)
