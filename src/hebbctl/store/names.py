"""The names in use: scopes, kinds, tags and partitions."""

from hebbctl.store.connection import Database

IS_USED = {
    "scope": "SELECT 1 FROM memory WHERE scope = :name LIMIT 1",
    "kind": "SELECT 1 FROM memory WHERE kind = :name LIMIT 1",
    "tag": "SELECT 1 FROM tag WHERE name = :name LIMIT 1",
    # No index serves it: it is asked only where a name of a partition was mistyped.
    "partition": "SELECT 1 FROM memory WHERE partition = :name LIMIT 1",
}
# One index seek for each distinct name, where DISTINCT would walk the whole index.
IN_USE = {
    "scope": """
        WITH RECURSIVE used (name) AS (
            SELECT min(scope) FROM memory
            UNION ALL
            SELECT (SELECT min(scope) FROM memory WHERE scope > name) FROM used
            WHERE name IS NOT NULL
        )
        SELECT name FROM used WHERE name IS NOT NULL
        """,
    "kind": """
        WITH RECURSIVE used (name) AS (
            SELECT min(kind) FROM memory WHERE kind IS NOT NULL
            UNION ALL
            SELECT (SELECT min(kind) FROM memory WHERE kind > name) FROM used
            WHERE name IS NOT NULL
        )
        SELECT name FROM used WHERE name IS NOT NULL
        """,
    "tag": """
        WITH RECURSIVE used (name) AS (
            SELECT min(name) FROM tag
            UNION ALL
            SELECT (SELECT min(name) FROM tag WHERE tag.name > used.name) FROM used
            WHERE name IS NOT NULL
        )
        SELECT name FROM used WHERE name IS NOT NULL
        """,
    # No index serves it: it is asked only where a name of a partition was mistyped.
    "partition": "SELECT DISTINCT partition AS name FROM memory ORDER BY 1",
}


class Names:
    """Reads which names memories bear, live or archived."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def is_used(self, field: str, name: str) -> bool:
        """Say whether a memory bears exactly this scope, kind, tag or partition."""
        return bool(self._database.rows(IS_USED[field], name=name))

    def in_use(self, field: str) -> list[str]:
        """Return every scope, kind, tag or partition that a memory has, in order."""
        return [row["name"] for row in self._database.rows(IN_USE[field])]
