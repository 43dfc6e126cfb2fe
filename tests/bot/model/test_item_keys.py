import pytest

from bot.model.references import read_key
from digest.errors import UsageError


@pytest.mark.parametrize(
    ("key", "ref", "command", "url"),
    [
        ("a/b:pull_request:7", "#7", "a/b #7", "https://github.com/a/b/pull/7"),
        ("a/b:issue:7", "#7", "a/b #7", "https://github.com/a/b/issues/7"),
        (
            "a/b:commit:0d30896",
            "0d30896",
            "a/b commit/0d30896",
            "https://github.com/a/b/commit/0d30896",
        ),
        (
            "a/b:release:v1:2|x",
            "v1:2|x",
            "a/b tag/v1:2|x",
            "https://github.com/a/b/releases/tag/v1:2|x",
        ),
    ],
)
def test_a_key_says_how_people_write_it_and_where_it_is(
    key: str, ref: str, command: str, url: str
) -> None:
    read = read_key(key)

    assert (read.ref, read.command, read.url) == (ref, command, url)


@pytest.mark.parametrize("key", ["", "a/b", "a/b:tree:1", "ab:issue:1", "a/b:issue"])
def test_what_is_no_key_is_refused_by_one_line(key: str) -> None:
    with pytest.raises(UsageError, match="out of date"):
        read_key(key)
