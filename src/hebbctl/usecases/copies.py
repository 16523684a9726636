"""Erase the copies that were kept of erased memories."""

from collections.abc import Sequence

from hebbctl.errors import Refused
from hebbctl.reports import CopiesErased
from hebbctl.store import Store
from hebbctl.usecases import asking
from hebbctl.usecases.memories import Confirm


def forget(
    store: Store, references: Sequence[str], *, dry_run: bool, confirm: Confirm
) -> CopiesErased:
    """Erase the copies kept of erased memories: of these, or of all.

    Raises:
        Refused: there are several and ``confirm`` says no. Nothing is erased.
    """
    ids = [store.copies.of(one) for one in references] if references else store.copies.all()
    if dry_run or not ids:
        return CopiesErased(dry_run, tuple(ids))
    question = f"Erase the copies of {len(ids):,} memories for good?"
    if len(ids) > 1 and not confirm(asking.about(store.copies.kept(ids), len(ids), question)):
        raise Refused(
            f"erasing {len(ids)} copies needs a confirmation", hint="add --yes; none was erased"
        )
    store.copies.erase(ids)
    wiped, left = store.finish_erasing([])
    return CopiesErased(False, tuple(ids), not wiped, tuple(map(str, left)))
