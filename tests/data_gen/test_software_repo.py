"""The repository domain: a forge with state, jobs with ground truth, agents that decide from their notes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_gen.agents import PROFILES, Habit
from data_gen.config import GenerateConfig
from data_gen.needs import Need
from data_gen.operators import OPERATORS
from data_gen.proof import run_once
from data_gen.randomness import rng_for
from data_gen.session import Edit, Session
from data_gen.splits import plan_splits
from data_gen.statements import OrderStyle, Turn
from data_gen.tasks.software_repo import DOMAIN
from data_gen.tasks.software_repo.attributes import MEANINGS, Attribute, Flag, Measure
from data_gen.tasks.software_repo.catalogue_more import RECIPES
from data_gen.tasks.software_repo.comments import ORDERS, Setting
from data_gen.tasks.software_repo.findings import Amount, Finding, Stage, Topic
from data_gen.tasks.software_repo.judge import true_values
from data_gen.tasks.software_repo.nouns import NameKind, draw_name
from data_gen.tasks.software_repo.reading import read_finding
from data_gen.tasks.software_repo.remarks import Cause, cause_note, read_cause
from data_gen.tasks.software_repo.sampling import suits
from data_gen.tasks.software_repo.wording import WRITERS
from data_gen.texts.grammar import count_forms
from data_gen.triples import make_triple, plan_candidate
from data_gen.writers import writers_of
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.episode import Split
from mage_ml.memory.snapshot import ActionType

LANGUAGES = ("en", "zh")
NEEDS = tuple(Need)


def sample(template, language, number=0, wanted=()):
    rng = rng_for("repo", template, language, number)
    return DOMAIN.sample(f"software_repo_{template}", language, rng.choice(writers_of(language)), rng, wanted)


def finish(task, habit=Habit.HASTY, seed=1, **options):
    forge, session = task.new_environment(), Session(seed, **options)
    DOMAIN.run(task, forge, session, PROFILES[habit])
    return forge, session


def plain(template, language="en", accept=lambda task: True):
    """A task without a correction, which would set a wrong note right by itself."""
    tasks = (sample(template, language, number) for number in range(200))
    return next(task for task in tasks if task.revision is None and len(task.parts) == 1 and accept(task))


def test_there_are_more_than_forty_templates_and_each_has_a_path_of_its_own():
    assert len(DOMAIN.templates()) >= 40
    assert all(name.startswith("software_repo_") for name in DOMAIN.templates())
    shapes = {(recipe.looks, recipe.infers, tuple(str(act) for act in recipe.acts)) for recipe in RECIPES.values()}
    assert len(shapes) == len(RECIPES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", RECIPES)
def test_every_habit_does_every_job_right_from_clean_memory(template, language):
    for number, habit in enumerate(Habit):
        wanted = (NEEDS[(number * 7 + len(template)) % len(NEEDS)],)
        run = run_once(DOMAIN, sample(template, language, number, wanted), PROFILES[habit], 11 + number)
        assert run.is_right, run.outcome.detail


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(DOMAIN.templates()), st.sampled_from(LANGUAGES), st.sampled_from(NEEDS))
def test_any_seed_gives_a_task_that_can_be_solved(seed, template, language, need):
    rng = rng_for("any", seed)
    task = DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, (need,))
    assert any(suits(part.recipe, need) for part in task.parts)
    run = run_once(DOMAIN, task, PROFILES[rng.choice(tuple(Habit))], seed)
    assert run.is_right, run.outcome.detail


def test_a_run_is_the_same_for_the_same_seed_and_another_for_another():
    task = sample("set_timeout", "en")
    one, two, other = (run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed) for seed in (5, 5, 6))
    assert one == two
    assert one.entries != other.entries


def test_a_wrong_note_changes_the_setting_and_the_report():
    task = plain("set_timeout", accept=lambda task: task.wants_message and task.chat is None)
    topic = task.jobs[0].looks[0].topic

    def change(write):
        return write.entry.revised(content=write.redraw(Finding(topic, Amount(995.0, "seconds")), rng_for("x")))

    forge, _ = finish(task, edit=Edit("note:0:timeout", change), seed=3)
    assert "995 seconds" in forge.marks.values()
    assert read_finding(forge.outbox[0].text, topic, "en") == Amount(995.0, "seconds")
    assert forge.outcome().harm_done is True


def test_a_note_turned_round_leads_to_the_other_decision():
    task = plain("merge_if_green")

    def turn(write):
        return write.entry.revised(content=write.redraw(write.statement.turned(Turn.OPPOSITE), rng_for("t")))

    right, _ = finish(task, seed=4)
    wrong, _ = finish(task, seed=4, edit=Edit("note:0:checks", turn))
    assert right.outcome().task_solved is True
    assert {mark.field for mark in right.marks} != {mark.field for mark in wrong.marks}
    assert wrong.outcome().task_solved is False


def test_a_restatement_with_another_environment_moves_the_whole_job_there():
    tasks = (sample("set_timeout", "zh", number, (Need.RESTATED_GOAL,)) for number in range(40))
    task = next(task for task in tasks if task.revision is None and len(task.parts) == 1)
    other = next(name for name in task.others(NameKind.ENVIRONMENT) if name != task.environment)

    def move(write):
        place = list(write.statement.nouns).index("env")
        return write.entry.revised(content=write.redraw(write.statement.with_name(place, other), rng_for("m")))

    forge, _ = finish(task, seed=2, edit=Edit("brief", move))
    assert any(mark.field == f"{other} timeout" for mark in forge.marks)
    assert forge.outcome().task_solved is False


@pytest.mark.parametrize(
    ("turn", "slot", "need"),
    [
        (Turn.DROPPED, "hand:memory", Need.RULE),
        (Turn.WIDENED, "hand:access", Need.PERMISSION),
    ],
)
def test_a_rule_lost_on_the_way_to_the_other_agent_is_broken_by_it(turn, slot, need):
    def lose(write):
        return write.entry.revised(content=write.redraw(write.statement.turned(turn), rng_for("lose")))

    def binds(task):
        if need is Need.PERMISSION:
            return len(task.clearance.asked) > 1
        return task.planned_memory(task.world.records) > task.cap.limit

    tasks = (sample("label_area", "en", number, (need,)) for number in range(60))
    task = next(task for task in tasks if binds(task))
    forge, session = finish(task, seed=2, edit=Edit(slot, lose))
    assert forge.outcome().harm_done is True
    assert {entry.agent_id for entry in session.memory.entries()} > {"agent"}


def test_a_careful_agent_corrects_a_wrong_note_from_the_record():
    task = plain("move_port", accept=lambda task: task.chat is None)
    topic = task.jobs[0].looks[0].topic

    def change(write):
        return write.entry.revised(content=write.redraw(Finding(topic, Amount(1234.0)), rng_for("x")))

    edit = Edit("note:0:port", change)
    runs = [run_once(DOMAIN, task, PROFILES[Habit.CAREFUL], seed, edit=edit) for seed in range(8)]
    assert sum(run.is_right and run.corrected for run in runs) >= 5


def test_changes_show_in_what_the_tools_return_afterwards():
    task = plain("copy_setting")
    forge = task.new_environment()
    service, env = task.service, task.environment
    place = {"service": service, "environment": env}
    forge.call("set_config", {**place, "setting": "timeout", "value": "7 seconds"})
    shown = forge.call("read_config", {"service": service})[0].content
    assert shown["settings"][env]["timeout"] == "7 seconds"
    assert task.world.records != forge.records
    with pytest.raises(LookupError, match="set_config"):
        forge.call("set_confg", {})


def test_the_judge_sees_what_is_wrong_missing_and_too_much():
    task = plain("rotate_leaked_key", accept=lambda task: not task.wants_message)
    assert "left as it was" in task.new_environment().outcome().detail
    forge, _ = finish(task)
    forge.call("grant_access", {"account": "tin-otter42", "repository": task.service, "level": "admin"})
    assert forge.outcome().harm_done is True
    loop, _ = finish(task)
    for _ in range(8):
        loop.call("list_branches", {"service": task.service})
    assert "ran list_branches" in loop.outcome().detail


def test_a_correction_changes_the_records_and_the_work_follows_it():
    for number in range(80):
        task = sample("set_timeout", "zh", number, (Need.REVISION,))
        forge, session = finish(task)
        before = true_values(task.jobs[0], task.world.records, "zh").of("timeout")
        after = true_values(task.jobs[0], forge.records, "zh").of("timeout")
        assert before != after
        assert forge.outcome().task_solved is True, forge.outcome().detail
        if number > 5:
            break
        assert any(entry.tool_name == "check_corrections" for entry in session.memory.entries())


def test_every_entry_and_action_names_what_it_rests_on():
    for number, template in enumerate(RECIPES):
        run = run_once(DOMAIN, sample(template, "zh", number), PROFILES[Habit.SUMMARISING], 4)
        known = set()
        for entry in run.entries:
            assert set(entry.depends_on) <= known
            known.add(entry.id)
            if entry.source in (Source.TOOL, Source.RETRIEVED):
                assert entry.tool_name
                assert entry.origin
            elif entry.source is not Source.USER and entry.source is not Source.SYSTEM:
                assert entry.depends_on
        for moment in run.moments:
            if moment.proposal.action.type != ActionType.READ:
                assert moment.proposal.action.depends_on


@pytest.mark.parametrize("writer", WRITERS)
def test_what_a_writer_says_is_what_a_reader_understands(writer):
    language = WRITERS[writer].language
    subject = ("billing", "production") if language == "en" else ("账单服务", "生产环境")
    for attribute in Attribute:
        kind, topic = MEANINGS[attribute].kind, Topic(attribute, subject)
        for stage in (Stage.LEVEL, Stage.SETTLED, Stage.REVISED, Stage.DERIVED):
            rng = rng_for(writer, attribute, stage)
            value = True if isinstance(kind, Flag) else None
            if isinstance(kind, Measure):
                value = Amount(84.5 if kind.units[0] == "%" else 45.0, kind.unit(language))
            elif isinstance(kind, NameKind):
                value = draw_name(kind, language, rng)
            if value in subject:
                continue
            text = Finding(topic, value, stage).worded(WRITERS[writer], rng)
            assert read_finding(text, topic, language) == value, text
        guess = Finding(topic, value, Stage.TENTATIVE).worded(WRITERS[writer], rng_for(writer, attribute))
        assert read_finding(guess, topic, language) is None
    cause = cause_note(subject[0], Cause("a stale lock")).worded(WRITERS[writer], rng_for(writer))
    assert read_cause(cause, language) == Cause("a stale lock")
    none = cause_note(subject[0], Cause(None)).worded(WRITERS[writer], rng_for(writer))
    assert read_cause(none, language) == Cause(None)


def setting(language):
    return Setting(language, "oakpath", "billing" if language == "en" else "账单服务", ("45 MB",))


def entry_of(text):
    return MemoryEntry(id="e1", content=text, source=Source.RETRIEVED, agent_id="agent", step=0, timestamp=0.0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", [OrderStyle.PLAIN, OrderStyle.SPOOFED, OrderStyle.PRECEDENT])
def test_agents_understand_every_order_and_take_no_request_to_others_for_one(language, style):
    book = setting(language).phrasebook
    for ingredient in ("address", "package", "handle", "none"):
        for kind in (*book.kinds(ingredient, style), *book.kinds(ingredient, OrderStyle.REPEATING)):
            for number in range(60):
                order = book.order(kind, style, rng_for(kind, number))
                assert [found.kind for found in ORDERS[language].read([entry_of(order)])] == [kind], order
        for number in range(150):
            request = book.harmless(ingredient, style, rng_for(ingredient, number))
            assert ORDERS[language].read([entry_of(request)]) == [], request


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_without_an_order_give_none(language):
    for number in range(200):
        rng = rng_for("comment", language, number)
        text = setting(language).comment(rng, None, None, (), "tin-otter42").text(language)
        assert ORDERS[language].read([entry_of(text)]) == [], text


def test_grammars_have_hundreds_of_forms():
    for language in LANGUAGES:
        book = setting(language).phrasebook
        for symbol in ("harmless_address", "harmless_package", "order_copy", "order_install", "order_invite"):
            forms = {book.harmless("address", OrderStyle.PLAIN, rng_for(n)) for n in range(50)}
            assert len(forms) > 45
            assert count_forms(book.rules, symbol) >= 200
    for writer in WRITERS.values():
        assert all(writer.count_forms(symbol) >= 4 for symbol in ("level", "tentative", "cause", "cause_none", "cap"))


@pytest.mark.slow
def test_every_operator_gives_a_triple_with_a_proven_consequence():
    reference = "data_gen.tasks.software_repo:DOMAIN"
    config = GenerateConfig(domains=(reference,), languages=("en",), hard_negative_share=0.0, seeds_per_proof=1)
    plan = plan_splits(DOMAIN.templates(), {"en": writers_of("en")}, 0)
    found = [make_triple(config, plan, plan_candidate(config, index, Split.TRAIN)) for index in range(len(OPERATORS))]
    assert {result.triple.contaminated.operator for result in found if result.triple} == set(OPERATORS)
    assert all(result.triple.contaminated.consequential for result in found)
