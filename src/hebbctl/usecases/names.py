"""Names as people type them: found whatever their case and spaces, or a close one named."""

from collections.abc import Sequence

from hebbctl import policies, text
from hebbctl.errors import did_you_mean
from hebbctl.models import Filters
from hebbctl.store import Store

CLOSE = 0.6  # of two names, for one to be offered for the other
CLOSE_PARTITION = 0.8  # that all begin alike, with mem_


def filters(store: Store, typed: Filters) -> tuple[Filters, list[str]]:
    """Return filters by the spellings that are in use, and a hint for each name nobody bears.

    Such a name stays in the filters: nothing passes them then.
    """
    hints: list[str] = []

    def spellings(field: str, names: Sequence[str]) -> tuple[str, ...]:
        in_use = store.names.in_use(field) if names else []
        found = [(name, alike(name, in_use)) for name in names]
        hints.extend(_unused(field, name, in_use) for name, same in found if not same)
        return tuple(spelling for name, same in found for spelling in same or [name])

    if typed.partition and (hint := unused_partition(store, typed.partition)):
        hints.append(hint)
    resolved = typed._replace(
        scopes=spellings("scope", typed.scopes),
        kinds=spellings("kind", typed.kinds),
        tags=tuple(spellings("tag", group) for group in typed.tags),
    )
    return resolved, hints


def unused_partition(store: Store, partition: str) -> str | None:
    """Return a hint where no memory is in a partition, and it is none of the built-in ones."""
    if partition in policies.KNOWN or store.names.is_used("partition", partition):
        return None
    return _unused("partition", partition, {*store.names.in_use("partition"), *policies.KNOWN})


def spelling(store: Store, field: str, name: str) -> str:
    """Return how a name is spelled already; the name itself where nobody bears it."""
    if field == "kind" and (built_in := alike(name, list(policies.PARTITION_OF_KIND))):
        return built_in[0]  # it chooses the partition
    if store.names.is_used(field, name):
        return name
    return next(iter(alike(name, store.names.in_use(field))), name)


def tags(store: Store, given: Sequence[str]) -> tuple[str, ...]:
    """Return tags as they are spelled already, each once."""
    found: dict[str, str] = {}
    for name in given:
        found.setdefault(text.name_key(name), spelling(store, "tag", name))
    return tuple(found.values())


def alike(name: str, in_use: Sequence[str]) -> list[str]:
    """Return those of some names that are spellings of one, the very one first."""
    key = text.name_key(name)
    return sorted((one for one in in_use if text.name_key(one) == key), key=lambda one: one != name)


def _unused(field: str, name: str, in_use: Sequence[str] | set[str]) -> str:
    hint = did_you_mean(name, in_use, cutoff=CLOSE_PARTITION if field == "partition" else CLOSE)
    return f"no memory has the {field} {name!r}" + (f": {hint}" if hint else "")
