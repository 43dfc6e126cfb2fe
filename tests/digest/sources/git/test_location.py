"""What git is handed: a folder that is there, or an address."""

from pathlib import Path

import pytest

from digest.errors import UsageError
from digest.sources.git.mirror import checked, folder_of, is_url


def test_what_looks_like_an_address_of_ssh_is_a_folder_where_one_bears_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_url("git@host.example:team/kiln")
    (tmp_path / "git@host.example:team" / "kiln").mkdir(parents=True)
    assert not is_url("git@host.example:team/kiln")
    assert is_url("https://host.example/team/kiln")
    assert not is_url("team/kiln")


@pytest.mark.parametrize(
    "location", ["", "  ", "-oProxyCommand=x", "ext::sh -c x", "ftp://host.example/kiln", "a\nb"]
)
def test_what_git_must_not_be_handed_is_refused(location: str) -> None:
    with pytest.raises(UsageError):
        checked(location)


def test_a_folder_of_nobodys_home_is_named_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert folder_of("~/kiln") == Path("/home/ann/kiln")
    assert folder_of("~nobody-of-this-name/kiln") == Path("~nobody-of-this-name/kiln")
