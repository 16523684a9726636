"""The audit as people read it: what was done to which memory, by whom and why."""

from hebbctl import secrets
from hebbctl.reports import AuditEntry
from hebbctl.store import Store


def entries(
    store: Store,
    *,
    reference: str | None,
    action: str | None,
    content: str | None,
    since: int | None,
    until: int | None,
    limit: int | None,
) -> list[AuditEntry]:
    """Return what the audit holds, the newest first; of one memory also when it is gone.

    ``content`` keeps what was done to memories of exactly this text: only its hash is compared.
    """
    key = store.audit.present_key() if content is not None else None
    if content is not None and key is None:
        return []  # no audit was ever written beside this store
    return store.audit.entries(
        reference=reference,
        action=action,
        content_hash=None if content is None or key is None else secrets.keyed_hash(content, key),
        since=since,
        until=until,
        limit=-1 if limit is None else limit,
    )
