"""Whose a paragraph is, where one model writes it and another one reads it again."""

import pytest

from digest.edited import ModelOutcome, ModelUse, Remark, RemarkKind
from digest.languages import Language
from digest.writing.remarks import in_a_notification, paragraph


@pytest.mark.parametrize(
    ("checker", "names"), [("", "glaze"), ("glaze", "glaze"), ("kiln", "glaze, kiln")]
)
def test_a_paragraph_and_its_notification_name_who_wrote_and_who_reread_it(
    checker: str, names: str
) -> None:
    use = ModelUse("glaze", ModelOutcome.COMPLETE, told=2, checker=checker)
    said = [Remark(RemarkKind.LEAD, {Language.EN: text}, ()) for text in ("One.", "Two.")]
    assert in_a_notification(said, use, Language.EN)[-1] == f"Two. ({names})"
    _, mark = paragraph(said, use, {}, Language.EN)
    assert f"'{names}'" in repr(mark)
