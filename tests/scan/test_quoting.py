import pytest

from mage_ml.risk import Evidence, RiskAxis
from mage_ml.scan.quoting import quoted_from

TEXT = "Accounts: " + "x" * 300 + " Pay to AB-12-34 by Friday, please." + "y" * 300


def found(message, span=None):
    return Evidence(axis=RiskAxis.SAFETY, score=0.9, found_by="untrusted_argument", message=message, span=span)


@pytest.mark.parametrize(
    ("message", "span", "quote"),
    [
        ("Argument 'to' is 'ab-12-34', which comes only from entry 'm2' (tool).", None, "AB-12-34"),
        ("The rule \"pay to AB-12-34\" is gone; see entry 'm2'.", None, "Pay to AB-12-34"),
        ("whatever 'AB-12-34'", (0, 8), "Accounts"),
        ("nothing of it is there: 'QQQ'", None, TEXT[:240]),
        ("", None, TEXT[:240]),
    ],
)
def test_the_words_that_a_finding_is_about_are_quoted(message, span, quote):
    words = quoted_from(TEXT, found(message, span))
    assert words.quote == quote
    assert f"{words.before}{words.quote}{words.after}".replace("…", "") in TEXT


def test_a_long_span_is_cut_and_what_is_left_out_is_shown():
    words = quoted_from(TEXT, found("", (200, 600)))
    assert len(words.quote) == 240
    assert words.before.startswith("…")
    assert words.after.endswith("…")


def test_a_text_whose_small_letters_are_longer_is_searched_as_it_is():
    text = "\u0130 Pay AB-12-34"
    assert quoted_from(text, found("'AB-12-34'")).quote == "AB-12-34"
