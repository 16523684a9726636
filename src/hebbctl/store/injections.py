"""What an injection leaves under a policy of passive renewal: clocks and a ledger."""

import json
from collections.abc import Sequence
from typing import Any

from hebbctl.store.connection import Database

LEDGER = "injections"  # its name in the table of state
NEVER: dict[str, Any] = {
    "calls": 0,
    "items": 0,
    "tokens": 0,
    "last_at": None,
    "last_items": None,
    "last_tokens": None,
}


class Injections:
    """Renews what was offered to a prompt, and counts what that took."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, ids: Sequence[int], *, cooldown_ms: float, tokens: int) -> None:
        """Renew live memories idle for a cooldown at least, and add one call to the ledger.

        It fails at once where another process is writing.
        """
        with self._database.writing(wait=False):
            self._renew(ids, cooldown_ms)
            self._count(len(ids), tokens)

    def _renew(self, ids: Sequence[int], cooldown_ms: float) -> None:
        self._database.run(
            """
            UPDATE memory
            SET renewed_at = :now
            WHERE archived_at IS NULL
              AND id IN (SELECT value FROM json_each(:ids))
              AND :now - max(last_accessed_at, coalesce(renewed_at, 0)) >= :cooldown_ms
            """,
            now=self._database.now,
            cooldown_ms=cooldown_ms,
            ids=json.dumps(ids),
        )

    def _count(self, items: int, tokens: int) -> None:
        self._database.run(
            """
            INSERT INTO state
            VALUES (
                :name,
                json_object(
                    'calls', 1, 'items', :items, 'tokens', :tokens,
                    'last_at', :now, 'last_items', :items, 'last_tokens', :tokens
                )
            )
            ON CONFLICT DO UPDATE
            SET value = json_object(
                'calls', value ->> 'calls' + 1,
                'items', value ->> 'items' + :items,
                'tokens', value ->> 'tokens' + :tokens,
                'last_at', :now, 'last_items', :items, 'last_tokens', :tokens
            )
            """,
            name=LEDGER,
            now=self._database.now,
            items=items,
            tokens=tokens,
        )

    def ledger(self) -> dict[str, Any]:
        """Return the calls so far with their items and tokens, and those of the last one."""
        kept: dict[str, Any] = json.loads(self._database.state().get(LEDGER, "{}"))
        return NEVER | kept
