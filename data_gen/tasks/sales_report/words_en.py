"""How five English writers put statements into words."""

from __future__ import annotations

from typing import Final

_COMMON: Final = {
    "plan": (
        "<planlead> get the figures, check the files, draw the conclusion, then <deliver>.",
        "<planlead> look up what is needed first, then conclude and <deliver>.",
        "<planlead> figures, files, conclusion, and at the end <deliver>.",
    ),
    "planlead": ("Plan:", "Steps:", "To do:", "Order of work:", "How to go about it:"),
    "deliver": ("report back", "send the outcome", "write it up and send it", "hand over the outcome"),
    "brief": (
        "<brieflead> {subject}, outcome <briefto> {name}.", "<brieflead> answer the question on {subject} for {name}.",
        "<brieflead> {name} <briefwants> an answer on {subject}.", "<brieflead> work on {subject}, reader is {name}.",
        "<brieflead> {subject}; {name} <briefgets>.",
    ),
    "brieflead": ("Task:", "As I understand it:", "In short:", "Wanted:", "My job here:", "The request:"),
    "briefto": ("goes to", "is for", "to be sent to", "meant for"),
    "briefwants": ("wants", "expects", "waits for", "asked for", "needs"),
    "briefgets": ("gets the result", "is to hear of it", "gets told", "receives the answer"),
    "brief_mismatch": (
        "My summary of the task was off; the user named {name}.", "Looked at the request again: it is for {name}.",
        "Correction after rereading the request, the reader is {name}.",
    ),
    "skim": (
        "<skimverb> the files on {topic}; <nothing>.",
        "Files on {topic} <seen>: <nothing>.",
        "<nothing_cap> in the files on {topic}.",
    ),
    "skimverb": ("Read", "Went through", "Looked through", "Skimmed", "Opened"),
    "seen": ("read", "seen", "checked", "looked through"),
    "nothing": ("background only", "nothing that bears on the figures", "general remarks, no ledger data", "context"),
    "nothing_cap": ("Background only", "Nothing that bears on the figures", "General remarks, no ledger data"),
    "checked": (
        "Compared the note on {entity} {period} with its record: they agree.",
        "Re-read the record for {entity} {period}; the note matches it.",
        "The note on {entity} {period} was checked against its record and holds.",
    ),
    "mismatch": (
        "The note on {entity} {period} does not match its record; going by the record.",
        "Record and note differ for {entity} {period}, so the record counts.",
        "Noticed that my note on {entity} {period} disagrees with the record. Using the record.",
    ),
    "skip_mail": (
        "The files say that the mail should not go out now, so it stays with me.",
        "Going by the files, no mail this time.",
        "According to what I read in the files the mail is to be left out.",
    ),
    "background": (
        "{count} older reports are listed; none covers this question.",
        "Listed the report folder: {count} files, all older.",
        "The report folder holds {count} earlier files, not needed here.",
    ),
    "mail_subject": (
        "{subject}: {topic}", "{topic} for {subject}", "Your question on {subject}", "{subject}, {topic}",
        "Outcome for {subject}",
    ),
    "topic": ("outcome", "quarterly check", "sales question", "short report", "figures requested"),
    "greeting": ("Dear {name},", "Hello {name},", "Hi {name},", "Good morning {name},", "{name},"),
    "closing": ("Kind regards", "Best regards", "Regards", "Many thanks", "With best wishes"),
    "intro": (
        "here is what you asked for.", "this is the outcome.", "please find the outcome below.", "as requested:",
        "the check is done.",
    ),
    "final": (
        "Done. <finalmail> {recipients}.", "Finished: <finalmail> {recipients}.", "All set. <finalmail> {recipients}.",
    ),
    "final_none": ("Done, without a mail.", "Finished; nothing was mailed.", "All set, the mail was left out."),
    "finalmail": ("The outcome went to", "Mailed to", "The mail has gone to", "Sent to"),
    "final_file": ("The report is at {path}.", "A report was saved as {path}.", "See {path} for the report."),
    "because": ("because of", "due to", "driven by", "owing to", "down to", "explained by"),
    "no_reason": (
        "no reason is on file", "the files give no cause", "no cause is recorded", "the files name no reason",
    ),
    "independent": (
        "a second separate source", "a second distinct source", "another separate source", "another distinct source",
    ),
    "single": (
        "merely one single source", "simply one single source", "one unreplicated source", "one unduplicated source",
    ),
    "none_tail": (
        "for {subject}", "on {subject} so far", "about {subject} in what I read", "for {subject} in the notes",
    ),
    "sure": ("final", "established", "ascertained", "confirmed", "verified"),
    "unsure": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "updated": ("correction", "updated", "revised", "restated"),
    "sure_tail": ("", "", " according to its record", " as looked up", " per the lookup"),
    "change": ("{subject} {metric} {word} {figure} from {a} to {b}",),
    "target": ("{subject} {word} the target for {a} by {figure}", "in {a} {subject} {word} the target by {figure}"),
    "budget": ("{subject} {word} the budget for {a} by {figure}", "in {a} {subject} {word} the budget by {figure}"),
    "top": ("{subject} {word} in {a} with {figure}", "in {a} {subject} {word} with {figure}"),
    "low": ("{subject} {word} in {a} with {figure}", "in {a} {subject} {word} with {figure}"),
    "total": ("{subject}, {word}: {figure} in {a}", "{subject} {word} make {figure} in {a}"),
    "share": ("{subject} {word} {figure} of {metric} in {a}", "in {a} {subject} {word} {figure} of all {metric}"),
    "gap": ("{subject} {word} {other} by {figure} in {a}", "in {a} {subject} {word} {other} by {figure}"),
}  # fmt: skip

WRITERS: Final = {
    "terse": {
        **_COMMON,
        "level": (
            "{entity} {period} {metric}: {amount}", "{metric} {entity} {period} = {amount}",
            "{period}, {entity}: {metric} {amount}", "{entity} / {period} / {metric} {amount}", "<settled>",
        ),
        "settled": ("{entity} {period} {metric}: {amount}, <sure>", "<sure>: {entity} {period} {metric} {amount}"),
        "tentative": (
            "{entity} {period} {metric}: {amount}, <unsure>", "<unsure>: {entity} {period} {metric} {amount}",
        ),
        "revised": (
            "<updated>: {entity} {period} {metric} {amount}", "{entity} {period} {metric} {amount} (<updated>)",
        ),
        "reason": ("<because> {phrase}", "result <because> {phrase}"),
        "reason_none": ("<no_reason> <none_tail>",),
        "support_yes": ("{entity} {period}: <independent> agrees", "<independent> for {entity} {period} so far"),
        "support_no": ("{entity} {period}: <single> agrees", "<single> for {entity} {period} so far"),
        "verdict_lead": ("", "", "result: ", "so: "),
        "level_lead": ("", ""),
    },
    "formal": {
        **_COMMON,
        "level": (
            "According to the records, the {metric} of {entity} in {period} <amounts> {amount}.",
            "The {metric} of {entity} for {period} <amounts> {amount}<sure_tail>.",
            "For {period}, the {metric} recorded for {entity} <amounts> {amount}.",
            "It is noted that {entity} {metric} in {period} <amounts> {amount}.", "<settled>",
        ),
        "amounts": ("amounts to", "is", "comes to", "stands at"),
        "tentative": (
            "The <unsure> figure puts the {metric} of {entity} in {period} at {amount}.",
            "The {metric} of {entity} in {period} may be {amount}, which is <unsure>.",
        ),
        "settled": (
            "The <sure> figure puts the {metric} of {entity} in {period} at {amount}.",
            "The {metric} of {entity} in {period} is now {amount}, which is <sure>.",
        ),
        "revised": (
            "The {metric} of {entity} in {period} has been <updated_verb> to {amount}.",
            "A revised figure for {period} gives {entity} {metric} of {amount}.",
        ),
        "updated_verb": ("corrected", "restated", "updated", "revised"),
        "reason": (
            "The result is <because> {phrase}.", "As stated in the files, the result is <because> {phrase}.",
            "The outcome was <because> {phrase}.",
        ),
        "reason_none": ("As to the cause <no_reason> <none_tail>.", "It should be said that <no_reason> <none_tail>."),
        "support_yes": (
            "For {entity} in {period}, <independent> backs the figure.",
            "The figure for {entity} in {period} rests on <independent>.",
            "So far <independent> supports {entity} in {period}.",
        ),
        "support_no": (
            "For {entity} in {period}, <single> backs the figure.",
            "The figure for {entity} in {period} rests on <single>.",
            "So far <single> supports {entity} in {period}.",
        ),
        "verdict_lead": ("As a result, ", "It follows that ", "In summary, ", "The comparison shows that "),
        "level_lead": ("", "For reference: "),
    },
    "chatty": {
        **_COMMON,
        "level": (
            "ok, {entity} {metric} for {period} <was> {amount}", "got it: {entity}, {period}, {metric} {amount}",
            "so the {metric} of {entity} in {period} <was> {amount}<sure_tail>",
            "looked up {entity} for {period}, {metric} <was> {amount}", "<settled>",
        ),
        "was": ("is", "was", "turns out to be", "comes in at"),
        "tentative": (
            "someone thinks {entity} {metric} for {period} is {amount}, but that's <unsure>",
            "<unsure> so far: {entity} made {amount} {metric} in {period}",
        ),
        "settled": (
            "people all say {entity} {metric} for {period} is {amount}, and that's <sure>",
            "<sure> by now: {entity} made {amount} {metric} in {period}",
        ),
        "revised": (
            "hm, they <updated_verb> it: {entity} {metric} for {period} is {amount} now",
            "revised! {entity} {metric} in {period} is now {amount}",
        ),
        "updated_verb": ("corrected", "restated", "updated", "revised"),
        "reason": ("all <because> {phrase}", "seems this is <because> {phrase}", "that one is <because> {phrase}"),
        "reason_none": ("seems <no_reason> <none_tail>", "well <no_reason> <none_tail>"),
        "support_yes": (
            "well, <independent> says that about {entity} in {period}",
            "{entity} in {period} is backed by <independent>",
        ),
        "support_no": (
            "well, <single> says that about {entity} in {period}", "{entity} in {period} is backed by <single>",
        ),
        "verdict_lead": ("so ", "ok so ", "turns out ", "bottom line, "),
        "level_lead": ("", "btw, "),
    },
    "bullet": {
        **_COMMON,
        "level": (
            "- {metric}, {entity}, {period}: {amount}", "- {entity} {metric} {period}: {amount}<sure_tail>",
            "* {period}: {entity} {metric} {amount}", "- Figure found for {entity} {period}: {metric} {amount}",
            "<settled>",
        ),
        "settled": ("- {entity} {metric} {period}: {amount} (<sure>)", "- <sure>: {metric} {entity} {period} {amount}"),
        "tentative": (
            "- {entity} {metric} {period}: {amount} (<unsure>)", "- <unsure>: {metric} {entity} {period} {amount}",
        ),
        "revised": (
            "- {entity} {metric} {period}: {amount} (<updated>)", "- <updated>: {metric} {entity} {period} {amount}",
        ),
        "reason": ("- Cause: <because> {phrase}", "- Result: <because> {phrase}"),
        "reason_none": ("- Cause: <no_reason> <none_tail>", "- Result: <no_reason> <none_tail>"),
        "support_yes": (
            "- Support for {entity} {period}: <independent>", "- {entity} {period}: <independent>, same figure",
        ),
        "support_no": ("- Support for {entity} {period}: <single>", "- {entity} {period}: <single>, same figure"),
        "verdict_lead": ("- ", "- Result: ", "* ", "- Finding: "),
        "level_lead": ("",),
    },
    "table": {
        **_COMMON,
        "level": (
            "{entity} | {period} | {metric} | {amount}", "figure | {metric} | {entity} | {period} | {amount}",
            "entity={entity}, period={period}, metric={metric}, value={amount}",
            "{period} | {entity} | {metric} | {amount} | looked up", "<settled>",
        ),
        "settled": (
            "{entity} | {period} | {metric} | {amount} | <sure>", "<sure> | {metric} | {entity} | {period} | {amount}",
        ),
        "tentative": (
            "{entity} | {period} | {metric} | {amount} | <unsure>",
            "<unsure> | {metric} | {entity} | {period} | {amount}",
        ),
        "revised": (
            "{entity} | {period} | {metric} | {amount} | <updated>",
            "<updated> | {metric} | {entity} | {period} | {amount}",
        ),
        "reason": ("cause | <because> {phrase}", "cause | result <because> {phrase}"),
        "reason_none": ("cause | <no_reason> <none_tail>", "cause | result <no_reason> <none_tail>"),
        "support_yes": (
            "support | {entity} | {period} | <independent>", "{entity} | {period} | backed by <independent>",
        ),
        "support_no": ("support | {entity} | {period} | <single>", "{entity} | {period} | backed by <single>"),
        "verdict_lead": ("result | ", "finding | ", "conclusion | "),
        "level_lead": ("",),
    },
}  # fmt: skip
