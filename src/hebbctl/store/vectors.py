"""The vectors of memories, by model: which are missing, how they are kept and read."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from hebbctl.models import Filters
from hebbctl.store.connection import Database
from hebbctl.store.memories import parameters
from hebbctl.store.returning import live_again

FIRST_ID = -(2**63)
BLOCK = 4096  # vectors at once: 8 MB as numbers of 512 to a vector


class Text(NamedTuple):
    """What a vector is to be made of. ``digest`` tells later whether it is still the text."""

    id: int
    digest: int
    content: str


class Vector(NamedTuple):
    """A memory's vector as it is kept: number = signed byte * ``scale``."""

    id: int
    scale: float
    numbers: bytes


class Block(NamedTuple):
    """Vectors side by side, which costs a third of one object for each."""

    ids: tuple[int, ...]
    scales: tuple[float, ...]
    numbers: tuple[bytes, ...]


class Held(NamedTuple):
    """How many vectors of one model and size there are of memories that exist."""

    model: str
    size: int
    count: int  # type: ignore[assignment]  # hides tuple.count


class Vectors:
    """Vectors of different models or sizes never meet in one answer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def held(self) -> list[Held]:
        """Return what there is by model and size, by name and the most first."""
        rows = self._database.rows(
            """
            SELECT model, size, count(*) AS number
            FROM vector
            WHERE memory_id IN (SELECT id FROM memory)
            GROUP BY model, size
            ORDER BY model, number DESC, size
            """
        )
        return [Held(row["model"], row["size"], row["number"]) for row in rows]

    def odd(self) -> dict[str, int]:
        """Return the models with vectors of several sizes, each with the usual one."""
        usual: dict[str, int] = {}
        several = {}
        for one in self.held():
            if usual.setdefault(one.model, one.size) != one.size:
                several[one.model] = usual[one.model]
        return several

    def mend_odd(self) -> None:
        """Drop the vectors that have another size than most of their model."""
        for model, size in self.odd().items():
            self.drop(model, besides=size)

    def has(self, model: str) -> bool:
        """Say whether there is a vector of this model: as good as at once if it is in use."""
        return bool(
            self._database.rows("SELECT 1 FROM vector WHERE model = :model LIMIT 1", model=model)
        )

    def sizes(self, model: str) -> list[int]:
        return [one.size for one in self.held() if one.model == model]

    def wanting(self, model: str, *, everything: bool, ids: Sequence[int] | None) -> int:
        """Count the memories, archived ones too, that have no vector of this model; or all."""
        [row] = self._database.rows(
            """
            SELECT count(*) AS number
            FROM memory
            WHERE (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
              AND (
                  :everything
                  OR NOT EXISTS (
                      SELECT 1 FROM vector WHERE memory_id = memory.id AND model = :model
                  )
              )
            """,
            model=model,
            everything=everything,
            ids=None if ids is None else json.dumps(ids),
        )
        return int(row["number"])

    def texts(
        self, model: str, *, everything: bool, ids: Sequence[int] | None, after: int, limit: int
    ) -> list[Text]:
        """Return the next of them after an id, by id."""
        rows = self._database.rows(
            """
            SELECT id, content_digest, content
            FROM memory
            WHERE id > :after
              AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
              AND (
                  :everything
                  OR NOT EXISTS (
                      SELECT 1 FROM vector WHERE memory_id = memory.id AND model = :model
                  )
              )
            ORDER BY id
            LIMIT :limit
            """,
            model=model,
            everything=everything,
            ids=None if ids is None else json.dumps(ids),
            after=after,
            limit=limit,
        )
        return [Text(row["id"], row["content_digest"], row["content"]) for row in rows]

    def put(self, model: str, made: Iterable[tuple[Text, Vector]]) -> int:
        """Keep vectors, each unless its text was changed or erased since. Returns how many."""
        with self._database.writing():
            before = self._database.connection.total_changes
            self._database.run_all(
                """
                INSERT OR REPLACE INTO vector (memory_id, model, size, scale, numbers)
                SELECT id, :model, length(:numbers), :scale, :numbers
                FROM memory
                WHERE id = :id AND content_digest = :digest
                """,
                (
                    vector._asdict() | {"model": model, "digest": text.digest}
                    for text, vector in made
                ),
            )
            return self._database.connection.total_changes - before

    def rebuilt_to(self, model: str) -> int:
        """Return the last memory that a rebuild of this model came to before it was stopped."""
        rows = self._database.rows(
            """
            SELECT value ->> 1 AS reached
            FROM state
            WHERE name = 'vectors_rebuilt' AND value ->> 0 = :model
            """,
            model=model,
        )
        return int(rows[0]["reached"]) if rows else FIRST_ID

    def note_rebuild(self, model: str, reached: int | None) -> None:
        """Note inside the caller's transaction how far a rebuild has come; None: none is going."""
        self._database.run("DELETE FROM state WHERE name = 'vectors_rebuilt'")
        if reached is not None:
            self._database.run(
                "INSERT INTO state VALUES ('vectors_rebuilt', json_array(:model, :reached))",
                model=model,
                reached=reached,
            )

    def drop(self, model: str, *, besides: int | None = None) -> int:
        """Delete the vectors of a model, or those of another size. Returns how many."""
        with self._database.writing():
            return self._database.run(
                "DELETE FROM vector WHERE model = :model AND size IS NOT :besides",
                model=model,
                besides=besides,
            ).rowcount

    def blocks(self, model: str, size: int, filters: Filters) -> Iterator[Block]:
        """Return the vectors of what passes the filters, by id, some thousand at once."""
        rows = self._database.each(
            """
            SELECT memory.id, scale, numbers
            FROM vector
            CROSS JOIN memory ON memory.id = memory_id  -- both are in the order of the ids
            WHERE model = :model
              AND size = :size
              AND (
                    :archived IS NULL
                    OR :archived = (
                        archived_at IS NOT NULL
                        AND memory.id NOT IN (SELECT value FROM json_each(:returned))
                    )
                )
              AND (
                  :archived IS NOT 1
                  OR :superseded
                  OR archived_reason IS NOT 'superseded'
              )
              AND (:trusted IS NULL OR trusted = :trusted)
              AND (:archived IS NULL OR expires_at IS NULL OR expires_at > :now)
              AND (:partition IS NULL OR partition = :partition)
              AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))
              AND (:scopes = '[]' OR scope IN (SELECT value FROM json_each(:scopes)))
              AND (:source IS NULL OR source = :source)
              AND (:session IS NULL OR session = :session)
              AND (:since IS NULL OR created_at >= :since)
              AND (:until IS NULL OR created_at < :until)
              AND (
                  :stale IS NULL
                  OR :stale = (
                      memory.id NOT IN (SELECT value FROM json_each(:returned))
                      AND is_stale(
                          partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                          renewed_at, anchor_value, anchor_at, pinned
                      )
                  )
              )
              AND (
                  :tags = '[]'
                  OR NOT EXISTS (
                      SELECT 1
                      FROM json_each(:tags) AS wanted
                      WHERE NOT EXISTS (
                          SELECT 1
                          FROM json_each(wanted.value) AS spelling
                          JOIN tag ON tag.memory_id = memory.id AND tag.name = spelling.value
                      )
                  )
              )
            """,
            model=model,
            size=size,
            now=self._database.now,
            superseded=filters.superseded,
            returned=json.dumps(live_again(self._database)),
            **parameters(filters),
        )
        while block := list(islice(rows, BLOCK)):
            yield Block(*zip(*block, strict=True))

    def of(self, ids: Iterable[int], model: str, size: int) -> dict[int, Vector]:
        """Return the vectors of these memories, as far as there are any."""
        rows = self._database.rows(
            """
            SELECT memory_id, scale, numbers
            FROM vector
            WHERE memory_id IN (SELECT value FROM json_each(:ids))
              AND model = :model
              AND size = :size
            """,
            ids=json.dumps(sorted(ids)),
            model=model,
            size=size,
        )
        return {
            row["memory_id"]: Vector(row["memory_id"], row["scale"], row["numbers"]) for row in rows
        }

    def turns_beside(self, ids: Iterable[int]) -> dict[int, list[int]]:
        """Return the turns right before and after each memory that is part of a session."""
        rows = self._database.rows(
            """
            SELECT
                here.id,
                (
                    SELECT id
                    FROM memory AS turn
                    WHERE turn.session = here.session
                      AND turn.scope = here.scope
                      AND (turn.created_at, turn.id) < (here.created_at, here.id)
                    ORDER BY turn.created_at DESC, turn.id DESC
                    LIMIT 1
                ) AS before,
                (
                    SELECT id
                    FROM memory AS turn
                    WHERE turn.session = here.session
                      AND turn.scope = here.scope
                      AND (turn.created_at, turn.id) > (here.created_at, here.id)
                    ORDER BY turn.created_at, turn.id
                    LIMIT 1
                ) AS after
            FROM json_each(:ids) AS hit
            JOIN memory AS here ON here.id = hit.value
            WHERE here.session IS NOT NULL
            """,
            ids=json.dumps(sorted(ids)),
        )
        return {
            row["id"]: [one for one in (row["before"], row["after"]) if one is not None]
            for row in rows
        }
