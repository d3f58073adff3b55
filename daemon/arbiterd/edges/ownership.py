"""Whose the files are that stand in the service's folder.

The installed service runs as a user of its own; who takes a copy back or teaches a board is root.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def give_to_owner(made: int, folder: Path) -> None:
    """What root has just made in a folder is its owner's, who goes on with it. Raises OSError.

    `made` is a descriptor: by a name, the folder's owner could have another file given away.
    """
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(made, owner.st_uid, owner.st_gid)


@contextmanager
def as_owner(folder: Path) -> Iterator[bool]:
    """Root reads and writes as the owner of a folder does (True); anybody else as before (False).

    Of a folder that is not there yet, the one it would be made in. For a process of one thread.
    """
    owner = next(place for place in (folder, *folder.parents) if place.exists()).stat().st_uid
    if os.geteuid() != 0 or owner == 0:
        yield False
        return
    before = os.getgroups()
    _become(owner, *_groups(owner))
    try:
        yield True
    finally:
        os.seteuid(0)
        os.setegid(os.getgid())
        os.setgroups(before)


def _groups(user: int) -> tuple[int, list[int]]:
    """The group of a user, and all of them; of one without a name, the one of the same number."""
    try:
        known = pwd.getpwuid(user)
    except KeyError:
        return user, [user]
    return known.pw_gid, os.getgrouplist(known.pw_name, known.pw_gid)


def _become(user: int, group: int, groups: list[int]) -> None:
    os.setgroups(groups)
    os.setegid(group)
    os.seteuid(user)
