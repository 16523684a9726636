"""The public JSON form of every value: one contract for CLI, files, REST and MCP."""

from typing import Any

from hebbctl.errors import HebbError
from hebbctl.models import Added, Ending, Hit
from hebbctl.times import format_time

SCHEMA = 1  # of the JSON objects below; keys may be added to it, never renamed or removed


def record(value: Any) -> dict[str, Any]:
    """Return a model's fields by name, in their order.

    A field that ends in ``_at`` is a time, in RFC 3339 UTC. Fractions have nine significant digits.
    """
    if isinstance(value, Added):
        return _added(value)
    if isinstance(value, Hit):
        return _hit(value)
    if isinstance(value, Ending):
        return _ending(value)
    if "ending" in value._fields:
        rest = {name: getattr(value, name) for name in value._fields if name != "ending"}
        return {name: _public(name, one) for name, one in rest.items()} | record(value.ending)
    return {name: _public(name, getattr(value, name)) for name in value._fields}


def report(value: Any) -> dict[str, Any]:
    """Return a whole answer as one object that names its schema."""
    return {"schema": SCHEMA} | record(value)


def explained(hit: Hit) -> dict[str, Any]:
    """Return a hit with every part of its score, to the last digit: see ``models.Parts``.

    ``bound`` says why not all that match like it were ranked, null where all were.
    """
    if hit.parts is None:
        return record(hit) | {"explanation": None}
    whole = {"score": hit.parts.score, "relevance": hit.parts.relevance}
    return record(hit) | whole | {"explanation": hit.parts._asdict() | {"bound": hit.bound}}


def error_record(error: HebbError) -> dict[str, Any]:
    fields = {"code": int(error.code), "kind": error.kind, "message": str(error)}
    return {"error": {**fields, "hint": error.hint}}


def _hit(hit: Hit) -> dict[str, Any]:
    return record(hit.memory) | {
        "archived": hit.memory.archived_at is not None,
        "score": _public("score", hit.parts and hit.parts.score),
        "relevance": _public("relevance", hit.parts and hit.parts.relevance),
        "match": hit.match,
        "newer_than": list(hit.newer_than),
    }


def _added(added: Added) -> dict[str, Any]:
    return record(added.memory) | {
        "existing": added.existing,
        "superseded": [{"id": one.id, "uid": one.uid} for one in added.superseded],
        "similar": [record(one) for one in added.similar],
    }


def labelled(found: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a memory as a person reads it: its state says what to beware of."""
    said = [found["state"]]
    said += ["superseded"] if found["archived_reason"] == "superseded" else []
    said += [] if found["trusted"] else ["untrusted"]
    return found | {"state": ", ".join(said)}


def _ending(ending: Ending) -> dict[str, Any]:
    memory = ending.memory
    return {
        "id": memory.id,
        "uid": memory.uid,
        "outcome": ending.outcome,
        "reason": ending.reason,
        "retention": _public("retention", memory.retention),
        "threshold": ending.threshold,
        "partition": memory.partition,
        "importance": memory.importance,
        "access_count": memory.access_count,
        "last_accessed_at": format_time(memory.last_accessed_at),
        "content": memory.content,
    }


def _public(name: str, field: Any) -> Any:
    if name.endswith("_at") and isinstance(field, int):
        return format_time(field)
    if isinstance(field, float):
        return float(f"{field:.9g}")
    if hasattr(field, "_fields"):
        return record(field)
    if isinstance(field, tuple):
        return [_public(name, one) for one in field]
    if name != "metadata" and isinstance(field, dict):
        return {key: _public(key, one) for key, one in field.items()}
    return field
