"""The names in use: scopes, kinds, tags and partitions."""

from hebbctl.store.connection import Database

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
    "partition": "SELECT DISTINCT partition AS name FROM memory ORDER BY 1",
}


class Names:
    """Reads which names memories bear, live or archived."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def in_use(self, field: str) -> list[str]:
        """Return every scope, kind, tag or partition that a memory has, in order."""
        return [row["name"] for row in self._database.rows(IN_USE[field])]
