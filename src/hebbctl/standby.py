"""What a process needs that stays: to be the only one of its kind, and to wait."""

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hebbctl.errors import StoreError
from hebbctl.places import private_folder, real

LOCK = ".schedule"  # behind the name of the store; it stays there, but holds only while one runs


class AlreadyRunning(Exception):
    """Another process stays on the same store; ``pid`` is 0 while that one just starts."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self.pid = pid


@contextmanager
def alone(store: Path) -> Iterator[None]:
    """Be the only scheduler of a store. The system frees the lock when a process dies, however.

    Raises:
        AlreadyRunning: another one is.
        StoreError: there can be no lock beside the store.
    """
    path = real(store)
    lock = _opened(path.with_name(f"{path.name}{LOCK}"))
    try:
        _take(lock, path)
        yield
    finally:
        os.close(lock)


def _opened(path: Path) -> int:
    try:
        private_folder(path.parent)
        return os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreError(
            f"cannot use {path}: {error.strerror}", hint="check the path and who owns it"
        ) from error


def _take(lock: int, path: Path) -> None:
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        written = os.pread(lock, 20, 0)
        raise AlreadyRunning(int(written) if written.isdigit() else 0) from error
    except OSError as error:
        raise StoreError(
            f"cannot lock {path}: {error.strerror}", hint="move the store to a local disk"
        ) from error
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)


def wait(seconds: float) -> None:
    """Sleep, unless a signal comes that this process listens to: its handler runs at once.

    A plain sleep could miss one that comes just before it; what the system writes into the pipe
    for each signal is still there when the waiting begins.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        select.select([reader], [], [], seconds)
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)
