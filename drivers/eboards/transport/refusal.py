"""Why a device could not be opened, as a sentence with a mend."""

from __future__ import annotations

import errno
import grp
import os
import stat
from pathlib import Path

from eboards.transport import DeviceTrouble, WireError
from eboards.transport.holders import held_here, holders


def refused(path: str, error: Exception) -> WireError:
    """What the system said, as a sentence with a mend."""
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT:
        return WireError(DeviceTrouble.MISSING, f"{path} is not there; plug the board in")
    if number in (errno.EACCES, errno.EPERM):
        return WireError(DeviceTrouble.FORBIDDEN, f"{path} may not be opened; {_group_mend(path)}")
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        users = ", ".join(str(holder) for holder in holders(path))
        if not users and held_here(path):
            sentence = f"{path} is in use by another table; give each its own"
            return WireError(DeviceTrouble.BUSY, sentence)
        by = f" by {users}" if users else " by another program"
        return WireError(DeviceTrouble.BUSY, f"{path} is in use{by}; close that first")
    if number == errno.EISDIR or os.strerror(errno.ENOTTY) in str(error):
        return WireError(DeviceTrouble.WRONG, f"{path} is no serial port; name the board's own")
    return WireError(DeviceTrouble.WRONG, f"{path} cannot be used as a serial port: {error}")


def _group_mend(path: str) -> str:
    """Who owns the port, in the words of the command that helps."""
    try:
        node = Path(path).stat()
        group = grp.getgrgid(node.st_gid).gr_name
    except (KeyError, OSError):
        return "run with the rights to open it"
    if node.st_gid in os.getgroups() and node.st_mode & stat.S_IRGRP:
        return "the unit's DeviceAllow, or a container, forbids it"
    return f"add the user to the group {group}: usermod -aG {group} USER"
