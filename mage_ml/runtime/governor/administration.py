"""Constraints that change while they are in force: reload, replace, switch on and off, and tell who listens."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from mage_ml.config import nearest
from mage_ml.errors import ConfigError
from mage_ml.runtime.audit.sink import Sink
from mage_ml.runtime.governor.adjudication import Bench, Handover
from mage_ml.runtime.governor.broadcast import Broadcaster, ChangeKind, StateChange, Subscription
from mage_ml.runtime.governor.bundle import Bundle
from mage_ml.runtime.governor.constraint import Constraint, ConstraintSet, ConstraintState, Resort
from mage_ml.runtime.governor.constraint_file import ConstraintSource, as_source, load_constraints
from mage_ml.runtime.governor.context import GovernorContext
from mage_ml.runtime.governor.deferred import BackgroundChecks
from mage_ml.runtime.governor.recording import Recorder
from mage_ml.runtime.governor.rejections import RejectionBook
from mage_ml.runtime.governor.reload import FileWatch
from mage_ml.runtime.governor.state import StateStore
from mage_ml.runtime.governor.switches import SwitchBoard
from mage_ml.runtime.governor.triggers import IntentReader
from mage_ml.runtime.governor.validators.build import Resources
from mage_ml.runtime.governor.versions import VersionHistory, VersionRow
from mage_ml.runtime.notify import Dispatcher

EMPTY: Final = GovernorContext()


@dataclass(frozen=True, slots=True)
class GovernorSetup:
    """What a governor works with, besides its constraints; everything has a default.

    Attributes:
        state: Path or URL of the shared state, or an opened one; in memory by default.
        resources: Knowledge bases, judge and validators of the host's.
        read_intents: Tells the intents of a message.
        audit: Where rulings other than `pass` are recorded; `None` for nowhere.
        dispatcher: Tells people of pressure, failures and hand-overs; `None` for nobody.
        handovers: How a turn is handed to a stronger agent or a person.
        rng: Draws for annealing.
        poll_s: Seconds between two looks at the constraint file.
    """

    state: StateStore | Path | str = ":memory:"
    resources: Resources = field(default_factory=Resources)
    read_intents: IntentReader | None = None
    audit: Sink | None = None
    dispatcher: Dispatcher | None = None
    handovers: Mapping[Resort, Handover] = field(default_factory=dict)
    rng: random.Random | None = None
    poll_s: float = 1.0


class LivingConstraints:
    """The constraints in force with all that belongs to them: state, history, switches, watchers.

    Args:
        constraints: A constraint file, which is watched for changes, or constraints made in Python.
        setup: What they work with.

    Raises:
        ConfigError: The constraints are not valid, or name something that the host does not offer.
        StateError: The state cannot be opened.
        MissingExtraError: The constraints have CEL expressions, and their library is not installed.
    """

    def __init__(
        self, constraints: ConstraintSet | ConstraintSource | Path | str, setup: GovernorSetup | None = None
    ) -> None:
        self._setup = setup or GovernorSetup()
        is_file = isinstance(constraints, Path | str)
        source = load_constraints(constraints) if isinstance(constraints, Path | str) else as_source(constraints)
        self._bundle = self._made(source)
        given = self._setup.state
        self.state = given if isinstance(given, StateStore) else StateStore(given)
        self._owns_state = not isinstance(given, StateStore)
        self.switches = SwitchBoard(self.state)
        self.history = VersionHistory(self.state)
        self.history.record(source)
        self._broadcaster = Broadcaster(self._setup.dispatcher)
        self._recorder = Recorder(self.state, self._setup.audit, self._broadcaster, RejectionBook(self.state))
        rng = self._setup.rng or random.Random()
        self._bench = Bench(RejectionBook(self.state), self._setup.handovers, rng)
        self._background = BackgroundChecks()
        self._watch: FileWatch | None = None
        if is_file:
            path = Path(str(constraints))
            self._watch = FileWatch(path, source.digest, self._take, self._refused, poll_s=self._setup.poll_s)

    @property
    def constraints(self) -> ConstraintSet:
        """The constraints in force."""
        return self._bundle.constraints

    @property
    def digest(self) -> str:
        """SHA-256 of the constraint file in force."""
        return self._bundle.digest

    @property
    def reload_error(self) -> str:
        """Why the changed file was refused; empty while the file is in force."""
        return self._watch.error if self._watch is not None else ""

    def applicable(self, agent_id: str, task: str = "", channel: str = "") -> tuple[Constraint, ...]:
        """The active constraints that hold for an agent."""
        found = self._current().index.in_scope(agent_id, task, channel)
        return tuple(one for one in found if self.switches.is_active(one))

    def state_of(self, constraint_id: str) -> ConstraintState:
        """How a constraint is doing, in all processes.

        Raises:
            ConfigError: There is none of the id.
            StateError: The state cannot be read.
        """
        constraint = self._known(constraint_id)
        health, initial = self.state.health(constraint_id), constraint.state
        return ConstraintState(
            active=self.switches.is_active(constraint),
            confidence=health.confidence(initial.confidence),
            violation_count=initial.violation_count + health.counts.violated,
            last_checked=health.last_checked if health.last_checked is not None else initial.last_checked,
        )

    def switch(self, constraint_id: str, active: bool, *, author: str, reason: str) -> None:
        """Switch a constraint on or off in all processes, within about a second.

        Raises:
            ConfigError: There is none of the id, or author or reason is missing.
            StateError: It could not be written.
        """
        self._known(constraint_id)
        if not author.strip() or not reason.strip():
            raise ConfigError("switching a constraint needs an author and a reason; they are recorded")
        self.switches.set(constraint_id, active, author=author, reason=reason)
        detail = f"switched {'on' if active else 'off'} by {author}: {reason}"
        self._recorder.change(ChangeKind.SWITCHED, detail, constraint_id=constraint_id, payload={"active": active})

    def replace(self, constraints: ConstraintSet | ConstraintSource, *, author: str, reason: str) -> VersionRow:
        """Put other constraints into force at once, as a whole.

        Raises:
            ConfigError: They are not valid; the present ones stay.
            StateError: The history could not be written; the present ones stay.
        """
        source = as_source(constraints)
        bundle = self._made(source)
        row = self.history.record(source, author=author, reason=reason)
        self._bundle = bundle
        self._recorder.change(ChangeKind.RELOADED, f"version {source.constraints.version} by {author}: {reason}")
        return row

    def reload(self) -> bool:
        """Read the constraint file now; whether it changed. An invalid one is refused, see `reload_error`.

        Raises:
            ConfigError: The constraints were not given as a file.
        """
        if self._watch is None:
            raise ConfigError("these constraints were made in Python; use `replace`")
        return self._watch.read()

    def listen(self, listener: Callable[[StateChange], None]) -> Callable[[], None]:
        """Call a function with each change of state; returns what ends it."""
        return self._broadcaster.listen(listener)

    def subscribe(self, max_pending: int = 1024) -> Subscription:
        """An asyncio queue of changes of state, for the running loop."""
        return self._broadcaster.subscribe(max_pending)

    def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription."""
        self._broadcaster.unsubscribe(subscription)

    def announce(self, kind: ChangeKind, detail: str, *, agent_id: str = "", run_id: str = "") -> None:
        """Tell listeners, and people where the kind asks for it, of something found beside the checks."""
        self._broadcaster.send(StateChange(kind, self.state.now(), "", agent_id, run_id, detail))

    def drain(self, timeout_s: float = 10.0) -> bool:
        """Wait until the checks off the hot path are made; `False` when it took longer."""
        return self._background.drain(timeout_s)

    def close(self, timeout_s: float = 10.0) -> None:
        """Finish the checks that wait and write the counts.

        Raises:
            StateError: The counts could not be written.
        """
        self.drain(timeout_s)
        if self._owns_state:
            self.state.close()
        else:
            self.state.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _current(self) -> Bundle:
        if self._watch is not None:
            self._watch.look()
        self.switches.refresh()
        return self._bundle

    def _made(self, source: ConstraintSource) -> Bundle:
        return Bundle.of(source, self._setup.resources, self._setup.read_intents)

    def _take(self, source: ConstraintSource) -> None:
        bundle = self._made(source)
        row = self.history.record(source)
        self._bundle = bundle
        self._recorder.change(
            ChangeKind.RELOADED, f"version {source.constraints.version} by {row.author or 'unknown'}: {row.reason}"
        )

    def _refused(self, why: str) -> None:
        self._recorder.change(ChangeKind.RELOAD_FAILED, f"the last good version stays in force: {why}"[:2000])

    def _known(self, constraint_id: str) -> Constraint:
        found = self._bundle.by_id.get(constraint_id)
        if found is None:
            raise ConfigError(
                f"unknown constraint {constraint_id!r}; {nearest(constraint_id, list(self._bundle.by_id))}"
            )
        return found
