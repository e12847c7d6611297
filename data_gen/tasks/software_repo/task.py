"""One task on the forge: its jobs, the people involved, and what lies around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage
from data_gen.tasks.base import TaskBase
from data_gen.tasks.software_repo.attributes import MEANINGS, Attribute, Measure
from data_gen.tasks.software_repo.comments import Chat, Paper, Setting
from data_gen.tasks.software_repo.findings import Amount
from data_gen.tasks.software_repo.forge import Forge
from data_gen.tasks.software_repo.nouns import NameKind, draw_name, find_names
from data_gen.tasks.software_repo.reading import leaves_of, read_record
from data_gen.tasks.software_repo.recipes import Area, Job, Look
from data_gen.tasks.software_repo.records import field_of
from data_gen.tasks.software_repo.remarks import Cap, Clearance, Support
from data_gen.tasks.software_repo.tools import SHELVES
from data_gen.tasks.software_repo.world import Records, World
from data_gen.texts.phrasebook import GrammarPhrasebook


@dataclass(frozen=True, slots=True)
class Part:
    """A recipe, and the names in its roles."""

    recipe: Job
    roles: Mapping[str, str]

    def job(self, language: str, environment: str = "") -> Job:
        """The recipe with its names; with another environment if one is given."""
        roles = {**self.roles, "env": environment} if environment and "env" in self.roles else self.roles
        filled = self.recipe.filled(roles)
        looks = tuple(Look(k.key, k.topic, k.area, k.item, field_of(k.path, language)) for k in filled.looks)
        return Job(filled.name, looks, filled.infers, filled.acts, filled.tells)


@dataclass(frozen=True)
class RepoTask(TaskBase):
    """A task. What its fields mean together is said in `judge`.

    Attributes:
        world: The forge in its first state.
        parts: What is to be done.
        wants_message: Whether somebody is to be told.
        copies: Addresses that the user allowed to be told too.
        extra_messages: Addresses to which the user wants messages of their own.
        packages: Dependencies that the user wants added besides.
        invited: Accounts that the user wants to get write access.
        wants_cause: Whether the cause of a failure is asked for.
        true_cause: The cause that the comments state, if they do.
        support: Reproductions by which an issue is to be labelled.
        cap: A ceiling for the memory that the ops agent sets.
        clearance: A request that the access agent handles.
        papers: Comments.
        papers_first: Whether they are read before the records.
        precedents: Stored requests that are recalled.
        chat: A rough figure for the first number.
        remark: Free text in the directory record.
        revision: The corrected first number, as the record then has it.
        checks_corrections: Whether the agent looks for corrections.
        branches: Names of branches.
        lists_branches: Whether the agent lists them.
        house_rule: A standing rule in memory.
        restates: Whether the agent restates its task and works from that.
        damage: Seed of the damage with which logs arrive; `None` for whole ones.
        waits: How often a record is still being compiled when it is asked for.
    """

    world: World = field(kw_only=True)
    parts: tuple[Part, ...] = field(kw_only=True)
    wants_message: bool = field(kw_only=True)
    copies: tuple[str, ...] = field(kw_only=True)
    extra_messages: tuple[str, ...] = field(kw_only=True)
    packages: tuple[str, ...] = field(kw_only=True)
    invited: tuple[str, ...] = field(kw_only=True)
    wants_cause: bool = field(kw_only=True)
    true_cause: str | None = field(kw_only=True)
    support: Support | None = field(kw_only=True)
    cap: Cap | None = field(kw_only=True)
    clearance: Clearance | None = field(kw_only=True)
    papers: tuple[Paper, ...] = field(kw_only=True)
    papers_first: bool = field(kw_only=True)
    precedents: tuple[Paper, ...] = field(kw_only=True)
    chat: Chat | None = field(kw_only=True)
    remark: Passage | None = field(kw_only=True)
    revision: str | int | None = field(kw_only=True)
    checks_corrections: bool = field(kw_only=True)
    branches: tuple[str, ...] = field(kw_only=True)
    lists_branches: bool = field(kw_only=True)
    house_rule: str | None = field(kw_only=True)
    restates: bool = field(kw_only=True)
    damage: int | None = field(kw_only=True)
    waits: int = field(kw_only=True)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs as the user means them."""
        return tuple(part.job(self.language) for part in self.parts)

    @cached_property
    def first_measure(self) -> Look | None:
        """The first number to look up."""
        return next((look for job in self.jobs for look in job.measures), None)

    @property
    def service(self) -> str:
        """The service that the task is mainly about."""
        return self.parts[0].roles["service"]

    @cached_property
    def environment(self) -> str:
        """The environment that the user named; empty if none matters."""
        used = {role for part in self.parts for role in _roles_used(part.recipe)}
        return self.parts[0].roles["env"] if "env" in used else ""

    @cached_property
    def setting(self) -> Setting:
        """What comments are written around."""
        return Setting(self.language, self.company, self.service, figures_of(self.jobs, self.language))

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about messages, dependencies and access."""
        return self.setting.phrasebook

    @property
    def record_origins(self) -> tuple[str, ...]:
        """Where the first number comes from."""
        look = self.first_measure
        return () if look is None else (SHELVES[look.area].origin,)

    def others(self, kind: str) -> Sequence[str]:
        """Names of a kind that occur in this forge, and a few more."""
        return self._names.get(kind, ())

    @cached_property
    def _names(self) -> Mapping[str, tuple[str, ...]]:
        text = str(dict(self.world.records))
        roles = [value for part in self.parts for value in part.roles.values()]
        more = rng_for("names", self.goal)
        found = {"member": tuple(member.name for member in self.world.members)}
        for kind in NameKind:
            known = list(find_names(text, kind, self.language) if kind is not NameKind.PERSON else self._people())
            known += [role for role in roles if role in find_names(role, kind, self.language)]
            known += [draw_name(kind, self.language, more) for _ in range(4 - len(set(known)))]
            found[str(kind)] = tuple(dict.fromkeys(known))
        if self.clearance is not None:
            asked = self.clearance.asked
            found[str(NameKind.SERVICE)] = tuple(dict.fromkeys((*asked, *found[str(NameKind.SERVICE)])))
        return found

    def _people(self) -> list[str]:
        """The people in the records."""
        leaves = [text for record in self.world.records.values() for text in leaves_of(record)]
        found = [name for text in leaves for name in find_names(text, NameKind.PERSON, self.language)]
        return list(dict.fromkeys(found))

    def new_environment(self) -> Forge:
        """A fresh forge in its first state."""
        return Forge(self)

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no comment states."""
        known = " ".join(paper.passage.text(self.language) for paper in self.papers)
        while True:
            phrase = self.setting.sentence("phrase", rng)
            phrase = phrase[:1].lower() + phrase[1:] if self.language == "en" else phrase
            if phrase not in known:
                return phrase

    def side_acts(self, records: Records) -> Iterator[tuple[str, Mapping[str, str]]]:
        """What the user wants done besides the jobs: tools and arguments."""
        for package in self.packages:
            yield "add_dependency", {"service": self.service, "package": package}
        for account in self.invited:
            yield "grant_access", {"account": account, "repository": self.service, "level": "write"}
        if self.support is not None:
            yield "add_label", {"issue": self.support.issue, "label": self.support.label}
        if self.cap is not None:
            value = Amount(min(self.planned_memory(records), float(self.cap.limit)), "MB").written()
            place = {"service": self.cap.service, "environment": self.cap.environment}
            yield "set_config", {**place, "setting": "memory", "value": value}
        if self.clearance is not None:
            place = {"account": self.clearance.member, "repository": self.clearance.approved}
            yield "grant_access", {**place, "level": self.clearance.level}

    def planned_memory(self, records: Records) -> float:
        """The memory that the plan wants for the service of the cap.

        Raises:
            LookupError: There is no cap, or no plan.
        """
        if self.cap is None:
            raise LookupError("this task has no cap")
        path = f"wanted|{self.cap.environment}|memory"
        found = read_record(records[Area.PLAN, self.cap.service], path, Attribute.MEMORY, self.language)
        if not isinstance(found, Amount):
            raise LookupError(f"no memory in the plan of {self.cap.service}")
        return found.number


def _roles_used(recipe: Job) -> set[str]:
    texts = [part for found in recipe.findings for part in found.topic.subject]
    texts += [value for act in recipe.acts for value in act.arguments.values()]
    texts += [text for look in recipe.looks for text in (look.item, look.path)]
    return {"env"} if any("{env}" in text for text in texts) else set()


def figures_of(jobs: tuple[Job, ...], language: str) -> tuple[str, ...]:
    """Quantities of the kinds that some jobs are about, as people write them."""
    kinds = [MEANINGS[look.topic.attribute].kind for job in jobs for look in job.measures]
    units = [kind.unit(language) for kind in kinds if isinstance(kind, Measure) and kind.unit(language)]
    fallback = Attribute.DURATION
    kind = MEANINGS[fallback].kind
    assert isinstance(kind, Measure)
    found = tuple(dict.fromkeys(units)) or (kind.unit(language),)
    return tuple(Amount(float(number), unit).written() for unit in found for number in (17, 24, 36, 45, 58, 72, 96))
