"""Why a device could not be opened, as a sentence with a mend."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from eboards.transport import Trouble, WireError
from eboards.transport.holders import holders


def refused(path: str, error: Exception) -> WireError:
    """What the system said, as a sentence with a mend."""
    number = error.errno if isinstance(error, OSError) else None
    if not Path(path).exists():
        return WireError(Trouble.MISSING, f"{path} is not there; plug the board in")
    if number in (errno.EACCES, errno.EPERM):
        return WireError(Trouble.FORBIDDEN, f"{path} may not be opened; {_group_mend(path)}")
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        users = ", ".join(str(holder) for holder in holders(path))
        by = f" by {users}" if users else " by another program"
        return WireError(Trouble.BUSY, f"{path} is in use{by}; close that first")
    return WireError(Trouble.WRONG, f"{path} cannot be used as a serial port: {error}")


def _group_mend(path: str) -> str:
    """Who owns the port, in the words of the command that helps."""
    try:
        group_id = Path(path).stat().st_gid
        mode = Path(path).stat().st_mode
        group = Path(path).group()
    except (KeyError, OSError):
        return "run with the rights to open it"
    if group_id in os.getgroups() and mode & stat.S_IRGRP:
        return "the unit's DeviceAllow, or a container, forbids it"
    return f"add the user to the group {group}: usermod -aG {group} USER"
