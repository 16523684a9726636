"""Hashes: of content under a key for the audit, and without one for finding duplicates."""

KEY_BYTES = 32


def keyed_hash(content: str, key: bytes) -> str:
    """Return 128 bits in hex. Equal texts give equal hashes; no guess can be tested without key."""
    from hashlib import blake2b  # 3 ms that a recall need not spend

    return blake2b(content.encode("utf-8", "surrogatepass"), key=key, digest_size=16).hexdigest()


def digest(content: str) -> int:
    """Return 64 bits as a signed integer, SQLite's own kind. It only narrows a search."""
    from hashlib import blake2b

    hashed = blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(hashed, signed=True)
