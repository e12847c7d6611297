"""How five English writers put the notes of a travel agent into words."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.travel_booking import lexicon

_COMMON: Final = {
    "item_day": ("{subject} on {day}", "{subject} for {day}"),
    "plan": (
        "<planlead> look up what is offered, note the figures, decide, then <deliver>.",
        "<planlead> gather prices and rules first, then decide and <deliver>.",
        "<planlead> facts, papers, decision, and at the end <deliver>.",
        "<planlead> see what the systems say, weigh it up, then <deliver>.",
    ),
    "planlead": ("Plan:", "Steps:", "To do:", "Order of work:", "How to go about it:"),
    "deliver": ("carry it out", "see it through", "settle it and report back", "act and confirm"),
    "brief": (
        "<brieflead> {city}, <briefto> {name}.", "<brieflead> arrange {city} <brieffor> {name}.",
        "<brieflead> {name} <briefwants> help with {city}.", "<brieflead> {city} is the place, {name} the traveller.",
        "<brieflead> {city}; {name} <briefgets>.", "<brieflead> {name} is the one who travels, {city} the place.",
    ),
    "brieflead": ("Task:", "As I understand it:", "In short:", "Wanted:", "My job here:", "The request:"),
    "briefto": ("all of it for", "everything for", "arrangements for", "travel for", "on behalf of"),
    "brieffor": ("for", "on behalf of", "in the name of"),
    "briefwants": ("wants", "expects", "waits for", "asked for", "needs"),
    "briefgets": ("is the traveller", "is going", "travels", "gets the details"),
    "brief_mismatch": (
        "My summary of the task was off; the user named {name}.", "Looked at the request again: it is for {name}.",
        "Correction after rereading the request, the traveller is {name}.",
    ),
    "where": (
        "<wherelead> {customer} <meets> {city}.", "<wherelead> {city} <hosts> {customer}.",
        "<wherelead> {city}, for {customer}.", "<wherelead> for {customer}, {city}.",
        "<wherelead> {customer} takes place in {city}.", "<wherelead> the place for {customer} is {city}.",
    ),
    "wherelead": ("Calendar:", "Diary:", "Meeting:", "From the diary:", "Destination:", "Appointment:"),
    "meets": ("meets in", "is down for", "is seen in", "expects us in", "will be in"),
    "hosts": ("is where to meet", "is the place to see", "it is for", "is set for"),
    "where_mismatch": (
        "The diary entry for {customer} says something else than my note; going by the diary.",
        "Note and diary differ on {customer}, so the diary counts.",
    ),
    "skim": (
        "<skimverb> the papers on {topic}; <nothing>.", "Papers on {topic} <seen>: <nothing>.",
        "<nothing_cap> in the papers on {topic}.",
    ),
    "skimverb": ("Read", "Went through", "Looked through", "Skimmed", "Opened"),
    "seen": ("read", "seen", "checked", "looked through"),
    "nothing": ("background only", "nothing that bears on the prices", "general remarks", "context", "local colour"),
    "nothing_cap": ("Background only", "Nothing that bears on the prices", "General remarks, no tariff data"),
    "checked": (
        "Compared the note on {item} with its record: they agree.", "Re-read the record for {item}; the note matches.",
        "The note on {item} was checked against its record and holds.",
    ),
    "mismatch": (
        "The note on {item} does not match its record; going by the record.",
        "Record and note differ for {item}, so the record counts.",
        "Noticed that my note on {item} disagrees with the record. Using the record.",
    ),
    "verdict_mismatch": (
        "My conclusion does not follow from the figures; worked it out again.",
        "Went over the conclusion: it was off, done anew.",
        "The conclusion does not hold, redoing it from the figures.",
    ),
    "rules_mismatch": (
        "The rules as handed over are not what the policy says; going by the policy.",
        "Hand-over and policy differ, so the policy counts.",
    ),
    "thing_flight": ("flights to {city}",), "thing_train": ("trains to {city}",), "thing_hotel": ("hotels in {city}",),
    "thing_car": ("rental cars in {city}",), "thing_trip": ("trips to {city}",),
    "did_book_offer": ("{subject} is booked", "booked: {subject}", "the booking of {subject} stands"),
    "did_hold_offer": ("{subject} is on hold", "on hold: {subject}", "{subject} is kept for you"),
    "did_request_approval": ("approval has been asked for", "your manager has been asked", "approval is pending"),
    "did_change_booking": ("{subject} has been changed", "the change of {subject} is made"),
    "did_cancel_booking": ("{subject} is cancelled", "{subject} has been given up"),
    "did_submit_claim": ("the claim is handed in", "the claim has been filed"),
    "did_add_baggage": ("the extra kilos are added", "extra baggage has been bought"),
    "did_nothing": ("nothing had to be done", "all stays as it is", "no booking was made"),
    "reason_mismatch": (
        "The papers do not bear out what I noted as the reason; reading them again.",
        "My note on the reason is not what the papers say.",
    ),
    "support_mismatch": (
        "My note on the sources does not fit their origins; looking again.",
        "The origins of the two figures say otherwise than my note.",
    ),
    "skip_mail": (
        "The papers say that the mail should not go out now, so it stays with me.",
        "Going by the papers, no mail this time.",
        "According to what I read, the mail is to be left out.",
    ),
    "background": (
        "{count} earlier trips are listed; none of them matters here.",
        "Listed the bookings: {count} older ones, not needed.", "The list shows {count} earlier bookings, all closed.",
    ),
    "mail_subject": ("{subject}: {topic}", "{topic} for {subject}", "Your trip, {subject}", "{subject}, {topic}"),
    "topic": ("outcome", "travel arrangements", "booking status", "short report", "itinerary"),
    "greeting": ("Dear {name},", "Hello {name},", "Hi {name},", "Good morning {name},", "{name},"),
    "closing": ("Kind regards", "Best regards", "Regards", "Many thanks", "Have a good trip"),
    "intro": (
        "here is how things stand.", "this is the outcome.", "please find the details below.", "as requested:",
        "all is looked into.",
    ),
    "final": (
        "Done. <finalmail> {recipients}.", "Finished: <finalmail> {recipients}.", "All set. <finalmail> {recipients}.",
    ),
    "final_none": ("Done, without a mail.", "Finished; nothing was mailed.", "All set, the mail was left out."),
    "finalmail": ("The details went to", "Mailed to", "The mail has gone to", "Sent to"),
    "because": lexicon.BECAUSE["en"],
    "no_reason": (
        "no reason is on file", "the papers give no cause", "no cause is recorded", "the papers name no reason",
    ),
    "none_tail": (
        "for {subject}", "on {subject} so far", "about {subject} in what I read", "for {subject} in the notes",
    ),
    "independent": tuple(f"a {x}" if x.startswith("second") else x for x in lexicon.INDEPENDENT["en"]),
    "single": lexicon.SINGLE["en"],
    "sure": lexicon.SURE["en"],
    "unsure": lexicon.TENTATIVE["en"],
    "updated": ("correction", "updated", "revised", "changed"),
    "sure_tail": ("", "", " as listed", " as looked up", " per the lookup", " according to its record"),
    "pick": ("{subject} {word} <with> {figure}", "<with> {figure}, {subject} {word}"),
    "with": ("with", "at"),
    "sum": (
        "{subject} {word} {figure}", "taken together, {subject} {word} {figure}", "overall {subject} {word} {figure}",
    ),
    "limit": (
        "{subject} {word} {limit} by {figure}", "set against {limit}, {subject} {word} it by {figure}",
        "next to {limit}, {subject} {word} it by {figure}",
    ),
    # -- rules handed over -------------------------------------------------------------------------------------------
    # Each form of a rule has one of the same length among those that bind nobody, or everybody.
    "rlead": ("", "", "", "rule: ", "note: ", "also: ", "here: ", "travel: ", "policy: "),
    "rend": (
        "", "", " this year", " each time", " as before", " for today", " as agreed",
        " by policy", " all along",
    ),
    "limit_rule": (
        "<rlead>{thing} at {limit} at most<rend>.", "<rlead>pay never above {limit} for {thing}<rend>.",
        "<rlead>no more than {limit} for {thing}<rend>.", "<rlead>for {thing} pay at most {limit}<rend>.",
    ),
    "limit_soft": (
        "<rlead>{thing} near {limit} or so<rend>.", "<rlead>pay mostly near {limit} for {thing}<rend>.",
        "<rlead>often around {limit} for {thing}<rend>.", "<rlead>for {thing} pay roughly {limit}<rend>.",
    ),
    "limit_gone": (
        "<rlead>{thing} asked {limit} once<rend>.", "<rlead>others had paid {limit} for {thing}<rend>.",
        "<rlead>we once paid {limit} for {thing}<rend>.", "<rlead>for {thing} others paid {limit}<rend>.",
    ),
    "permit": (
        "<rlead>{person} may exceed the limit without asking<rend>.",
        "<rlead>{person} may surpass the cap without asking<rend>.",
        "<rlead>for {person} and for no others no approval needed<rend>.",
    ),
    "permit_all": (
        "<rlead>{person} and anyone may do so without asking<rend>.",
        "<rlead>{person} or anyone may do so without asking<rend>.",
        "<rlead>for {person} and for everybody no approval needed<rend>.",
    ),
}  # fmt: skip

WRITERS: Final = {
    "terse": {
        **_COMMON,
        "fact": (
            "{item} {measure}: {amount}", "{measure} {item}: {amount}", "{measure} of {item}: {amount}",
            "{item}, {measure}: {amount}", "{measure}, {item}: {amount}", "<settled>",
        ),
        "settled": ("{item} {measure}: {amount}, <sure>", "<sure>: {item} {measure} {amount}"),
        "tentative": ("{item} {measure}: {amount}, <unsure>", "<unsure>: {item} {measure} {amount}"),
        "revised": ("<updated>: {item} {measure} {amount}", "{item} {measure} {amount} (<updated>)"),
        "reason": ("<because> {phrase}", "price <because> {phrase}"),
        "reason_none": ("<no_reason> <none_tail>",),
        "support_yes": ("{subject}: <independent> agrees", "<independent> for {subject} so far"),
        "support_no": ("{subject}: <single> agrees", "<single> for {subject} so far"),
        "verdict_lead": ("", "", "result: ", "so: "),
    },
    "formal": {
        **_COMMON,
        "fact": (
            "According to the records, the {measure} of {item} <isat> {amount}.",
            "The {measure} of {item} <isat> {amount}<sure_tail>.", "For {item}, the {measure} <isat> {amount}.",
            "It is noted that the {measure} of {item} <isat> {amount}.", "The {measure} <isat> {amount}, for {item}.",
            "<settled>",
        ),
        "isat": ("is", "stands at", "is given as", "is put at", "is listed as"),
        "settled": (
            "The <sure> figure puts the {measure} of {item} at {amount}.",
            "The {measure} of {item} must be {amount}, which is <sure>.",
        ),
        "tentative": (
            "The <unsure> figure puts the {measure} of {item} at {amount}.",
            "The {measure} of {item} may be {amount}, which is <unsure>.",
        ),
        "revised": (
            "The {measure} of {item} has been <updated> to {amount}.",
            "After the <updated> notice, the {measure} of {item} is {amount}.",
        ),
        "updated": ("corrected", "updated", "revised", "changed"),
        "reason": ("The price is <because> {phrase}.", "On file, the price is <because> {phrase}."),
        "reason_none": ("As to the cause, <no_reason> <none_tail>.", "It is noted that <no_reason> <none_tail>."),
        "support_yes": ("For {subject}, <independent> agrees.", "The figure of {subject} has <independent>."),
        "support_no": ("For {subject}, <single> agrees.", "The figure of {subject} has <single>."),
        "verdict_lead": ("It follows that ", "In sum, ", "The comparison shows that ", "On this basis, "),
    },
    "chatty": {
        **_COMMON,
        "fact": (
            "ok, the {measure} of {item} <was> {amount}", "got it, {item} has a {measure} of {amount}",
            "right, {measure} for {item} <was> {amount}<sure_tail>", "so {item}: the {measure} <was> {amount}",
            "here we go, {measure} of {item}, {amount}", "<settled>",
        ),
        "was": ("is", "comes out at", "stands at", "sits at", "shows"),
        "settled": (
            "the {measure} of {item} is {amount}, that one is <sure>",
            "word is {amount} for the {measure} of {item}, <sure>",
        ),
        "tentative": (
            "the {measure} of {item} is {amount}, that one is <unsure>",
            "word is {amount} for the {measure} of {item}, <unsure>",
        ),
        "revised": (
            "oh, <updated>: {measure} of {item} now {amount}", "heads up, <updated> {measure} of {item}, {amount} now",
        ),
        "reason": ("so that is <because> {phrase}", "looks like it is <because> {phrase}"),
        "reason_none": ("well, <no_reason> <none_tail>", "looks like <no_reason> <none_tail>"),
        "support_yes": ("ok, {subject} has <independent> behind it", "there is <independent> for {subject}"),
        "support_no": ("ok, {subject} has <single> behind it", "there is <single> for {subject}"),
        "verdict_lead": ("so ", "all in all ", "the way I see it ", "ok, "),
    },
    "bullet": {
        **_COMMON,
        "fact": (
            "- {item}, {measure}: {amount}", "- {measure}, {item}: {amount}",
            "* {item}, {measure}: {amount}<sure_tail>",
            "* {measure} ({item}): {amount}", "- looked up: {measure} of {item} {amount}",
            "- looked up: {item} {measure}, {amount}", "<settled>",
        ),
        "settled": ("- {item}, {measure}: {amount} (<sure>)", "- <sure>: {item} {measure} {amount}"),
        "tentative": ("- {item}, {measure}: {amount} (<unsure>)", "- <unsure>: {item} {measure} {amount}"),
        "revised": ("- {item}, {measure}: {amount} (<updated>)", "- <updated>: {item} {measure} {amount}"),
        "reason": ("- cause: <because> {phrase}", "- price: <because> {phrase}"),
        "reason_none": ("- cause: <no_reason> <none_tail>", "- price: <no_reason> <none_tail>"),
        "support_yes": ("- {subject}: <independent>", "- backing of {subject}: <independent>"),
        "support_no": ("- {subject}: <single>", "- backing of {subject}: <single>"),
        "verdict_lead": ("- ", "- outcome: ", "* ", "- finding: "),
    },
    "table": {
        **_COMMON,
        "fact": (
            "{item} | {measure} | {amount}", "{measure} | {item} | {amount}", "figure | {measure} | {item} | {amount}",
            "item={item}, field={measure}, value={amount}", "field={measure}, item={item}, value={amount}",
            "{item} | {measure} | {amount} | read", "<settled>",
        ),
        "settled": ("{item} | {measure} | {amount} | <sure>", "<sure> | {measure} | {item} | {amount}"),
        "tentative": ("{item} | {measure} | {amount} | <unsure>", "<unsure> | {measure} | {item} | {amount}"),
        "revised": ("{item} | {measure} | {amount} | <updated>", "<updated> | {measure} | {item} | {amount}"),
        "reason": ("cause | <because> {phrase}", "cause | price <because> {phrase}"),
        "reason_none": ("cause | <no_reason> <none_tail>", "price | <no_reason> <none_tail>"),
        "support_yes": ("backing | {subject} | <independent>", "{subject} | backed by <independent>"),
        "support_no": ("backing | {subject} | <single>", "{subject} | backed by <single>"),
        "verdict_lead": ("outcome | ", "finding | ", "result | "),
    },
}  # fmt: skip
