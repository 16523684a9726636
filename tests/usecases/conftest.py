"""Stores opened at chosen moments, under settings of the test's choice."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from hebbctl import config, policies
from hebbctl.models import Draft, Settings
from hebbctl.store import Store

START = 1_767_225_600_000  # 2026-01-01T00:00:00Z


@pytest.fixture
def settings() -> Settings:
    return config.defaults()


@pytest.fixture
def policy_of(settings: Settings) -> policies.PolicyOf:
    return cache(partial(_effective, settings=settings))


def _effective(partition: str, *, settings: Settings) -> Any:
    return policies.effective(partition, settings)


@pytest.fixture
def store_at(home: Path, policy_of: policies.PolicyOf) -> Iterator[Callable[..., Store]]:
    """Opens the store that many days after the first of January 2026, as another process would."""
    opened: list[Store] = []

    def open_at(days: float = 0, *, writable: bool = True) -> Store:
        now = START + int(days * policies.DAY)
        opened.append(Store(home / "hebb.db", policy_of, now=now, writable=writable))
        return opened[-1]

    yield open_at
    for store in opened:
        store.close()


@pytest.fixture
def fill(store_at: Callable[..., Store]) -> Callable[..., list[int]]:
    """Stores drafts at day 0 and returns their ids; a text stands for a draft of nothing else."""

    def store_all(*drafts: str | dict[str, Any]) -> list[int]:
        store = store_at()
        made = [one if isinstance(one, dict) else {"content": one} for one in drafts]
        results = store.memories.add_all(
            [Draft(**{"partition": "mem_notes"} | one) for one in made], restore_deleted=False
        )
        assert results == ["stored"] * len(drafts)
        newest = store.memories.listing(_everything(), sort="created", limit=len(drafts))
        return sorted(memory.id for memory in newest)

    return store_all


def _everything() -> Any:
    from hebbctl.models import Filters

    return Filters()
