"""The SQL functions: a run's policies, clock and key, made callable inside queries."""

import json
import sqlite3
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from hebbctl import curves, graph, policies, secrets, text
from hebbctl.fields import MOST_ACCESSES, STRONGEST, WEAKEST
from hebbctl.models import Policy, Traits

MOST_KINDS = 65_536  # of memories that differ in what a curve reads: so many curves are kept
HEAVIEST = 1e9


def register(
    db: sqlite3.Connection, policy_of: policies.PolicyOf, *, now: int, key: Callable[[], bytes]
) -> None:
    """Teach the connection its functions.

    They accept any SQL value and never raise: one bad row would end the whole query. They belong
    in queries only, never in schema.sql, which every plain ``sqlite3`` must be able to write.
    """

    @lru_cache(MOST_KINDS)
    def fading(*of: Any) -> Callable[[float], float]:
        """Return idle days -> retention for (partition, importance, access_count, ...)."""
        return curves.fading(policy_of(str(of[0])), traits(*of[1:]))

    def under(partition: Any, threshold: Any) -> Policy:
        policy = policy_of(str(partition))
        return policy if threshold is None else policy._replace(threshold=within(threshold, 0, 1))

    def retention(
        partition: Any,
        importance: Any,
        access_count: Any,
        strength: Any,
        ttl: Any,
        accessed_at: Any,
        renewed_at: Any,
        anchor_value: Any,
        anchor_at: Any,
    ) -> float:
        """Return 0..1. A clock that begins in the future counts as now."""
        start, anchor = clock(accessed_at, renewed_at, anchor_value, anchor_at)
        left = fading(partition, importance, access_count, strength, ttl)
        return anchor * left((now - start) / policies.DAY)

    def vitality(partition: Any, *of_it: Any) -> float:
        """Return what a threshold is compared with: of what ``retention`` takes."""
        gain = curves.gain(policy_of(str(partition)), traits(*of_it[:4]))
        return gain * retention(partition, *of_it)

    def is_stale(partition: Any, *clocked: Any) -> bool:
        """Say whether a live memory is stale: of what ``retention`` takes, and pinned."""
        *of_it, pinned = clocked
        policy = policy_of(str(partition))
        return policies.is_stale(policy, retention(partition, *of_it), pinned=bool(pinned))

    def clock(
        accessed_at: Any, renewed_at: Any, anchor_value: Any, anchor_at: Any
    ) -> tuple[float, float]:
        """Return when the idle time began, and what was retained then."""
        start, anchor = within(accessed_at, 0, now), 1.0
        if anchor_at is not None:
            start, anchor = within(anchor_at, 0, now), within(anchor_value, 0, 1)
        return (start if renewed_at is None else max(start, within(renewed_at, 0, now))), anchor

    def lifetime_ms(
        partition: Any, importance: Any, access_count: Any, strength: Any, threshold: Any
    ) -> int | None:
        """Return how long a memory survives that has neither a ttl nor a clock of its own.

        NULL as a threshold means the policy's own; NULL as a result means for ever.
        """
        return policies.lifetime(
            under(partition, threshold), traits(importance, access_count, strength, None)
        )

    def has_faded(
        partition: Any,
        importance: Any,
        access_count: Any,
        strength: Any,
        accessed_at: Any,
        threshold: Any,
    ) -> bool:
        """Say it of a memory such as ``lifetime_ms`` is for, in half its time."""
        return policies.is_forgotten(
            under(partition, threshold),
            traits(importance, access_count, strength, None),
            idle=now - within(accessed_at, 0, now),
        )

    def policy_ttl_ms(partition: Any) -> int | None:
        policy = policy_of(str(partition))
        return policies.ttl_ms(policy, None) if policy.enabled else None

    def max_lifetime_ms(partition: Any) -> int | None:
        return policies.max_lifetime(policy_of(str(partition)))

    def ending(
        partition: Any,
        importance: Any,
        access_count: Any,
        strength: Any,
        ttl: Any,
        accessed_at: Any,
        renewed_at: Any,
        anchor_value: Any,
        anchor_at: Any,
        promoted_at: Any,
        threshold: Any,
    ) -> str | None:
        """Return why a live, unpinned memory ends now for want of use: ttl, faded, or NULL."""
        policy = under(partition, threshold)
        start, anchor = clock(accessed_at, renewed_at, anchor_value, anchor_at)
        own = None if ttl is None else int(within(ttl, 1, policies.FOREVER))
        sliding = policies.ttl_ms(policy, own)
        if not policy.enabled:
            return None
        if sliding is not None and promoted_at is None and now - start >= sliding:
            return "ttl"
        of_it = traits(importance, access_count, strength, ttl)
        faded = policies.is_forgotten(policy, of_it, idle=now - start, anchor=anchor)
        return "faded" if faded else None

    def policy_figures(
        partition: Any,
        importance: Any,
        access_count: Any,
        strength: Any,
        ttl: Any,
        accessed_at: Any,
        renewed_at: Any,
        anchor_value: Any,
        anchor_at: Any,
        threshold: Any,
    ) -> str:
        """Return the numbers behind a decision as JSON, for the audit."""
        policy, of_it = under(partition, threshold), traits(importance, access_count, strength, ttl)
        start, anchor = clock(accessed_at, renewed_at, anchor_value, anchor_at)
        figures = {
            "retention": policies.retention(policy, of_it, idle=now - start, anchor=anchor),
            "threshold": policy.threshold,
            "idle_days": (now - start) / policies.DAY,
            "time_constant_days": curves.time_constant_days(policy, of_it),
            "curve": policy.curve,
        }
        return json.dumps(figures)

    def edge_weight(weight: Any, last_updated: Any) -> float:
        age = now - within(last_updated, 0, now)
        return graph.effective(within(weight, 0, HEAVIEST), age)

    for function, arguments in (
        (retention, 9),
        (vitality, 9),
        (is_stale, 10),
        (lifetime_ms, 5),
        (has_faded, 6),
        (policy_ttl_ms, 1),
        (max_lifetime_ms, 1),
        (ending, 11),
        (policy_figures, 10),
        (edge_weight, 2),
    ):
        db.create_function(function.__name__, arguments, function, deterministic=True)
    register_text(db, key)


def traits(importance: Any, access_count: Any, strength: Any, ttl: Any) -> Traits:
    """Return what a curve reads, from any SQL values."""
    return Traits(
        within(importance, 0, 10),
        within(access_count, 0, MOST_ACCESSES),
        within(strength, WEAKEST, STRONGEST),
        None if ttl is None else int(within(ttl, 1, policies.FOREVER)),
    )


def register_text(db: sqlite3.Connection, key: Callable[[], bytes]) -> None:
    """Teach a connection the functions of text: all that erasing and indexing need."""

    def content_hash(content: Any) -> str:
        return secrets.keyed_hash(str(content), key())

    def index_words(content: Any) -> str:
        return text.prepared(text_of(content))

    for function in (content_hash, index_words):
        db.create_function(function.__name__, 1, function, deterministic=True)


def text_of(value: Any) -> str:
    """Return any SQL value as text.

    As a blob it may be what another program took for text: bytes that are no UTF-8 show as escapes.
    """
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def within(value: Any, low: float, high: float) -> float:
    """Clamp any SQL value into a range. What is no number counts as ``low``."""
    if type(value) in (float, int) and low <= value <= high:  # as nearly always, in half the time
        return value  # type: ignore[no-any-return]
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return low
    return min(max(low, number), high)  # in this order: max(low, nan) is low
