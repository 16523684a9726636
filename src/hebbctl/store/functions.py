"""The SQL functions: a run's policies, clock and key, made callable inside queries."""

import json
import sqlite3
from collections.abc import Callable
from typing import Any

from hebbctl import curves, policies, secrets, text
from hebbctl.fields import MOST_ACCESSES


def register(
    db: sqlite3.Connection, policy_of: policies.PolicyOf, *, now: int, key: Callable[[], bytes]
) -> None:
    """Teach the connection its functions.

    They accept any SQL value and never raise: one bad row would end the whole query. They belong
    in queries only, never in schema.sql, which every plain ``sqlite3`` must be able to write.
    """

    def retention(partition: Any, importance: Any, access_count: Any, last: Any) -> float:
        """Return 0..1. A last access in the future counts as now."""
        return policies.retention(
            policy_of(str(partition)),
            within(importance, 0, 10),
            within(access_count, 0, MOST_ACCESSES),
            idle=now - within(last, 0, now),
        )

    def lifetime_ms(
        partition: Any, importance: Any, access_count: Any, threshold: Any
    ) -> int | None:
        """NULL as a threshold means the policy's own; NULL as a result means for ever."""
        policy = policy_of(partition) if threshold is None else under(partition, threshold)
        return policies.lifetime(
            policy, within(importance, 0, 10), within(access_count, 0, MOST_ACCESSES)
        )

    def under(partition: Any, threshold: Any) -> Any:
        policy = policy_of(str(partition))
        return policy if threshold is None else policy._replace(threshold=within(threshold, 0, 1))

    def forgets(partition: Any) -> bool:
        """Say whether anything but a fixed expiry ends memories of this partition."""
        return policy_of(str(partition)).enabled

    def policy_figures(
        partition: Any, importance: Any, access_count: Any, last: Any, threshold: Any
    ) -> str:
        """Return the numbers behind a decision as JSON, for the audit."""
        policy = under(partition, threshold)
        share, count = within(importance, 0, 10), within(access_count, 0, MOST_ACCESSES)
        constant = policies.time_constant_days(policy, share, count)
        idle_days = (now - within(last, 0, now)) / policies.DAY
        return json.dumps(
            {
                "retention": curves.retention(idle_days, constant),
                "threshold": policy.threshold,
                "idle_days": idle_days,
                "time_constant_days": constant,
            }
        )

    for function, arguments in (
        (retention, 4),
        (lifetime_ms, 4),
        (forgets, 1),
        (policy_figures, 5),
    ):
        db.create_function(function.__name__, arguments, function, deterministic=True)
    register_text(db, key)


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
