"""What is live again because a temporary successor has ended, though no sweep has come yet."""

import json
from collections.abc import Collection, Sequence

from hebbctl.store.connection import Database, one_current_for_each_key


def live_again(database: Database) -> list[int]:
    """Return the memories whose rows still say that one superseded them which has expired.

    A superseded memory comes back when every later one in its chain has ended. Reading never
    writes, so readers take it for live at once; its row changes with the next sweep.
    """
    rows = database.rows(
        """
        SELECT id
        FROM memory AS ended INDEXED BY memory_expiry
        WHERE archived_at IS NULL
          AND expires_at IS NOT NULL
          AND expires_at <= :now
          AND EXISTS (SELECT 1 FROM memory AS earlier WHERE earlier.superseded_by = ended.id)
        """,
        now=database.now,
    )
    return sorted(returning(database, [row["id"] for row in rows])) if rows else []


def returning(
    database: Database, ended: Collection[int], *, now: int | None = None
) -> dict[int, int]:
    """Return what comes back when these end, each with the one it comes back for.

    What has expired itself does not, but what it superseded does. Where somebody else is current
    about the key by now, the place is taken; of two with one key the newest comes back.
    """
    rows = database.rows(
        """
        WITH RECURSIVE
        ended (id) AS (
            SELECT value FROM json_each(:ended)
            UNION
            SELECT earlier.id
            FROM ended
            JOIN memory AS earlier ON earlier.superseded_by = ended.id
            WHERE earlier.archived_reason = 'superseded'
              AND earlier.expires_at <= :now
        ),
        back AS (
            SELECT
                earlier.*,
                ended.id AS ended,
                row_number() OVER (
                    PARTITION BY
                        earlier.scope,
                        earlier.key,
                        iif(earlier.key IS NULL OR earlier.trusted = 0, earlier.id, NULL)
                    ORDER BY earlier.created_at DESC, earlier.id DESC
                ) AS place
            FROM ended
            JOIN memory AS earlier ON earlier.superseded_by = ended.id
            WHERE earlier.archived_reason = 'superseded'
              AND (earlier.expires_at IS NULL OR earlier.expires_at > :now)
              AND earlier.id NOT IN (SELECT id FROM ended)
        )
        SELECT id, ended
        FROM back
        WHERE place = 1
          AND NOT EXISTS (
              SELECT 1
              FROM memory AS current
              WHERE back.trusted = 1
                AND current.scope = back.scope
                AND current.key = back.key
                AND current.trusted = 1
                AND current.archived_at IS NULL
                AND current.id NOT IN (SELECT id FROM ended)
          )
        """,
        ended=json.dumps(sorted(ended)),
        now=database.now if now is None else now,
    )
    return {row["id"]: row["ended"] for row in rows}


def temporary(database: Database, ids: Sequence[int]) -> list[int]:
    """Return those of the ids that end at a fixed time and hold the place they took."""
    rows = database.rows(
        """
        SELECT id
        FROM memory
        WHERE id IN (SELECT value FROM json_each(:ids))
          AND expires_at IS NOT NULL
          AND archived_reason IS NOT 'superseded'
        """,
        ids=json.dumps(ids),
    )
    return [row["id"] for row in rows]


def revive(database: Database, ids: Sequence[int], *, anchor: float = 1.0) -> None:
    """Make archived memories live, as used now, inside the caller's transaction.

    Below 1, ``anchor`` is what is retained of them. A fixed expiry that has passed is dropped: it
    would end the memory at once.

    Raises:
        Refused: another current memory has the key of one.
    """
    with one_current_for_each_key():
        database.run(
            """
            UPDATE memory
            SET archived_at = NULL,
                archived_reason = NULL,
                sweep_id = NULL,
                superseded_by = NULL,
                last_accessed_at = max(last_accessed_at, :now),
                expires_at = iif(expires_at <= :now, NULL, expires_at),
                anchor_value = iif(:anchor < 1, :anchor, NULL),
                anchor_at = iif(:anchor < 1, :now, NULL)
            WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            now=database.now,
            anchor=anchor,
            ids=json.dumps(ids),
        )
