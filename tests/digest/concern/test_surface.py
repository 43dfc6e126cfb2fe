"""A surface is written and read again as it was, and a faulty file says where its fault is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.concern.surface import (
    CodePlace,
    How,
    Problem,
    Surface,
    SurfaceOrigin,
    SurfaceWords,
    Use,
    UseKind,
    sorted_uses,
)
from digest.errors import UsageError

TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=20)
PLACES = st.builds(CodePlace, TEXT.filter(lambda text: ":" not in text), st.integers(0, 99999))
USES = st.builds(
    Use,
    st.sampled_from(UseKind),
    TEXT,
    PLACES,
    st.sampled_from(How),
    TEXT,
    st.lists(TEXT, max_size=3).map(tuple),
    st.integers(0, 9),
    st.booleans(),
    TEXT,
)
SURFACES = st.builds(
    Surface,
    st.sampled_from(["", "vllm-project/vllm"]),
    st.builds(SurfaceOrigin, TEXT, st.sampled_from(["", "a" * 40])),
    st.lists(USES, max_size=5).map(tuple).map(sorted_uses),
    st.builds(SurfaceWords, models=st.lists(TEXT, max_size=2, unique=True).map(tuple)),
    st.lists(st.builds(Problem, PLACES, TEXT), max_size=1).map(tuple),
)


@given(surface=SURFACES, form=st.sampled_from(["toml", "json"]))
def test_a_surface_is_read_as_it_was_written(surface: Surface, form: str) -> None:
    assert Surface.read(surface.write(form)) == surface


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("models = [ ]\nflags = ]", "line 2"),
        ('{"models": \n x}', "line 2"),
        ('modls = ["Qwen3"]', "modls: known are surface, of"),
        (
            'uses = [{ kind = "pin", name = "x" }, { kind = "used", name = "x" }]',
            "uses entry 2 kind",
        ),
        ('uses = [{ kind = "pin", name = "x", versoin = "1" }]', "versoin: known are kind"),
        ('models = ["a\\nb"]', "models entry 1: line breaks"),
        ('of = "https://github.com/a/b"', " of: "),
        ("surface = 2", " surface: "),
        ("a = " + "[" * 100_000, "nested"),
        ('{"a":' * 100_000, "nested"),
        ("[1]", "1: known are surface"),
    ],
)
def test_a_faulty_surface_says_where_its_fault_is(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        Surface.read(text)

    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
