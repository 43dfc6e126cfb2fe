"""The sentence of a theme: against the items that it cites, all of them and no others."""

from dataclasses import replace

import pytest

from digest.claims import ClaimKind, Draft
from digest.evidence import Evidence, Hunk
from digest.grounding.verification import verify_theme
from digest.languages import Language

KEYS = tuple(f"example-org/kiln:pull_request:{number}" for number in (1, 2, 3))
ITEMS = (
    Evidence(KEYS[0], "Reuse glaze buffers in the kiln scheduler", ("Saves `max_batch` copies.",)),
    Evidence(KEYS[1], "Share glaze buffers between kilns", ("Adds `share_glaze`.",)),
    Evidence(KEYS[2], "Bump the clay dependency to 2.3.1", ("On H100 only.",)),
)
EN = "Glaze buffers are reused in the kiln scheduler and shared between kilns."
ZH = "glaze 缓冲区在 kiln 调度器中复用，并在多个 kiln 之间共享。"


def theme(en: str = EN, zh: str = "", cites: tuple[str, ...] = KEYS[:2], quote: str = "") -> Draft:
    text = {each: said for each, said in ((Language.EN, en), (Language.ZH, zh)) if said}
    return Draft(ClaimKind.WHAT, quote, "", text, cites)


def test_a_true_sentence_is_believed_with_its_theme_and_cites() -> None:
    verdict = verify_theme(theme(zh=ZH), "theme.memory", ITEMS)

    assert verdict.failures == ()
    assert verdict.claim is not None
    assert verdict.claim.theme == "theme.memory"
    assert verdict.claim.cites == KEYS[:2]


@pytest.mark.parametrize(
    "cites", [(), KEYS[:1], (KEYS[0], KEYS[0]), (KEYS[0], "example-org/kiln:pull_request:99")]
)
def test_two_known_items_have_to_be_cited(cites: tuple[str, ...]) -> None:
    verdict = verify_theme(theme(cites=cites), "theme.memory", ITEMS)

    assert verdict.claim is None
    assert verdict.failures[0].check == "cites"


def test_what_only_another_item_of_the_theme_says_is_not_believed() -> None:
    assert verify_theme(theme(f"{EN[:-1]} on H100."), "theme.memory", ITEMS).claim is None


def test_an_item_that_has_nothing_of_the_sentence_is_not_cited() -> None:
    verdict = verify_theme(theme(cites=KEYS), "theme.memory", ITEMS)

    assert verdict.claim is not None
    assert verdict.claim.cites == KEYS[:2]


def test_a_sentence_of_one_item_alone_is_none_of_a_theme() -> None:
    verdict = verify_theme(
        theme("The clay dependency goes to 2.3.1.", cites=(KEYS[0], KEYS[2])), "theme.build", ITEMS
    )

    assert verdict.claim is None
    assert verdict.failures[-1].check == "cites"


@pytest.mark.parametrize(
    ("quote", "is_found"),
    [
        ("Share glaze buffers between kilns", True),
        ("On H100 only", False),
        ("in the kiln scheduler Share glaze buffers between kilns", False),
    ],
)
def test_a_quote_is_in_a_cited_item(quote: str, is_found: bool) -> None:
    verdict = verify_theme(theme(quote=quote), "theme.memory", ITEMS)

    assert (verdict.claim is not None) == is_found


def test_items_that_number_their_hunks_alike_do_not_prove_each_others_lines() -> None:
    first, second = (
        replace(item, hunks=(Hunk("h1", f"kiln/{name}.py", 1, (f"+{name} = kiln.glaze()", line)),))
        for item, name, line in zip(
            ITEMS, ("reuse", "share"), (" warm_oven()", " cool_oven()"), strict=False
        )
    )
    told = f"{EN[:-1]} with warm_oven."

    near, far = (
        verify_theme(theme(told, quote=f"{name} = kiln.glaze()"), "theme.memory", (first, second))
        for name in ("reuse", "share")
    )

    assert near.claim is not None
    assert near.claim.quote_from == "i1h1"
    assert far.claim is None
