"""The life cycle between storing and forgetting: what earned it moves up or is reinforced."""

from collections.abc import Iterator, Sequence
from itertools import islice

from hebbctl import curves, promotion
from hebbctl.models import Change, Memory, Settings
from hebbctl.policies import PolicyOf
from hebbctl.promotion import Promotion
from hebbctl.store import Store
from hebbctl.usecases.changing import live
from hebbctl.usecases.memories import BATCH, change_of

# Source: jarvis's weekly strengthening.
REINFORCED_BY, MOST_FREQUENT = 1.1, 10.0


def promote(
    store: Store,
    settings: Settings,
    policy_of: PolicyOf,
    *,
    references: Sequence[str] = (),
    dry_run: bool = False,
) -> Change:
    """Give what was used enough the longer life it earned, or the named ones whatever their use."""
    if references:
        ids = live(store, references)
        wished = (promotion.by_hand(policy_of(one.partition), one) for one in _all(store, ids))
        found = [one for one in wished if one]
    else:
        found = list(_earned(store, settings, policy_of))
        ids = [one.memory_id for one in found]
    changed = [one.memory_id for one in found]
    if found and not dry_run:
        changed = store.lifecycle.promote(found)
    return change_of(store, "promoted", ids, changed, dry_run=dry_run)


def is_promoting(settings: Settings) -> bool:
    """Say whether any rule of promotion is on."""
    return promotion.fewest_accesses(settings.values) is not None


def _earned(store: Store, settings: Settings, policy_of: PolicyOf) -> Iterator[Promotion]:
    fewest = promotion.fewest_accesses(settings.values)
    if fewest is None:
        return
    for one in _all(store, list(store.lifecycle.used(fewest))):
        policy = policy_of(one.partition)
        if found := promotion.earned(settings.values, policy, one, now=store.now):
            yield found


def _all(store: Store, ids: Sequence[int]) -> Iterator[Memory]:
    """Return memories one by one, with bounded memory."""
    left = iter(ids)
    while batch := list(islice(left, BATCH)):
        yield from store.memories.get_all(batch)


def reinforce(store: Store, *, dry_run: bool = False) -> Change:
    """Raise the frequency of important memories in use by a tenth, to 10 at most.

    It has no effect on how they fade. Source: jarvis, once a week.
    """
    ids = store.lifecycle.reinforcible(curves.HIGH, MOST_FREQUENT)
    changed = ids
    if ids and not dry_run:
        changed = store.lifecycle.reinforce(ids, factor=REINFORCED_BY, most=MOST_FREQUENT)
    return change_of(store, "reinforced", ids, changed, dry_run=dry_run)
