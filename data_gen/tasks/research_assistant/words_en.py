"""Clauses, remarks and letters in English."""

from __future__ import annotations

from typing import Final

CLAUSES: Final = {
    "finding": (
        "{study}, {group}: {what} <is> {amount}", "in the {study} the {what} of {group} <is> {amount}",
        "the {study} <gives> {amount} as {what} of {group}", "{what} of {group} <is> {amount} in the {study}",
        "for {group} the {study} <gives> {amount} as {what}", "{group} in the {study}: {what} {amount}", "<settled_c>",
    ),
    "is": ("is", "was", "stands at", "comes to", "amounts to"),
    "gives": ("gives", "reports", "has", "lists", "states", "shows"),
    "tentative": ("<unsure>: <rough_c>", "<rough_c>, <unsure>", "<rough_c>, which is <unsure>"),
    "settled": ("<settled_c>",),
    "settled_c": ("<sure>: <rough_c>", "<rough_c>, <sure>", "<rough_c>, which is <sure>"),
    "rough_c": (
        "{study}, {group}: {what} {amount}", "{what} of {group} in the {study} <is> {amount}",
        "{amount} as {what} of {group} in the {study}", "for {group} the {study} has {amount} as {what}",
    ),
    "revised": (
        "<updated>: {study}, {group}, {what} {amount}", "the {study} <updated> the {what} of {group} to {amount}",
        "{what} of {group} in the {study} <is> {amount}, <updated>",
        "{amount} is the <updated> {what} of {group} in the {study}",
    ),
    "updated": ("corrected", "amended", "revised", "updated"),
    "gap": (
        "{subject} is <w> {other} by {figure}", "{subject} comes out <w> {other} by {figure}",
        "{subject} lies <w> {other}, the gap being {figure}", "{subject} is <w> {other}, gap {figure}",
        "{subject} turns out <w> {other}, by {figure}",
    ),
    "ratio": (
        "{subject} is <w> {other} by {figure}", "{subject} comes out <w> {other} by {figure}",
        "in relative terms {subject} is <w> {other} by {figure}", "{subject} lies {figure} <w> {other}",
        "{subject} turns out {figure} <w> {other}",
    ),
    "limit": (
        "{subject} is <w> the mark by {figure}", "{subject} comes out <w> the mark by {figure}",
        "{subject} lies <w> the mark set, by {figure}", "{subject} is {figure} <w> the mark set",
        "{subject} turns out {figure} <w> the mark",
    ),
    "top": (
        "{subject} has the <w> {what}, {figure}", "the <w> {what} is that of {subject}, {figure}",
        "<w> of all is {subject} with {figure}", "{subject} shows the <w> {what} with {figure}",
    ),
    "mean": (
        "the <w> of the {what} is {figure}", "{what}, <w>: {figure}", "as <w> of the {what} {figure} comes out",
        "taken together the {what} has {figure} as <w>", "the <w> for {what} comes to {figure}",
    ),
    "agree": (
        "{subject} and {other} <w>, the gap is {figure}", "with {figure} between them, {subject} and {other} <w>",
        "{subject} and {other} <w>, gap {figure}", "{subject} and {other} <w> ({figure} apart)",
    ),
    "inside": (
        "{subject} lies <w> the interval of {other}", "{subject} falls <w> the interval of {other}",
        "{subject} is <w> the interval that {other} has", "{subject} is found <w> the interval of {other}",
    ),
    "claim": (
        "the claim on {subject} is <w>", "on {subject} the claim is <w>", "the assertion about {subject} is <w>",
        "going by the source the claim on {subject} is <w>", "the statement on {subject} counts as <w>",
        "the claim about {subject} proves <w>",
    ),
    "count": (
        "there is <w> behind the report on {subject}", "behind what is printed on {subject} stands <w>",
        "reports on {subject}: <w>", "what is printed on {subject} goes back to <w>",
        "all told <w> for {subject}", "by my count <w> for {subject}", "the reports on {subject} come from <w>",
    ),
    "standing": (
        "the {subject} <w>", "{subject} <w>", "as to status, the {subject} <w>", "on file the {subject} <w>",
        "going by the register the {subject} <w>", "according to the check the {subject} <w>",
    ),
    "own_data": (
        "the {subject} <w>", "{subject} <w>", "the piece in the {subject} <w>", "as traced, the {subject} <w>",
        "going by the trace the {subject} <w>", "what the {subject} prints <w>",
    ),
    "same_method": (
        "{subject} and {other} use <w>", "{subject} and {other} have <w>", "{subject} and {other} show <w>",
        "between {subject} and {other}: <w>", "{subject} and {other} were run with <w>",
    ),
    "support": (
        "the figure of the {subject} rests on <w>", "behind the figure of the {subject} stands <w>",
        "for the {subject} there is <w>", "<w> backs the figure of the {subject}", "backing of the {subject}: <w>",
        "as far as I see <w> bears out the {subject}",
    ),
    "choice": (
        "{subject} is the {name}, the one <choosing>", "{name} is {subject}, hence the one <choosing>",
        "the one <choosing> is the {name}: {subject}", "the {name} is the one <choosing>, being {subject}",
    ),
    "method": (
        "the {subject} worked with {name}", "{subject}: {name}", "{name} is how the {subject} was done",
        "the {subject} is based on {name}", "data of the {subject} come from {name}",
    ),
    "funder": (
        "the {subject} was paid for by the {name}", "{subject}: money from the {name}",
        "the {name} funded the {subject}", "the {subject} had its money from the {name}",
    ),
    "origin": (
        "the {subject} draws on the {name}", "{subject}: taken from the {name}",
        "the {name} is what the {subject} uses",
        "the piece in the {subject} goes back to the {name}", "origin of the {subject} piece is the {name}",
    ),
    "reviewer": (
        "reviewer for {subject} is {name}", "{name} reviews {subject}", "for {subject} the reviewer is {name}",
        "{subject} lies with {name}", "whoever writes on {subject} turns to {name}",
    ),
    "reason": (
        "the result is <because> {phrase}", "it is <because> {phrase}", "this is <because> {phrase}",
        "the outcome was <because> {phrase}", "by the texts it is <because> {phrase}",
    ),
    "reason_none": (
        "<no_reason> <none_tail>", "as far as I read <no_reason> <none_tail>", "so far <no_reason> <none_tail>",
        "for the result <no_reason> <none_tail>", "in what I opened <no_reason> <none_tail>",
    ),
    "none_tail": (
        "on this point", "in the notes", "for the figure", "in any of the notes", "at this point", "so far as I see",
        "in the papers opened", "in the texts on file", "for the outcome", "in the texts that were opened",
        "in the pieces read up to now", "in the part of the collection seen",
    ),
    "restated": (
        "task: {subject}, result for {name}", "in short, {subject}; {name} gets the result",
        "wanted: {subject}, reader is {name}", "{name} waits for the result on {subject}",
        "my job here: {subject}, to be sent to {name}",
    ),
    # -- set phrases --------------------------------------------------------------------------------------------------
    "plan": (
        "<planlead> look up the sources, check them, conclude, then <deliver>",
        "<planlead> sources first, then the conclusion, and <deliver>", "<planlead> read, compare, <deliver>",
    ),
    "planlead": ("plan:", "steps:", "to do:", "order of work:"),
    "deliver": ("report", "hand it over", "write it up", "pass it on"),
    "skim": ("<skimverb> the texts on {topic}, <nothing>", "texts on {topic} <seen>: <nothing>"),
    "skimverb": ("read", "went through", "looked through", "skimmed"),
    "seen": ("read", "seen", "looked through"),
    "nothing": ("background only", "nothing that bears on the figure", "context, no tables"),
    "checked": (
        "compared the note on {study}, {group}, with its record: they agree",
        "re-read the record of the {study} for {group}; the note holds",
    ),
    "mismatch": (
        "the note on {study}, {group}, is not what the record says; going by the record",
        "record and note are not the same for {study}, {group}, so the record counts",
    ),
    "restated_mismatch": (
        "my summary of the task was off; the request names {name}", "looked at the request again: it is for {name}",
    ),
    "disowned": (
        "checked my note against the source: it does not hold, doing it again",
        "the earlier note on this is wrong by the source, so it is redone",
        "source and note are at odds here; source it is",
    ),
    "skip_mail": ("going by the texts, no mail this time", "the texts say that the mail is to be left out for now"),
    "no_mail": ("the condition for a mail is not met", "no mail called for here"),
    "no_brief": ("the brief on file still holds, left as it is", "nothing to change in the brief on file"),
    "listed": ("{count} hits in the collection", "the search gave {count} titles", "{count} titles found, ranked"),
    "topic_word": ("result", "reading of the sources", "short answer", "figures asked for", "source check"),
    "mail_subject": ("{subject}: <topic_word>", "<topic_word>, {subject}", "Your question on {subject}"),
    "greeting": ("Dear {name},", "Hello {name},", "Hi {name},", "Good morning {name},", "{name},"),
    "closing": ("Kind regards", "Best regards", "Regards", "Many thanks"),
    "intro": ("here is what you asked for.", "please find the outcome below.", "as requested:", "the check is done."),
    "final": ("done, mail to {recipients}", "finished; the mail went to {recipients}", "all set, sent to {recipients}"),
    "final_none": ("done, without a mail", "finished; nothing was mailed", "all set, no mail went out"),
    "final_file": ("the brief is at {path}", "brief saved as {path}", "see {path} for the brief"),
}  # fmt: skip

TABLE: Final = {
    "finding": (
        "{study} | {group} | {what} | {amount}", "figure | {what} | {study} | {group} | {amount}",
        "study={study}, group={group}, measure={what}, value={amount}", "{group} | {study} | {what} | {amount} | read",
        "<settled>",
    ),
    "tentative": (
        "{study} | {group} | {what} | {amount} | <unsure>", "<unsure> | {what} | {study} | {group} | {amount}",
    ),
    "settled": ("{study} | {group} | {what} | {amount} | <sure>", "<sure> | {what} | {study} | {group} | {amount}"),
    "revised": (
        "{study} | {group} | {what} | {amount} | <updated>", "<updated> | {what} | {study} | {group} | {amount}",
    ),
    "gap": ("{subject} | <w> {other} | {figure}", "gap | {subject} | <w> {other} | {figure}"),
    "ratio": ("{subject} | <w> {other} | {figure}", "relative | {subject} | <w> {other} | {figure}"),
    "limit": ("{subject} | <w> the mark | {figure}", "mark | {subject} | <w> it | {figure}"),
    "top": ("<w> | {subject} | {what} | {figure}", "{what} | <w> | {subject} | {figure}"),
    "mean": ("{what} | <w> | {figure}", "<w> | {what} | {figure}"),
    "agree": ("{subject} | {other} | <w> | gap {figure}", "{subject} and {other} | <w> | {figure}"),
    "inside": ("{subject} | <w> the interval | {other}", "{subject} | <w> | interval of {other}"),
    "claim": ("claim | {subject} | <w>", "{subject} | claim | <w>", "statement | {subject} | <w>"),
    "count": (
        "origins | {subject} | <w>", "{subject} | <w>", "{subject} | reports | <w>",
        "reports | {subject} | <w> | traced",
    ),
    "standing": ("status | {subject} | <w>", "{subject} | <w>", "check | {subject} | <w>"),
    "own_data": ("trace | {subject} | <w>", "{subject} | <w>", "source | {subject} | <w>"),
    "same_method": ("design | {subject} | {other} | <w>", "{subject} | {other} | <w>"),
    "support": ("support | {subject} | <w>", "{subject} | <w>", "{subject} | backed by | <w>"),
    "choice": ("<choosing> | {name} | {subject}", "{name} | {subject} | <choosing>"),
    "method": ("method | {subject} | {name}", "{subject} | {name}"),
    "funder": ("money | {subject} | {name}", "{subject} | {name}"),
    "origin": ("origin | {subject} | {name}", "{subject} | from | {name}"),
    "reviewer": ("reviewer | {subject} | {name}", "{subject} | {name}"),
    "reason": ("cause | <because> {phrase}", "cause | result <because> {phrase}"),
    "reason_none": ("cause | <no_reason> <none_tail>", "cause | result, <no_reason> <none_tail>"),
    "restated": ("task | {subject} | {name}", "{subject} | reader | {name}"),
}  # fmt: skip

FRAMES: Final = {
    "terse": ("@", "@", "@"),
    "formal": ("<lead>@.", "<lead>@<tail>."),
    "chatty": ("<lead>@", "<lead>@", "@<tail>"),
    "bullet": ("- @", "* @", "- <lead>@"),
}
LEADS: Final = {
    "formal": {
        "lead": ("", "I note that ", "For the record, ", "As read, ", "According to the file, "),
        "tail": ("", " as things stand", " on the evidence read", " at this stage"),
    },
    "chatty": {
        "lead": ("ok, ", "so ", "right, ", "well, ", "got it: ", ""),
        "tail": ("", " then", ", fine", ", noted"),
    },
    "bullet": {"lead": ("Finding: ", "Read: ", "Point: ", "Noted: "), "tail": ("",)},
}  # fmt: skip
