"""What was said before is not said again; what failed is told to the model in plain words."""

import pytest

from digest.claims import Claim, ClaimKind, Draft, Failure
from digest.grounding.distinct import distinct
from digest.grounding.repair import complaint, words
from digest.grounding.verdict import Verdict
from digest.languages import Language
from tests.digest.grounding.conftest import Judge

EN, ZH = Language.EN, Language.ZH


def verdict(en: str, zh: str = "", key: str = "a/b:issue:1") -> Verdict:
    text = {each: said for each, said in ((EN, en), (ZH, zh)) if said}
    draft = Draft(ClaimKind.WHAT, "quote", "title", text, (key,))
    return Verdict(draft, Claim(draft.kind, draft.quote, "title", text, draft.cites))


def test_the_later_of_two_items_that_say_the_same_says_it_no_more() -> None:
    first = verdict("Glaze buffers are reused in the kiln.", "在窑中复用釉料缓冲区。")
    again = verdict(
        "Glaze buffers are reused in the kilns.", "此项与上一项说法不同。", "a/b:issue:2"
    )

    kept, changed = distinct([first, again])

    assert kept is first
    assert changed.claim is not None
    assert dict(changed.claim.text) == {ZH: "此项与上一项说法不同。"}
    assert changed.failures == (Failure("repeated", EN, "Glaze buffers are reused in the kilns."),)


def test_a_claim_that_only_repeats_is_gone() -> None:
    first, again = verdict("The kiln was fired."), verdict("The kiln was fired!")

    assert distinct([first, again])[1].claim is None
    assert not distinct([first, again])[1].repairable


def test_verdicts_without_claims_pass_through() -> None:
    dropped = Verdict(verdict("x").draft, None, (Failure("quote", "", "x"),))

    assert distinct([dropped, dropped]) == (dropped, dropped)


def test_a_complaint_names_each_sentence_and_what_failed(judge: Judge) -> None:
    verdicts = [
        judge("The pool keeps 8 buffers per kiln."),
        judge("The pool keeps 9 buffers per kiln on sm_80."),
        judge("The pool keeps 8 buffers.", quote="not there at all"),
    ]

    said = complaint(verdicts)

    assert said.splitlines() == [
        "2. en: 'sm_80' is not in the source; en: '9' is not in the source with that unit; "
        "rewrite without it or null"
    ]


def test_nothing_to_repair_is_no_complaint(judge: Judge) -> None:
    assert complaint([judge("The pool keeps 8 buffers per kiln.")]) == ""
    assert complaint([]) == ""


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (Failure("identifier", "en", "sm_80"), "en: 'sm_80' is not in the source"),
        (Failure("strength", "zh", "显著"), "zh: nothing in the source allows '显著'"),
        (Failure("cites", "", ""), "fewer than two of the cited items have something of it"),
        (
            Failure("name", "en", "it's `x`\n" + "y" * 500),
            f"en: the source does not name 'its x {'y' * 54}'",
        ),
    ],
)
def test_what_failed_is_told_in_few_words_and_in_quotes(failure: Failure, said: str) -> None:
    assert words(failure) == said
