"""A server as the embedder: ``POST /v1/embeddings`` in the shape that OpenAI gave it."""

import json
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from hebbctl import environment
from hebbctl.errors import EmbedderError
from hebbctl.setting import NONE

KEY = "HEBB_EMBED_KEY"  # a secret: in the environment, never in a file of ours
MOST_BYTES = 2_000_000  # of the answer to one text
LONGEST_WAIT_SECONDS = 600
AT_ONCE = 65_536  # bytes
ENDPOINT = "/embeddings"


class Url:
    """Asks the one address that the user named: no redirection leads anywhere else."""

    batch = 64

    def __init__(self, url: str, model: str, seconds: float) -> None:
        self._url = url
        self._model = model
        self._seconds = seconds
        self.name = f"url {model or url}"

    def obstacle(self) -> EmbedderError | None:
        if self._url == NONE:
            return EmbedderError(
                "embedder is url, but no embed_url is set",
                hint="hebb config set embed_url http://127.0.0.1:8080/v1/embeddings",
            )
        try:
            _endpoint(self._url)
        except ValueError as error:
            return EmbedderError(
                f"embed_url cannot be used: {error}",
                hint="write it like http://127.0.0.1:8080/v1/embeddings",
            )
        return None

    def encode(self, texts: Sequence[str]) -> list[Any]:
        seconds = min(self._seconds * len(texts), LONGEST_WAIT_SECONDS)
        asked = {"input": list(texts), "encoding_format": "float"}
        if self._model:
            asked["model"] = self._model
        answer = _answer(_endpoint(self._url), asked, seconds, MOST_BYTES * len(texts))
        try:
            data = json.loads(answer)["data"]
            placed = {int(one.get("index", place)): one for place, one in enumerate(data)}
            return [placed[place]["embedding"] for place in range(len(data))]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise EmbedderError(
                'what embed_url answered is no {"data": [{"embedding": [...]}, ...]}'
            ) from error


def _endpoint(url: str) -> str:
    """Return where to post, of a server's root, of its ``/v1`` or of the endpoint itself.

    Raises:
        ValueError: it is no http or https address, or holds a password.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is no http or https address")
    if parts.username is not None:
        raise ValueError(f"it holds a name or password: give the key in {KEY}")
    if parts.port == 0 or not url.isascii() or any(one <= " " for one in url):
        raise ValueError(f"{url!r} is no http or https address")
    path = parts.path.rstrip("/") or "/v1"
    path = path if path.endswith(ENDPOINT) else path + ENDPOINT
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def _answer(url: str, asked: dict[str, Any], seconds: float, most_bytes: int) -> bytes:
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class Stay(HTTPRedirectHandler):
        """Makes every redirection a failure."""

        def redirect_request(self, *_: Any) -> None:
            return None

    headers = {"Content-Type": "application/json"}
    if key := environment.variable(KEY):
        headers["Authorization"] = f"Bearer {key}"
    request = Request(url, json.dumps(asked).encode(), headers)
    deadline = time.monotonic() + seconds
    try:
        with build_opener(Stay).open(request, timeout=seconds) as response:
            return _read(response, deadline, seconds, most_bytes)
    except HTTPError as error:
        error.close()
        raise EmbedderError(f"{url} answered {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise _too_slow(url, seconds) from error
    except (OSError, HTTPException, ValueError) as error:
        why = getattr(error, "reason", error)
        if isinstance(why, TimeoutError):
            raise _too_slow(url, seconds) from error
        raise EmbedderError(f"cannot reach {url}: {why}", hint="is the server running?") from error


def _read(response: Any, deadline: float, seconds: float, most_bytes: int) -> bytes:
    answer = bytearray()
    while part := response.read1(AT_ONCE):
        answer += part
        if len(answer) > most_bytes:
            raise EmbedderError(f"embed_url answered more than {most_bytes} bytes")
        if time.monotonic() > deadline:  # the timeout of the socket counts from byte to byte
            raise TimeoutError(seconds)
    return bytes(answer)


def _too_slow(url: str, seconds: float) -> EmbedderError:
    return EmbedderError(
        f"{url} took longer than {seconds:g} s",
        hint="hebb config set embed_timeout_seconds N gives each text more",
    )
