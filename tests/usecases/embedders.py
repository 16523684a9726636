"""Embedders to test with: words hashed into numbers, and all that can go wrong."""

from collections.abc import Sequence
from zlib import crc32

from hebbctl.errors import EmbedderError

SIZE = 64


def hashed(text: str, size: int = SIZE) -> list[float]:
    """Return a vector in which every word of a text adds to one number."""
    vector = [0.0] * size
    for word in text.lower().split():
        vector[crc32(word.encode()) % size] += 1.0
    return vector


class Hashing:
    """Hashes words; it may be named as another model, have another size, or stop half way."""

    def __init__(
        self, name: str = "hashing", *, size: int = SIZE, batch: int = 3, fails_after: int = 10**9
    ) -> None:
        self.name = name
        self.batch = batch
        self.asked: list[str] = []
        self._size = size
        self._fails_after = fails_after

    def obstacle(self) -> EmbedderError | None:
        return None

    def encode(self, texts: Sequence[str]) -> list[list[float]]:
        if len(self.asked) + len(texts) > self._fails_after:
            raise EmbedderError("out of order")
        self.asked += texts
        return [hashed(text, self._size) for text in texts]
