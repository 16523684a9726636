"""Texts to vectors: the embedder that the settings choose, and its answers, checked."""

import math
from collections.abc import Sequence
from typing import Any, Protocol

from hebbctl.errors import EmbedderError
from hebbctl.models import Settings
from hebbctl.setting import NONE

MOST_NUMBERS = 65_536  # of one vector; the models of today have up to some thousand


class Embedder(Protocol):
    """A model, not yet loaded. ``name`` is its identity: only vectors of one name are compared."""

    name: str
    batch: int  # texts at once, at most

    def obstacle(self) -> EmbedderError | None:
        """Return what keeps it from working, as far as that can be seen without trying."""

    def encode(self, texts: Sequence[str]) -> list[Any]:
        """Return what it answers for each text, in their order, unchecked.

        Raises:
            EmbedderError: it fails, is too slow, or answers what cannot be read.
        """


def chosen(settings: Settings) -> Embedder | None:
    """Return the embedder that the settings name, None for none. Nothing is loaded or asked."""
    values = settings.values
    model = "" if values["embed_model"] == NONE else values["embed_model"]
    if values["embedder"] == "packaged":
        from hebbctl.embeddings.packaged import Packaged

        return Packaged()
    if values["embedder"] == "command":
        from hebbctl.embeddings.command import Command

        return Command(values["embed_command"], model, values["embed_timeout_seconds"])
    if values["embedder"] == "url":
        from hebbctl.embeddings.url import Url

        return Url(values["embed_url"], model, values["embed_timeout_seconds"])
    return None


def encode(embedder: Embedder, texts: Sequence[str]) -> list[list[float]]:
    """Return one vector for each text, all of one size, of finite numbers.

    Raises:
        EmbedderError: it cannot work, fails, or answers anything else.
    """
    if obstacle := embedder.obstacle():
        raise obstacle
    found = embedder.encode(texts)
    if len(found) != len(texts):
        raise EmbedderError(
            f"the embedder {embedder.name!r} answered {len(found)} vectors for {len(texts)} texts"
        )
    vectors = [_vector(embedder, one) for one in found]
    sizes = sorted({len(one) for one in vectors})
    if len(sizes) > 1:
        raise EmbedderError(
            f"the embedder {embedder.name!r} answered vectors of {sizes[0]} and of {sizes[-1]}"
            " numbers"
        )
    return vectors


def _vector(embedder: Embedder, answer: Any) -> list[float]:
    if not isinstance(answer, list) or not 0 < len(answer) <= MOST_NUMBERS:
        raise EmbedderError(
            f"the embedder {embedder.name!r} answered no list of 1 to {MOST_NUMBERS} numbers"
        )
    if not all(_is_number(number) for number in answer):
        raise EmbedderError(
            f"the embedder {embedder.name!r} answered a vector with something else than"
            " finite numbers"
        )
    return answer


def _is_number(value: object) -> bool:
    try:
        return type(value) in (float, int) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:  # an integer beyond every float
        return False
