"""How five English writers put statements and replies into words."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.refund_service.replies_en import REPLY

_RULES: Final = {
    "rl": ("", "", "note: ", "rule: ", "on file: ", "handed on: ", "from the house: ", "to keep in mind: "),
    "rt": (
        "", "", " in this case", " for now", " this time", " as ever", " throughout", " at any rate", " until closed",
    ),
    "gw": ("", "", "once ", "recently ", "lately ", "by the way ", "as it happens ", "for years ", "in the past "),
    "c_promise": ("no sooner than in", "no earlier than in", "not in less than", "never in under"),
    "s_promise": (
        "usually in some", "mostly in around", "ideally in about", "commonly in roughly", "as a rule in some",
    ),
    "promise": (
        "<rl>promise {subject} the money <c_promise> {limit}<rt>",
        "<rl>{subject} may expect the money <c_promise> {limit}<rt>",
        "<rl>the money for {subject} is announced <c_promise> {limit}<rt>",
    ),
    "promise_soft": (
        "<rl>promise {subject} the money <s_promise> {limit}<rt>",
        "<rl>{subject} may expect the money <s_promise> {limit}<rt>",
        "<rl>the money for {subject} is announced <s_promise> {limit}<rt>",
    ),
    "promise_gone": (
        "<rl>{subject} <gw><has_read> {limit} in the general terms<rt>",
        "<rl>a transfer to {subject} <gw>took {limit}<rt>",
        "<rl>{subject} was <gw>away for {limit} before writing<rt>",
        "<rl>{subject} <gw><has_read> {limit} on the website<rt>",
        "<rl>{subject} <gw>waited {limit} for a parcel<rt>",
    ),
    "has_read": ("read of", "came across", "found", "pointed to", "saw", "asked about"),
    "c_cap": ("at most", "no more than", "never above", "not over"),
    "s_cap": ("roughly", "somewhere near", "mostly around", "about", "generally some"),
    "cap": (
        "<rl>{subject} gets <c_cap> {limit}<rt>", "<rl>pay {subject} <c_cap> {limit}<rt>",
        "<rl>compensation for {subject} is <c_cap> {limit}<rt>",
    ),
    "cap_soft": (
        "<rl>{subject} gets <s_cap> {limit}<rt>", "<rl>pay {subject} <s_cap> {limit}<rt>",
        "<rl>compensation for {subject} is <s_cap> {limit}<rt>",
    ),
    "cap_gone": (
        "<rl>{subject} <gw>spent {limit} with us<rt>", "<rl>{subject} has {limit} in open orders<rt>",
        "<rl>a usual basket of {subject} is {limit}<rt>", "<rl>{subject} <gw>bought for {limit}<rt>",
        "<rl>{subject} <gw>paid {limit} for a garden table<rt>",
    ),
    "c_tone": ("never warn", "do not warn", "one must not warn", "under no terms, never warn"),
    "s_tone": ("rather not warn", "seldom warn", "better not warn", "try not to warn", "if it can be, hardly warn"),
    "tone": ("<rl><c_tone> {subject} <over><rt>",),
    "tone_soft": ("<rl><s_tone> {subject} <over><rt>",),
    "over": ("over rude words", "about the wording", "for sharp words", "over an angry tone"),
    "tone_gone": (
        "<rl>letters from {subject} <gw>came by mail<rt>", "<rl>{subject} <gw>liked short letters best<rt>",
        "<rl>{subject} <gw>wrote plain and short words<rt>", "<rl>mails to {subject} <gw>went out in the morning<rt>",
        "<rl>{subject} <gw>wrote in the evening<rt>", "<rl>{subject} <gw>answered by mail<rt>",
    ),
    "c_permit": ("alone may be kept", "as the sole exception may be kept", "and no other may be kept"),
    "w_permit": ("and any other may be kept", "and all others may be kept", "like all others may be kept"),
    "permit": (
        "<rl>goods of {subject} <c_permit> <unsent><rt>", "<rl>what came with {subject} <c_permit> <unsent><rt>",
    ),
    "permit_all": (
        "<rl>goods of {subject} <w_permit> <unsent><rt>", "<rl>what came with {subject} <w_permit> <unsent><rt>",
    ),
    "unsent": (
        "unreturned", "without a return", "with no return", "and need not travel back", "without being shipped back",
        "and need no label",
    ),
}  # fmt: skip
_COMMON: Final = {
    **_RULES,
    **REPLY,
    "concerns": ("concerns", "is about", "relates to", "has to do with"),
    "because": ("because of", "due to", "brought about by", "owing to", "down to", "explained by"),
    "no_cause": ("no cause is on file", "the files give no cause", "no cause is recorded", "the files name no cause"),
    "none_tail": ("", " in case {case}", " for {case}", " about {case} so far", " in the papers on {case}"),
    "sure": ("final", "established", "ascertained", "confirmed", "verified"),
    "unsure": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "updated": ("correction", "updated", "revised", "restated"),
    "updated_verb": ("corrected", "restated", "updated", "revised"),
    "sure_tail": ("", "", " according to its record", " as looked up", " per the lookup"),
    "about": (
        "<al>message <concerns> the {item}, order {order}<at>", "<al>it <concerns> order {order}, the {item}<at>",
        "<al>complaint <concerns> the {item} in {order}<at>", "<al>{order} <thing_concerned> the {item}<at>",
    ),
    "thing_concerned": ("is about", "has to do with"),
    "about_two": (
        "<al>message <concerns> the {item} and the {other}, order {order}<at>",
        "<al>it <concerns> order {order}, the {item} and the {other}<at>",
        "<al>complaint <concerns> the {item} and the {other} in {order}<at>",
    ),
    "al": ("", "", "read: ", "from the message: ", "so: ", "gist: "),
    "at": ("", "", " it seems", " by the wording", " as written", " at first read"),
    "mood": (
        "<al>{subject} sounds {word}<at>", "<al>tone of {subject} is {word}<at>", "<al>{subject} is {word}<at>",
        "<al>{subject} comes across as {word}<at>", "<al>mood of {subject}, {word}<at>",
    ),
    "window": (
        "<vl>the claim on {subject} is {word}", "<vl>{subject} is {word}", "<vl>claim for {subject}, {word}",
        "<vl>filing for {subject} was {word}", "<vl>by the dates {subject} is {word}",
    ),
    "limit": (
        "<vl>the sum on {subject} is {word}", "<vl>{subject} is {word}", "<vl>sum for {subject}, {word}",
        "<vl>what {subject} needs is {word}", "<vl>by the figures {subject} is {word}",
    ),
    "stock": (
        "<vl>the goods for {subject} are {word}", "<vl>{subject}, goods {word}", "<vl>what {subject} needs is {word}",
        "<vl>for {subject} the store says {word}", "<vl>the item in {subject} is {word}",
    ),
    "vl": ("", "", "result: ", "checked: ", "so ", "found that ", "finding: "),
    "support": (
        "<vl>proof for {subject} is {word}", "<vl>{word} backs {subject}", "<vl>{subject} rests on {word}",
        "<vl>for {subject} there is {word}", "<vl>evidence on {subject}, {word}",
    ),
    "brief": (
        "<bl> case {case}, customer {customer}", "<bl> settle {case} for {customer}",
        "<bl> {customer} <waits> an answer on {case}", "<bl> {case}; {customer} <gets>",
        "<bl> work through {case}, write to {customer}",
    ),
    "bl": ("Task:", "As I understand it:", "In short:", "Wanted:", "Our job here:", "The request:"),
    "waits": ("wants", "expects", "waits for", "asked for", "needs"),
    "gets": ("gets the reply", "is to hear of it", "gets told", "receives the answer"),
    "mismatch": (
        "That note on {what} does not match its source; going by the source.",
        "Source and note differ on {what}, so the source counts.",
        "Noticed that a note on {what} disagrees with where it came from.",
    ),
    "checked": (
        "Compared the note on {what} with its source: they agree.", "Re-read the source for {what}; the note matches.",
        "The note on {what} was checked and holds.",
    ),
    "skip_reply": (
        "The papers say that nothing should be written now, so it stays unsent.",
        "Going by the papers, no letter this time.",
    ),
    "skim": (
        "<skimverb> the papers on {topic}; <nothing>.", "Papers on {topic} <seen>: <nothing>.",
        "<nothing_cap> in the papers on {topic}.",
    ),
    "skimverb": ("Read", "Went through", "Looked through", "Skimmed", "Opened"),
    "seen": ("read", "seen", "checked", "looked through"),
    "nothing": ("background only", "nothing that changes the sums", "general remarks", "context"),
    "nothing_cap": ("Background only", "Nothing that changes the sums", "General remarks"),
}  # fmt: skip


def _register(fact: tuple[str, ...], due: tuple[str, ...], **more: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {**_COMMON, "fact": fact, "due": due, **more}


WRITERS: Final = {
    "terse": _register(
        (
            "{subject} {label}: {amount}", "{label} {subject} = {amount}", "{subject}, {label} {amount}",
            "{subject} / {label} {amount}", "{label} for {subject}: {amount}", "<settled>",
        ),
        (
            "{subject} {label}: {amount}", "{label} on {subject} = {amount}", "{subject}, {label} {amount}",
            "so {label} for {subject}: {amount}", "{label} {subject}: {amount} in all",
        ),
        settled=("{subject} {label}: {amount}, <sure>", "<sure>: {subject} {label} {amount}"),
        tentative=("{subject} {label}: {amount}, <unsure>", "<unsure>: {subject} {label} {amount}"),
        revised=("<updated>: {subject} {label} {amount}", "{subject} {label}: {amount} (<updated>)"),
        cause=("{case}: <because> {phrase}", "trouble in {case} <because> {phrase}", "{case} <because> {phrase}"),
        cause_none=("{case}: <no_cause>", "for {case} <no_cause>", "<no_cause> <none_tail>, {case}"),
    ),
    "formal": _register(
        (
            "According to the records, the {label} for {subject} <is> {amount}.",
            "The {label} of {subject} <is> {amount}<sure_tail>.", "For {subject}, the {label} <is> {amount}.",
            "It is noted that the {label} on {subject} <is> {amount}.", "<settled>",
        ),
        (
            "For {subject} the {label} <is> {amount}.", "It follows that the {label} on {subject} <is> {amount}.",
            "As a result, the {label} for {subject} <is> {amount}.", "In summary, {subject}: {label} {amount}.",
        ),
        **{"is": ("amounts to", "is", "comes to", "stands at")},
        settled=(
            "The <sure> figure puts the {label} for {subject} at {amount}.",
            "The {label} for {subject} is now {amount}, which is <sure>.",
        ),
        tentative=(
            "The <unsure> figure puts the {label} for {subject} at {amount}.",
            "The {label} for {subject} may be {amount}, which is <unsure>.",
        ),
        revised=(
            "The {label} for {subject} has been <updated_verb> to {amount}.",
            "A revised record for {subject} gives a {label} of {amount}.",
        ),
        cause=(
            "What happened in {case} is <because> {phrase}.", "As stated in the files, {case} is <because> {phrase}.",
            "The trouble in {case} was <because> {phrase}.",
        ),
        cause_none=(
            "As to what happened in {case}, <no_cause>.", "It should be said that <no_cause> in {case}.",
            "On the trouble in {case}, <no_cause> so far.",
        ),
    ),
    "chatty": _register(
        (
            "ok, {subject}: {label} <was> {amount}", "got it, {label} for {subject} <was> {amount}",
            "so the {label} of {subject} <was> {amount}<sure_tail>", "looked up {subject}, {label} <was> {amount}",
            "<settled>",
        ),
        (
            "so for {subject} the {label} <was> {amount}", "ok so {subject}, {label} <was> {amount}",
            "bottom line, {subject} {label}: {amount}", "that makes the {label} on {subject} {amount}",
        ),
        was=("is", "was", "turns out to be", "comes in at"),
        settled=(
            "people all say {label} for {subject} is {amount}, and that's <sure>",
            "<sure> by now: {label} for {subject}, {amount}",
        ),
        tentative=(
            "someone thinks {label} for {subject} is {amount}, but that's <unsure>",
            "<unsure> so far: {label} for {subject}, {amount}",
        ),
        revised=(
            "hm, they <updated_verb> it: {label} for {subject} is {amount} now",
            "revised! {subject} {label} is now {amount}",
        ),
        cause=(
            "{case} is all <because> {phrase}", "seems {case} is <because> {phrase}", "well, {case} <because> {phrase}",
        ),
        cause_none=("seems <no_cause> for {case}", "well, {case}, <no_cause>", "{case}, and <no_cause> as it seems"),
    ),
    "bullet": _register(
        (
            "- {label}, {subject}: {amount}", "- {subject} {label}: {amount}<sure_tail>",
            "* {subject}: {label} {amount}",
            "- Found for {subject}: {label} {amount}", "<settled>",
        ),
        (
            "- {subject} {label}: {amount}", "* {label}, {subject}: {amount}",
            "- Result for {subject}: {label} {amount}",
            "- Finding, {label} on {subject}: {amount}",
        ),
        settled=("- {subject} {label}: {amount} (<sure>)", "- <sure>: {subject} {label} {amount}"),
        tentative=("- {subject} {label}: {amount} (<unsure>)", "- <unsure>: {subject} {label} {amount}"),
        revised=("- {subject} {label}: {amount} (<updated>)", "- <updated>: {subject} {label} {amount}"),
        cause=("- Cause in {case}: <because> {phrase}", "- {case}: <because> {phrase}"),
        cause_none=("- Cause in {case}: <no_cause>", "- {case}: <no_cause> so far", "- {case}: <no_cause>"),
        rl=("- ", "- ", "- Note: ", "- Rule: ", "* ", "- On file: ", "- Handed on: "),
        al=("- ", "- Read: ", "* ", "- Message: "),
        vl=("- ", "- Result: ", "* ", "- Finding: "),
    ),
    "table": _register(
        (
            "{subject} | {label} | {amount}", "figure | {label} | {subject} | {amount}",
            "subject={subject}, field={label}, value={amount}", "{subject} | {label} | {amount} | looked up",
            "<settled>",
        ),
        (
            "{subject} | {label} | {amount}", "result | {label} | {subject} | {amount}",
            "finding | {subject} | {label} | {amount}",
        ),
        settled=("{subject} | {label} | {amount} | <sure>", "<sure> | {label} | {subject} | {amount}"),
        tentative=("{subject} | {label} | {amount} | <unsure>", "<unsure> | {label} | {subject} | {amount}"),
        revised=("{subject} | {label} | {amount} | <updated>", "<updated> | {label} | {subject} | {amount}"),
        cause=("cause | {case} <because> {phrase}", "{case} | <because> {phrase}"),
        cause_none=("cause | {case} | <no_cause>", "{case} | <no_cause> so far", "cause | {case}, <no_cause>"),
        rl=("rule | ", "note | ", "handed on | ", "on file | "),
        al=("read | ", "message | ", "gist | "),
        vl=("result | ", "finding | ", "checked | "),
    ),
}  # fmt: skip
