"""Settings and policies: shown with their origin, changed with a trace, tried before saving."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from hebbctl import config, curves, policies
from hebbctl.config import Around
from hebbctl.errors import BadFile, Refused, WrongUsage, did_you_mean
from hebbctl.models import Ending, Settings, SettingValue, Traits
from hebbctl.reports import PolicyView, Preview
from hebbctl.setting import Setting, written
from hebbctl.settings import OVERRIDE_FIELDS, setting
from hebbctl.store import Store

Fields = dict[str, Any]
NEUTRAL = Traits(importance=0, access_count=0)


def change(path: Path, name: str, typed: str, audit: Store | None) -> SettingValue:
    key = setting(name).name
    around = audited(
        path, audit, lambda old, new: f"{key}: {_shown(old.get(key))} -> {_shown(new.get(key))}"
    )
    return config.change(path, name, typed, around)


def remove(path: Path, name: str, audit: Store | None) -> SettingValue:
    key = setting(name).name
    around = audited(path, audit, lambda old, new: f"{key}: {_shown(old.get(key))} -> unset")
    return config.remove(path, name, around)


def _shown(value: Any) -> Any:
    return "unset" if value is None else written(value)


def audited(path: Path, audit: Store | None, words: Callable[[Fields, Fields], str]) -> Around:
    """Return what a change of the file happens inside of, to be in the audit if it is done."""

    def around(before: Fields, after: Fields, content: bytes) -> AbstractContextManager[None]:
        if audit is None:
            return nullcontext()
        return audit.audit.setting(words(before, after), path, content)

    return around


def reach(path: Path, changed: SettingValue) -> str:
    """Say what a change of a setting touches, and what it does not get past."""
    row = setting(changed.name)
    if changed.origin == "environment":
        variable = f"HEBB_{row.name.upper()}"
        return f"{variable} is set to {changed.value} and wins over the file"
    try:
        overrides = config.load(path).overrides
    except BadFile as error:
        return f"{row.name} is written, but no command can use the file yet: {error}"
    field = "threshold" if row.name == "forget_threshold" else row.name
    held = sorted(partition for partition, fields in overrides.items() if field in fields)
    return f"{row.name} {row.reach}" + (f"; overridden in {', '.join(held)}" if held else "")


def policy_list(store: Store, settings: Settings) -> list[PolicyView]:
    """Return the policy of every partition that is built in, in use or overridden, by name."""
    live = store.statistics.live_by_partition()
    names = sorted({*policies.KNOWN, *live, *settings.overrides})
    return [_view(name, settings, live.get(name, 0)) for name in names]


def policy_show(store: Store, partition: str, settings: Settings) -> PolicyView:
    return _view(partition, settings, store.statistics.live_by_partition().get(partition, 0))


def policy_set(
    path: Path, store: Store, partition: str, given: Fields, audit: Store | None
) -> PolicyView:
    """Merge fields into a partition's override; what is not given keeps its value."""
    fields = _checked(partition, given)
    given_now = ", ".join(f"{name} {value}" for name, value in fields.items())
    around = audited(path, audit, lambda *_: f"policy {partition}: {given_now}")
    config.change_override(path, partition, fields, around)
    return policy_show(store, partition, config.load(path))


def policy_clear(
    path: Path,
    reader: Callable[[], Store],
    partition: str,
    names: list[str],
    audit: Store | None,
) -> PolicyView:
    """Take an override, or only the named fields of it, back: the partition inherits again.

    ``reader`` is asked for the store only then: an override out of range would keep it shut.
    """
    for name in names:
        if name != "enabled":
            _field(name)
    cleared = ", ".join(names) or "all"
    around = audited(path, audit, lambda *_: f"policy {partition}: cleared {cleared}")
    config.remove_override(path, partition, names, around)
    return policy_show(reader(), partition, config.load(path))


def candidate(settings: Settings, partition: str, given: Fields) -> Settings:
    """Return the settings as they would be after ``policy set`` with these fields.

    Without any field they are the saved ones.
    """
    given = {name: value for name, value in given.items() if value is not None}
    if not given:
        return settings
    merged = settings.overrides.get(partition, {}) | _checked(partition, given)
    return settings._replace(overrides={**settings.overrides, partition: merged})


def policy_preview(saved: Store, tried: Store, partition: str, settings: Settings) -> Preview:
    """Return what the next sweep takes from a partition under the tried settings.

    ``saved`` and ``tried`` are the same store opened under the saved and the tried settings.
    """
    due = tried.sweeps.due(partition=partition)
    memories = tried.memories.get_all([one.id for one in due])
    reasons = {one.id: one.reason for one in due}
    policy = policies.effective(partition, settings)
    outcome = "erased" if policy.on_forget == "erase" else "archived"
    endings = [
        Ending(
            memory,
            reasons[memory.id],
            policy.threshold if reasons[memory.id] == "faded" else None,
            outcome,
        )
        for memory in memories
    ]
    return Preview(
        partition=partition,
        live=saved.statistics.live_by_partition().get(partition, 0),
        candidate=policy._asdict(),
        forgotten=len(endings),
        forgotten_now=len(saved.sweeps.due(partition=partition)),
        memories=tuple(endings),
    )


def _checked(partition: str, given: Fields) -> Fields:
    """Return the fields that were given, each in its range.

    Raises:
        Refused: the inbox has no policy.
        WrongUsage: nothing was given, or a value is out of range.
    """
    if partition == policies.INBOX:
        raise Refused(f"{partition} is never swept: it has no policy to change")
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        raise WrongUsage("no field to change", hint="give one, such as --half-life-days 120")
    return {
        name: _truth(value) if name == "enabled" else _field(name).read(value)
        for name, value in fields.items()
    }


def _truth(value: Any) -> bool:
    if value not in (True, False, "true", "false"):
        raise WrongUsage(f"enabled must be true or false, not {value!r}")
    return value in (True, "true")


def _field(name: str) -> Setting:
    if name not in OVERRIDE_FIELDS:
        known = [*OVERRIDE_FIELDS, "enabled"]
        hint = did_you_mean(name, known) or f"the fields are {', '.join(known)}"
        raise WrongUsage(f"no policy field {name!r}", hint=hint)
    return OVERRIDE_FIELDS[name]


def _view(partition: str, settings: Settings, live: int) -> PolicyView:
    policy = policies.effective(partition, settings)
    numbers = {name: value for name, value in policy._asdict().items() if name != "enabled"}
    computed: Fields = {
        "true_half_life_days": curves.true_half_life_days(policy, NEUTRAL),
        "neutral_lifetime_days": _days(policies.lifetime(policy, NEUTRAL)),
    }
    inherited = policies.inherited(partition, settings)._asdict()
    if partition == policies.INBOX:
        numbers, computed = dict.fromkeys(numbers), dict.fromkeys(computed)
        inherited |= numbers
    return PolicyView(
        partition=partition,
        live=live,
        enabled=policy.enabled,
        **numbers,
        **computed,
        origins=policies.origins(partition, settings),
        override=settings.overrides.get(partition, {}),
        inherited=inherited,
    )


def _days(lifetime: int | None) -> float | None:
    return None if lifetime is None else lifetime / policies.DAY
