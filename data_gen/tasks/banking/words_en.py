"""How five English writers put banking notes into words."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.banking import lexicon
from data_gen.tasks.banking.templates import Verdict

_COMMON: Final = {
    "plan": (
        "<planlead> get the records, read the letters, work it out, then <deliver>.",
        "<planlead> look up what is needed first, then decide and <deliver>.",
        "<planlead> records, letters, decision, and at the end <deliver>.",
        "<planlead> collect the amounts, note them, decide, <deliver>.",
    ),
    "planlead": ("Plan:", "Steps:", "To do:", "Order of work:", "How to go about it:"),
    "deliver": ("report back", "do it and say so", "carry it out", "write down what was done"),
    "brieflead": lexicon.BRIEF_LEADS["en"],
    "brief": (
        "<brieflead> work on {subject}.", "<brieflead> {subject}, no letter wanted.",
        "<brieflead> see to {subject}.",
    ),
    "brief_for": (
        "<brieflead> {subject}, word <briefto> {name}.", "<brieflead> see to {subject} for {name}.",
        "<brieflead> {name} <briefwants> word on {subject}.", "<brieflead> work on {subject}, reader is {name}.",
    ),
    "brief_from": (
        "<brieflead> {subject}, money from the {source}.", "<brieflead> see to {subject} out of the {source}.",
        "<brieflead> {subject}, to be charged to the {source}.", "<brieflead> work on {subject}, using the {source}.",
    ),
    "brief_for_from": (
        "<brieflead> {subject} out of the {source}, word <briefto> {name}.",
        "<brieflead> {subject}, charged to the {source}; {name} <briefwants> word.",
        "<brieflead> {name} <briefwants> word on {subject}, money from the {source}.",
        "<brieflead> see to {subject} for {name}, using the {source}.",
    ),
    "briefto": ("goes to", "is for", "to be sent to", "meant for"),
    "briefwants": ("wants", "expects", "waits for", "asked for", "needs"),
    "brief_mismatch": (
        "My summary of the task was off; the user said {name}.", "Looked at the request again: it says {name}.",
        "Correction after rereading the request, which has {name}.",
    ),
    "skim": (
        "<skimverb> the letters on {topic}; <nothing>.", "Letters on {topic} <seen>: <nothing>.",
        "<nothing_cap> in the letters on {topic}.",
    ),
    "skimverb": ("Read", "Went through", "Looked through", "Skimmed", "Opened"),
    "seen": ("read", "seen", "checked", "looked through"),
    "nothing": ("background only", "nothing that bears on the sums", "general remarks, no bookings", "context"),
    "nothing_cap": ("Background only", "Nothing that bears on the sums", "General remarks, no bookings"),
    "checked": (
        "Compared the note on {entity} with its record: they agree.",
        "Re-read the record for {entity}; the note matches it.",
        "The note on {entity} was checked against its record and holds.",
    ),
    "mismatch": (
        "The note on {entity} does not match its record; going by the record.",
        "Record and note differ for {entity}, so the record counts.",
        "Noticed that my note on {entity} disagrees with the record. Using the record.",
    ),
    "background": (
        "{count} bookings on the {entity} listed; none matters here.",
        "Went over the {count} latest bookings of the {entity}, all in order.",
        "The {entity} shows {count} recent bookings, nothing unusual.",
    ),
    "left_out": (
        "The letters ask to leave this alone for now, so it stays as it is.",
        "Going by the letters, this one is not carried out today.",
        "According to the letters it is to wait, so nothing is done about it.",
    ),
    "subject": ("{subject}: {topic}", "{topic} for {subject}", "Your request on {subject}", "{subject}, {topic}"),
    "topic": ("outcome", "payment advice", "account matters", "short report", "what was done"),
    "greeting": ("Dear {name},", "Hello {name},", "Hi {name},", "Good morning {name},", "{name},"),
    "closing": ("Kind regards", "Best regards", "Regards", "Many thanks", "With best wishes"),
    "intro": (
        "here is what you asked for.", "this is the outcome.", "please find the outcome below.", "as requested:",
        "the matter is dealt with.",
    ),
    "final": (
        "Done. <finalmail> {recipients}.", "Finished: <finalmail> {recipients}.",
        "All set. <finalmail> {recipients}.",
    ),
    "final_none": ("Done, without a letter.", "Finished; nobody was written to.", "All set, no letter went out."),
    "finalmail": ("The outcome went to", "Written to", "The advice has gone to", "Sent to"),
    "did": ("carried out", "executed", "booked", "in place"),
    "handover": (
        "Please <carry> {subject} now; <keep>.", "Over to you for {subject}; <keep>.",
        "{subject} is ready to be <carried>; <keep>.",
    ),
    "carry": ("carry out", "execute", "settle", "complete"),
    "carried": ("carried out", "executed", "settled", "completed"),
    "keep": ("keep to the lines below", "what applies is below", "mind what follows", "the terms are below"),
    "reference": ("{subject}", "re {subject}", "{subject} settled", "our ref. {subject}", "ref. {subject}"),
    "because": lexicon.BECAUSE["en"],
    "no_reason": lexicon.NO_REASON["en"],
    "independent": lexicon.INDEPENDENT["en"],
    "single": lexicon.SINGLE["en"],
    "none_tail": (
        "for {subject}", "on {subject} so far", "about {subject} in what I read", "for {subject} in the notes",
    ),
    "sure": ("final", "established", "ascertained", "confirmed", "verified"),
    "unsure": lexicon.TENTATIVE["en"],
    "updated": ("correction", "updated", "revised", "restated"),
    "updated_verb": ("corrected", "restated", "updated", "revised"),
    "sure_tail": ("", "", " according to its record", " as looked up", " per the lookup"),
    "up": lexicon.UP["en"], "down": lexicon.DOWN["en"],
    "approval": lexicon.APPROVAL["en"], "binding": lexicon.BINDING["en"], "weak": lexicon.WEAK["en"],
    "exempt": lexicon.EXEMPT["en"], "every": lexicon.EVERY_INVOICE["en"],
    "ahead": ("first", "beforehand", "in advance", "before they leave"),
    **{verdict.value: words for verdict, words in lexicon.VERDICTS["en"].items()},
    # -- clauses that each register puts in its own frame
    "c_sum": ("{left} with {right} <sum> {figure}", "{right} put to {left} <sum> {figure}"),
    "c_rest": ("{left} less {right} <rest> {figure}", "{right} taken off {left} <rest> {figure}"),
    "c_up": ("{left} <up> {right} by {figure}", "by {figure} {left} <up> {right}"),
    "c_down": ("{left} <down> {right} by {figure}", "by {figure} {left} <down> {right}"),
    "c_most": ("{winner} <most> with {figure}", "with {figure} {winner} <most>"),
    "c_least": ("{winner} <least> with {figure}", "with {figure} {winner} <least>"),
    "c_share": ("<share> {left} makes {figure}", "<share> {left} is {figure}"),
    "c_part": ("<part> {left} makes {figure}", "<part> {left} is {figure}"),
    "c_half": ("<half> {left} and {right} makes {figure}", "<half> {left} and {right} is {figure}"),
    "c_raise": ("{left} <raise> {figure}", "with the change {left} <raise> {figure}"),
    "c_convert": ("at the {left} <convert> {figure}", "<convert> {figure} at the {left}"),
    "c_number": (
        "{payee} is paid to {number}", "{payee} has account {number}", "money for {payee} goes to {number}",
        "account of {payee} is {number}",
    ),
    "c_date": (
        "{entity} falls due {day}", "{entity} is payable by {day}", "deadline of {entity} is {day}",
        "due date of {entity} is {day}",
    ),
    "c_rule": (
        "payments to {payee} above {limit} <binding> <approval> <ahead>",
        "above {limit}, payments to {payee} <binding> <approval> <ahead>",
        "transfers to {payee} of more than {limit} <binding> <approval> <ahead>",
    ),
    "c_rule_weak": (
        "payments to {payee} above {limit} <weak> <approval> <ahead>",
        "above {limit}, payments to {payee} <weak> <approval> <ahead>",
        "transfers to {payee} of more than {limit} <weak> <approval> <ahead>",
    ),
    "c_rule_dropped": (
        "payments to {payee} above {limit} <usual> <track> <ahead>",
        "above {limit}, payments to {payee} <usual> <track> <ahead>",
        "transfers to {payee} of more than {limit} <usual> <track> <ahead>",
    ),
    "usual": lexicon.ONLY_NOTED["en"],
    "track": ("centrally", "separately", "internally", "by account", "by invoice"),
    "c_permit": (
        "for {payee}, <alone> is <exempt> from that this once", "<alone> is <exempt> from that, {payee} <told>",
        "as agreed with {payee}, <alone> is <exempt> from that",
    ),
    "c_permit_all": (
        "for {payee}, <every> is <exempt> from that this once", "<every> is <exempt> from that, {payee} <told>",
        "as agreed with {payee}, <every> is <exempt> from that",
    ),
    "alone": ("merely {entity}", "{entity} itself", "simply {entity}", "{entity} solely", "{entity} singly"),
    "told": ("knows", "is told", "agreed", "was asked"),
    "c_reason": (
        "{subject} is as it is <because> {phrase}", "the sum of {subject} is <because> {phrase}",
        "the change in {subject} is <because> {phrase}",
    ),
    "c_none": ("<no_reason> <none_tail>", "it seems <no_reason> <none_tail>"),
    "c_yes": ("for {entity}, <independent> backs the figure", "the figure for {entity} rests on <independent>"),
    "c_no": ("for {entity}, <single> backs the figure", "the figure for {entity} rests on <single>"),
}  # fmt: skip

_CLAUSES: Final = {
    **{f"verdict_{v.value}": f"c_{v.value}" for v in Verdict if v is not Verdict.COVER},
    "verdict_cover_up": "c_up", "verdict_cover_down": "c_down", "number": "c_number", "date": "c_date",
    "rule": "c_rule", "rule_weak": "c_rule_weak", "rule_dropped": "c_rule_dropped", "permit": "c_permit",
    "permit_all": "c_permit_all", "reason": "c_reason", "reason_none": "c_none", "support_yes": "c_yes",
    "support_no": "c_no",
}  # fmt: skip


def framed(leads: tuple[str, ...], tails: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Each clause between the leads and tails of a register."""
    pairs = [(lead, tail) for lead in leads for tail in tails]
    return {symbol: tuple(f"{lead}<{clause}>{tail}" for lead, tail in pairs) for symbol, clause in _CLAUSES.items()}


WRITERS: Final = {
    "terse": {
        **_COMMON, **framed(("", "", "so: ", "noted: "), ("", "")),
        "amount": (
            "{entity} [metric]: {amount}", "[metric], {entity} = {amount}", "{entity}, [metric] {amount}",
            "{amount} [metric], {entity}", "<settled>",
        ),
        "settled": ("{entity} [metric]: {amount}, <sure>", "<sure>: {entity} [metric] {amount}"),
        "tentative": ("{entity} [metric]: {amount}, <unsure>", "<unsure>: {entity} [metric] {amount}"),
        "revised": ("<updated>: {entity} [metric] {amount}", "{entity} [metric] {amount} (<updated>)"),
    },
    "formal": {
        **_COMMON, **framed(("", "It is noted that ", "According to the files, ", "In this matter "), (".", ".")),
        "amount": (
            "According to the records, the [metric] of {entity} <amounts> {amount}.",
            "The [metric] of {entity} <amounts> {amount}<sure_tail>.",
            "For {entity}, the [metric] recorded <amounts> {amount}.",
            "It is noted that the [metric] of {entity} <amounts> {amount}.", "<settled>",
        ),
        "amounts": ("amounts to", "is", "comes to", "stands at"),
        "settled": (
            "The <sure> figure puts the [metric] of {entity} at {amount}.",
            "The [metric] of {entity} is now {amount}, which is <sure>.",
        ),
        "tentative": (
            "The <unsure> figure puts the [metric] of {entity} at {amount}.",
            "The [metric] of {entity} may be {amount}, which is <unsure>.",
        ),
        "revised": (
            "The [metric] of {entity} has been <updated_verb> to {amount}.",
            "A revised record gives {entity} a [metric] of {amount}.",
        ),
    },
    "chatty": {
        **_COMMON, **framed(("ok, ", "so ", "right, ", "turns out "), ("", "")),
        "amount": (
            "ok, [metric] of {entity} <was> {amount}", "got it: {entity}, [metric] {amount}",
            "so the [metric] of {entity} <was> {amount}<sure_tail>", "looked up {entity}, [metric] <was> {amount}",
            "<settled>",
        ),
        "was": ("is", "was", "turns out to be", "comes in at"),
        "settled": (
            "people all say [metric] of {entity} is {amount}, and that's <sure>",
            "<sure> by now: {entity} has {amount} as [metric]",
        ),
        "tentative": (
            "someone thinks [metric] of {entity} is {amount}, but that's <unsure>",
            "<unsure> so far: {entity} has {amount} as [metric]",
        ),
        "revised": (
            "hm, they <updated_verb> it: [metric] of {entity} is {amount} now",
            "revised! [metric] of {entity} is now {amount}",
        ),
    },
    "bullet": {
        **_COMMON, **framed(("- ", "* ", "- Note: ", "- Found: "), ("", "")),
        "amount": (
            "- [metric], {entity}: {amount}", "- {entity} [metric]: {amount}<sure_tail>",
            "* {entity}: [metric] {amount}",
            "- Figure found for {entity}: [metric] {amount}", "<settled>",
        ),
        "settled": ("- {entity} [metric]: {amount} (<sure>)", "- <sure>: [metric] {entity} {amount}"),
        "tentative": ("- {entity} [metric]: {amount} (<unsure>)", "- <unsure>: [metric] {entity} {amount}"),
        "revised": ("- {entity} [metric]: {amount} (<updated>)", "- <updated>: [metric] {entity} {amount}"),
    },
    "table": {
        **_COMMON, **framed(("note | ", "result | ", "finding | "), ("", "", " | noted")),
        "amount": (
            "{entity} | [metric] | {amount}", "figure | [metric] | {entity} | {amount}",
            "item={entity}, field=[metric], value={amount}", "{entity} | [metric] | {amount} | looked up",
            "<settled>",
        ),
        "settled": ("{entity} | [metric] | {amount} | <sure>", "<sure> | [metric] | {entity} | {amount}"),
        "tentative": ("{entity} | [metric] | {amount} | <unsure>", "<unsure> | [metric] | {entity} | {amount}"),
        "revised": ("{entity} | [metric] | {amount} | <updated>", "<updated> | [metric] | {entity} | {amount}"),
    },
}  # fmt: skip
