import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.subscriptions import matches


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("csrc/**", "csrc/attention.cu"),
        ("csrc/**", "csrc/attention/sm90/decode.cu"),
        ("csrc", "csrc/attention/decode.cu"),
        ("csrc/", "csrc/attention/decode.cu"),
        ("attention/", "csrc/attention/decode.cu"),
        ("csrc/attention", "csrc/attention/decode.cu"),
        ("*.cu", "csrc/attention/decode.cu"),
        ("*.cu", "decode.cu"),
        ("**/*.cu", "decode.cu"),
        ("**/*.cu", "csrc/attention/decode.cu"),
        ("csrc/**/decode.cu", "csrc/decode.cu"),
        ("csrc/**/decode.cu", "csrc/a/b/decode.cu"),
        ("csrc/*/decode.cu", "csrc/a/decode.cu"),
        ("csrc/sm[89]?/*", "csrc/sm90/decode.cu"),
        ("/setup.py", "setup.py"),
        ("setup.py", "python/setup.py"),
        ("**", "any/thing"),
        ("a/a/b", "a/a/b"),
        ("**/**/b", "a/b"),
        ("vllm/**/test_*.py", "vllm/tests/v1/test_core.py"),
    ],
)
def test_a_glob_means_these_paths(glob: str, path: str) -> None:
    assert matches(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("csrc/**", "python/csrc/x.cu"),
        ("csrc/**", "csrcs/x.cu"),
        ("csrc/*", "csrc/attention/decode.cu"),
        ("csrc/attention", "csrc/attention2/decode.cu"),
        ("*.cu", "decode.cuh"),
        ("*.cu", "weird.cu/readme.md"),
        ("/setup.py", "python/setup.py"),
        ("CSRC/**", "csrc/x.cu"),
        ("", "csrc/x.cu"),
        ("/", "csrc/x.cu"),
        ("a/b/c", "a/b"),
    ],
)
def test_a_glob_does_not_mean_those(glob: str, path: str) -> None:
    assert not matches(glob, path)


@given(st.text(max_size=40), st.text(max_size=60))
def test_any_text_can_be_glob_and_path(glob: str, path: str) -> None:
    assert matches(glob, path) in (True, False)


@given(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=6))
def test_every_path_is_meant_by_itself_and_by_its_folders(folders: list[str]) -> None:
    path = "/".join(folders)

    assert matches(path, path)
    assert matches(f"{folders[0]}/**", f"{path}/x")
    assert matches(f"/{folders[0]}", f"{path}/x")


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 100, "a" * 10_000 + "b"),
        ("**/" * 60 + "x", "a/" * 5_000 + "b"),
        ("**/a/" * 40 + "x", "a/" * 5_000 + "b"),
    ],
)
def test_a_hostile_glob_does_not_run_away(glob: str, path: str) -> None:
    assert not matches(glob, path)
