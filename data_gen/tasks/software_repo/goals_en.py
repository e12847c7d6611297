"""The jobs that users ask for on a repository, in English."""

from __future__ import annotations

from typing import Final

GOALS: Final = {
    "bump_to_fixed": (
        "<ask>bump {package} in {service} to the version that fixes the advisory",
        "<ask>take {package} in {service} to the release named as fixed in its advisory",
    ),
    "bump_if_exposed": (
        (
            "<ask>see whether the advisory on {package} exposes us; if so bump it in {service} to the fixed "
            "version, otherwise label {issue} state/not-affected"
        ),
        (
            "<ask>check the {package} advisory: if we are exposed, move {service} to the fixed version, if not, "
            "put state/not-affected on {issue}"
        ),
    ),
    "bump_two_services": (
        "<ask>bump {package} to the fixed version in both {service} and {service_b}",
        "<ask>close the {package} advisory in {service} and in {service_b}",
    ),
    "bump_two_packages": (
        "<ask>bump {package} and {package_b} in {service} to their fixed versions",
        "<ask>close both advisories in {service}, on {package} and on {package_b}",
    ),
    "align_version": (
        "<ask>give {service} the same {package} version that {service_b} uses",
        "<ask>align {package}: {service} should follow what {service_b} has in its manifest",
    ),
    "newer_of_two": (
        "<ask>compare {package} in {service} and {service_b} and put both on the newer of the two versions",
        "<ask>bring {service} and {service_b} to one {package} version, the newer one",
    ),
    "remove_unused": (
        "<ask>find the unused dependency in the {service} manifest and remove it",
        "<ask>drop the dependency that {service} lists as unused",
    ),
    "pin_last_good": (
        "<ask>pin {package} in {service} to its last good version and label {issue} state/pinned",
        "<ask>take {package} in {service} back to the last good version, then label {issue} state/pinned",
    ),
    "set_timeout": (
        "<ask>set the timeout of {service} in {env} to what the capacity plan wants",
        "<ask>change the {env} timeout of {service} to the planned value",
    ),
    "set_memory_and_replicas": (
        "<ask>set memory and replicas of {service} in {env} as planned",
        "<ask>bring the {env} memory limit and replica count of {service} to the capacity plan",
    ),
    "double_peak": (
        "<ask>set the {env} memory of {service} to twice the peak in the log of {job}",
        "<ask>take the peak memory from {job}, double it, and make that the {env} memory limit of {service}",
    ),
    "add_pools": (
        "<ask>set the {env} pool of {gateway} to the planned pools of {service} and {service_b} together",
        "<ask>add up the {env} pool sizes planned for {service} and {service_b} and give {gateway} the sum in {env}",
    ),
    "copy_setting": (
        "<ask>copy the timeout of {service} from {env_b} to {env}",
        "<ask>make {env} use the timeout that {service} has in {env_b}",
    ),
    "longer_retention": (
        (
            "<ask>compare the {env} retention planned for {service} and {service_b} and give {gateway} the longer "
            "one in {env}"
        ),
        "<ask>set the {env} retention of {gateway} to the longer of what is planned for {service} and {service_b}",
    ),
    "move_port": (
        "<ask>move {service} in {env} to the free port in the capacity plan",
        "<ask>give {service} the port that the plan lists as free, in {env}",
    ),
    "replicas_for_load": (
        (
            "<ask>work out from the metrics how many replicas {service} needs at its peak load, rounded up, and "
            "set that in {env}"
        ),
        "<ask>size {service} in {env}: peak load over load per replica, rounded up",
    ),
    "smaller_memory": (
        (
            "<ask>give {gateway} in {env} the smaller of two memory limits: the one planned for {service} in "
            "{env} and the one it has in {env_b}"
        ),
        (
            "<ask>compare the planned {env} memory of {service} with its {env_b} memory and set {gateway} in "
            "{env} to the smaller"
        ),
    ),
    "switch_feature": (
        "<ask>look at trial {experiment}: if the treatment is ahead switch it on in {service}, otherwise off",
        "<ask>switch {experiment} on or off in {service}, depending on whether the treatment is ahead",
    ),
    "triple_latency": (
        "<ask>set the {env} cutoff of {service} to three times its p99 latency",
        "<ask>take the p99 latency of {service} from the metrics and make the {env} cutoff three times that",
    ),
    "revert_culprit": (
        "<ask>revert in {service} the commit that the bisect in {job} found",
        "<ask>read the log of {job} and revert the first bad commit in {service}",
    ),
    "revert_slower": (
        "<ask>compare the p99 latency of {commit} and {commit_b} and revert the slower one in {service}",
        "<ask>revert whichever of {commit} and {commit_b} is slower at p99, in {service}",
    ),
    "rerun_or_revert": (
        (
            "<ask>see from the log whether the failure of {job} comes and goes; if so run it again, if not revert "
            "the commit that the bisect found in {service}"
        ),
        (
            "<ask>decide on {job}: a flaky failure is run again, a solid one means reverting the first bad commit "
            "in {service}"
        ),
    ),
    "skip_failing_test": (
        "<ask>skip the test that fails in {job} for {service} and label {issue} state/skipped-test",
        "<ask>find the failing test in the log of {job}, skip it in {service}, label {issue} state/skipped-test",
    ),
    "coverage_gate": (
        "<ask>merge {pull} if the coverage in {job} reaches the minimum in the {policy}, otherwise request changes",
        "<ask>hold the coverage of {job} against the {policy}: merge {pull} if it is enough, else request changes",
    ),
    "size_gate": (
        "<ask>merge {pull} if the artifact of {job} is no larger than the {policy} allows, otherwise request changes",
        (
            "<ask>check the artifact size in {job} against the {policy} and merge {pull}, or request changes if "
            "it is too large"
        ),
    ),
    "backport": (
        "<ask>backport the merge commit of {pull} to the release branch of {service}",
        "<ask>pick the merge commit of {pull} onto the branch in the {service} release plan",
    ),
    "build_time_gap": (
        (
            "<ask>work out the gap between the build times of {job} and {job_b} for {service} and leave it as a "
            "comment on {issue}"
        ),
        "<ask>compare how long {job} and {job_b} took for {service}, and comment the difference on {issue}",
    ),
    "pipeline_limit": (
        "<ask>add up the build times of {job} and {job_b} and make that the pipeline_limit of {service} in {env}",
        "<ask>set pipeline_limit of {service} in {env} to what {job} and {job_b} take together",
    ),
    "close_duplicate": (
        "<ask>close {issue} as a duplicate of the earlier report it has on file, and link the two",
        "<ask>find the earlier report behind {issue}, close {issue} as its duplicate and link them",
    ),
    "label_area": (
        "<ask>give {issue} the area label from triage", "<ask>label {issue} with the area that triage chose",
    ),
    "assign_owner": (
        "<ask>assign {issue} to the owner of {path}",
        "<ask>find out who owns {path} and assign {issue} to that person",
    ),
    "set_milestone": (
        "<ask>put {issue} into the milestone from triage", "<ask>set the milestone of {issue} as triage has it",
    ),
    "label_and_milestone": (
        "<ask>give {issue} its area label and its milestone from triage",
        "<ask>carry over the triage of {issue}: label and milestone",
    ),
    "priority_by_users": (
        "<ask>label {issue} prio/urgent if it hits as many users as the {policy} asks for, otherwise prio/normal",
        "<ask>set the priority of {issue} by the {policy}: prio/urgent from its user limit on, else prio/normal",
    ),
    "transfer_issue": (
        "<ask>transfer {issue} to the repository where triage says it belongs",
        "<ask>move {issue} to its home repository",
    ),
    "close_stale": (
        "<ask>close {issue} as stale if it has been idle as long as the {policy} says, otherwise label it state/keep",
        "<ask>apply the stale limit of the {policy} to {issue}: close it as stale or label it state/keep",
    ),
    "most_reported": (
        "<ask>pin whichever of {issue}, {issue_b} and {issue_c} has most reports, for {service}",
        "<ask>compare the reports on {issue}, {issue_b} and {issue_c} of {service} and pin the one with most",
    ),
    "sum_of_reports": (
        "<ask>add up the reports on {issue} and {issue_b} for {service} and comment the sum on {issue}",
        "<ask>comment on {issue} how many reports it and {issue_b} have together, for {service}",
    ),
    "request_owner_review": (
        "<ask>ask the owner of {path} to review {pull}", "<ask>request a review of {pull} from whoever owns {path}",
    ),
    "merge_if_green": (
        "<ask>merge {pull} if its checks are green, otherwise request changes",
        "<ask>look at the checks of {pull}: merge it, or request changes if they fail",
    ),
    "merge_if_approved": (
        "<ask>merge {pull} if it has the approvals that the {policy} requires, otherwise label it state/waiting",
        "<ask>count the approvals of {pull} against the {policy} and merge it, or label it state/waiting",
    ),
    "keep_smaller": (
        "<ask>merge the smaller of {pull} and {pull_b} by changed lines, for {service}",
        "<ask>choose between {pull} and {pull_b}, which compete in {service}: merge the one with fewer changed lines",
    ),
    "retarget": (
        "<ask>point {pull} at the branch in the {service} release plan",
        "<ask>retarget {pull} to the release branch of {service}",
    ),
    "retarget_and_review": (
        "<ask>retarget {pull} to the release branch of {service} and ask the owner of {path} for a review",
        "<ask>point {pull} at the branch in the {service} release plan, reviewer is the owner of {path}",
    ),
    "release_note": (
        "<ask>publish the next version of {service} with a note that gives merged changes and bug fixes",
        "<ask>write the release note of {service} (next version, merged changes, bug fixes) and publish it",
    ),
    "joint_release_note": (
        (
            "<ask>publish {gateway} under the next version of {service}; the note gives the bug fixes of "
            "{service}, of {service_b}, and their sum for {gateway}"
        ),
        (
            "<ask>add up the bug fixes of {service} and {service_b} for {gateway} and publish {gateway} with that "
            "note, as the next version of {service}"
        ),
    ),
    "roll_back": (
        "<ask>roll {service} in {env} back to its last good version",
        "<ask>deploy the last good version of {service} to {env}",
    ),
    "deploy_if_green": (
        (
            "<ask>deploy the next version of {service} to {env} if the checks of {pull} are green, otherwise the "
            "last good one"
        ),
        (
            "<ask>look at the checks of {pull}; green means the next version of {service} goes to {env}, red "
            "means the last good version does"
        ),
    ),
    "downtime_note": (
        "<ask>add up the downtime of {incident} and {incident_b} for {service} and post it on the status page",
        "<ask>post a status note for {service} with the downtime of {incident}, of {incident_b} and in all",
    ),
    "incident_note": (
        "<ask>post a status note for {service} with downtime and affected users of {incident}",
        "<ask>tell on the status page of {service} how long {incident} lasted and how many users it hit",
    ),
    "rotate_oldest_key": (
        "<ask>rotate whichever of {key} and {key_b} of {service} has been in use longer",
        "<ask>compare the age of {key} and {key_b} in {service} and rotate the older one",
    ),
    "rotate_leaked_key": (
        "<ask>rotate the key of {service} that the scan found leaked and label {issue} state/rotated",
        "<ask>find the leaked key of {service}, rotate it, label {issue} state/rotated",
    ),
    "rotate_if_old": (
        "<ask>rotate {key} of {service} if it is as old as the {policy} says, otherwise label {issue} state/key-valid",
        "<ask>hold the age of {key} in {service} against the {policy}: rotate it, or label {issue} state/key-valid",
    ),
    "grant_role": (
        "<ask>give {member} the access to {service} that the team list has",
        "<ask>set up {member} on {service} at the level in the team list",
    ),
    "revoke_leaver": (
        "<ask>revoke the access of the former member of the {service} team",
        "<ask>find out who left the {service} team and revoke that access",
    ),
    "hand_over_ownership": (
        "<ask>revoke the access of the former member of the {service} team and assign {issue} to the owner of {path}",
        "<ask>revoke the access of whoever left the {service} team, and let the owner of {path} have {issue}",
    ),
}  # fmt: skip
