"""A store opened at chosen moments, as one process after the other would."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hebbctl import policies
from hebbctl.models import Draft, Settings
from hebbctl.settings import defaults
from hebbctl.store import Store

START = 1_767_225_600_000  # 2026-01-01T00:00:00Z


@pytest.fixture
def settings() -> Settings:
    return defaults()


@pytest.fixture
def policy_of(settings: Settings) -> policies.PolicyOf:
    return cache(lambda partition: policies.effective(partition, settings))


@pytest.fixture
def store_at(home: Path, policy_of: policies.PolicyOf) -> Iterator[Callable[[float], Store]]:
    """Opens the store some days after the first of January 2026."""
    opened: list[Store] = []

    def open_at(days: float) -> Store:
        now = START + int(days * policies.DAY)
        opened.append(Store(home / "hebb.db", policy_of, now=now, writable=True))
        return opened[-1]

    yield open_at
    for store in opened:
        store.close()


@pytest.fixture
def fill(store_at: Callable[[float], Store]) -> Callable[..., None]:
    """Stores memories at day 0, as ids 1, 2, …; a text alone stands for one without more."""

    def fill_with(*memories: str | dict[str, Any]) -> None:
        fields = [{"content": one} if isinstance(one, str) else one for one in memories]
        drafts = [Draft(**{"partition": "mem_notes"} | one) for one in fields]
        results = store_at(0).imports.add_all(drafts, restore_deleted=False)
        assert results == ["stored"] * len(drafts)

    return fill_with
