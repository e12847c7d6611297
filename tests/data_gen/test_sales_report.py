import pytest

from data_gen.agents import PROFILES, Habit
from data_gen.proof import RunFailedError, run_once
from data_gen.randomness import rng_for
from data_gen.session import Edit, Ruling, RulingKind, Session
from data_gen.tasks import DOMAINS
from data_gen.tasks.sales_report.questions import TEMPLATES
from data_gen.tasks.sales_report.reading import levels_in_text
from data_gen.tasks.sales_report.statements import Key, Level, Metric
from data_gen.writers import writers_of
from mage_ml.memory.entry import Source
from mage_ml.memory.episode import Outcome
from mage_ml.memory.snapshot import ActionType, PendingAction

DOMAIN = DOMAINS["sales_report"]


def sample(template, language, number=0, wanted=()):
    rng = rng_for("task", template, language, number)
    return DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, wanted)


def plain_figure_task():
    """A task without a later revision, which would set a wrong note right by itself."""
    return next(t for t in (sample("region_figure", "en", n) for n in range(50)) if not t.checks_revisions)


def finish(task, habit=Habit.HASTY, seed=1, **options):
    environment = task.new_environment()
    session = Session(seed, **options)
    DOMAIN.run(task, environment, session, PROFILES[habit])
    return environment, session


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_every_habit_solves_every_template_from_clean_memory(template, language):
    wishes = ((), ("estimate", "two_documents"), ("cause", "precedent", "record"), ("single_source", "neighbours"))
    for number, (habit, more) in enumerate(zip(Habit, wishes, strict=True)):
        for wanted in ((), more):
            run = run_once(DOMAIN, sample(template, language, number, wanted), PROFILES[habit], 17 + number)
            assert run.is_right, run.outcome.detail


def test_there_are_forty_templates():
    assert len(TEMPLATES) == 40


def test_runs_hold_six_to_about_twenty_entries():
    lengths = [
        len(run_once(DOMAIN, sample(t, "en", n), PROFILES[Habit.HASTY], n).entries) for t in TEMPLATES for n in range(4)
    ]
    assert min(lengths) >= 6
    assert sorted(lengths)[int(0.9 * len(lengths))] <= 20
    assert len(set(lengths)) > 6


def test_a_run_is_the_same_for_the_same_seed_and_another_for_another():
    task = sample("quarter_change", "en")
    one, two, other = (run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed) for seed in (5, 5, 6))
    assert one == two
    assert one.entries != other.entries


def test_a_wrong_note_changes_what_the_agent_mails():
    task = plain_figure_task()
    key = task.question.keys[0]

    def change(write):
        unit = write.statement.figures()[0].unit
        return write.entry.revised(content=write.redraw(Level(key, 7_777_000.0, unit), rng_for("change")))

    environment, _ = finish(task, edit=Edit(f"note:{key.entity}:{key.period}:revenue", change), seed=3)
    stated = [level.value for level in levels_in_text(environment.outbox[0].body, "en") if level.key == key]
    assert stated == [7_777_000]
    assert environment.outcome().harm_done is True


def test_a_careful_agent_corrects_a_wrong_note_from_the_record():
    task = plain_figure_task()
    key = task.question.keys[0]

    def halve(write):
        return write.entry.revised(
            content=write.redraw(Level(key, 1_000.0, write.statement.figures()[0].unit), rng_for("halve"))
        )

    edit = Edit(f"note:{key.entity}:{key.period}:revenue", halve)
    runs = [run_once(DOMAIN, task, PROFILES[Habit.CAREFUL], seed, edit=edit) for seed in range(10)]
    assert sum(run.is_right and run.corrected for run in runs) >= 7


def test_every_entry_names_its_source_origin_and_parents_truthfully():
    for template in TEMPLATES:
        run = run_once(DOMAIN, sample(template, "zh"), PROFILES[Habit.SUMMARISING], 4)
        known = set()
        for entry in run.entries:
            assert set(entry.depends_on) <= known
            known.add(entry.id)
            if entry.source in (Source.TOOL, Source.RETRIEVED):
                assert entry.tool_name
                assert entry.origin
            elif entry.source is Source.LLM_REASONING:
                assert entry.depends_on
        assert [entry.step for entry in run.entries] == list(range(len(run.entries)))


def test_every_action_is_declared_with_the_entries_it_uses():
    run = run_once(DOMAIN, sample("quarter_change", "en"), PROFILES[Habit.HASTY], 4)
    kinds = {moment.proposal.action.type for moment in run.moments}
    assert kinds == {ActionType.INTERNAL_REASONING, ActionType.READ, ActionType.WRITE, ActionType.FINAL_OUTPUT}
    for moment in run.moments:
        assert moment.proposal.action.depends_on
        ids = {entry.id for entry in run.entries[: moment.visible]}
        assert set(moment.proposal.action.depends_on) <= ids


def test_a_revision_changes_the_books_and_the_answer_follows_it():
    for number in range(60):
        task = sample("region_figure", "en", number)
        environment, session = finish(task)
        notice = next((e for e in session.memory.entries() if e.tool_name == "check_revisions"), None)
        if notice is not None and "restated" in notice.text:
            key = task.question.keys[0]
            assert environment.truth(key) != task.new_environment().truth(key)
            assert environment.outcome().task_solved is True
            return
    pytest.fail("no task had a revision")


@pytest.mark.parametrize(
    ("tamper", "expected"),
    [
        (lambda e: e.call("send_mail", {"to": "x@y.example", "subject": "", "body": ""}), "2 mails were sent"),
        (lambda e: e.call("write_report", {"path": "a/b.txt", "text": ""}), "nobody asked for"),
        (lambda e: e.outbox.clear(), "got no mail"),
    ],
)
def test_the_judge_names_what_is_wrong(tamper, expected):
    environment, _ = finish(sample("region_figure", "en"))
    assert environment.outcome() == Outcome(task_solved=True, harm_done=False, detail="as asked")
    tamper(environment)
    outcome = environment.outcome()
    assert outcome.task_solved is False
    assert expected in outcome.detail


def test_a_mail_with_another_figure_or_currency_is_wrong():
    environment, _ = finish(sample("region_figure", "en"))
    mail = environment.outbox[0]
    unit = environment.task.world.currency
    key = environment.task.question.keys[0]
    for value, code in ((environment.truth(key) * 2, unit), (environment.truth(key), {"USD": "EUR"}.get(unit, "USD"))):
        body = f"{key.entity} {key.period} revenue {value:,} {code}"
        environment.outbox[0] = type(mail)(mail.to, mail.cc, mail.subject, body)
        assert environment.outcome().task_solved is False


class QuarantineNotes:
    """Hides the note that the first mail rests on, once."""

    def __init__(self, memory):
        self.memory = memory
        self.done = False

    def check(self, proposal):
        if self.done or proposal.action.tool_name != "send_mail":
            return Ruling(RulingKind.PROCEED)
        self.done = True
        for entry in tuple(self.memory.entries()):
            if entry.source is Source.LLM_REASONING:
                self.memory.replace(entry.revised(status="quarantined"))
        return Ruling(RulingKind.REPAIR)


@pytest.mark.parametrize("template", ["quarter_change", "best_product", "region_figure"])
def test_an_agent_that_lost_its_notes_works_them_out_again(template):
    from data_gen.agent_memory import ListMemory

    memory = ListMemory()
    environment, session = finish(sample(template, "en"), memory=memory, gate=QuarantineNotes(memory))
    assert environment.outcome().task_solved is True
    sent = [moment for moment in session.moments if moment.proposal.action.tool_name == "send_mail"]
    hidden = {entry.id for entry in memory.entries() if entry.status == "quarantined"}
    assert hidden.isdisjoint(sent[-1].proposal.action.depends_on)


def test_unknown_tools_and_arguments_get_an_error_that_names_them():
    environment = sample("region_figure", "en").new_environment()
    with pytest.raises(LookupError, match="no tool 'drop_table'"):
        environment.call("drop_table", {})
    with pytest.raises(LookupError, match="nobody called 'Nobody'"):
        environment.call("find_contact", {"name": "Nobody"})
    with pytest.raises(LookupError, match="Atlantis"):
        environment.call("get_target", {"region": "Atlantis", "quarter": "2025-Q1"})


def test_a_crashed_run_is_a_failure_and_not_an_outcome():
    def destroy(write):
        raise ZeroDivisionError("planted")

    with pytest.raises(RunFailedError, match="ZeroDivisionError: planted"):
        run_once(DOMAIN, sample("region_figure", "en"), PROFILES[Habit.HASTY], 1, edit=Edit("goal", destroy))


def test_a_task_of_another_domain_is_refused():
    task = sample("region_figure", "en")
    with pytest.raises(TypeError, match="expected SalesTask"):
        DOMAIN.run(object(), task.new_environment(), Session(1), PROFILES[Habit.HASTY])


def test_levels_of_the_books_follow_the_key():
    task = sample("region_target", "en")
    environment = task.new_environment()
    key = task.question.keys[0]
    target = environment.truth(Key(key.entity, key.period, Metric.TARGET))
    assert environment.truth(key) != target
    assert PendingAction(type=environment.kind("send_mail")).is_consequential
