"""All corpora in one table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from mage_ml.evaluation.importers import (
    agentdojo_drift,
    agentdojo_invariant,
    agentdyn,
    agentleak,
    agentrx,
    asb_drift,
    assebench,
    bipia,
    ci_tod,
    halueval,
    mirage_bench,
    notinject,
    poisonedrag,
    privacylens,
    rjudge,
    sentinel,
    stepshield,
    tau_bench,
    who_and_when,
)
from mage_ml.evaluation.importers.corpus import CorpusInfo, ImportCount, Licence
from mage_ml.memory import Episode
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

_SAFETY: Final = (RiskAxis.SAFETY,)
_FACTUALITY: Final = (RiskAxis.FACTUALITY,)


def _read_agentdyn(
    path: Path, count: ImportCount, progress: Progress = silent, *, reworded: bool = False
) -> Iterator[Episode]:
    """AgentDyn's own importer, counting as the others do."""
    importer = agentdyn.AgentDynImporter(path, reworded=reworded)
    yield from importer.episodes(progress)
    tally = importer.tally
    count.records = tally.runs
    reasons = {
        "gives the injected goal as the task": tally.goal_runs,
        "not judged": tally.unjudged,
        "ended with an error": tally.crashed,
        "could not be said in other words": tally.not_reworded,
    }
    count.left_out.update({reason: number for reason, number in reasons.items() if number})


_ALL: Final = (
    CorpusInfo(
        name=agentdyn.CORPUS,
        title="AgentDyn",
        licence=Licence.MIT,
        record_counts=(9196,),
        label="the action carries out the injected goal",
        axes=_SAFETY,
        split_key="user task",
        protocol="hijacked actions against clean runs, and against runs that read the injection and resisted",
        reader=_read_agentdyn,
        reworded=partial(_read_agentdyn, reworded=True),
    ),
    CorpusInfo(
        name=agentdojo_invariant.CORPUS,
        title="AgentDojo, Invariant Explorer export",
        licence=Licence.NONE_STATED,
        record_counts=(2134,),
        label="the action carries out the injected goal",
        axes=_SAFETY,
        split_key="user task",
        protocol="as AgentDyn; four other suites, eleven agents; evaluation only",
        reader=agentdojo_invariant.read_agentdojo_invariant,
    ),
    CorpusInfo(
        name=agentdojo_drift.CORPUS,
        title="AgentDojo, DRIFT-defended agent",
        licence=Licence.MIT,
        record_counts=(949,),
        label="the action carries out the injected goal",
        axes=_SAFETY,
        split_key="user task",
        protocol="no clean runs: hijacked actions against runs that read the injection and resisted",
        reader=agentdojo_drift.read_agentdojo_drift,
    ),
    CorpusInfo(
        name=asb_drift.CORPUS,
        title="Agent Security Bench, DRIFT-defended agent",
        licence=Licence.MIT,
        record_counts=(800,),
        label="the attacker's tool is called",
        axes=_SAFETY,
        split_key="agent and task",
        protocol="calls of the attacker's tool against clean runs; report those with the injection in memory apart",
        reader=asb_drift.read_asb_drift,
    ),
    CorpusInfo(
        name=rjudge.CORPUS,
        title="R-Judge",
        licence=Licence.APACHE,
        record_counts=(243, 564),
        label="people judged the agent's behaviour unsafe",
        axes=_SAFETY,
        split_key="first line of the first turn",
        protocol="accuracy on the last agent turn of each record, group split",
        reader=rjudge.read_rjudge,
    ),
    CorpusInfo(
        name=assebench.CORPUS,
        title="ASSEBench security, with AgentHarm records",
        licence=Licence.APACHE,
        record_counts=(487, 993),
        label="people judged the agent's behaviour unsafe",
        axes=(RiskAxis.SAFETY, RiskAxis.DEPENDENCY, RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY),
        split_key="first line of the first turn",
        protocol="accuracy on the last agent turn of each record that is not ambiguous",
        reader=assebench.read_assebench,
    ),
    CorpusInfo(
        name=stepshield.CORPUS,
        title="StepShield",
        licence=Licence.CC_BY,
        record_counts=(574, 1278),
        label="the step is a rogue one",
        axes=stepshield.AXES,
        split_key="pair of runs",
        protocol="recall on rogue runs against false alarms on their clean twins",
        reader=stepshield.read_stepshield,
    ),
    CorpusInfo(
        name=ci_tod.CORPUS,
        title="CI-ToD",
        licence=Licence.MIT,
        record_counts=(2024,),
        label="the answer contradicts the request or history (consistency), or the knowledge base (factuality)",
        axes=ci_tod.AXES,
        split_key="dialogues that share a knowledge base or a first request",
        protocol="F1 by flag: operator holds qi, hi, kbi",
        reader=ci_tod.read_ci_tod,
    ),
    CorpusInfo(
        name=who_and_when.CORPUS,
        title="Who&When",
        licence=Licence.MIT,
        record_counts=(87, 184),
        label="the decisive mistake of a failed run, or an action that comes after it",
        axes=who_and_when.AXES,
        split_key="question, shared with AgentRx",
        protocol="the decisive step among all steps of a log, top 1",
        reader=who_and_when.read_who_and_when,
    ),
    CorpusInfo(
        name=agentrx.CORPUS,
        title="AgentRx",
        licence=Licence.MIT,
        record_counts=(79, 188),
        label="a failing step, or an action after the root cause",
        axes=agentrx.AXES,
        split_key="task; question, shared with Who&When",
        protocol="the step of the root cause among all steps, top 1; passed runs are the negatives",
        reader=agentrx.read_agentrx,
    ),
    CorpusInfo(
        name=tau_bench.CORPUS,
        title="tau-bench",
        licence=Licence.MIT,
        record_counts=(288,),
        label="weak: the first effective writing call that is not a gold one",
        axes=tau_bench.AXES,
        split_key="task",
        protocol="false alarms on the tool calls of solved runs; carriers for injected errors",
        reader=tau_bench.read_tau_bench,
    ),
    CorpusInfo(
        name=mirage_bench.CORPUS,
        title="MIRAGE-Bench",
        licence=Licence.APACHE,
        record_counts=(354,),
        label="a wrong explanation in memory, or an action repeated again; most snapshots have no verdict",
        axes=(RiskAxis.FACTUALITY, RiskAxis.DEPENDENCY, RiskAxis.CONSISTENCY),
        split_key="goal",
        protocol="the entry that holds the inserted explanation, top 1",
        reader=mirage_bench.read_mirage_bench,
    ),
    CorpusInfo(
        name=sentinel.CORPUS,
        title="Agent-trajectory Sentinel",
        licence=Licence.APACHE,
        record_counts=(1655,),
        label="an injected fault has reached the agent",
        axes=sentinel.AXES,
        split_key="task",
        protocol="whole runs by their highest score, at equal length; hidden injectors apart",
        reader=sentinel.read_sentinel,
    ),
    CorpusInfo(
        name=agentleak.CORPUS,
        title="AgentLeak",
        licence=Licence.MIT,
        record_counts=(665, 4979),
        label="the message passes on a field that it must not",
        axes=agentleak.AXES,
        split_key="scenario",
        protocol="leaking messages left, by channel, against messages without a leak",
        reader=agentleak.read_agentleak,
    ),
    CorpusInfo(
        name=privacylens.CORPUS,
        title="PrivacyLens",
        licence=Licence.MIT,
        record_counts=(493,),
        label="the message holds the sensitive items; the actions are constructed",
        axes=_SAFETY,
        split_key="record",
        protocol="constructed leaks against constructed harmless actions of the same record",
        reader=privacylens.read_privacylens,
    ),
    CorpusInfo(
        name=halueval.CORPUS,
        title="HaluEval, general queries",
        licence=Licence.MIT,
        record_counts=(4507,),
        label="people marked the answer as hallucinated; no evidence is given",
        axes=_FACTUALITY,
        split_key="query",
        protocol="auxiliary: answers marked as hallucinated against the others",
        reader=halueval.read_halueval,
    ),
    CorpusInfo(
        name=poisonedrag.CORPUS,
        title="PoisonedRAG",
        licence=Licence.MIT,
        record_counts=(300,),
        label="the answer is the one the passages were planted for; the actions are constructed",
        axes=_FACTUALITY,
        split_key="question",
        protocol="the wrong against the right answer, with the same passages in memory",
        reader=poisonedrag.read_poisonedrag,
    ),
    CorpusInfo(
        name=bipia.CORPUS,
        title="BIPIA, e-mails",
        licence=Licence.MIT,
        record_counts=(350,),
        label="the answer holds the attacker's code; the actions are constructed",
        axes=_SAFETY,
        split_key="e-mail",
        protocol="answers with the attacker's code against right answers; test attacks for evaluation only",
        reader=bipia.read_bipia,
    ),
    CorpusInfo(
        name=notinject.CORPUS,
        title="NotInject",
        licence=Licence.MIT,
        record_counts=(notinject.EXPECTED_RECORDS,),
        label="harmless: every alarm is a false one",
        axes=tuple(RiskAxis),
        split_key="prompt",
        protocol="share of prompts left alone in each of three places; evaluation only",
        reader=notinject.import_notinject,
    ),
)

CORPORA: Final = MappingProxyType({info.name: info for info in _ALL})
"""Name -> what is known about the corpus, and its importer."""
