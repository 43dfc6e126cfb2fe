"""Whatever stands around a model's JSON is read past; what is not there is not made up."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.asking.reply import (
    LONGEST_ANSWER,
    MOST_CLAIMS,
    BadReply,
    drafts,
    holds_claims,
    theme_drafts,
)
from digest.claims import ClaimKind, Draft
from digest.languages import Language

CLAIM = {
    "kind": "why",
    "quote": "it▁spins▁once",
    "quote_from": "body",
    "text_en": "It spins once.",
    "text_zh": "只转一圈。",
}
WHOLE = json.dumps({"claims": [CLAIM]}, ensure_ascii=False)
DRAFT = Draft(
    ClaimKind.WHY,
    "it spins once",
    "body",
    {Language.EN: "It spins once.", Language.ZH: "只转一圈。"},
    ("k",),
)


def answer(**changed: object) -> str:
    return json.dumps({"claims": [CLAIM | changed]})


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"  \n{WHOLE}\n",
        json.dumps([CLAIM]),
        f"```json\n{WHOLE}\n```",
        f"Sure! Here it is:\n\n```\n{WHOLE}\n```\nLet me know {{if}} you need more.",
        f'<think>The user wants {{"x": 1}}, or {{"claims": [1]}}.</think>\n{WHOLE}',
        f"thinking without a beginning</think>{WHOLE}",
        f"<thinking>\nHm.\n</thinking>\n{WHOLE}",
        f'First {{"claims": []}}, no, rather: {WHOLE} done',
        f'An example is {{"a": 1}}. {WHOLE}',
    ],
)
def test_claims_are_found_in_whatever_stands_around_them(text) -> None:
    assert drafts(text, "k") == (DRAFT,)
    assert holds_claims(text)


@pytest.mark.parametrize("text", ['{"claims": []}', '```\n{"claims": []}\n```', "[]"])
def test_no_claim_is_a_good_answer(text) -> None:
    assert drafts(text, "k") == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("<think>Hm.</think>", "is empty"),
        ("<think>Hm. It goes on and", "did not answer"),
        ("I'm sorry, I can't help with that.", "is no JSON"),
        (WHOLE[:60], "is cut"),
        (f"```json\n{WHOLE[:90]}", "is cut"),
        (WHOLE.rstrip("}]") + ', "oops": ', "is cut"),
        ('{"answer": "x", "items": "none"}', "another shape"),
        ('{"claims": "none"}', "another shape"),
        ('{"claims": {"0": 1}}', "another shape"),
        ('{"claims": [1, "x", null]}', "another shape"),
        ('{"claims": [{"kind": "what"}]}', "another shape"),
        (answer(kind="praise"), "another shape"),
        (answer(text_en="", text_zh=None), "another shape"),
        ("7", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ('{"a":' * 30_000, "is cut"),
        ("x" * (LONGEST_ANSWER + 1), "far longer"),
    ],
)
def test_an_answer_without_claims_says_why(text, said) -> None:
    with pytest.raises(BadReply, match=said):
        drafts(text, "k")


def test_one_bad_claim_leaves_the_others() -> None:
    text = json.dumps({"claims": [CLAIM | {"kind": "x"}, 3, CLAIM]})

    assert drafts(text, "k") == (DRAFT,)


def test_only_so_many_claims_are_read() -> None:
    assert len(drafts(json.dumps({"claims": [CLAIM] * 500}), "k")) == MOST_CLAIMS


@pytest.mark.parametrize(
    ("quote", "quote_from", "read", "read_from"),
    [
        ("h2+14|+    spin(2)", "h2", "+    spin(2)", "h2"),
        ("spin(2)", "h2+14", "spin(2)", "h2"),
        ("h3+9|-    spin(1)", "body", "-    spin(1)", "h3"),
        ("spin(2)", "Hunk h2", "spin(2)", "h2"),
        ("a▁=▁b", "h1", "a▁=▁b", "h1"),
        ("Turn▁it", "Title", "Turn it", "title"),
        ("body: it▁spins", "body", "it spins", "body"),
        (None, "body", "", "body"),
        ("x", None, "x", ""),
        ("it\u200bspins\ud800", "body", "itspins", "body"),
    ],
)
def test_quotes_are_given_as_their_source_has_them(quote, quote_from, read, read_from) -> None:
    (draft,) = drafts(answer(quote=quote, quote_from=quote_from), "k")

    assert (draft.quote, draft.quote_from) == (read, read_from)


def test_sentences_are_without_marks_and_what_nobody_sees() -> None:
    (draft,) = drafts(answer(text_en=" It▁spins\u202e. ", text_zh=["x"]), "k")

    assert draft.text == {Language.EN: "It spins."}


def test_a_theme_cites_items_by_their_place_in_the_question() -> None:
    claim = CLAIM | {"cites": ["i2", " i1 ", "i2", "i9", "i0", 3, "k1"]}
    (draft,) = theme_drafts(json.dumps({"claims": [claim]}), ["k1", "k2"])

    assert draft.cites == ("k2", "k1")
    assert (draft.kind, draft.quote, draft.quote_from) == (ClaimKind.WHAT, "it spins once", "")


@pytest.mark.parametrize("cites", [None, "i1", {}])
def test_a_theme_without_cites_is_another_shape(cites) -> None:
    with pytest.raises(BadReply, match="another shape"):
        theme_drafts(json.dumps({"claims": [CLAIM | {"cites": cites}]}), ["k1"])


def test_a_theme_that_cites_nothing_known_has_no_cites() -> None:
    (draft,) = theme_drafts(json.dumps({"claims": [CLAIM | {"cites": ["i7"]}, 4]}), ["k1"])

    assert draft.cites == ()


@given(st.text(alphabet='{}[]":,claims </think>`x1', max_size=300))
def test_any_text_is_read_or_refused(text) -> None:
    for read in (drafts, theme_drafts):
        with contextlib.suppress(BadReply):
            assert all(draft.text for draft in read(text, "k"))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["claims", *CLAIM, "cites"]), inner, max_size=6)
        ),
    )
)
def test_any_json_is_read_or_refused(value) -> None:
    for read in (drafts, theme_drafts):
        with contextlib.suppress(BadReply):
            assert all(draft.text for draft in read(json.dumps({"claims": value}), "k"))
