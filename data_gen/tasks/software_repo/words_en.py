"""How five English writers put statements about a repository into words."""

from __future__ import annotations

from typing import Final

_COMMON: Final = {
    "plan": (
        "<planlead> look things up, settle what follows, make the changes, then <deliver>.",
        "<planlead> records first, then the changes, and at the end <deliver>.",
        "<planlead> read, decide, change, and <deliver>.",
    ),
    "planlead": ("Plan:", "Steps:", "To do:", "Order of work:", "How to go about it:"),
    "deliver": ("report back", "say what was done", "wrap it all together", "close the loop"),
    "brief": (
        "<brieflead> work on {subject}, report <briefto> {name}.",
        "<brieflead> {subject}, and {name} <briefwants> to hear.",
        "<brieflead> settle things in {subject} and write to {name}.", "<brieflead> {subject}; {name} <briefgets>.",
    ),
    "brief_env": (
        "<brieflead> work on {subject} in {env}, report <briefto> {name}.",
        "<brieflead> {subject} in {env}, and {name} <briefwants> to hear.",
        "<brieflead> settle things in {subject}, place {env}, and write to {name}.",
        "<brieflead> {subject} in {env}; {name} <briefgets>.",
    ),
    "brieflead": ("Task:", "As I understand it:", "In short:", "Wanted:", "My job here:", "The request:"),
    "briefto": ("goes to", "is for", "to be sent to", "meant for"),
    "briefwants": ("wants", "expects", "waits", "asked", "needs"),
    "briefgets": ("gets the result", "is to hear of it", "gets told", "receives the report"),
    "brief_mismatch": (
        "My summary of the task was off; the user said {said}.", "Looked at the request again: it says {said}.",
        "Correction after rereading the request, it is {said}.",
    ),
    "skim": (
        "<skimverb> the comments on {topic}; <nothing>.", "Comments on {topic} <seen>: <nothing>.",
        "<nothing_cap> in the comments on {topic}.",
    ),
    "skimverb": ("Read", "Went through", "Looked through", "Skimmed", "Opened"),
    "seen": ("read", "seen", "gone through", "looked through"),
    "nothing": ("background only", "nothing that bears on the job", "general remarks, no records", "context"),
    "nothing_cap": ("Background only", "Nothing that bears on the job", "General remarks, no records"),
    "same": (
        "Compared the note on {topic} with its record: they agree.",
        "Re-read the record for {topic}; the note matches it.",
        "The note on {topic} was held against its record and stands.",
    ),
    "mismatch": (
        "The note on {topic} does not match its record; going by the record.",
        "Record and note differ for {topic}, so the record counts.",
        "Noticed that my note on {topic} disagrees with the record. Using the record.",
    ),
    "rule_mismatch": (
        "What I was told differs from the user's words; those count.",
        "Read the request again, it puts the rule otherwise.",
        "Checked the rule against the request and go by the latter.",
    ),
    "skip_message": (
        "The comments say that no message should go out now, so it stays here.",
        "Going by the comments, no message this time.", "According to the comments the message is to be left out.",
    ),
    "background": (
        "{count} branches are listed; none is needed yet.", "Listed the branches: {count}, for orientation.",
        "The repository holds {count} branches at the moment.",
    ),
    "greeting": ("Dear {name},", "Hello {name},", "Hi {name},", "Good morning {name},", "{name},"),
    "intro": ("here is what you asked for.", "this is the outcome.", "please find the result below.", "as requested:"),
    "closing": ("Kind regards", "Best regards", "Regards", "Many thanks", "With best wishes"),
    "final": (
        "Done. <finaltold> {recipients}.", "Finished: <finaltold> {recipients}.", "All set. <finaltold> {recipients}.",
    ),
    "final_none": ("Done, nobody was written to.", "Finished; no message was sent.", "All set, without a message."),
    "finaltold": ("The result went to", "Reported to", "The message has gone to", "Sent to"),
    "final_done": ("Changes made: {count}.", "Changes in all: {count}.", "Number of changes: {count}."),
    "errand_memory": (
        "Set the memory of {service} in {env} as planned.", "{service} needs its planned memory in {env}.",
        "Bring memory of {service}, {env}, to the plan.",
    ),
    "errand_access": (
        "Handle the request of {member}.", "{member} has asked for access, please decide.",
        "See to the access of {member}.",
    ),
    "because": ("because of", "due to", "traced to", "owing to", "down to", "explained by"),
    "no_cause": ("no cause is on file", "the thread gives no cause", "no cause is recorded", "nobody names a cause"),
    "none_tail": (
        "so far", "in what I read", "in the whole thread", "among the comments", "in the comments so far",
        "among the comments that I read", "in any comment that I have seen", "in the thread as it stands today",
        "among all the comments that I have read so far", "in the thread or in the comments below it so far",
        "here", "up to now", "as far as I see", "in the parts that I saw", "in all that was written below the issue",
    ),
    "independent": ("two separate machines", "two distinct machines", "two differing runners"),
    "single": ("one unchanged machine", "one identical machine", "one recurring machine"),
    "shown": ("showed", "reproduced", "confirmed", "came to show"),
    "rule_tail": (
        "", " here", " for now", " as ever", " this time", " in general", " as a rule", " on this one", " in this case",
        " until further word",
    ),
    "cap_core": (
        "memory of {service} must stay at or below {limit}<rule_tail>",
        "{limit} is the hard ceiling for memory of {service}<rule_tail>",
        "memory of {service} may not pass {limit}<rule_tail>", "give {service} memory of at most {limit}<rule_tail>",
    ),
    "cap_weak_core": (
        "memory of {service} will stay at or about {limit}<rule_tail>",
        "memory of {service} can stay at or around {limit}<rule_tail>",
        "{limit} is the good measure for memory of {service}<rule_tail>",
        "memory of {service} may sit near {limit}<rule_tail>", "give {service} memory of or near {limit}<rule_tail>",
    ),
    "cap_dropped_core": (
        "memory of {service} once went at or below {limit}<rule_tail>",
        "{limit} is the last reading for memory of {service}<rule_tail>",
        "memory of {service} did not pass {limit}<rule_tail>", "gave {service} memory of just on {limit}<rule_tail>",
    ),
    "clear_core": (
        "access for {member} is cleared on {service} <alone><rule_tail>",
        "{member} is fine on {service} <alone><rule_tail>", "approved for {member}: {service} <alone><rule_tail>",
    ),
    "alone": ("and no other", "and that alone", "and only that"),
    "clear_all_core": (
        "access for {member} is cleared on {service} <beyond><rule_tail>",
        "{member} is fine on {service} <beyond><rule_tail>", "approved for {member}: {service} <beyond><rule_tail>",
    ),
    "beyond": ("and any other", "and more too", "and all others"),
    "cause_lead": (
        "for {service} it is", "the failure of {service} is", "what failed in {service} was",
        "trouble in {service} was", "the problem with {service} was", "in {service} it was",
    ),
    "cause_adverb": ("", "", " plainly", " clearly", " it seems", " by the look of it", " in the end"),
    "cause": ("<open><cause_lead><cause_adverb> <because> {phrase}<close>",),
    "cause_none": (
        "<open>for {service} <no_cause> <none_tail><close>", "<open>on {service} <no_cause> <none_tail><close>",
    ),
    "support_yes": (
        "<open><independent> <shown> {issue}<rule_tail><close>",
        "<open>{issue} <shown> on <independent><rule_tail><close>",
    ),
    "support_no": (
        "<open><single> <shown> {issue}<rule_tail><close>", "<open>{issue} <shown> on <single><rule_tail><close>",
    ),
    "cap": ("<open><cap_core><close>",),
    "cap_weak": ("<open><cap_weak_core><close>",),
    "cap_dropped": ("<open><cap_dropped_core><close>",),
    "clear": ("<open><clear_core><close>",),
    "clear_all": ("<open><clear_all_core><close>",),
    "sure": ("final", "established", "ascertained", "confirmed", "verified"),
    "unsure": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "updated": ("correction", "updated", "revised", "restated"),
}  # fmt: skip

WRITERS: Final = {
    "terse": {
        **_COMMON,
        "open": ("",),
        "close": ("",),
        "level": (
            "{subject} {attribute}: {value}", "{attribute} {subject} = {value}", "{subject}, {attribute} {value}",
            "{subject} / {attribute} / {value}", "{attribute} of {subject}: {value}", "<settled>",
        ),
        "settled": ("{subject} {attribute}: {value}, <sure>", "<sure>: {subject} {attribute} {value}"),
        "tentative": ("{subject} {attribute}: {value}, <unsure>", "<unsure>: {subject} {attribute} {value}"),
        "revised": ("<updated>: {subject} {attribute} {value}", "{subject} {attribute} {value} (<updated>)"),
        "derived": (
            "so {subject} {attribute}: {value}", "makes {subject} {attribute} {value}",
            "=> {subject} {attribute} {value}",
        ),
    },
    "formal": {
        **_COMMON,
        "open": ("", "it is noted that "),
        "close": (".",),
        "level": (
            "According to the record, the {attribute} of {subject} is {value}.",
            "The {attribute} for {subject} is given as {value}.",
            "For {subject}, the record gives {attribute} {value}.",
            "It is noted that the {attribute} of {subject} is {value}.",
            "The {attribute} of {subject} stands at {value}.", "<settled>",
        ),
        "settled": (
            "The {attribute} of {subject} is {value}, which is <sure>.",
            "As <sure>, the {attribute} of {subject} is {value}.",
        ),
        "tentative": (
            "The {attribute} of {subject} is {value}, which is <unsure>.",
            "As <unsure>, the {attribute} of {subject} is {value}.",
        ),
        "revised": (
            "The {attribute} of {subject} has been <updated> to {value}.",
            "As <updated>, {subject} now has {attribute} {value}.",
        ),
        "derived": (
            "It follows that the {attribute} of {subject} is {value}.",
            "Taken together, the {attribute} of {subject} is {value}.",
            "From this, the {attribute} of {subject} comes to {value}.",
        ),
    },
    "chatty": {
        **_COMMON,
        "open": ("", "well, ", "seems ", "ok, "),
        "close": ("",),
        "level": (
            "ok, {subject} {attribute} is {value}", "got it, {attribute} for {subject}: {value}",
            "so {subject} shows {attribute} {value}", "right, {value} is the {attribute} of {subject}",
            "had a look, {subject} {attribute} {value}", "<settled>",
        ),
        "settled": (
            "they say {subject} {attribute} is {value}, and that is <sure>",
            "<sure> then: {subject} {attribute} {value}",
        ),
        "tentative": (
            "they say {subject} {attribute} is {value}, but that is <unsure>",
            "<unsure> then: {subject} {attribute} {value}",
        ),
        "revised": (
            "ah, {subject} {attribute} was <updated> to {value}", "<updated> just now: {subject} {attribute} {value}",
        ),
        "derived": (
            "so that means {subject} {attribute} {value}", "which gives {value} as {attribute} of {subject}",
            "then {subject} {attribute} must be {value}",
        ),
    },
    "bullet": {
        **_COMMON,
        "open": ("- ", "* "),
        "close": ("",),
        "level": (
            "- {subject} {attribute}: {value}", "- {attribute} ({subject}): {value}",
            "* {attribute} of {subject}: {value}", "- found {attribute} {value} for {subject}", "<settled>",
        ),
        "settled": ("- {subject} {attribute}: {value} (<sure>)", "- <sure>: {subject} {attribute} {value}"),
        "tentative": ("- {subject} {attribute}: {value} (<unsure>)", "- <unsure>: {subject} {attribute} {value}"),
        "revised": ("- {subject} {attribute}: {value} (<updated>)", "- <updated>: {subject} {attribute} {value}"),
        "derived": (
            "- hence {subject} {attribute}: {value}", "- result: {subject} {attribute} {value}",
            "* so {attribute} of {subject}: {value}",
        ),
    },
    "table": {
        **_COMMON,
        "open": ("note | ", "remark | "),
        "close": ("",),
        "level": (
            "{subject} | {attribute} | {value}", "{attribute} | {subject} | {value} | seen",
            "what={attribute}, whose={subject}, value={value}", "fact | {subject} | {attribute} | {value}", "<settled>",
        ),
        "settled": ("{subject} | {attribute} | {value} | <sure>", "<sure> | {attribute} | {subject} | {value}"),
        "tentative": ("{subject} | {attribute} | {value} | <unsure>", "<unsure> | {attribute} | {subject} | {value}"),
        "revised": ("{subject} | {attribute} | {value} | <updated>", "<updated> | {attribute} | {subject} | {value}"),
        "derived": (
            "result | {subject} | {attribute} | {value}", "{subject} | {attribute} | {value} | derived",
            "hence | {attribute} | {subject} | {value}",
        ),
    },
}  # fmt: skip
