"""What a model was asked about an item, what was proven, and what was dropped for which reason."""

from datetime import UTC, datetime

import pytest

from adapters.terminal import markdown
from digest.asking.question import Question
from digest.claims import ClaimKind, Draft, Failure
from digest.grounding.verdict import Verdict
from digest.languages import Language
from digest.writing.pages import why_page
from digest.writing.why_page import LONGEST_FOUND
from digest.writing.wording.languages import CATALOGUES
from tests.digest.writing.glossed import EN, ZH, claim
from tests.digest.writing.invented import judged, pull

READ = judged(pull(1, "Heat the hall"))
AT = datetime(2026, 3, 5, 7, tzinfo=UTC)


def verdict(en: str = "", zh: str = "", *failures: Failure) -> Verdict:
    draft = Draft(ClaimKind.WHAT, "quote", "body", {EN: "said"}, (READ.item.key,))
    proven = claim(READ.item.key, en, zh) if en or zh else None
    return Verdict(draft, proven, failures)


def question(*verdicts: Verdict, **more: object) -> Question:
    given: dict[str, object] = {"task": "gloss", "version": "1", "model": "glaze-7b"}
    given |= {"asked_at": AT, "input_tokens": 900, "output_tokens": 80, "verdicts": verdicts}
    return Question(**(given | more))  # type: ignore[arg-type]  # as given


def page(*questions: Question, language: Language = EN) -> str:
    return markdown.render(why_page(READ, language, questions))


def test_without_a_question_nothing_is_said_of_a_model() -> None:
    assert "model" not in page()
    assert page() == markdown.render(why_page(READ, EN))


def test_a_question_is_named_with_its_cost_and_what_became_of_each_sentence() -> None:
    text = page(
        question(
            verdict("The hall is heated.", "大厅已供暖。"),
            verdict("Only here.", "", Failure("language", "zh", "Only")),
            verdict("", "", Failure("number", "en", "9x"), Failure("number", "zh", "9x")),
            verdict("", "", Failure("quote", "", "nobody wrote this")),
        )
    )
    assert "## Asked of a model · 1" in text
    assert "- gloss 1 · glaze-7b · 2026-03-05 07:00 UTC · 900 tokens in, 80 out" in text
    assert "  - Proven: The hall is heated." in text
    assert "  - Proven: Only here.; wrong language (zh) “Only”" in text
    assert "  - Dropped: number not in the source (en) “9x”" in text
    assert "  - Dropped: quote not found “nobody wrote this”" in text
    assert text.count("9x") == 1


def test_it_is_said_in_chinese() -> None:
    text = page(
        question(
            verdict("The hall is heated.", "大厅已供暖。"),
            verdict("", "", Failure("strength", "en", "much")),
        ),
        language=ZH,
    )
    assert "向模型提问 · 1" in text
    assert "已证实：大厅已供暖。" in text
    assert "已舍去：比来源说得更重 (en) “much”" in text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (question(), "said nothing beyond the title"),
        (question(unread="the model's answer is no JSON"), "not read: the model's answer is no"),
        (question(items=4, task="theme"), "theme 1 · glaze-7b"),
        (question(items=4), "with 3 others"),
        (question(task="another"), "another 1"),
        (question(verdict("The hall is heated."), changed=True), "not as it was asked about"),
    ],
)
def test_what_was_not_judged_says_why(asked: Question, said: str) -> None:
    assert said in page(asked)


def test_what_a_model_wrote_cannot_break_the_page() -> None:
    worst = "<!channel> @everyone [x](https://evil.example)"
    text = page(
        question(
            verdict("", "", Failure("name", "", worst), Failure("format", "", "y" * 500)),
            model=worst,
        )
    )
    assert "](https://evil" not in text
    assert "@everyone" not in text
    assert "y" * LONGEST_FOUND not in text
    assert "…" in text


def test_every_check_is_named_in_both_languages() -> None:
    english, chinese = (CATALOGUES[language].names.checks for language in (EN, ZH))
    assert english.keys() == chinese.keys()
    assert CATALOGUES[EN].check("identifier") == english["name"]
