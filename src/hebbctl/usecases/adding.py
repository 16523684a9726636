"""Store a memory: alone, as the current one about a key, or in the place of another."""

import math
from collections.abc import Sequence

from hebbctl import fields, policies
from hebbctl.models import Added, Draft, Settings
from hebbctl.store import Store
from hebbctl.usecases import names


def add(
    store: Store,
    content: str,
    *,
    partition: str | None = None,
    kind: str | None = None,
    importance: float = 5.0,
    strength: float = 1.0,
    tags: Sequence[str] = (),
    source: str | None = None,
    scope: tuple[str, str] = ("global", "global"),
    session: str | None = None,
    pinned: bool = False,
    ttl_ms: int | None = None,
    expires_at: int | None = None,
    key: str | None = None,
    replaces: str | None = None,
    trusted: bool = True,
    force: bool = False,
    most_bytes: float = math.inf,
    most_store_bytes: float = 0,
    settings: Settings | None = None,
) -> Added:
    """Store one memory, unless the same text is live in the same partition and scope.

    Without a partition the kind chooses it. A trusted one becomes the current one about its
    ``key``; it takes the place, and without a key of its own the key, of the one it ``replaces``.
    The ``settings`` say how it is joined with the memory before it in its session.

    Raises:
        Refused: what it would supersede is pinned and ``force`` is not given, is in the archive
            already, or is trusted while it is not; or the store would hold more than
            ``most_store_bytes``.
    """
    kind = kind and names.spelling(store, "kind", kind)
    draft = Draft(
        content=fields.content(content, most_bytes=most_bytes),
        partition=partition or policies.PARTITION_OF_KIND.get(kind or "", policies.NOTES),
        kind=kind,
        importance=importance,
        strength=strength,
        tags=names.tags(store, tags),
        source=source,
        scope=names.spelling(store, "scope", scope[0]),
        scope_kind=scope[1],
        session=session,
        pinned=pinned,
        ttl_ms=ttl_ms,
        expires_at=expires_at,
        key=key,
        trusted=trusted,
    )
    added = _stored(store, draft, replaces=replaces, force=force, most_store_bytes=most_store_bytes)
    if session and settings and not added.existing:
        from hebbctl.usecases import graph

        graph.follow(store, added.memory, settings)
    return added


def _stored(
    store: Store, draft: Draft, *, replaces: str | None, force: bool, most_store_bytes: float
) -> Added:
    if draft.key or replaces:
        from hebbctl.usecases import succession

        return succession.add(
            store, draft, replaces=replaces, force=force, most_store_bytes=most_store_bytes
        )
    memory, existing = store.memories.add(draft, force=force, most_store_bytes=most_store_bytes)
    if existing or not draft.trusted:
        return Added(memory, existing)
    from hebbctl.usecases import suggesting

    return Added(memory, existing, similar=suggesting.similar(store, memory))
