"""One memory a line, as JSON: what import reads and export writes."""

import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from hebbctl import fields, policies, text, times
from hebbctl.errors import WrongUsage
from hebbctl.models import Draft, EdgeTo, Memory

# Conflict markers of git: a file with them was never merged.
CONFLICT_MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
# Found in the output of list and recall, and made anew by every store.
DERIVED = frozenset(
    (
        "id state retention sweep_id score relevance match archived existing superseded similar"
        " newer_than explanation"
    ).split()
)
LARGEST = 2**63 - 1
HEAVIEST = 1e9  # an edge
BYTE_ORDER_MARK = "\ufeff"
# Made once: json.dumps makes an encoder for each call that is not plain.
STRICT = json.JSONEncoder(allow_nan=False)
WRITERS = {escaped: json.JSONEncoder(ensure_ascii=escaped) for escaped in (False, True)}


def _tags(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise WrongUsage(f"tags must be a list of texts, not {given!r}")
    return tuple(dict.fromkeys(fields.words("tags", one) for one in given))


def _metadata(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise WrongUsage(f"metadata must be an object, not {given!r}")
    return given


def _edges(given: Any, *, uid: str | None) -> tuple[EdgeTo, ...]:
    """Read the edges of a memory; of several to one other memory the last counts."""
    if given and uid is None:
        raise WrongUsage("edges need the uid of the memory they belong to")
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise WrongUsage(f"edges must be a list of objects, not {given!r:.60}")
    found = {edge.uid: edge for edge in map(_edge, given)}
    if uid in found:
        raise WrongUsage(f"an edge of {uid} to itself")
    return tuple(found.values())


def _edge(given: dict[str, Any]) -> EdgeTo:
    uid, weight, at = (given.get(name) for name in EdgeTo._fields)
    return EdgeTo(
        fields.words("the uid of an edge", uid),
        fields.number("the weight of an edge", weight, 0, HEAVIEST),
        fields.moment("last_updated_at of an edge", at),
    )


# Field -> its reader, in the order export writes them.
READERS: dict[str, Callable[[Any], Any]] = {
    "uid": partial(fields.words, "uid"),
    "partition": fields.partition,
    "content": fields.content,
    "kind": partial(fields.words, "kind"),
    "importance": fields.importance,
    "strength": lambda given: fields.number("strength", given, fields.WEAKEST, fields.STRONGEST),
    "access_count": lambda given: fields.whole("access_count", given, 0, fields.MOST_ACCESSES),
    "frequency": lambda given: fields.number("frequency", given, 0, 1e15),
    "created_at": partial(fields.moment, "created_at"),
    "last_accessed_at": partial(fields.moment, "last_accessed_at"),
    "renewed_at": partial(fields.moment, "renewed_at"),
    "tags": _tags,
    "source": partial(fields.words, "source"),
    "scope": partial(fields.words, "scope"),
    "scope_kind": lambda given: fields.choice("scope_kind", given, fields.SCOPE_KINDS),
    "session": partial(fields.words, "session"),
    "key": partial(fields.words, "key"),
    "trusted": partial(fields.flag, "trusted"),
    "pinned": partial(fields.flag, "pinned"),
    "ttl_ms": lambda given: fields.whole("ttl_ms", given, 1, LARGEST),
    "expires_at": partial(fields.moment, "expires_at"),
    "promoted_at": partial(fields.moment, "promoted_at"),
    "archived_at": partial(fields.moment, "archived_at"),
    "archived_reason": lambda given: fields.choice(
        "archived_reason", given, ("swept", "by hand", "superseded")
    ),
    "superseded_by": partial(fields.words, "superseded_by"),
    "anchor_value": lambda given: fields.number("anchor_value", given, 0, 1),
    "anchor_at": partial(fields.moment, "anchor_at"),
    "metadata": _metadata,
}
KNOWN = DERIVED.union(READERS, ["edges"])


class Line(NamedTuple):
    """A line read: its memory, characters replaced in it, and fields moved into metadata.

    Its ``edges`` are some of the memory's: each stands in the line of one of its ends.
    """

    draft: Draft
    replaced: int
    unknown: tuple[str, ...]
    edges: tuple[EdgeTo, ...] = ()


def read(line: bytes, *, most_bytes: float = math.inf) -> Line | None:
    """Read one line; None for a blank one. ``most_bytes`` bounds a content.

    Raises:
        WrongUsage: it is no JSON object of a memory; the message says why.
    """
    try:
        decoded = line.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        raise WrongUsage("not UTF-8") from error
    if not decoded or decoded.isspace():
        return None
    if decoded.startswith(CONFLICT_MARKERS):
        raise WrongUsage("a merge conflict marker: resolve the conflict in the file first")
    try:
        found = _line(json.loads(decoded), escaped="\\u" in decoded)
    except ValueError as error:
        raise WrongUsage(f"not JSON: {error}") from error
    except RecursionError as error:
        raise WrongUsage("nested too deeply") from error
    fields.refuse_longer(found.draft.content, most_bytes)
    return found


def _line(found: Any, *, escaped: bool) -> Line:
    if not isinstance(found, dict):
        raise WrongUsage("not a JSON object")
    if "content" not in found:
        raise WrongUsage("no content")
    # UTF-8 and JSON have neither NUL nor half a surrogate pair, unless they are escaped.
    found, replaced = _cleaned(found) if escaped else (found, 0)
    unknown = {}
    if not KNOWN.issuperset(found):
        unknown = {name: value for name, value in found.items() if name not in KNOWN}
    draft = _draft(found, unknown)
    given = found.get("edges")
    edges = () if given is None else _edges(given, uid=draft.uid)
    return Line(draft, replaced, tuple(unknown), edges)


def _draft(found: dict[str, Any], unknown: dict[str, Any]) -> Draft:
    given = {
        name: read_field(value)
        for name, value in found.items()
        if (value is not None or name == "content") and (read_field := READERS.get(name))
    }
    kind_partition = policies.PARTITION_OF_KIND.get(given.get("kind", ""), policies.NOTES)
    given.setdefault("partition", kind_partition)
    if "scope" in given and given["scope"] != "global":
        given.setdefault("scope_kind", "project")
    if "archived_at" in given:
        given.setdefault("archived_reason", "by hand")
    elif "archived_reason" in given:
        raise WrongUsage("archived_reason without archived_at")
    if ("anchor_value" in given) != ("anchor_at" in given):
        raise WrongUsage("anchor_value and anchor_at belong together")
    if metadata := unknown | given.get("metadata", {}):
        given["metadata"] = _json(metadata)
    else:
        given.pop("metadata", None)
    return Draft(**given)


def _json(metadata: dict[str, Any]) -> str:
    try:
        return STRICT.encode(metadata)
    except ValueError as error:
        raise WrongUsage("metadata holds a number that JSON has no word for") from error


def _cleaned(value: Any) -> tuple[Any, int]:
    """Return a JSON value with every text in it made fit for all doors, and how many were not."""
    if isinstance(value, str):
        return text.cleaned(value)
    if isinstance(value, list):
        pairs = [_cleaned(one) for one in value]
        return [one for one, _ in pairs], sum(count for _, count in pairs)
    if isinstance(value, dict):
        names = [text.cleaned(name) for name in value]
        pairs = [_cleaned(one) for one in value.values()]
        cleaned = {name: one for (name, _), (one, _) in zip(names, pairs, strict=True)}
        return cleaned, sum(count for _, count in (*names, *pairs))
    return value, 0


def write(memory: Memory, edges: Sequence[EdgeTo] = (), *, ascii_only: bool = False) -> str:
    """Return one memory as a line, without its end. Fields without a value are left out.

    ``ascii_only`` escapes every other character, for a stream that cannot hold them.
    """
    record: dict[str, Any] = {}
    for name in READERS:
        value = getattr(memory, name)
        if value is None or value in ((), {}):
            continue
        record[name] = times.format_time(value) if name.endswith("_at") else value
    if edges:
        record["edges"] = [
            edge._asdict() | {"last_updated_at": times.format_time(edge.last_updated_at)}
            for edge in edges
        ]
    return WRITERS[ascii_only].encode(record)
