"""What is shown as a quote is the source's own text, whatever a model made of it."""

import pytest

from digest.asking.cutting import cut, judged, judged_theme
from digest.claims import ClaimKind, Draft
from digest.evidence import Evidence, Hunk
from digest.languages import Language

BODY = "The `rotor-speed` is read once, “before” the  blade ﬁrst turns; a_long_name — 3 × 4 = 2*6."
KEY = "example-org/turbine:pull_request:1"


@pytest.mark.parametrize(
    ("copied", "source"),
    [
        ("The `rotor-speed` is read once", "The `rotor-speed` is read once"),
        ("the rotor\u2011speed is READ once", "The `rotor-speed` is read once"),
        ('once, "before" the blade first turns', "once, “before” the  blade ﬁrst turns"),
        ('"is read once."', "is read once"),
        ("blade first turns; a_long_name - 3", "blade ﬁrst turns; a_long_name — 3"),
        ("= 2*6", "= 2*6"),
        ("h3+12|is read once", "is read once"),
        ("the rotor spins", ""),
        ("", ""),
    ],
)
def test_a_quote_is_cut_where_it_stands(copied: str, source: str) -> None:
    assert cut(copied, BODY) == source


def test_words_that_are_parted_alike_are_found_before_others() -> None:
    assert cut("Cache HIT", "a cachehit, then a cache  hit") == "cache  hit"


def test_marks_that_combine_with_a_letter_stay_with_it() -> None:
    assert cut("re\u0301sume\u0301 now", "a r\u00e9sum\u00e9  now") == "r\u00e9sum\u00e9  now"
    assert cut("r\u00e9sum\u00e9 now", "a re\u0301sume\u0301  now") == "re\u0301sume\u0301  now"


def evidence() -> Evidence:
    lines = (
        " import rotor",
        "-speed = rotor.read( )",
        "+speed = rotor.read_once( )",
        " turn(speed)",
    )
    hunk = Hunk("h1", "turbine/rotor.py", 1, lines)
    body = (BODY, "Requests that wait for a blade are now dropped after `blade_timeout` seconds.")
    return Evidence(KEY, "Read the rotor once", body, 2, (hunk,), 1)


def draft(quote: str, quote_from: str, text: str, cites: tuple[str, ...] = (KEY,)) -> Draft:
    return Draft(ClaimKind.WHAT, quote, quote_from, {Language.EN: text}, cites)


def test_a_claim_holds_the_words_of_its_source() -> None:
    said = "Requests that wait for a blade are dropped after blade_timeout seconds."
    copied = "requests that wait for a BLADE are now dropped after blade_timeout  seconds"
    (verdict,) = judged([draft(copied, "body", said)], evidence())
    assert verdict.claim
    assert verdict.claim.quote == (
        "Requests that wait for a blade are now dropped after `blade_timeout` seconds"
    )


@pytest.mark.parametrize(
    ("copied", "source"),
    [
        ("+speed = rotor.read_once()", "+speed = rotor.read_once( )"),
        ("speed = rotor.read_once( ) turn(speed)", "speed = rotor.read_once( )\nturn(speed)"),
    ],
)
def test_code_is_cut_line_by_line(copied: str, source: str) -> None:
    said = "The speed now comes from rotor.read_once."
    (verdict,) = judged([draft(copied, "h1", said)], evidence())
    assert verdict.claim
    assert verdict.claim.quote == source


def test_the_sentence_of_a_theme_is_quoted_from_one_of_its_items() -> None:
    first = evidence()
    other = Evidence(f"{KEY}2", "Read the rotor twice", ("The rotor speed is read again.",), 1)
    said = draft("read the ROTOR once", "", "The rotor is read.", (first.key, other.key))
    verdict = judged_theme(said, "theme.other", (first, other))
    assert verdict.claim
    assert verdict.claim.quote == "Read the rotor once"


def test_what_is_not_proven_stays_unproven() -> None:
    (verdict,) = judged([draft("the rotor spins", "body", "The rotor spins.")], evidence())
    assert verdict.claim is None
