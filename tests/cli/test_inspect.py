"""A triple as people look at it: in the terminal and as a page."""

import json
import re
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from data_gen.markup import Markup, tag
from data_gen.triple_page import differences, triple_page
from mage_ml.cli.main import app
from mage_ml.memory import Arm, Split
from mage_ml.memory.records import write_episodes
from tests.builders import tiny_episodes

runner = CliRunner()


class Outline(HTMLParser):
    """Collects elements, and checks that each is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.names, self.classes = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, name, attributes):
        self.names.append(name)
        self.classes.append(dict(attributes).get("class", ""))
        if name != "meta":
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name


@pytest.fixture
def data(tmp_path):
    write_episodes(tmp_path / "train.parquet", tiny_episodes(6, Split.TRAIN))
    return tmp_path


def shown(data, *options):
    result = runner.invoke(app, ["inspect", str(data), *options, "--format", "json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_triple_is_found_by_its_id_or_that_of_an_episode(data):
    episodes = shown(data, "--index", "2")
    assert shown(data, "--id", episodes[0]["group_id"]) == episodes
    assert shown(data, "--id", episodes[1]["episode_id"]) == episodes
    missing = runner.invoke(app, ["inspect", str(data), "--id", "nobody"])
    assert missing.exit_code == 2
    assert "nobody" in missing.stderr


def test_a_random_triple_obeys_the_filters(data):
    domain = shown(data)[0]["domain"]
    for _ in range(5):
        assert {e["language"] for e in shown(data, "--random", "--language", "zh", "--domain", domain)} == {"zh"}
    assert len({shown(data, "--random")[0]["group_id"] for _ in range(30)}) > 1
    assert runner.invoke(app, ["inspect", str(data), "--random", "--domain", "elsewhere"]).exit_code == 2


def test_the_terminal_marks_by_words_and_not_by_colour_alone(data):
    result = runner.invoke(app, ["inspect", str(data)], env={"COLUMNS": "240"})
    assert result.exit_code == 0, result.output
    for word in ("EDITED", "REWORDED", "AT RISK", "action 1"):
        assert word in result.stdout


def test_the_page_shows_arms_marks_actions_and_outcomes(data, tmp_path):
    page = tmp_path / "triple.html"
    result = runner.invoke(app, ["inspect", str(data), "--language", "zh", "--html", str(page)])
    assert result.exit_code == 0, result.output
    text = page.read_text(encoding="utf-8")
    outline = Outline(text)
    assert {"cell edited", "cell sham", "cell"} <= set(outline.classes)
    assert outline.names.count("h3") == 9
    for word in ("edited", "reworded", "at risk:", "task wrong"):
        assert word in text
    assert "script" not in outline.names
    assert 'lang="zh"' in text
    assert not re.search(r"(src|href)=", text)


def test_whatever_an_entry_says_is_shown_and_not_run():
    group = tiny_episodes(1, Split.TRAIN)
    attack = "</p><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\"'"
    hostile = [
        episode.model_copy(
            update={
                "goal": attack,
                "group_id": attack,
                "entries": tuple(entry.revised(content=attack) for entry in episode.entries),
            }
        )
        for episode in group
    ]
    text = triple_page(hostile)
    outline = Outline(text)
    assert not {"script", "img"} & set(outline.names)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert text.count("&lt;img src=x") >= len(hostile)


def test_what_differs_from_the_clean_arm_is_marked():
    assert differences("it was 120 then", "it was 80 then") == "it was <mark>80</mark> then"
    assert differences("华北销售额 120 万元", "华南销售额 120 万元") == "华<mark>南</mark>销售额 120 万元"
    assert differences("same", "same") == "same"
    assert differences("a", "<b>") == "<mark>&lt;b&gt;</mark>"


def test_attributes_are_escaped_too():
    assert tag("p", "x", title='"><script>') == '<p title="&quot;&gt;&lt;script&gt;">x</p>'
    assert isinstance(tag("p"), Markup)


def test_a_recorded_run_alone_can_be_shown():
    episode = tiny_episodes(1, Split.TRAIN)[0].model_copy(update={"arm": Arm.RECORDED})
    assert "recorded" in triple_page([episode])
    with pytest.raises(ValueError, match="no episodes"):
        triple_page([])
