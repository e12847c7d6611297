"""The `graph` command: every format, from episodes and from chains."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.memory import Split
from mage_ml.memory.records import write_episodes
from tests.builders import tiny_episodes

RUN = CliRunner()


@pytest.fixture
def episodes(tmp_path: Path) -> Path:
    write_episodes(tmp_path / "data.jsonl", tiny_episodes(1, Split.TEST))
    return tmp_path / "data.jsonl"


def test_each_format_carries_the_same_graph(episodes: Path) -> None:
    def told(form: str) -> str:
        result = RUN.invoke(app, ["graph", str(episodes), "--id", "200000-contaminated", "--format", form])
        assert result.exit_code == 0, result.output
        return result.stdout

    wanted = {("m0", "m1"), ("m1", "m2")}
    assert set(nx.node_link_graph(json.loads(told("json")), edges="edges").edges) == wanted
    assert set(nx.read_graphml(io.BytesIO(told("graphml").encode())).edges) == wanted
    assert told("cypher").count("-[:LED_TO]->") == 2
    drawing = ElementTree.fromstring(told("svg"))
    texts = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"m0", "m1", "m2"} <= set(texts)


def test_a_chain_file_is_drawn_with_what_an_entry_tainted_and_hostile_text_is_harmless(tmp_path: Path) -> None:
    lines = [
        {"id": "<script>&\"'", "content": "]]> <b>", "source": "tool"},
        {"id": "child", "content": "x", "source": "agent", "depends_on": ["<script>&\"'", "gone"]},
    ]
    chain = tmp_path / "chain.jsonl"
    chain.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "made" / "g.svg"
    result = RUN.invoke(app, ["graph", str(chain), "-f", "svg", "-o", str(out), "--mark", "child"])
    assert result.exit_code == 0, result.output
    drawing = out.read_text(encoding="utf-8")
    assert "<script" not in drawing
    boxes = list(ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}rect"))
    assert [box.get("stroke-width") for box in boxes] == ["1", "3", "1"]


def test_an_unknown_episode_or_entry_is_refused_with_the_nearest_name(episodes: Path) -> None:
    result = RUN.invoke(app, ["graph", str(episodes), "--id", "200000-contaminate"])
    assert result.exit_code == 2
    assert "did you mean '200000-contaminated'?" in result.stderr
    result = RUN.invoke(app, ["graph", str(episodes), "--format", "svg", "--mark", "m9"])
    assert result.exit_code == 2
    assert "no entry 'm9'" in result.stderr
