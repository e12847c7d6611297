"""What a rule forbids by name is found in an action, and nothing that only speaks of it."""

import pytest

from mage_ml.errors import EvaluatorError
from mage_ml.runtime.governor import ConstraintGovernor, GovernorContext, Resources, parse_constraints
from mage_ml.runtime.governor.administration import GovernorSetup
from mage_ml.runtime.governor.constraint import Constraint
from mage_ml.runtime.governor.context import Question, Utterance
from mage_ml.runtime.governor.prohibitions import broken_by, check_prohibitions
from mage_ml.runtime.governor.validator_specs import OwnSpec

BROKEN = [
    ("DO NOT use --legacy-peer-deps or --force flags", {"command": "npm install --legacy-peer-deps"}),
    ("Never use 'docker system prune'.", {"command": "docker system prune -af"}),
    ("Do NOT use rm -rf", {"command": "cd /tmp && rm -rf /var/log/app"}),
    ("DO NOT use sudo or run as root", {"command": "sudo pip3 install numpy"}),
    ("Do NOT edit files under prisma/migrations/.", {"path": "svc/prisma/migrations/2026/m.sql"}),
    ("Do NOT modify production config files", {"file": "config/production.yaml"}),
    ("不得使用 `--force` 参数。", {"command": "git push --force"}),
    ("Do not use --force.", {"command": "git push \u2010\u2010force".replace("\u2010", "-")}),
]
SILENT = [
    ("DO NOT use --force flags", {"command": "npm install --force-color"}),
    ("DO NOT use --force flags", {"command": "echo 'never use --force'"}),
    ("DO NOT use --force flags", {"path": "NOTES.md", "content": "We did not use --force."}),
    ("Do NOT use rm -rf", {"command": "rm /tmp/one.log"}),
    ("Use --force where needed.", {"command": "git push --force"}),
    ("Do not use curl trace with headers.", {"command": "curl -I http://host.test"}),
    ("Do NOT modify test files", {"path": "src/contest.py"}),
    ("不得使用 `--force` 参数。", {"command": "git push"}),
]


@pytest.mark.parametrize(("rule", "arguments"), BROKEN)
def test_what_is_forbidden_by_name_is_found(rule, arguments):
    (breach,) = broken_by(
        [rule], "edit_file" if "path" in arguments or "file" in arguments else "run_command", arguments
    )
    assert breach.found


@pytest.mark.parametrize(("rule", "arguments"), SILENT)
def test_other_words_and_mere_mentions_are_not(rule, arguments):
    assert broken_by([rule], "edit_file" if "path" in arguments else "run_command", arguments) == ()


def test_reading_a_file_is_no_edit():
    assert broken_by(["Do NOT modify test files"], "open_file", {"path": "tests/test_a.py"}) == ()


RULES = """
constraints:
  - id: no_force
    text: "Do not use `--force`."
    validator: {kind: own, name: prohibitions}
"""


def test_a_governor_takes_the_forbidden_words_from_the_text_of_the_constraint():
    setup = GovernorSetup(resources=Resources(own={"prohibitions": check_prohibitions}))
    with ConstraintGovernor(parse_constraints(RULES, "rules.yaml"), setup) as governor:
        broken = governor.check_and_enforce("a", "", GovernorContext(arguments={"command": "git push --force"}))
        kept = governor.check_and_enforce("a", "", GovernorContext(arguments={"command": "git push"}))
    assert (broken.allowed, kept.allowed) == (False, True)
    assert broken.findings[0].offending == "--force"


def test_a_text_that_names_nothing_is_a_failure_and_no_pass():
    spec = OwnSpec(kind="own", name="prohibitions")
    constraint = Constraint(id="vague", text="Be careful.", validator=spec)
    with pytest.raises(EvaluatorError, match="forbids nothing by name"):
        check_prohibitions(Question(constraint, Utterance("a", "", GovernorContext())), spec)
