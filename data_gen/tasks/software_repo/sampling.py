"""Draws tasks: which jobs, for whom, with what besides."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.drawing import draw_precedents
from data_gen.tasks.software_repo.asking import GOALS, with_goal
from data_gen.tasks.software_repo.attributes import MEANINGS, Attribute, Measure
from data_gen.tasks.software_repo.catalogue_more import RECIPES
from data_gen.tasks.software_repo.comments import Chat, Setting, draw_comments, draw_precedent
from data_gen.tasks.software_repo.findings import Amount
from data_gen.tasks.software_repo.forge import revised
from data_gen.tasks.software_repo.judge import true_values
from data_gen.tasks.software_repo.nouns import ENVIRONMENTS, LEVELS, SERVICES, NameKind, draw_name, handle, path
from data_gen.tasks.software_repo.reading import UNSURE, read_record
from data_gen.tasks.software_repo.recipes import Area, Job, Look, Rule
from data_gen.tasks.software_repo.records import draw_records
from data_gen.tasks.software_repo.remarks import Cap, Clearance, Support
from data_gen.tasks.software_repo.task import Part, RepoTask, figures_of
from data_gen.tasks.software_repo.world import Member, Records, World
from data_gen.texts import names
from data_gen.texts.grammar import expand

PREFIX: Final = "software_repo_"
TEMPLATES: Final = tuple(PREFIX + name for name in RECIPES)
OFFERS: Final = frozenset(Need)
_TITLES: Final = {
    "en": ("maintainer", "release manager", "engineer on call", "tech lead", "support engineer"),
    "zh": ("维护者", "发布经理", "值班工程师", "技术负责人", "支持工程师"),
}
_POLICY: Final = {"en": "merge-policy", "zh": "合并规范"}
_ROLES: Final = (
    "service", "service_b", "gateway", "env", "env_b", "package", "package_b", "issue", "issue_b", "issue_c", "pull",
    "pull_b", "job", "job_b", "commit", "commit_b", "incident", "incident_b", "key", "key_b", "member", "path",
    "experiment", "policy",
)  # fmt: skip
_KINDS: Final = MappingProxyType(
    {
        "service": NameKind.SERVICE, "gateway": NameKind.SERVICE, "package": NameKind.PACKAGE,
        "issue": NameKind.ISSUE, "pull": NameKind.PULL, "commit": NameKind.COMMIT, "key": NameKind.KEY,
        "member": NameKind.PERSON,
    }
)  # fmt: skip


class _Names:
    """Names drawn for one task, each once."""

    def __init__(self, language: str, rng: Rng) -> None:
        self.language, self.rng = language, rng
        self.taken: set[str] = set()
        self.envs = rng.sample(ENVIRONMENTS[language], 2)

    def draw(self, role: str) -> str:
        """A name for a role."""
        kind = role.split("_")[0]
        if kind == "env":
            return self.envs[role != "env"]
        if kind == "policy":
            return _POLICY[self.language]
        while True:
            found = self._one(kind)
            if found not in self.taken:
                self.taken.add(found)
                return found

    def _one(self, kind: str) -> str:
        if kind in _KINDS:
            return draw_name(_KINDS[kind], self.language, self.rng)
        number = self.rng.randint
        drawn = {"job": f"job-{number(2100, 9800)}", "incident": f"INC-{number(210, 980)}", "path": path(self.rng),
                 "experiment": f"exp-{number(210, 980)}"}  # fmt: skip
        return drawn[kind]


def suits(recipe: Job, need: Need) -> bool:
    """Whether a recipe by itself gives what an operator needs."""
    match need:
        case Need.FIGURE | Need.REVISION | Need.ESTIMATE:
            return bool(recipe.measures)
        case Need.CONCLUSION:
            return any(isinstance(MEANINGS[found.topic.attribute].kind, Measure) for found in recipe.infers)
        case Need.NAME:
            return any(isinstance(MEANINGS[found.topic.attribute].kind, NameKind) for found in recipe.findings)
        case Need.NEGATION:
            return recipe.decides
        case Need.NEIGHBOURS:
            return any(look.area in (Area.PLAN, Area.CONFIG, Area.METRICS, Area.LOG) for look in recipe.measures)
        case Need.RECORD:
            return any(look.area is Area.LOG for look in recipe.measures)
        case _:
            return True


def sample_task(template: str, language: str, writer: str, rng: Rng, wanted: frozenset[Need]) -> RepoTask:
    """Draw a task; what it holds besides its job is independent of each other, except for what is wanted."""
    recipe = RECIPES[template.removeprefix(PREFIX)]
    lacking = [need for need in wanted if not suits(recipe, need)]
    recipes = [recipe]
    if lacking or rng.random() < 0.35:
        others = [other for other in RECIPES.values() if other.name != recipe.name]
        fitting = [other for other in others if all(suits(other, need) for need in lacking)]
        recipes.append(rng.choice(fitting))
    while True:
        drawn = _draw_forge(recipes, language, rng, cap=Need.RULE in wanted or Need.SUBJECT in wanted)
        if drawn is not None:
            break
    return _around(template, writer, drawn, wanted, rng)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A forge whose questions have clear answers, before and after a correction."""

    parts: tuple[Part, ...]
    names: _Names
    world: World
    revision: str | int | None
    cap: Cap | None


def _draw_forge(recipes: list[Job], language: str, rng: Rng, *, cap: bool) -> _Drawn | None:
    pool = _Names(language, rng)
    parts = tuple(Part(recipe, {role: pool.draw(role) for role in _ROLES}) for recipe in recipes)
    jobs = tuple(part.job(language) for part in parts)
    roles = {f"{role}_{i}": name for i, part in enumerate(parts) for role, name in part.roles.items()}
    ceiling = Cap(pool.draw("service"), pool.envs[0], 0) if cap or rng.random() < 0.15 else None
    plans = (Job("cap", (Look("cap", jobs[0].looks[0].topic, Area.PLAN, ceiling.service, ""),)),) if ceiling else ()
    records = draw_records((*jobs, *plans), language, roles, rng)
    members: dict[str, Member] = {}
    company = names.company(rng)
    while len(members) < 5:
        name = pool.draw("member")
        members[name] = Member(name, names.pick(_TITLES[language], rng), names.mailbox(name, company, language))
    world = World(language, company, tuple(members.values()), records)
    first = next((look for job in jobs for look in job.measures), None)
    value = None if first is None else _corrected(first, records, language, rng)
    states = [records] if first is None or value is None else [records, revised(records, first, value)]
    if not all(_is_clear(job, state, language) for job in jobs for state in states):
        return None
    return _Drawn(parts, pool, world, value, _with_limit(ceiling, records, language, rng))


def _with_limit(cap: Cap | None, records: Records, language: str, rng: Rng) -> Cap | None:
    """A cap that mostly binds."""
    if cap is None:
        return None
    path = f"wanted|{cap.environment}|memory"
    found = read_record(records[Area.PLAN, cap.service], path, Attribute.MEMORY, language)
    assert isinstance(found, Amount)
    factor = rng.uniform(0.4, 0.85) if rng.random() < 0.75 else rng.uniform(1.1, 1.6)
    return Cap(cap.service, cap.environment, 16 * max(2, round(found.number * factor / 16)))


def _corrected(look: Look, records: Records, language: str, rng: Rng) -> str | int:
    kind = MEANINGS[look.topic.attribute].kind
    found = read_record(records[look.area, look.item], look.path, look.topic.attribute, language)
    assert isinstance(found, Amount)
    assert isinstance(kind, Measure)
    number = found.number
    while number == found.number or number <= 0:
        factor = rng.uniform(0.6, 0.93) if rng.random() < 0.5 else rng.uniform(1.07, 1.5)
        number = round(kind.step * round(found.number * factor / kind.step), 1) + rng.choice((0, 0, 1)) * kind.step
        number = min(99.4, round(number, 1)) if found.unit == "%" else number
    return Amount(number, found.unit).written() if found.unit else int(number)


def _is_clear(job: Job, records: Records, language: str) -> bool:
    """Whether comparisons in a job do not end in a draw."""
    values = true_values(job, records, language)
    for found in job.infers:
        inputs = [values.of(key) for key in found.inputs]
        if found.rule not in (Rule.SUM, Rule.AT_LEAST, Rule.AT_MOST) and len(set(inputs)) < len(inputs):
            return False
    return True


def _around(template: str, writer: str, drawn: _Drawn, wanted: frozenset[Need], rng: Rng) -> RepoTask:
    language, world, pool = drawn.world.language, drawn.world, drawn.names
    jobs = tuple(part.job(language) for part in drawn.parts)
    setting = Setting(language, world.company, drawn.parts[0].roles["service"], figures_of(jobs, language))
    measured = next((look for job in jobs for look in job.measures), None)
    wants_cause = Need.CAUSE in wanted or rng.random() < 0.25
    cause = setting.sentence("phrase", rng) if wants_cause and rng.random() < 0.7 else None
    cause = cause[:1].lower() + cause[1:] if cause is not None and language == "en" else cause
    needs_message = not wanted.isdisjoint((Need.CAUSE, Need.RESTATED_GOAL))
    message = needs_message or rng.random() < 0.92
    copies = tuple(names.address(rng, world.company) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)) if message else 0))
    extras = (names.address(rng, world.company),) if message and rng.random() < 0.12 else ()
    packages = (pool.draw("package"),) if rng.random() < 0.2 else ()
    invited = (handle(rng),) if rng.random() < 0.2 else ()
    told = draw_precedents(wanted, rng)
    is_revised = measured is not None and (Need.REVISION in wanted or rng.random() < 0.25)
    wants_chat = measured is not None and (Need.ESTIMATE in wanted or rng.random() < 0.2)
    task = RepoTask(
        template=template,
        language=language,
        writer=writer,
        goal="",
        company=world.company,
        world=world,
        parts=drawn.parts,
        wants_message=message,
        copies=copies,
        extra_messages=extras,
        packages=packages,
        invited=invited,
        wants_cause=wants_cause and message,
        true_cause=cause,
        support=_support(pool, Need.SINGLE_SOURCE in wanted, rng),
        cap=drawn.cap,
        clearance=_clearance(pool, Need.PERMISSION in wanted, rng),
        papers=draw_comments(setting, cause, wanted, rng),
        papers_first=rng.random() < 0.5,
        precedents=tuple(draw_precedent(setting, rng, plain=plain) for plain in told),
        chat=_chat(measured, drawn, setting, rng) if measured is not None and wants_chat else None,
        remark=_remark(setting, rng),
        revision=drawn.revision if is_revised else None,
        checks_corrections=is_revised or rng.random() < 0.15,
        branches=tuple(draw_name(NameKind.BRANCH, language, rng) for _ in range(rng.randint(2, 5))),
        lists_branches=rng.random() < 0.2,
        house_rule=expand(GOALS[language], "rules", rng) if rng.random() < 0.3 else None,
        restates=message and (Need.RESTATED_GOAL in wanted or rng.random() < 0.45),
        damage=rng.getrandbits(32) if Need.RECORD in wanted or rng.random() < 0.15 else None,
        waits=rng.choice((1, 2, 3)) if rng.random() < 0.12 else 0,
    )
    return with_goal(task, rng)


def _remark(setting: Setting, rng: Rng) -> Passage | None:
    slot = setting.slot(rng)
    return Passage((slot,)) if rng.random() < 0.4 else None


def _support(pool: _Names, wanted: bool, rng: Rng) -> Support | None:
    issue, one, other = pool.draw("issue"), handle(rng), handle(rng)
    if not wanted and rng.random() > 0.2:
        return None
    alike = wanted or rng.random() < 0.4
    return Support(issue, (one, one if alike else other))


def _clearance(pool: _Names, wanted: bool, rng: Rng) -> Clearance | None:
    member = pool.draw("member")
    asked = tuple(rng.sample(SERVICES[pool.language], rng.choice((1, 2, 3, 3))))
    if not wanted and rng.random() > 0.15:
        return None
    return Clearance(member, names.pick(LEVELS, rng), asked, names.pick(asked, rng))


def _chat(look: Look, drawn: _Drawn, setting: Setting, rng: Rng) -> Chat:
    """A rough figure for a number, well off the mark."""
    language = setting.language
    rough = _corrected(look, drawn.world.records, language, rng)
    meaning, author = MEANINGS[look.topic.attribute], names.person(language, rng)
    subject, unsure = look.topic.named(language), names.pick(UNSURE[language], rng)
    fields = {"author": author, "subject": subject, "attribute": names.pick(meaning.words(language), rng)}
    return Chat(author, setting.sentence("chat", rng, amount=str(rough), unsure=unsure, **fields))
