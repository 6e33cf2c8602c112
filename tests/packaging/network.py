"""Taking the network away from a test, as far as the system allows it."""

from __future__ import annotations

import ctypes
import fcntl
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager

#: From Linux's sched.h and if.h.
CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 1


@contextmanager
def without_network() -> Iterator[bool]:
    """Leave this thread, and the processes that it starts, only the loopback interface.

    Provides False, and changes nothing, where that is not possible: it needs Linux, and root with all its rights.
    """
    libc = ctypes.CDLL(None)
    unshare = getattr(libc, "unshare", None)
    if unshare is None:
        yield False
        return
    with open("/proc/thread-self/ns/net", "rb") as before:
        if unshare(CLONE_NEWNET) != 0:
            yield False
            return
        try:
            is_away = _start_loopback()
            if is_away:
                yield True
        finally:
            assert libc.setns(before.fileno(), CLONE_NEWNET) == 0
    if not is_away:
        yield False


def _start_loopback() -> bool:
    """Return False without the right to do it: in a container, root may have the right to leave a network only."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
        except OSError:
            return False
    return True
