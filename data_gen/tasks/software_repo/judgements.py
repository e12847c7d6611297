"""What the agent makes of comments and runs: the cause of a failure, and whether an issue is confirmed."""

from __future__ import annotations

from pydantic import JsonValue

from data_gen.desk import Look, Thought, once
from data_gen.session import AgentError, Proposal
from data_gen.tasks.software_repo.notebook import MAX_TRIES, Notebook, Reading
from data_gen.tasks.software_repo.remarks import Cause, cause_note, read_cause, read_support, support_note
from mage_ml.memory.entry import MemoryEntry


class Judgements:
    """What is judged, each time read back from the agent's own notes."""

    def __init__(self, notebook: Notebook) -> None:
        self.book = notebook
        self.task = notebook.task

    def label(self) -> Proposal:
        """The label that says whether an issue is confirmed.

        Raises:
            AgentError: It cannot be read back whether it is.
        """
        support = self.task.support
        assert support is not None
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes():
                found = read_support(entry.text, support.issue, self.task.language)
                if found is not None:
                    found, used = self._rechecked_support(found, entry.id)
                    label = "state/confirmed" if found else "state/needs-repro"
                    arguments: dict[str, JsonValue] = {"issue": support.issue, "label": label}
                    return self.book.write("add_label", arguments, (self.book.goal_id, used))
            self.book.note("support:again", self.think_of_support)
        raise AgentError("cannot read back who reproduced the issue")

    def _rechecked_support(self, found: bool, entry_id: str) -> tuple[bool, str]:
        """Compare the note on the reproductions with the runs, as often as the habit says."""
        support = self.task.support
        assert support is not None
        habit = self.book.looks_again("support")
        if habit is Look.TRUST or found is self._is_independent():
            return found, entry_id
        self.book.say("mismatch:support", "mismatch", (self.book.goal_id, entry_id), topic=support.issue)
        return self._is_independent(), self.book.note("support:fixed", self.think_of_support).id

    def _is_independent(self) -> bool:
        return len({entry.origin for entry in self.book.records("list_reproductions")}) > 1

    def think_of_support(self) -> Thought:
        """Who reproduced the issue."""
        assert self.task.support is not None
        runs = tuple(entry.id for entry in self.book.records("list_reproductions"))
        return Thought("", runs, support_note(self.task.support.issue, independent=self._is_independent()))

    def cause(self) -> Reading:
        """The cause, read back from the agent's own notes; empty if there is none.

        Raises:
            AgentError: It cannot be read back.
        """
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes():
                found = read_cause(entry.text, self.task.language)
                if found is not None:
                    return self._rechecked_cause(found, entry)
            self.book.note("cause", self._think_of_cause)
        raise AgentError("cannot read the cause back")

    def _rechecked_cause(self, found: Cause, entry: MemoryEntry) -> Reading:
        """Compare the note on the cause with the comments, as often as the habit says."""
        if self.book.looks_again("cause") is not Look.TRUST and found != self._cause_on_file():
            self.book.say("mismatch:cause", "mismatch", (self.book.goal_id, entry.id), topic=self.task.service)
            entry = self.book.note("cause:again", self._think_of_cause)
            found = read_cause(entry.text, self.task.language) or found
        return Reading(found.phrase or "", (entry.id,))

    def _cause_on_file(self) -> Cause:
        comments = self.book.records("read_comment")
        causes = [read_cause(entry.text, self.task.language) for entry in comments]
        return next((cause for cause in causes if cause is not None and cause.phrase), Cause(None))

    def _think_of_cause(self) -> Thought:
        comments = self.book.records("read_comment")
        for entry in comments:
            found = read_cause(entry.text, self.task.language)
            if found is not None and found.phrase:
                return Thought("", (entry.id,), cause_note(self.task.service, found))
        used = once([*(entry.id for entry in comments), self.book.goal_id])
        return Thought("", used, cause_note(self.task.service, Cause(None)))
