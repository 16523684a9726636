"""Making vectors: of all that lacks one, in batches that stay, never of a text that is gone."""

import pytest
from embedders import Hashing

from hebbctl.errors import EmbedderError, WrongUsage
from hebbctl.models import Draft
from hebbctl.usecases import changing, embedding, memories

TEXTS = [f"note number {n}" for n in range(8)]


def kept(store, model: str = "hashing") -> int:
    return sum(one.count for one in store.vectors.held() if one.model == model)


def test_every_memory_gets_one_vector_archived_ones_too(fill, store_at) -> None:
    fill(*TEXTS, {"content": "shelved", "archived_at": 1, "archived_reason": "by hand"})
    embedder = Hashing()
    done = embedding.embed(store_at(0), embedder)
    assert (done.made, done.left, kept(store_at(0))) == (9, 0, 9)
    assert embedder.asked == [*TEXTS, "shelved"]
    assert embedding.embed(store_at(0), embedder).made == 0


def test_what_was_made_before_a_failure_stays_and_the_next_run_goes_on(fill, store_at) -> None:
    fill(*TEXTS)
    with pytest.raises(EmbedderError):
        embedding.embed(store_at(0), Hashing(fails_after=7))
    assert kept(store_at(0)) == 6
    second = Hashing()
    assert embedding.embed(store_at(0), second).made == 2
    assert second.asked == TEXTS[6:]


def test_stopped_rebuild_goes_on_and_the_next_one_begins_anew(fill, store_at) -> None:
    fill(*TEXTS)
    embedding.embed(store_at(0), Hashing())
    with pytest.raises(EmbedderError):
        embedding.embed_anew(store_at(0), Hashing(fails_after=7))
    rest, again = Hashing(), Hashing()
    assert embedding.embed_anew(store_at(0), rest).made == 2
    assert embedding.embed_anew(store_at(0), again).made == 8
    assert (rest.asked, again.asked) == (TEXTS[6:], TEXTS)


@pytest.mark.parametrize("other", [Hashing("other"), None])
def test_stopped_rebuild_is_none_for_another_model_or_after_all_was_made(
    fill, store_at, other
) -> None:
    fill(*TEXTS)
    with pytest.raises(EmbedderError):
        embedding.embed_anew(store_at(0), Hashing(fails_after=7))
    if other is None:
        embedding.embed(store_at(0), Hashing(), everything=True)
    assert embedding.embed_anew(store_at(0), other or Hashing()).made == 8


def test_progress_counts_up_to_the_total(fill, store_at) -> None:
    fill(*TEXTS)
    steps: list[tuple[int, int]] = []
    embedding.embed(
        store_at(0), Hashing(), progress=lambda done, total: steps.append((done, total))
    )
    assert steps == [(3, 8), (6, 8), (8, 8)]


def test_all_makes_every_vector_anew_also_of_another_size(fill, store_at) -> None:
    fill(*TEXTS)
    embedding.embed(store_at(0), Hashing(size=64))
    store_at(0).memories.add(Draft(content="one more", partition="mem_notes"), force=False)
    with pytest.raises(EmbedderError, match="answers 32 numbers, its kept vectors have 64"):
        embedding.embed(store_at(0), Hashing(size=32))
    assert embedding.embed(store_at(0), Hashing(size=32), everything=True).made == 9
    assert store_at(0).vectors.sizes("hashing") == [32]


def test_failing_at_once_costs_no_vector_of_a_run_for_all(fill, store_at) -> None:
    fill(*TEXTS)
    embedding.embed(store_at(0), Hashing())
    with pytest.raises(EmbedderError):
        embedding.embed(store_at(0), Hashing(size=32, fails_after=0), everything=True)
    assert (kept(store_at(0)), store_at(0).vectors.sizes("hashing")) == (8, [64])


def test_edited_text_drops_its_vector_and_other_edits_do_not(fill, store_at) -> None:
    fill("red lantern", "red boat")
    store = store_at(0)
    embedding.embed(store, Hashing())
    changing.edit(store, "1", content=None, changes={"importance": 9.0}, most_bytes=1e9)
    assert kept(store) == 2
    changing.edit(store, "1", content="green lantern", changes={}, most_bytes=1e9)
    assert kept(store) == 1
    again = Hashing()
    embedding.embed(store, again)
    assert again.asked == ["green lantern"]


class Meddling(Hashing):
    """While it works on a text, somebody else changes the store."""

    def __init__(self, meddle) -> None:
        super().__init__()
        self._meddle = meddle

    def encode(self, texts):
        self._meddle()
        return super().encode(texts)


def test_vector_of_a_text_that_was_edited_meanwhile_is_not_kept(fill, store_at) -> None:
    fill("red lantern")
    other = store_at(0)

    def edit() -> None:
        changing.edit(other, "1", content="green", changes={}, most_bytes=1e9)

    done = embedding.embed(store_at(0), Meddling(edit))
    assert (done.made, done.left, kept(other)) == (0, 1, 0)


def test_vector_of_a_memory_that_was_erased_meanwhile_is_not_kept(fill, store_at) -> None:
    fill("red lantern")
    other = store_at(0)

    def erase() -> None:
        memories.forget(
            other, [1], reason="by hand", force=False, dry_run=False, confirm=lambda _: True
        )

    done = embedding.embed(store_at(0), Meddling(erase))
    assert (done.made, done.left, kept(other)) == (0, 0, 0)


def test_only_the_wanted_ones_are_made_on_request(fill, store_at) -> None:
    fill(*TEXTS)
    assert embedding.embed(store_at(0), Hashing(), ids=[2, 5]).made == 2
    assert kept(store_at(0)) == 2


def test_only_the_beginning_of_a_long_text_is_looked_at(fill, store_at) -> None:
    fill("word " * 5000)
    embedder = Hashing()
    embedding.embed(store_at(0), embedder)
    assert [len(one) for one in embedder.asked] == [8000]


@pytest.mark.parametrize(
    ("which", "left"),
    [("all", []), ("others", ["second"]), ("first", ["second", "third"])],
)
def test_remove_drops_the_vectors_of_the_named_models(fill, store_at, which, left) -> None:
    fill(*TEXTS)
    store = store_at(0)
    for name in ("first", "second", "third"):
        embedding.embed(store, Hashing(name))
    dropped = 8 * (3 - len(left))
    assert embedding.remove(store, Hashing("second"), which, dry_run=True).removed == dropped
    assert embedding.remove(store, Hashing("second"), which, dry_run=False).removed == dropped
    assert [one.model for one in store.vectors.held()] == left


def test_removing_an_unknown_model_is_refused_with_a_guess(fill, store_at) -> None:
    fill(*TEXTS)
    embedding.embed(store_at(0), Hashing("first"))
    with pytest.raises(WrongUsage, match="no vectors of a model 'frist'") as caught:
        embedding.remove(store_at(0), None, "frist", dry_run=False)
    assert caught.value.hint == "did you mean 'first'?"
