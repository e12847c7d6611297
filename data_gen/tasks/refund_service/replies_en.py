"""How the dialogue agent writes to customers in English."""

from __future__ import annotations

from typing import Final

REPLY: Final = {
    "greeting": ("Dear {name},", "Hello {name},", "Hi {name},", "Good morning {name},", "{name},"),
    "closing": ("Kind regards", "Best regards", "With best wishes", "Many thanks", "Yours sincerely"),
    "r_open": (
        "thank you for writing about order {order}.", "your message about order {order} has been looked into.",
        "this is our answer on order {order}.", "we have gone through order {order}.",
    ),
    "r_refund": (
        "We refund {amount}.", "A refund of {amount} has been booked.", "{amount} goes back to you.",
        "You get {amount} back.",
    ),
    "r_voucher": (
        "You receive a voucher worth {amount}.", "A voucher for {amount} is on your account.",
        "{amount} come as a voucher.",
    ),
    "r_tell": (
        "The sum comes to {amount}.", "By our reckoning that makes {amount}.", "You are owed {amount}.",
        "It amounts to {amount}.",
    ),
    "r_replace": ("A new {item} is on its way.", "We send you another {item}.", "Another {item} has been shipped."),
    "r_return": (
        "Please send the {item} back with the label attached.", "A return for the {item} is open.",
        "The {item} can travel back free of charge.",
    ),
    "r_decline": (
        "The claim came after the period for it, so nothing can be paid.",
        "We cannot pay, the period for claims is over.", "The time for claims has run out, so we have to decline.",
    ),
    "r_person": (
        "{person} takes over and will write to you.", "Your case is now with {person}.",
        "From here on {person} looks after it.",
    ),
    "r_promise": ("The money is <soon> {days}.", "It will be <soon> {days}.", "Expect it, it is <soon> {days}."),
    "soon": ("in your account within", "with you within", "on its way to you within", "credited within"),
    "r_cause": (
        "It came about <because> {phrase}.", "This was <because> {phrase}.", "The trouble is <because> {phrase}.",
    ),
    "r_no_cause": ("As to why, {none}.", "Why it happened we cannot say, {none}."),
    "r_back": ("Order {order} <back>.", "The goods of order {order}: that parcel <back>."),
    "back": ("has to come back", "needs to be sent back", "must be returned", "should be sent back"),
    "r_keep": ("You may keep what came with order {order}.", "The goods of order {order} stay with you."),
    "r_sorry": ("We are sorry for the trouble.", "Please accept our apology.", "We regret what happened."),
    "r_warn": (
        "After <warned> we would close the account.", "With <warned> we have to end the conversation.",
    ),
    "warned": ("further rude words", "another rude message", "more rude words"),
    "final": (
        "Case {case} done, reply sent to {recipients}.", "{case} is closed; the reply went to {recipients}.",
        "Finished {case}, answer mailed to {recipients}.",
    ),
    "final_none": ("Case {case} done, no reply sent.", "{case} is closed without a reply.", "Finished {case}, unsent."),
}  # fmt: skip
