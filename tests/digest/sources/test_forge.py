"""Where a remote lives on the web."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.models import Repo
from digest.sources.forge import forge_of, without_credentials


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/o/n",
        "https://github.com/o/n.git/",
        "https://user:token@github.com/o/n.git",
        "http://www.github.com/o/n.git",
        "git@github.com:o/n.git",
        "ssh://git@github.com/o/n.git",
        "ssh://git@github.com:22/o/n",
        "ssh://git@ssh.github.com:443/o/n.git",
        "git://GitHub.com/o/n",
    ],
)
def test_every_form_of_address_gives_the_same_links(remote: str) -> None:
    forge = forge_of(remote)
    assert forge is not None
    assert forge.repo == Repo("o", "n")
    assert forge.commit_url("abc") == "https://github.com/o/n/commit/abc"


@pytest.mark.parametrize(
    ("remote", "commit", "tag"),
    [
        ("git@gitlab.com:g/s/n.git", "g/s/n/-/commit/abc", "g/s/n/-/tags/v1%231"),
        ("https://gitlab.example.org:8443/g/n", "g/n/-/commit/abc", "g/n/-/tags/v1%231"),
        ("https://go.googlesource.com/go", "go/+/abc", "go/+/refs/tags/v1%231"),
        ("https://github.example.org/o/a b", "o/a%20b/commit/abc", "o/a%20b/releases/tag/v1%231"),
    ],
)
def test_each_forge_has_its_own_links(remote: str, commit: str, tag: str) -> None:
    forge = forge_of(remote)
    assert forge is not None
    assert forge.commit_url("abc") == f"https://{forge.host}/{commit}"
    assert forge.tag_url("v1#1") == f"https://{forge.host}/{tag}"


@pytest.mark.parametrize(
    "remote",
    ["https://git.example.org/o/n", "git@work-github:o/n", "git@github.com-work:o/n"],
)
def test_a_host_of_unknown_kind_gets_a_name_but_no_link(remote: str) -> None:
    forge = forge_of(remote)
    assert forge is not None
    assert forge.repo == Repo("o", "n")
    assert forge.commit_url("abc") == forge.tag_url("v1") == ""


@pytest.mark.parametrize(
    "remote",
    ["", "/srv/x", "file:///srv/x", "C:\\x y", "https://", "https://[::1", "ftp://a.b/c/d", "../x"],
)
def test_what_is_not_on_the_web_has_no_place_there(remote: str) -> None:
    assert forge_of(remote) is None


def test_passwords_are_removed_from_text() -> None:
    assert without_credentials("no 'https://a:b@h/x'") == "no 'https://h/x'"


@given(st.text())
def test_no_address_makes_it_fail(remote: str) -> None:
    forge_of(remote)
    forge_of(f"https://github.com/{remote}")
    forge_of(f"https://{remote}/o/n")
