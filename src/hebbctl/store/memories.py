"""The memory table and its tags: stored, looked up, listed, strengthened."""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from hebbctl import fields, secrets, text
from hebbctl.errors import Ambiguous, MemoryNotFound
from hebbctl.fields import MOST_ACCESSES, SHORTEST_PREFIX, id_in
from hebbctl.models import Draft, Filters, Memory
from hebbctl.policies import PolicyOf, is_stale
from hebbctl.store.connection import Database
from hebbctl.store.returning import live_again


class Memories:
    """Everything about single memories that is neither searching, sweeping nor erasing."""

    def __init__(self, database: Database, policy_of: PolicyOf) -> None:
        self._database = database
        self._now = database.now
        self._policy_of = policy_of

    def add(self, draft: Draft, *, force: bool, most_store_bytes: float = 0) -> tuple[Memory, bool]:
        """Store a memory, or find the live one of the same content, partition and scope.

        Returns the memory and whether it was there already. ``force`` always stores.

        Raises:
            Refused: the store would hold more than ``most_store_bytes``; 0 is no limit.
        """
        # It loads hashlib: 3.5 ms for which every other writer would wait, of 4 ms in all.
        secrets.digest(draft.content)
        with self._database.writing():
            existing = None if force else self.duplicate(draft)
            if not existing:
                self.refuse_fuller(len(draft.content.encode()), most_store_bytes)
            memory_id = existing or self.insert_all([draft])[0]
        return self.get(memory_id), existing is not None

    def refuse_fuller(self, added_bytes: int, most_bytes: float) -> None:
        """Refuse what would fill the store too much; without a limit nothing is summed up.

        Raises:
            Refused: all texts together would be longer than ``most_bytes``.
        """
        if most_bytes:
            fields.refuse_fuller(self.text_bytes(), added_bytes, most_bytes)

    def refuse_overfull(self, added_bytes: int, most_bytes: float) -> None:
        """Refuse, and so undo, what has filled the store too much, in the caller's transaction.

        Raises:
            Refused: all texts together are longer than ``most_bytes``.
        """
        if most_bytes:
            fields.refuse_fuller(self.text_bytes() - added_bytes, added_bytes, most_bytes)

    def text_bytes(self) -> int:
        """Return how many bytes all texts have together, live and archived."""
        [row] = self._database.rows(
            "SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) AS bytes FROM memory"
        )
        return int(row["bytes"])

    def get(self, memory_id: int) -> Memory:
        """Return a memory, live or archived.

        Raises:
            MemoryNotFound: there is none with this id.
        """
        found = self.get_all([memory_id])
        if not found:
            raise MemoryNotFound(str(memory_id))
        return found[0]

    def get_all(self, ids: Sequence[int]) -> list[Memory]:
        """Return the memories of these ids, in that order, without those that are gone.

        One whose temporary successor has expired is as the next sweep will leave it: live, and
        with a clock that starts now.
        """
        if not ids:
            return []
        back = set(live_again(self._database))
        rows = self._database.rows(
            """
            SELECT
                memory_record.*,
                iif(
                    memory_record.id IN (SELECT value FROM json_each(:returned)),
                    1.0,
                    retention(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at
                    )
                ) AS retention
            FROM json_each(:ids) AS wanted
            JOIN memory_record ON memory_record.id = wanted.value
            ORDER BY wanted.key
            """,
            ids=json.dumps(ids),
            returned=json.dumps(sorted(back)),
        )
        return [self._memory(row, returned=row["id"] in back) for row in rows]

    def resolve(self, reference: str) -> int:
        """Return the id of what a user typed: an id, a uid, or the beginning of one uid.

        Digits are an id, unless they begin with 0 as uids made here do. Otherwise an exact uid
        wins over a prefix, which has 3 characters or more.

        Raises:
            MemoryNotFound: nothing fits.
            Ambiguous: a prefix fits several.
        """
        reference = text.cleaned(reference)[0]  # as uids are when they come in
        memory_id = id_in(reference)
        if memory_id is not None:
            if not self._exists(memory_id):
                raise MemoryNotFound(reference)
            return memory_id
        exact = self._id_of_uid(reference)
        if exact is not None:
            return exact
        fitting = self._with_prefix(reference) if len(reference) >= SHORTEST_PREFIX else []
        if not fitting:
            raise MemoryNotFound(reference)
        if len(fitting) > 1:
            raise Ambiguous(reference, [row["uid"] for row in fitting])
        return int(fitting[0]["id"])

    def is_id(self, written: str) -> bool:
        """Say whether a text is nothing but the id of a memory."""
        memory_id = id_in(written)
        return memory_id is not None and self._exists(memory_id)

    def listing(self, filters: Filters, *, sort: str = "created", limit: int = -1) -> list[Memory]:
        """Return the memories that pass the filters, in the order of ``chosen``."""
        # Ids first: a million rows with their tags and contents would be sorted for the first ten.
        return self.get_all(self.chosen(filters, sort=sort, limit=limit))

    def chosen(self, filters: Filters, *, sort: str = "created", limit: int = -1) -> list[int]:
        """Return the ids of the memories that pass the filters, the first in the order first.

        ``sort`` is created, accessed, retention or importance, each beginning with the greatest;
        equal ones begin with the newest. A negative ``limit`` means all.
        """
        rows = self._database.each(
            """
            SELECT id
            FROM memory
            WHERE (
                    :archived IS NULL
                    OR :archived = (
                        archived_at IS NOT NULL
                        AND id NOT IN (SELECT value FROM json_each(:returned))
                    )
                )
              AND (:trusted IS NULL OR trusted = :trusted)
              AND (:pinned IS NULL OR pinned = :pinned)
              AND (:archived IS NOT 0 OR expires_at IS NULL OR expires_at > :now)
              AND (:partition IS NULL OR partition = :partition)
              AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))
              AND (:scopes = '[]' OR scope IN (SELECT value FROM json_each(:scopes)))
              AND (:source IS NULL OR source = :source)
              AND (:session IS NULL OR session = :session)
              AND (:since IS NULL OR created_at >= :since)
              AND (:until IS NULL OR created_at < :until)
              AND NOT EXISTS (
                  SELECT 1
                  FROM json_each(:tags) AS wanted
                  WHERE NOT EXISTS (
                      SELECT 1
                      FROM json_each(wanted.value) AS spelling
                      JOIN tag ON tag.memory_id = memory.id AND tag.name = spelling.value
                  )
              )
            ORDER BY
                CASE :sort
                    WHEN 'accessed' THEN last_accessed_at
                    WHEN 'importance' THEN importance
                    WHEN 'retention'
                    THEN retention(
                    partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                    renewed_at, anchor_value, anchor_at
                )
                END DESC,
                created_at DESC,
                id DESC
            LIMIT :limit
            """,
            sort=sort,
            limit=limit,
            now=self._now,
            returned=json.dumps(live_again(self._database)),
            **parameters(filters),
        )
        return [row["id"] for row in rows]

    def export(self, ids: Sequence[int] | None = None) -> Iterator[Memory]:
        """Return every memory or those of these ids, archived ones too, by uid, one by one."""
        rows = self._database.each(
            """
            SELECT
                memory_record.*,
                retention(
                    partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                    renewed_at, anchor_value, anchor_at
                ) AS retention
            FROM memory_record
            WHERE :ids IS NULL OR id IN (SELECT value FROM json_each(:ids))
            ORDER BY uid
            """,
            ids=None if ids is None else json.dumps(ids),
        )
        return map(self._memory, rows)

    def _memory(self, row: sqlite3.Row, *, returned: bool = False) -> Memory:
        memory = memory_of(row, self._now, returned=returned)
        policy = self._policy_of(memory.partition)
        stale = memory.state == "live" and is_stale(policy, memory.retention, pinned=memory.pinned)
        return memory._replace(state="stale") if stale else memory

    def strengthen(self, ids: Sequence[int], *, wait: bool = False) -> None:
        """Count one use of each live memory and reset its clock; an anchor is dropped.

        Without ``wait`` it fails at once where another process is writing.
        """
        with self._database.writing(wait=wait):
            self._database.run(
                """
                UPDATE memory
                SET access_count = min(access_count + 1, :most),
                    frequency = frequency + 1,
                    last_accessed_at = max(last_accessed_at, :now),
                    anchor_value = NULL,
                    anchor_at = NULL
                WHERE (archived_at IS NULL OR id IN (SELECT value FROM json_each(:returned)))
                  AND id IN (SELECT value FROM json_each(:ids))
                """,
                now=self._now,
                returned=json.dumps(live_again(self._database)),
                most=MOST_ACCESSES,
                ids=json.dumps(ids),
            )

    def same_as(self, memory: Memory) -> int | None:
        """Return the first other live memory of the same text, partition and scope."""
        draft = Draft(
            content=memory.content,
            partition=memory.partition,
            scope=memory.scope,
            trusted=memory.trusted,
        )
        return self.duplicate(draft, besides=memory.id)

    def pinned(self, ids: Sequence[int]) -> list[int]:
        """Return those of the ids whose memory is pinned."""
        rows = self._database.rows(
            """
            SELECT id FROM memory
            WHERE pinned = 1 AND id IN (SELECT value FROM json_each(:ids))
            """,
            ids=json.dumps(ids),
        )
        return [row["id"] for row in rows]

    def insert_all(self, drafts: Sequence[Draft], *, first_id: int | None = None) -> list[int]:
        """Store memories inside the caller's transaction. Returns their ids, in that order.

        ``first_id`` is that of one that comes back: no other may have it.
        """
        first = self._next_id() if first_id is None else first_id
        rows = [self._row(memory_id, draft) for memory_id, draft in enumerate(drafts, first)]
        self._database.run_all(INSERT, rows)
        self._database.run_all(
            "INSERT INTO tag VALUES (:id, :name)",
            ({"id": row["id"], "name": name} for row in rows for name in row["tags"]),
        )
        self._database.run_all(
            "INSERT INTO memory_text (rowid, words) VALUES (:id, :words)",
            ({"id": row["id"], "words": text.prepared(row["content"])} for row in rows),
        )
        return [row["id"] for row in rows]

    def _next_id(self) -> int:
        """Return what AUTOINCREMENT would choose: no id is given twice, and many are known."""
        [row] = self._database.rows(
            """
            SELECT 1 + max(coalesce(max(seq), 0), (SELECT coalesce(max(id), 0) FROM memory)) AS id
            FROM sqlite_sequence
            WHERE name = 'memory'
            """
        )
        return int(row["id"])

    def _row(self, memory_id: int, draft: Draft) -> dict[str, Any]:
        created_at = self._now if draft.created_at is None else draft.created_at
        accessed_at = created_at if draft.last_accessed_at is None else draft.last_accessed_at
        return draft._asdict() | {
            "id": memory_id,
            "uid": draft.uid or text.uuid7(self._now, os.urandom(10)),
            "content_digest": secrets.digest(draft.content),
            "created_at": created_at,
            "last_accessed_at": accessed_at,
        }

    def same_draft(self, draft: Draft) -> int | None:
        """Return the memory, in any state, of a draft's uid; of one without uid, of its text."""
        if draft.uid:
            return self._id_of_uid(draft.uid)
        return self.duplicate(draft, of_any_state=True)

    def duplicate(
        self,
        draft: Draft,
        *,
        of_any_state: bool = False,
        of_key: bool = False,
        besides: int = 0,
    ) -> int | None:
        """Return the first memory of a draft's text, partition and scope, unless it is shelved.

        A trusted text is not the same as one in quarantine. ``of_key`` leaves out those that are
        about another key than the draft.
        """
        rows = self._database.rows(
            """
            SELECT id
            FROM memory
            WHERE content_digest = :digest
              AND content = :content
              AND partition = :partition
              AND scope = :scope
              AND id <> :besides
              AND (:of_any_state OR trusted >= :trusted)
              AND (NOT :of_key OR key IS NULL OR key = :key)
              AND (
                  :of_any_state
                  OR archived_at IS NULL
                  OR id IN (SELECT value FROM json_each(:returned))
              )
              AND (:of_any_state OR expires_at IS NULL OR expires_at > :now)
            ORDER BY id
            LIMIT 1
            """,
            of_any_state=of_any_state,
            of_key=of_key and draft.key is not None,
            key=draft.key,
            trusted=draft.trusted,
            returned=json.dumps(live_again(self._database)),
            besides=besides,
            digest=secrets.digest(draft.content),
            content=draft.content,
            partition=draft.partition,
            scope=draft.scope,
            now=self._now,
        )
        return rows[0]["id"] if rows else None

    def _id_of_uid(self, uid: str) -> int | None:
        rows = self._database.rows("SELECT id FROM memory WHERE uid = :uid", uid=uid)
        return rows[0]["id"] if rows else None

    def _exists(self, memory_id: int) -> bool:
        return bool(self._database.rows("SELECT 1 FROM memory WHERE id = :id", id=memory_id))

    def _with_prefix(self, prefix: str) -> Sequence[sqlite3.Row]:
        return self._database.rows(
            """
            SELECT id, uid
            FROM memory
            WHERE uid >= :prefix AND uid < :prefix || char(1114111)
            ORDER BY uid
            LIMIT 6
            """,
            prefix=prefix,
        )


INSERT = """
    INSERT INTO memory (
        id, uid, partition, content_digest, kind, importance, strength, access_count, frequency,
        created_at, last_accessed_at, renewed_at, source, scope, scope_kind, session, key, trusted,
        pinned, ttl_ms, expires_at, promoted_at, archived_at, archived_reason, anchor_value,
        anchor_at, metadata, content
    )
    VALUES (
        :id, :uid, :partition, :content_digest, :kind, :importance, :strength, :access_count,
        :frequency, :created_at, :last_accessed_at, :renewed_at, :source, :scope, :scope_kind,
        :session, :key, :trusted, :pinned, :ttl_ms, :expires_at, :promoted_at, :archived_at,
        :archived_reason, :anchor_value, :anchor_at, :metadata, :content
    )
    """
COLUMNS = (
    "partition",
    "kind",
    "importance",
    "strength",
    "access_count",
    "frequency",
    "renewed_at",
    "source",
    "scope",
    "scope_kind",
    "session",
    "key",
    "trusted",
    "pinned",
    "ttl_ms",
    "expires_at",
    "promoted_at",
    "archived_at",
    "archived_reason",
    "anchor_value",
    "anchor_at",
    "metadata",
    "content",
)


def parameters(filters: Filters) -> dict[str, Any]:
    """Return the named parameters of a statement that filters."""
    return {
        "archived": filters.archived,
        "trusted": filters.trusted,
        "partition": filters.partition,
        "kinds": json.dumps(filters.kinds),
        "scopes": json.dumps(filters.scopes),
        "source": filters.source,
        "session": filters.session,
        "since": filters.since,
        "until": filters.until,
        "tags": json.dumps(filters.tags),
        "stale": filters.stale,
        "pinned": filters.pinned,
    }


def memory_of(row: sqlite3.Row, now: int, *, returned: bool = False) -> Memory:
    """Turn a row of memory_record with its retention into a model."""
    fields = dict(zip(row.keys(), row, strict=True))
    del fields["content_digest"]
    fields["superseded_by"] = fields.pop("successor_uid")
    if returned:
        fields |= dict.fromkeys(("archived_at", "archived_reason", "sweep_id", "superseded_by"))
        fields |= dict.fromkeys(("anchor_value", "anchor_at"))
        fields["last_accessed_at"] = max(fields["last_accessed_at"], now)
    # Most memories have neither tags nor metadata, and reading JSON is a third of this.
    fields["tags"] = () if fields["tags"] == "[]" else tuple(json.loads(fields["tags"]))
    fields["metadata"] = {} if fields["metadata"] == "{}" else json.loads(fields["metadata"])
    fields["trusted"] = bool(fields["trusted"])
    fields["pinned"] = bool(fields["pinned"])
    expired = fields["expires_at"] is not None and fields["expires_at"] <= now
    archived = fields["archived_at"] is not None
    fields["state"] = "archived" if archived else "expired" if expired else "live"
    return Memory(**fields)
