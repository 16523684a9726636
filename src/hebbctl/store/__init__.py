"""The SQLite store: one face for the only SQL, with a file behind it for each group of tables."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hebbctl import text
from hebbctl.errors import StoreError
from hebbctl.policies import PolicyOf
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database
from hebbctl.store.functions import register
from hebbctl.store.memories import Memories
from hebbctl.store.owed import RUN, owed, settle

if TYPE_CHECKING:
    from hebbctl.store.backups import Backups
    from hebbctl.store.changing import Changes
    from hebbctl.store.copies import Copies
    from hebbctl.store.edges import Edges
    from hebbctl.store.erasing import Eraser
    from hebbctl.store.graph import Graph
    from hebbctl.store.health import Health
    from hebbctl.store.importing import Imports
    from hebbctl.store.injections import Injections
    from hebbctl.store.lifecycle import Lifecycle
    from hebbctl.store.names import Names
    from hebbctl.store.search import Search
    from hebbctl.store.statistics import Statistics
    from hebbctl.store.succession import Successions
    from hebbctl.store.sweeps import Sweeps
    from hebbctl.store.vectors import Vectors


class Store:
    """One database during one run. Every public method of its parts is one transaction.

    ``actor`` is who the audit names: cli, cron, mcp, rest.
    """

    def __init__(
        self, path: Path, policy_of: PolicyOf, *, now: int, writable: bool, actor: str = "cli"
    ) -> None:
        self.path = path
        self.now = now
        self.writable = writable
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

        return Sweeps(self._database, self.audit, self.eraser, self.successions)

    @cached_property
    def successions(self) -> "Successions":
        from hebbctl.store.succession import Successions

        return Successions(self._database, self.audit, self.memories)

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

        return Copies(self._database, self.audit, self.memories, self.eraser)

    @cached_property
    def lifecycle(self) -> "Lifecycle":
        from hebbctl.store.lifecycle import Lifecycle

        return Lifecycle(self._database, self.audit)

    @cached_property
    def imports(self) -> "Imports":
        from hebbctl.store.importing import Imports

        return Imports(self._database, self.memories, self.successions)

    @cached_property
    def graph(self) -> "Graph":
        from hebbctl.store.graph import Graph

        return Graph(self._database)

    @cached_property
    def edges(self) -> "Edges":
        from hebbctl.store.edges import Edges

        return Edges(self._database)

    @cached_property
    def injections(self) -> "Injections":
        from hebbctl.store.injections import Injections

        return Injections(self._database)

    @cached_property
    def health(self) -> "Health":
        from hebbctl.store.health import Health

        return Health(self._database)

    @cached_property
    def vectors(self) -> "Vectors":
        from hebbctl.store.vectors import Vectors

        return Vectors(self._database)

    @cached_property
    def backups(self) -> "Backups":
        from hebbctl.store.backups import Backups

        return Backups(self._database)

    def has_vectors(self) -> bool:
        """Say whether any memory has a vector: most stores have none, and load nothing for them."""
        return bool(self._database.rows("SELECT 1 FROM vector LIMIT 1"))

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
    def deciding(self) -> Iterator[None]:
        """Make one transaction of looking and changing: what is read inside stays so until then.

        A reader has nothing to keep others from: it holds no lock.
        """
        with self.transaction() if self.writable else nullcontext():
            yield

    @contextmanager
    def bulk(self) -> Iterator[None]:
        """Write much: a power failure may take the last transactions inside, but nothing else."""
        with self._database.bulk():
            yield

    def finish_erasing(self, uids: Sequence[str], *, wait: bool = True) -> tuple[bool, list[Path]]:
        """Wipe what erased memories left: in the copies that hebb made, and in this file.

        Returns whether this file is done, and the copies that could not be reached. The copies
        come first: a run that is killed leaves the notes by which the next one begins again.
        """
        left = self.backups.scrub(uids)
        self._note_missed()
        return self.eraser.finish(wait=wait), left

    def finish_replacing(self, texts: dict[str, str]) -> tuple[bool, list[Path]]:
        """Wipe what replaced texts left, as ``finish_erasing`` does; ``texts`` are the new ones."""
        left = self.backups.replace_texts(texts)
        self._note_missed()
        return self.eraser.finish(), left

    def finish_all(self) -> None:
        """Wipe whatever was ever erased or replaced: from every copy, and from this file."""
        debts = owed(self._database.state())
        self.backups.catch_up(wait=True)
        self._settle(debts.runs, self.backups.missed, wait=True)
        self.eraser.finish()

    def _note_missed(self) -> None:
        """Note that this run came to the copies, and which of them a later one has to return to."""
        debts = owed(self._database.state())
        missed = self.backups.missed | set(debts.copies)
        own = {RUN + self.eraser.run: self.eraser.marked}
        self._settle(own, missed, wait=True)

    def close(self) -> None:
        self._database.close()

    def _finish_earlier_work(self) -> None:
        """Do what an earlier run left: index text as this version does, wipe what was erased."""
        found = self._database.state()
        if found.get("text_version") != text.VERSION:
            self.search.rebuild()
        if note := found.get("setting_pending"):
            self.audit.finish_setting(note)
        if any(name.startswith("copies_") for name in found):
            self._catch_up(found)
        if "erasure_pending" in found:
            self.eraser.finish(wait=False)

    def _catch_up(self, state: dict[str, str]) -> None:
        """Reach the copies that an earlier run did not come to, as far as they can be reached."""
        debts = owed(state)
        if debts.runs:
            self.backups.catch_up()
            self._settle(debts.runs, self.backups.missed, wait=False)
        elif back := [one for one in debts.copies if os.access(one, os.W_OK)]:
            self.backups.catch_up(back)
            self._settle({}, self.backups.missed | set(debts.copies) - set(back), wait=False)

    def _settle(self, runs: dict[str, str], missed: set[Path], *, wait: bool) -> None:
        with suppress(StoreError):  # the notes stay, and a later run begins again
            settle(self._database, runs, missed, wait=wait)
