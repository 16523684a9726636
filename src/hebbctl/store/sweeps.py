"""The sweep's selection and its work: what ends now, archived or erased; and bringing it back."""

import json
from collections.abc import Sequence
from itertools import starmap
from sqlite3 import Row
from typing import NamedTuple

from hebbctl.errors import SweepNotFound
from hebbctl.policies import DAY, FOREVER
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database
from hebbctl.store.erasing import Eraser
from hebbctl.store.succession import Successions

WALKED_SINCE = 3  # the schema that has the index for it
# So many memories that hardly any are alike cost more to walk than to ask one by one.
MOST_GROUPS = 50_000


class Due(NamedTuple):
    """A memory that a sweep takes, and why: expired, lifetime, ttl, faded; or archive, its time up.

    ``last_accessed_at`` is what the decision rests on: used since then, the memory stays.
    """

    id: int
    partition: str
    reason: str
    last_accessed_at: int


class Sweeps:
    """What ends memories: expiry, sliding time to live, fading, and the archive's end."""

    def __init__(
        self, database: Database, audit: Audit, eraser: Eraser, successions: Successions
    ) -> None:
        self._database = database
        self._now = database.now
        self._audit = audit
        self._eraser = eraser
        self._successions = successions

    def due(self, *, threshold: float | None = None, partition: str | None = None) -> list[Due]:
        """Return the live memories that a sweep ends now, by id, each with its first reason.

        ``threshold`` (0..1) replaces the one of every policy. The work grows with the number of
        distinct (partition, importance, access_count, strength), with that of memories which have
        a ttl, an anchor or a passive renewal, and of those due; not with the store.
        """
        found: dict[int, Due] = {}
        for reason in (self._expired(), self._outlived(), self._unused(threshold)):
            for due in reason:
                found.setdefault(due.id, due)
        chosen = (found[memory_id] for memory_id in sorted(found))
        return [one for one in chosen if partition in (None, one.partition)]

    def _expired(self) -> list[Due]:
        rows = self._database.rows(
            """
            SELECT id, partition, 'expired' AS reason, last_accessed_at
            FROM memory INDEXED BY memory_expiry
            WHERE archived_at IS NULL AND expires_at IS NOT NULL AND expires_at <= :now
            """,
            now=self._now,
        )
        return list(starmap(Due, rows))

    def _outlived(self) -> list[Due]:
        """Return what is older than its partition lets a memory become."""
        rows = self._database.rows(
            """
            WITH RECURSIVE place (name) AS (
                SELECT min(partition) FROM memory
                WHERE archived_at IS NULL AND pinned = 0 AND promoted_at IS NULL
                UNION ALL
                SELECT (
                    SELECT min(partition) FROM memory
                    WHERE archived_at IS NULL AND pinned = 0 AND promoted_at IS NULL
                      AND partition > place.name
                )
                FROM place
                WHERE place.name IS NOT NULL
            ),
            bound AS MATERIALIZED (
                SELECT name, :now - max_lifetime_ms(name) AS latest
                FROM place
                WHERE name IS NOT NULL
            )
            SELECT old.id, old.partition, 'lifetime' AS reason, old.last_accessed_at
            FROM bound
            CROSS JOIN memory AS old
                ON old.archived_at IS NULL
                AND old.pinned = 0
                AND old.promoted_at IS NULL
                AND old.partition = bound.name
                AND old.created_at <= bound.latest
            """,
            now=self._now,
        )
        return list(starmap(Due, rows))

    def _unused(self, threshold: float | None) -> list[Due]:
        """Return what was not used for too long: past its ttl, or faded."""
        if self._database.schema_version() < WALKED_SINCE:  # a reader of an older store
            return self._unused_of_all(threshold)
        *rows, groups = self._unused_by_group(threshold)
        if groups["id"] >= MOST_GROUPS:
            return self._unused_of_all(threshold)
        return list(starmap(Due, [*rows, *self._unused_by_their_own_clock(threshold)]))

    def _unused_by_group(self, threshold: float | None) -> list[Row]:
        """Walk the groups of equal lifetime; the last row says how many of them there were."""
        return self._database.rows(
            """
            WITH RECURSIVE
            -- One row of each group: the first of the index, then always the next group's first.
            leader (id, partition, importance, access_count, strength, oldest) AS (
                SELECT * FROM (
                    SELECT id, partition, importance, access_count, strength, last_accessed_at
                    FROM memory
                    WHERE archived_at IS NULL
                      AND pinned = 0
                      AND ttl_ms IS NULL
                      AND renewed_at IS NULL
                      AND anchor_at IS NULL
                    ORDER BY partition, importance, access_count, strength, last_accessed_at
                    LIMIT 1
                )
                UNION ALL
                SELECT
                    next.id,
                    next.partition,
                    next.importance,
                    next.access_count,
                    next.strength,
                    next.last_accessed_at
                FROM leader
                CROSS JOIN memory AS next ON next.id = (
                    SELECT later.id
                    FROM memory AS later
                    WHERE later.archived_at IS NULL
                      AND later.pinned = 0
                      AND later.ttl_ms IS NULL
                      AND later.renewed_at IS NULL
                      AND later.anchor_at IS NULL
                      -- SQLite reads every row equal to the row value it seeks: four columns
                      -- would walk through the whole group (120 ms, not 6, at 1M rows), so the
                      -- fifth is a time no row has. The plus signs strip the columns' types:
                      -- with types, SQLite seeks by the first column alone.
                      AND (
                          later.partition,
                          later.importance,
                          later.access_count,
                          later.strength,
                          later.last_accessed_at
                      ) > (
                          +leader.partition,
                          +leader.importance,
                          +leader.access_count,
                          +leader.strength,
                          253402300800000
                      )
                    ORDER BY
                        later.partition,
                        later.importance,
                        later.access_count,
                        later.strength,
                        later.last_accessed_at
                    LIMIT 1
                )
                LIMIT :most_groups
            ),
            -- Materialized, so that the Python functions run once per group.
            shelf AS MATERIALIZED (
                SELECT
                    partition,
                    importance,
                    access_count,
                    strength,
                    oldest,
                    -- Where the oldest has not faded, none has, and that is sooner known.
                    coalesce(
                        :now - iif(
                            has_faded(
                                partition, importance, access_count, strength, oldest, :threshold
                            ),
                            lifetime_ms(
                                partition, importance, access_count, strength, :threshold
                            ),
                            NULL
                        ),
                        -1
                    ) AS faded_before,
                    coalesce(:now - policy_ttl_ms(partition), -1) AS ended_until
                FROM leader
            )
            SELECT
                old.id,
                old.partition,
                iif(
                    old.promoted_at IS NULL AND old.last_accessed_at <= shelf.ended_until,
                    'ttl',
                    'faded'
                ) AS reason,
                old.last_accessed_at
            FROM shelf
            CROSS JOIN memory AS old
                -- Else no seek: most groups have nothing due.
                ON shelf.oldest < max(shelf.faded_before, shelf.ended_until + 1)
                AND old.archived_at IS NULL
                AND old.pinned = 0
                AND old.ttl_ms IS NULL
                AND old.renewed_at IS NULL
                AND old.anchor_at IS NULL
                AND old.partition = shelf.partition
                AND old.importance = shelf.importance
                AND old.access_count = shelf.access_count
                AND old.strength = shelf.strength
                AND old.last_accessed_at < max(shelf.faded_before, shelf.ended_until + 1)
                AND (old.last_accessed_at < shelf.faded_before OR old.promoted_at IS NULL)
            UNION ALL
            SELECT count(*), NULL, NULL, NULL FROM shelf
            """,
            now=self._now,
            threshold=threshold,
            most_groups=MOST_GROUPS,
        )

    def _unused_by_their_own_clock(self, threshold: float | None) -> list[Row]:
        """Ask each memory that has a ttl, an anchor or a passive renewal: they are few."""
        return self._database.rows(
            """
            SELECT id, partition, reason, last_accessed_at
            FROM (
                SELECT
                    id,
                    partition,
                    last_accessed_at,
                    ending(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at, promoted_at, :threshold
                    ) AS reason
                FROM memory
                WHERE archived_at IS NULL
                  AND pinned = 0
                  AND (ttl_ms IS NOT NULL OR renewed_at IS NOT NULL OR anchor_at IS NOT NULL)
            )
            WHERE reason IS NOT NULL
            """,
            threshold=threshold,
        )

    def _unused_of_all(self, threshold: float | None) -> list[Due]:
        """Ask every memory: the definition, and the way where hardly two are alike."""
        rows = self._database.rows(
            """
            SELECT id, partition, reason, last_accessed_at
            FROM (
                SELECT
                    id,
                    partition,
                    last_accessed_at,
                    ending(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at, promoted_at, :threshold
                    ) AS reason
                FROM memory
                WHERE archived_at IS NULL AND pinned = 0
            )
            WHERE reason IS NOT NULL
            """,
            threshold=threshold,
        )
        return list(starmap(Due, rows))

    def archive_due(self, *, archive_days: float | None, partition: str | None = None) -> list[Due]:
        """Return the archived memories whose time is up, by id; all of them for None days.

        What a temporary memory superseded stays as long as it is to be current again. So does a
        pinned one.
        """
        # No time is later than FOREVER, also where another clock archived a memory after now.
        cutoff = FOREVER if archive_days is None else max(0.0, self._now - archive_days * DAY)
        rows = self._database.rows(
            """
            WITH RECURSIVE waiting (id, expires_at) AS (
                SELECT earlier.id, earlier.expires_at
                FROM memory AS holder INDEXED BY memory_expiry
                JOIN memory AS earlier ON earlier.superseded_by = holder.id
                WHERE holder.archived_at IS NULL
                  AND holder.expires_at IS NOT NULL
                  AND earlier.archived_reason = 'superseded'
                UNION
                SELECT earlier.id, earlier.expires_at
                FROM waiting
                JOIN memory AS earlier ON earlier.superseded_by = waiting.id
                WHERE waiting.expires_at IS NOT NULL
                  AND earlier.archived_reason = 'superseded'
            )
            SELECT id, partition, 'archive' AS reason, last_accessed_at
            FROM memory
            WHERE archived_at IS NOT NULL
              AND archived_at < :cutoff
              AND pinned = 0
              AND (:partition IS NULL OR partition = :partition)
              AND id NOT IN (
                  SELECT id FROM waiting WHERE expires_at IS NULL OR expires_at > :now
              )
            ORDER BY id
            """,
            now=self._now,
            cutoff=cutoff,
            partition=partition,
        )
        return list(starmap(Due, rows))

    def live_count(self) -> int:
        [row] = self._database.rows("SELECT count(*) AS live FROM memory WHERE archived_at IS NULL")
        return int(row["live"])

    def begin(self, *, threshold: float | None, partition: str | None) -> int:
        """Give a sweep that takes something its number."""
        with self._database.writing():
            number = self._database.run(
                """
                INSERT INTO sweep (started_at, actor, threshold, partition)
                VALUES (:now, :actor, :threshold, :partition)
                """,
                now=self._now,
                actor=self._audit.actor,
                threshold=threshold,
                partition=partition,
            ).lastrowid
        assert number is not None
        return number

    def take_back(self, number: int) -> None:
        """Forget the number of a sweep that took nothing."""
        with self._database.writing():
            self._database.run(
                "DELETE FROM sweep WHERE id = :id AND archived = 0 AND erased = 0", id=number
            )

    def take(
        self,
        batch: Sequence[Due],
        *,
        outcome: str,
        sweep_id: int,
        threshold: float | None,
        keep_copy: bool = False,
    ) -> list[int]:
        """Archive or erase one batch in one transaction. Returns the ids it took.

        A memory that was used, pinned or ended by somebody else since it was selected stays. What
        a temporary one of them had superseded is live again.
        """
        with self._database.writing():
            taken = self._still_due(batch)
            reasons = {due.id: due.reason for due in batch}
            for reason in sorted({reasons[memory_id] for memory_id in taken}):
                self._audit.memories(
                    "archive" if outcome == "archived" else "erase",
                    json.dumps([one for one in taken if reasons[one] == reason]),
                    reason=reason,
                    sweep_id=sweep_id,
                    threshold=threshold,
                    keep_copy=keep_copy and outcome == "erased",
                )
            if outcome == "archived":
                self._shelve(taken, reason="swept", sweep_id=sweep_id)
                self._successions.give_way(taken, sweep_id=sweep_id)
            else:
                self._erase(taken, sweep_id=sweep_id)
            self._count(sweep_id, outcome, len(taken))
        return taken

    def _erase(self, ids: Sequence[int], *, sweep_id: int | None = None) -> None:
        self._successions.report_return(self._eraser.coming_back(ids), sweep_id=sweep_id)
        self._eraser.erase(ids)

    def _still_due(self, batch: Sequence[Due]) -> list[int]:
        rows = self._database.rows(
            """
            SELECT memory.id
            FROM json_each(:batch) AS due
            JOIN memory ON memory.id = due.value ->> 0
            WHERE memory.last_accessed_at = due.value ->> 1
              AND (memory.archived_at IS NOT NULL) = (due.value ->> 2 = 'archive')
              AND (memory.pinned = 0 OR due.value ->> 2 = 'expired')
            ORDER BY memory.id
            """,
            batch=json.dumps([(due.id, due.last_accessed_at, due.reason) for due in batch]),
        )
        return [row["id"] for row in rows]

    def _shelve(self, ids: Sequence[int], *, reason: str, sweep_id: int | None) -> None:
        self._database.run(
            """
            UPDATE memory
            SET archived_at = :now, archived_reason = :reason, sweep_id = :sweep_id
            WHERE archived_at IS NULL AND id IN (SELECT value FROM json_each(:ids))
            """,
            now=self._now,
            reason=reason,
            sweep_id=sweep_id,
            ids=json.dumps(ids),
        )

    def _count(self, sweep_id: int, outcome: str, taken: int) -> None:
        self._database.run(
            """
            UPDATE sweep
            SET archived = archived + iif(:outcome = 'archived', :taken, 0),
                erased = erased + iif(:outcome = 'erased', :taken, 0)
            WHERE id = :id
            """,
            outcome=outcome,
            taken=taken,
            id=sweep_id,
        )

    def archive(self, ids: Sequence[int]) -> list[int]:
        """Shelve memories by hand. Returns those that were live.

        What a temporary one of them had superseded is live again.
        """
        with self._database.writing():
            live = [row["id"] for row in self._states(ids) if row["archived_at"] is None]
            self._audit.memories("archive", json.dumps(live), reason="by hand")
            self._shelve(live, reason="by hand", sweep_id=None)
            self._successions.give_way(live)
        return live

    def erase(self, ids: Sequence[int], *, reason: str, keep_copy: bool = False) -> None:
        """Erase memories by hand; the eraser's ``finish`` then wipes their traces."""
        with self._database.writing():
            self._audit.memories("erase", json.dumps(ids), reason=reason, keep_copy=keep_copy)
            self._erase(ids)

    def restore(
        self, ids: Sequence[int], *, reason: str, anchor: float = 1.0, force: bool = False
    ) -> list[int]:
        """Make archived memories live, as used now. Returns those that were archived.

        Below 1, ``anchor`` is what is retained of them.

        Raises:
            Refused: another memory stands in the place of one, and ``force`` is not to supersede
                that one in turn. Nothing is changed.
        """
        with self._database.writing():
            archived = self.archived(ids)
            for memory_id in archived:
                self._successions.put_back(memory_id, reason=reason, anchor=anchor, force=force)
        return archived

    def archived(self, ids: Sequence[int]) -> list[int]:
        """Return those of the ids whose rows are in the archive, in order."""
        return [row["id"] for row in self._states(ids) if row["archived_at"] is not None]

    def taken_by(self, sweep_id: int) -> list[int]:
        """Return the memories that are in the archive because of one sweep, by id.

        Raises:
            SweepNotFound: no sweep has this number.
        """
        if not self._database.rows("SELECT 1 FROM sweep WHERE id = :id", id=sweep_id):
            raise SweepNotFound(
                f"no sweep {sweep_id}",
                hint="gc prints the number of each sweep that took something",
            )
        rows = self._database.rows(
            "SELECT id FROM memory WHERE sweep_id = :id ORDER BY id", id=sweep_id
        )
        return [row["id"] for row in rows]

    def _states(self, ids: Sequence[int]) -> list[Row]:
        return self._database.rows(
            """
            SELECT id, archived_at
            FROM memory
            WHERE id IN (SELECT value FROM json_each(:ids))
            ORDER BY id
            """,
            ids=json.dumps(ids),
        )
