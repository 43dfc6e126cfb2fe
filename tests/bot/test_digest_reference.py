from dataclasses import replace

import pytest

from bot.model.digest_reference import parse, reference
from digest.errors import UsageError
from tests.bot.channels_invented import WEEKEND
from tests.digest.writing import invented


def test_a_button_finds_its_digest_again() -> None:
    for window in (invented.DAY, WEEKEND, replace(invented.DAY, partial=True)):
        reading = replace(invented.busy(), window=window)
        assert parse(reference(reading)) == (invented.REPO, window)


@pytest.mark.parametrize(
    "value", ["", "a|b|c|d", "a/b|1|UTC|x", "a/b|1-x|UTC|x", "a/b|1-99999999999999999|UTC|x"]
)
def test_a_value_that_no_button_has_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="out of date"):
        parse(value)
