"""What takes a memory's place, who is current about a key, and what comes back when that ends."""

import json
from collections.abc import Sequence
from sqlite3 import Row
from typing import NamedTuple

from hebbctl.errors import Refused
from hebbctl.models import PRESENT, Draft, Memory
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database
from hebbctl.store.memories import Memories
from hebbctl.store.returning import live_again, returning, revive, temporary

RETURN = "its successor ended"  # in the audit
LONGEST_CHAIN = 10_000  # steps: a file may have brought a circle


class Claim(NamedTuple):
    """What a memory finds in the place it is to take: who is live there now.

    ``expired`` ones hold the key only until a sweep comes.
    """

    current: list[int]
    expired: list[int]


class Successions:
    """Every change of who is current, inside one transaction with its audit rows."""

    def __init__(self, database: Database, audit: Audit, memories: Memories) -> None:
        self._database = database
        self._audit = audit
        self._memories = memories

    def add(
        self, draft: Draft, *, replaces: int | None, force: bool
    ) -> tuple[int, bool, list[int]]:
        """Store a memory in the place of the current one about its key, and of ``replaces``.

        The same live text, with this key or none, is that memory: it takes the place. Returns its
        id, whether it was there already, and what it superseded.
        """
        with self._database.writing():
            existing = None if force else self._memories.duplicate(draft, of_key=True)
            if existing:
                self.settle([existing])
            claim = self.claim_of(draft, replaces=replaces, of=existing)
            self._shelve(claim)
            memory_id = existing or self._memories.insert_all([draft])[0]
            self._set_key(memory_id, draft.key)
            self._link(claim, memory_id)
        return memory_id, existing is not None, claim.current

    def _set_key(self, memory_id: int, key: str | None) -> None:
        self._database.run(
            "UPDATE memory SET key = :key WHERE id = :id AND :key IS NOT NULL",
            id=memory_id,
            key=key,
        )

    def claim_of(
        self, draft: Draft, *, replaces: int | None = None, of: int | None = None
    ) -> Claim:
        """Return what a new memory would supersede: an untrusted one claims no key."""
        key = draft.key if draft.trusted else None
        return self.claim(draft.scope, key, replaces=replaces, of=of)

    def claim(
        self, scope: str, key: str | None, *, replaces: int | None = None, of: int | None = None
    ) -> Claim:
        """Return what a memory would supersede as the current one about a key in a scope.

        ``of`` is the memory itself, where it is there already.
        """
        back = live_again(self._database)
        rows = self._database.rows(
            """
            SELECT id, expires_at <= :now AS expired
            FROM memory
            WHERE scope = :scope AND key = :key AND trusted = 1 AND archived_at IS NULL
            UNION ALL
            SELECT id, 0
            FROM memory
            WHERE scope = :scope
              AND key = :key
              AND trusted = 1
              AND id IN (SELECT value FROM json_each(:back))
            """,
            now=self._database.now,
            scope=scope,
            key=key,
            back=json.dumps(back),
        )
        current = {row["id"] for row in rows if not row["expired"]}
        current |= {replaces} if replaces else set()
        expired = {row["id"] for row in rows if row["expired"]}
        return Claim(sorted(current - {of}), sorted(expired - {of}))

    def take_place(self, memory_id: int, claim: Claim) -> None:
        """Let a memory supersede what it claims, inside the caller's transaction."""
        self._shelve(claim)
        self._link(claim, memory_id)

    def _shelve(self, claim: Claim) -> None:
        """Shelve what is superseded: the key must be free before its new holder is there."""
        ids = json.dumps(claim.current + claim.expired)
        if ids == "[]":
            return
        self._audit.memories("archive", ids, reason="superseded")
        self._database.run(
            """
            UPDATE memory
            SET archived_at = :now,
                archived_reason = 'superseded',
                sweep_id = NULL,
                superseded_by = NULL
            WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            now=self._database.now,
            ids=ids,
        )

    def _link(self, claim: Claim, memory_id: int) -> None:
        self._database.run(
            """
            UPDATE memory
            SET superseded_by = :id
            WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            id=memory_id,
            ids=json.dumps(claim.current + claim.expired),
        )

    def give_way(
        self, ids: Sequence[int], *, sweep_id: int | None = None, ending: bool = True
    ) -> list[int]:
        """Bring back what these had superseded, inside the caller's transaction.

        They have just given up their place: by ``ending`` only temporary ones do. Returns what is
        live again, by id.
        """
        back = returning(self._database, temporary(self._database, ids) if ending else ids)
        if back:
            self.report_return(list(back), sweep_id=sweep_id)
            revive(self._database, list(back))
            self._database.run_all(
                """
                UPDATE memory
                SET superseded_by = :back
                WHERE id = :ended AND archived_at IS NOT NULL
                """,
                ({"back": one, "ended": ended} for one, ended in back.items()),
            )
        return sorted(back)

    def report_return(self, ids: Sequence[int], *, sweep_id: int | None = None) -> None:
        if ids:
            chosen = json.dumps(sorted(ids))
            self._audit.memories("restore", chosen, reason=RETURN, sweep_id=sweep_id)

    def coming_back(self, ids: Sequence[int]) -> list[int]:
        """Return what is live again once those of the ids that are temporary end, by id."""
        return sorted(returning(self._database, temporary(self._database, ids)))

    def behind(self, ended: Sequence[int], *, at: int) -> list[int]:
        """Return what is live again at a time when these have ended, by id."""
        return sorted(returning(self._database, ended, now=at))

    def settle(self, ids: Sequence[int]) -> list[int]:
        """Make those of the ids live in their rows, too, that are live again only to readers."""
        with self._database.writing():
            back = [one for one in live_again(self._database) if one in set(ids)]
            for memory_id in back:
                self.put_back(memory_id, reason=RETURN)
        return back

    def put_back(
        self, memory_id: int, *, reason: str, anchor: float = 1.0, force: bool = False
    ) -> None:
        """Restore an archived memory; ``force`` lets it supersede what stands in its place.

        Inside the caller's transaction.

        Raises:
            Refused: another memory stands in its place.
        """
        rivals = self.giving_way(memory_id, force=force)
        self._audit.memories("restore", json.dumps([memory_id]), reason=reason)
        self._shelve(rivals)
        revive(self._database, [memory_id], anchor=anchor)
        self._link(rivals, memory_id)

    def giving_way(self, memory_id: int, *, force: bool) -> Claim:
        """Return whom an archived memory would supersede, were it restored.

        Raises:
            Refused: there is somebody, and ``force`` is not to supersede them, or may not.
        """
        rivals = self.rivals(memory_id)
        self._refuse_to_oust(rivals.current, memory_id, force=force)
        return rivals

    def _refuse_to_oust(self, rivals: Sequence[int], memory_id: int, *, force: bool) -> None:
        """Refuse to supersede rivals, unless by force; what is trusted never by what is not."""
        which = ", ".join(map(str, rivals))
        trusted = any(one.trusted for one in self._memories.get_all(rivals))
        if trusted and not self._memories.get(memory_id).trusted:
            raise Refused(
                f"{which} is trusted: {memory_id}, which is not, does not take its place",
                hint=f"'hebb trust {memory_id}' first, if that is right",
            )
        if rivals and not force:
            raise Refused(
                f"{which} has taken the place or the key of {memory_id}",
                hint=f"'hebb restore {memory_id} --force' supersedes {which} in turn",
            )

    def rivals(self, memory_id: int) -> Claim:
        """Return who stands where an archived memory would stand, were it restored."""
        memory = self._memories.get(memory_id)
        claim = self.claim(memory.scope, memory.key if memory.trusted else None, of=memory_id)
        if memory.state in PRESENT:  # to readers already
            return claim
        later = self._memories.get_all([row["id"] for row in self._later(memory_id)])
        live = {one.id for one in later if one.state in PRESENT}
        return Claim(sorted(live | set(claim.current)), claim.expired)

    def gives_way_at(self, memory_id: int) -> int | None:
        """Return when a superseded memory is live again, None for never.

        That is when the last of those that took its place has expired.
        """
        until, own = self.waits_until(memory_id), self._memories.get(memory_id).expires_at
        return until if own is None or (until is not None and until < own) else None

    def waits_until(self, memory_id: int) -> int | None:
        """Return until when no sweep erases a superseded memory, as it may be live again.

        It waits for the last of those that took its place to expire, or does so itself.
        """
        chain = self._later(memory_id)
        ends = [row["expires_at"] for row in chain]
        if not chain or None in ends or chain[-1]["archived_at"] is not None:
            return None
        last: int = max(ends)
        return min(last, self._memories.get(memory_id).expires_at or last)

    def _later(self, memory_id: int) -> list[Row]:
        """Return what took a memory's place, the next first."""
        return self._database.rows(
            """
            WITH RECURSIVE later (id, depth) AS (
                SELECT superseded_by, 1
                FROM memory
                WHERE id = :id AND superseded_by IS NOT NULL
                UNION
                SELECT memory.superseded_by, depth + 1
                FROM later
                JOIN memory ON memory.id = later.id
                WHERE memory.superseded_by IS NOT NULL AND depth < :most
            )
            SELECT memory.id, expires_at, archived_at
            FROM later
            JOIN memory ON memory.id = later.id
            ORDER BY depth
            """,
            id=memory_id,
            most=LONGEST_CHAIN,
        )

    def history(self, memory_id: int) -> list[int]:
        """Return a memory with what it replaced and what replaced it, the oldest first."""
        rows = self._database.rows(
            """
            WITH RECURSIVE
            earlier (id, depth) AS (
                SELECT :id, 0
                UNION
                SELECT memory.id, depth - 1
                FROM earlier
                JOIN memory ON memory.superseded_by = earlier.id
                WHERE depth > -:most
            ),
            later (id, depth) AS (
                SELECT :id, 0
                UNION
                SELECT memory.superseded_by, depth + 1
                FROM later
                JOIN memory ON memory.id = later.id
                WHERE memory.superseded_by IS NOT NULL AND depth < :most
            )
            SELECT memory.id
            FROM (SELECT * FROM earlier UNION SELECT * FROM later) AS chain
            JOIN memory ON memory.id = chain.id
            GROUP BY memory.id
            ORDER BY min(depth), created_at, memory.id
            """,
            id=memory_id,
            most=LONGEST_CHAIN,
        )
        return [row["id"] for row in rows]

    def find_place(self, memory_id: int) -> None:
        """Put an imported memory where its age belongs among those about its key.

        Inside the caller's transaction. It comes shelved. The newest by ``created_at`` is current,
        whatever the order in which they come; each one superseded the next older.
        """
        memory = self._memories.get(memory_id)
        claim = self.claim(memory.scope, memory.key, of=memory_id)
        before, after = [*claim.current, *claim.expired], None
        while newer := self._newest(before, than=memory):
            after = newer
            before = self._replaced_by(newer, memory)
        if after is None:
            self._shelve(claim)
            self._database.run(
                """
                UPDATE memory
                SET archived_at = NULL, archived_reason = NULL
                WHERE id = :id
                """,
                id=memory_id,
            )
        self._link(Claim([memory_id], []) if after else claim, after or memory_id)
        if after:
            older = [one for one in before if one != memory_id]
            self._link(Claim(older, []), memory_id)

    def _newest(self, ids: Sequence[int], *, than: Memory) -> int | None:
        ranked = [(_age(one), one.id) for one in self._memories.get_all(ids)]
        newer = [pair for pair in ranked if pair[0] > _age(than)]
        return max(newer)[1] if newer else None

    def _replaced_by(self, memory_id: int, memory: Memory) -> list[int]:
        """Return what a memory superseded of those that are about the same as another one."""
        rows = self._database.rows(
            """
            SELECT id
            FROM memory
            WHERE superseded_by = :id
              AND archived_reason = 'superseded'
              AND scope = :scope
              AND key = :key
              AND trusted = 1
            """,
            id=memory_id,
            scope=memory.scope,
            key=memory.key,
        )
        return [row["id"] for row in rows]

    def release(self, memory_id: int) -> list[int]:
        """Trust a memory, inside the caller's transaction. Returns what it superseded.

        Of it and the current one about its key the newer stays: where that is the other, the
        memory is archived as superseded by it.
        """
        memory = self._memories.get(memory_id)
        self._audit.memories("trust", json.dumps([memory_id]), reason="released")
        if memory.state == "archived":
            self._trust(memory_id, trusted=True)
            return []
        claim, holder = self.claim(memory.scope, memory.key, of=memory_id), memory_id
        for other in self._memories.get_all(claim.current):
            newer = (other.created_at, other.id) > (memory.created_at, memory_id)
            if newer or memory.state == "expired":
                claim, holder = Claim([memory_id], []), other.id
        self._shelve(claim)
        self._trust(memory_id, trusted=True)
        self._link(claim, holder)
        return claim.current

    def quarantine(self, memory_id: int) -> list[int]:
        """Trust a memory no more, inside the caller's transaction. Returns what comes back."""
        self._audit.memories("trust", json.dumps([memory_id]), reason="revoked")
        self._trust(memory_id, trusted=False)
        live = self._memories.get(memory_id).state in PRESENT
        return self.give_way([memory_id], ending=False) if live else []

    def _trust(self, memory_id: int, *, trusted: bool) -> None:
        self._database.run(
            "UPDATE memory SET trusted = :trusted WHERE id = :id", id=memory_id, trusted=trusted
        )


def _age(memory: Memory) -> tuple[int, str, str]:
    """Return what orders memories about one key, in every store alike."""
    return memory.created_at, memory.content, memory.uid
