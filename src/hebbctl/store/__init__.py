"""The SQLite store: one face for the only SQL, with a file behind it for each group of tables."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hebbctl import text
from hebbctl.errors import StoreBusy
from hebbctl.policies import PolicyOf
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database
from hebbctl.store.functions import register
from hebbctl.store.memories import Memories

if TYPE_CHECKING:
    from hebbctl.store.backups import Backups
    from hebbctl.store.changing import Changes
    from hebbctl.store.copies import Copies
    from hebbctl.store.erasing import Eraser
    from hebbctl.store.health import Health
    from hebbctl.store.importing import Imports
    from hebbctl.store.lifecycle import Lifecycle
    from hebbctl.store.names import Names
    from hebbctl.store.search import Search
    from hebbctl.store.statistics import Statistics
    from hebbctl.store.sweeps import Sweeps


class Store:
    """One database during one run. Every public method of its parts is one transaction.

    ``actor`` is who the audit names: cli, cron, mcp, rest.
    """

    def __init__(
        self, path: Path, policy_of: PolicyOf, *, now: int, writable: bool, actor: str = "cli"
    ) -> None:
        self.path = path
        self.now = now
        self._database = Database(path, now=now, writable=writable)
        self.audit = Audit(self._database, actor)
        register(self._database.connection, policy_of, now=now, key=self.audit.key)
        self.memories = Memories(self._database, policy_of)
        if writable:
            try:
                self._finish_earlier_work()
            except BaseException:
                self.close()
                raise

    # No command needs all of these parts: each is loaded when it is asked for, which saves 2 ms.

    @cached_property
    def search(self) -> "Search":
        from hebbctl.store.search import Search

        return Search(self._database)

    @cached_property
    def statistics(self) -> "Statistics":
        from hebbctl.store.statistics import Statistics

        return Statistics(self._database)

    @cached_property
    def eraser(self) -> "Eraser":
        from hebbctl.store.erasing import Eraser

        return Eraser(self._database)

    @cached_property
    def sweeps(self) -> "Sweeps":
        from hebbctl.store.sweeps import Sweeps

        return Sweeps(self._database, self.audit, self.eraser)

    @cached_property
    def names(self) -> "Names":
        from hebbctl.store.names import Names

        return Names(self._database)

    @cached_property
    def changes(self) -> "Changes":
        from hebbctl.store.changing import Changes

        return Changes(self._database, self.audit, self.eraser)

    @cached_property
    def copies(self) -> "Copies":
        from hebbctl.store.copies import Copies

        return Copies(self._database, self.audit, self.memories)

    @cached_property
    def lifecycle(self) -> "Lifecycle":
        from hebbctl.store.lifecycle import Lifecycle

        return Lifecycle(self._database, self.audit)

    @cached_property
    def imports(self) -> "Imports":
        from hebbctl.store.importing import Imports

        return Imports(self._database, self.memories)

    @cached_property
    def health(self) -> "Health":
        from hebbctl.store.health import Health

        return Health(self._database)

    @cached_property
    def backups(self) -> "Backups":
        from hebbctl.store.backups import Backups

        return Backups(self._database)

    def allow_writing(self) -> None:
        """Let a store opened for reading write, too."""
        self._database.allow_writing()

    @contextmanager
    def transaction(self, *, wait: bool = True) -> Iterator[None]:
        """Make everything inside one transaction: all of it is kept, or none on an exception.

        Without ``wait`` a lock held by another process fails at once.
        """
        with self._database.writing(wait=wait):
            yield

    @contextmanager
    def bulk(self) -> Iterator[None]:
        """Write much: a power failure may take the last transactions inside, but nothing else."""
        with self._database.bulk():
            yield

    def finish_erasing(self, uids: Sequence[str], *, wait: bool = True) -> tuple[bool, list[Path]]:
        """Wipe what erased memories left: in the copies that hebb made, and in this file.

        Returns whether this file is done, and the copies that could not be reached. The copies
        come first: a run that is killed leaves the mark by which the next one begins again.
        """
        left = self.backups.scrub(uids)
        return self.eraser.finish(wait=wait), left

    def finish_replacing(self, texts: dict[str, str]) -> tuple[bool, list[Path]]:
        """Wipe what replaced texts left, as ``finish_erasing`` does; ``texts`` are the new ones."""
        left = self.backups.replace_texts(texts)
        return self.eraser.finish(), left

    def close(self) -> None:
        self._database.close()

    def _finish_earlier_work(self) -> None:
        """Do what an earlier run left: index text as this version does, wipe what was erased."""
        found = self._database.state()
        if found.get("text_version") != text.VERSION:
            self.search.rebuild()
        if "erasure_pending" in found:
            self._finish_copies(found)
            self.eraser.finish(wait=False)

    def _finish_copies(self, state: dict[str, str]) -> None:
        """Reach the copies that an earlier run did not come to, once for each such run."""
        mark = state["erasure_pending"]
        if state.get("copies_done") == mark:
            return
        left = self.backups.replace_texts(self.backups.edited())
        left += self.backups.scrub(self.backups.erased())
        if not left:
            with suppress(StoreBusy):
                self.eraser.note_copies_done(mark)
