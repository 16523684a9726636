"""Make the vectors of memories, a batch after the other, and drop them."""

from collections.abc import Callable, Sequence

from hebbctl import embeddings
from hebbctl.embeddings import Embedder, int8
from hebbctl.errors import EmbedderError, WrongUsage, did_you_mean
from hebbctl.reports import EmbedReport
from hebbctl.store import Store
from hebbctl.store.vectors import FIRST_ID, Text, Vector
from hebbctl.usecases.meaning import LONGEST_TEXT

Progress = Callable[[int, int], None]


def needed(embedder: Embedder | None) -> Embedder:
    """Return the embedder.

    Raises:
        WrongUsage: the settings name none.
    """
    if embedder is None:
        raise WrongUsage(
            "the setting embedder is none", hint="hebb config set embedder packaged, for one"
        )
    return embedder


def embed(
    store: Store,
    embedder: Embedder,
    *,
    everything: bool = False,
    ids: Sequence[int] | None = None,
    rebuild_after: int | None = None,
    progress: Progress = lambda done, total: None,
) -> EmbedReport:
    """Make a vector of each memory without one of this model, archived ones too; or of all.

    What is made is kept batch by batch: whoever is stopped goes on there. With ``ids`` only of
    these. A rebuild of ``everything`` begins after an id and notes how far it has come.

    Raises:
        EmbedderError: the embedder is missing or fails; or its vectors have another size than
            those that are kept, unless ``everything`` is made anew.
    """
    if obstacle := embedder.obstacle():
        raise obstacle
    total = store.vectors.wanting(embedder.name, everything=everything, ids=ids)
    made, seen, size = 0, 0, 0
    after = FIRST_ID if rebuild_after is None else rebuild_after
    with store.bulk():
        while texts := store.vectors.texts(
            embedder.name, everything=everything, ids=ids, after=after, limit=embedder.batch
        ):
            vectors = embeddings.encode(embedder, [one.content[:LONGEST_TEXT] for one in texts])
            with store.transaction():
                size = size or _settled_size(store, embedder, len(vectors[0]), anew=everything)
                made += _keep(store, embedder, texts, vectors, size)
                if everything:
                    reached = None if rebuild_after is None else texts[-1].id
                    store.vectors.note_rebuild(embedder.name, reached)
            seen, after = seen + len(texts), texts[-1].id
            progress(seen, max(total, seen))
    left = store.vectors.wanting(embedder.name, everything=False, ids=ids)
    return EmbedReport(embedder.name, made, left)


def embed_anew(
    store: Store, embedder: Embedder, *, progress: Progress = lambda done, total: None
) -> EmbedReport:
    """Make all vectors of a model anew; a run that was stopped in it is gone on with.

    Raises:
        EmbedderError: as of ``embed``.
    """
    begun = store.vectors.rebuilt_to(embedder.name)
    made = embed(store, embedder, everything=True, rebuild_after=begun, progress=progress)
    with store.transaction():
        store.vectors.note_rebuild(embedder.name, None)
    return made


def _settled_size(store: Store, embedder: Embedder, size: int, *, anew: bool) -> int:
    """Return the size of this run's vectors; those of another one are dropped where all is anew."""
    other = [one for one in store.vectors.sizes(embedder.name) if one != size]
    if other and not anew:
        raise EmbedderError(
            f"the embedder {embedder.name!r} answers {size} numbers, its kept vectors have"
            f" {other[0]}",
            hint="'hebb embed --all' makes them anew",
        )
    if other:
        store.vectors.drop(embedder.name, besides=size)
    return size


def _keep(
    store: Store, embedder: Embedder, texts: list[Text], vectors: list[list[float]], size: int
) -> int:
    if len(vectors[0]) != size:
        raise EmbedderError(
            f"the embedder {embedder.name!r} answered vectors of {size} and of {len(vectors[0])}"
            " numbers"
        )
    packed = zip(texts, map(int8.packed, vectors), strict=True)
    return store.vectors.put(
        embedder.name,
        ((text, Vector(text.id, one.scale, one.numbers)) for text, one in packed),
    )


def preview(store: Store, embedder: Embedder, *, everything: bool) -> EmbedReport:
    """Count what ``embed`` would make; the embedder is not loaded."""
    wanting = store.vectors.wanting(embedder.name, everything=everything, ids=None)
    return EmbedReport(embedder.name, wanting, 0, dry_run=True)


def remove(store: Store, embedder: Embedder | None, which: str, *, dry_run: bool) -> EmbedReport:
    """Drop the vectors of one model, of all, or of ``others`` than the one in use.

    Raises:
        WrongUsage: there is no vector of that model.
    """
    held = store.vectors.held()
    names = list(dict.fromkeys(one.model for one in held))
    current = embedder.name if embedder else ""
    groups = {"all": names, "others": [one for one in names if one != current]}
    if which not in groups and which not in names:
        hint = did_you_mean(which, [*names, *groups]) or "'hebb doctor' names the models"
        raise WrongUsage(f"no vectors of a model {which!r}", hint=hint)
    chosen = groups.get(which, [which])
    count = sum(one.count for one in held if one.model in chosen)
    if not dry_run and chosen:
        for model in chosen:
            store.vectors.drop(model)
        store.eraser.finish(wait=False)  # out of the log, too
    return EmbedReport(which, 0, 0, removed=count, dry_run=dry_run)
