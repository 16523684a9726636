"""The audit: who did what to which memory and why, with a keyed hash in place of the content."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hebbctl import config, secrets
from hebbctl.errors import StoreBusy, StoreError
from hebbctl.fields import SHORTEST_PREFIX, id_in
from hebbctl.places import KEY, resolved
from hebbctl.store.connection import Database, placed, translated
from hebbctl.text import cleaned

if TYPE_CHECKING:
    from hebbctl.reports import AuditEntry


class Audit:
    """Its rows are written inside the transaction of what they report."""

    def __init__(self, database: Database, actor: str) -> None:
        self._database = database
        self.actor = actor
        self.key = cache(self._key)

    def _key(self) -> bytes:
        """Return the key of this store's hashes, made at first use beside the store.

        Raises:
            StoreError: the key file cannot be read or made.
        """
        path = self._key_path
        with translated(path):
            if not path.exists():
                _make_key(path)
        return self._key_in(path)

    def present_key(self) -> bytes | None:
        """Return the key, or None where none was made yet: looking makes none."""
        return self._key_in(self._key_path) if self._key_path.exists() else None

    @property
    def _key_path(self) -> Path:
        return self._database.path.with_name(KEY)

    def _key_in(self, path: Path) -> bytes:
        with translated(path):
            found = path.read_bytes()
        if len(found) != secrets.KEY_BYTES:
            raise StoreError(
                f"{path} is damaged: it must hold {secrets.KEY_BYTES} bytes",
                hint="put a backup in its place, or move it away to begin with a new key",
            )
        return found

    def memories(
        self,
        action: str,
        ids: str,
        *,
        reason: str,
        sweep_id: int | None = None,
        threshold: float | None = None,
        keep_copy: bool = False,
    ) -> None:
        """Report one action on each memory of a JSON array of ids, as it stands before it.

        With ``keep_copy`` the row holds all that a ``Draft`` of it needs to come back live.
        """
        self.key()  # an error in it must not be met inside an SQL function
        self._database.run(
            """
            INSERT INTO audit
                (at, actor, action, reason, memory_id, uid, sweep_id, content_hash, policy, copy)
            SELECT
                :now,
                :actor,
                :action,
                :reason,
                id,
                uid,
                :sweep_id,
                content_hash(content),
                policy_figures(
                    partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                    renewed_at, anchor_value, anchor_at, :threshold
                ),
                iif(
                    :keep_copy,
                    json_object(
                        'uid', uid, 'partition', partition, 'content', content, 'kind', kind,
                        'importance', importance, 'strength', strength,
                        'access_count', access_count, 'frequency', frequency,
                        'created_at', created_at, 'last_accessed_at', last_accessed_at,
                        'renewed_at', renewed_at, 'tags', json(tags), 'source', source,
                        'scope', scope, 'scope_kind', scope_kind, 'session', session,
                        'key', key, 'trusted', trusted, 'pinned', pinned, 'ttl_ms', ttl_ms,
                        'expires_at', expires_at, 'promoted_at', promoted_at,
                        'metadata', metadata,
                        'edges', (
                            SELECT json_group_array(
                                json_array(
                                    -- As a text: in JSON SQLite writes 15 digits of a number.
                                    there.uid, printf('%!.17g', weight), last_updated
                                )
                            )
                            FROM edge
                            JOIN memory AS there
                                ON there.id = iif(memory_a = memory_record.id, memory_b, memory_a)
                            WHERE memory_a = memory_record.id OR memory_b = memory_record.id
                        )
                    ),
                    NULL
                )
            FROM memory_record
            WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            now=self._database.now,
            actor=self.actor,
            action=action,
            reason=reason,
            ids=ids,
            sweep_id=sweep_id,
            threshold=threshold,
            keep_copy=keep_copy,
        )

    def _about(self, reference: str) -> list[int]:
        """Return the entries of what a user typed: an id, else a uid or its beginning."""
        reference = cleaned(reference)[0]
        memory_id = id_in(reference)
        if memory_id is not None:
            rows = self._database.rows("SELECT id FROM audit WHERE memory_id = :id", id=memory_id)
        else:
            rows = self._database.rows(
                """
                SELECT id
                FROM audit
                WHERE uid >= :beginning
                  AND uid < :beginning || iif(:is_prefix, char(1114111), char(0))
                """,
                beginning=reference,
                is_prefix=len(reference) >= SHORTEST_PREFIX,
            )
        return [row["id"] for row in rows]

    def event(self, action: str, reason: str) -> None:
        """Report what was done to the store as a whole, inside the caller's transaction."""
        self._database.run(
            """
            INSERT INTO audit (at, actor, action, reason)
            VALUES (:now, :actor, :action, :reason)
            """,
            now=self._database.now,
            actor=self.actor,
            action=action,
            reason=reason,
        )

    def entries(
        self,
        *,
        reference: str | None,
        action: str | None,
        content_hash: str | None,
        since: int | None,
        until: int | None,
        limit: int,
    ) -> "list[AuditEntry]":
        """Return what fits, the newest first; ``reference`` is an id, a uid or its beginning.

        A negative ``limit`` means all.
        """
        rows = self._database.rows(
            """
            SELECT
                id, at AS done_at, actor, action, reason, memory_id, uid, sweep_id,
                content_hash, policy
            FROM audit
            WHERE (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
              AND (:action IS NULL OR action = :action)
              AND (:content_hash IS NULL OR content_hash = :content_hash)
              AND (:since IS NULL OR at >= :since)
              AND (:until IS NULL OR at < :until)
            ORDER BY id DESC
            LIMIT :limit
            """,
            ids=None if reference is None else json.dumps(self._about(reference)),
            action=action,
            content_hash=content_hash,
            since=since,
            until=until,
            limit=limit,
        )
        return [_entry(row) for row in rows]

    def trim(self, rows: float) -> None:
        """Keep the newest rows only, some hundred in each transaction. Tombstones stay."""
        [last] = self._database.rows("SELECT max(id) AS id FROM audit")
        kept_from = (last["id"] or 0) - rows
        while kept_from > 0:
            with self._database.writing():
                gone = self._database.run(
                    """
                    DELETE FROM audit
                    WHERE id IN (SELECT id FROM audit WHERE id <= :last ORDER BY id LIMIT 500)
                    """,
                    last=int(kept_from),
                ).rowcount
            if gone < 500:
                return

    @contextmanager
    def setting(self, change: str, file: Path, content: bytes) -> Iterator[None]:
        """Report, in words, a change of the settings file that is made inside.

        It is noted before and reported after it. Who is killed between the two leaves the note,
        by which the next run finds out whether to report it: the file has this content, or not.

        Raises:
            StoreError: it cannot be noted; nothing was changed.
        """
        noted = {
            "file": os.fspath(resolved(file)),
            "digest": secrets.digest(content.decode()),
            "at": self._database.now,
            "actor": self.actor,
            "change": change,
        }
        with self._database.writing():
            self._report_noted()
            self._database.run(
                "INSERT INTO state VALUES ('setting_pending', :note)", note=json.dumps(noted)
            )
        yield
        with suppress(StoreError), self._database.writing():  # else the next run does it
            self._report_noted()

    def finish_setting(self, note: str) -> None:
        """Report the change that an earlier run noted, unless a run is just at it."""
        with config.held_if_free(Path(json.loads(note)["file"])) as free:
            if free:
                with suppress(StoreBusy), self._database.writing(wait=False):
                    self._report_noted()

    def _report_noted(self) -> None:
        """Turn the note of a change into its report, if the change was made."""
        note = self._database.state().get("setting_pending")
        if note is None:
            return
        noted = json.loads(note)
        self._database.run("DELETE FROM state WHERE name = 'setting_pending'")
        if _digest_of(Path(noted["file"])) == noted["digest"]:
            self._database.run(
                """
                INSERT INTO audit (at, actor, action, reason)
                VALUES (:at, :actor, 'setting', :change)
                """,
                at=noted["at"],
                actor=noted["actor"],
                change=cleaned(noted["change"])[0],  # else no later run could write at all
            )


def _digest_of(file: Path) -> int | None:
    try:
        return secrets.digest(file.read_bytes().decode(errors="replace"))
    except OSError:
        return None


def _entry(row: sqlite3.Row) -> "AuditEntry":
    from hebbctl.reports import AuditEntry  # 5 ms that other commands need not spend

    fields = dict(zip(row.keys(), row, strict=True))
    fields["policy"] = json.loads(fields["policy"]) if fields["policy"] else None
    return AuditEntry(**fields)


def _make_key(path: Path) -> None:
    """Write a new key, whole or not at all; the first of several processes wins."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(os.urandom(secrets.KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        placed(draft, path)
    finally:
        draft.unlink(missing_ok=True)
