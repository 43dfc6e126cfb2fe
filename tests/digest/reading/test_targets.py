"""Which GPUs a project is built for, by its lists before and after."""

from dataclasses import replace

import pytest

from digest.facts import FactChange, Subject
from digest.languages import Language
from digest.models import FileChange
from digest.reading.reader import read
from digest.reading.targets import build_targets
from digest.writing.fact_phrases import fact_runs
from digest.writing.rules import plain
from tests.digest.reading.conftest import Make
from tests.digest.reading.interfaces.changed import item_of

IMAGE = "docker/Dockerfile"
CMAKE = "CMakeLists.txt"


def _built(path: str, *rows: str) -> list[tuple[str, tuple[str, ...]]]:
    patch = "@@ -7,2 +7,2 @@ FROM base\n " + "\n".join(["RUN true", *rows])
    file = FileChange(path, "modified", 1, 1, patch)
    facts = build_targets(replace(item_of({}, {}), files=(file,)))
    assert all(fact.evidence[0].line for fact in facts)
    assert all(fact.must_act is (fact.change is FactChange.REMOVED) for fact in facts)
    return [(fact.change.value, fact.names or (fact.name,)) for fact in facts]


def _image(before: str, after: str) -> list[tuple[str, tuple[str, ...]]]:
    return _built(
        IMAGE, f"-ARG torch_cuda_arch_list='{before}'", f"+ARG torch_cuda_arch_list='{after}'"
    )


def _cmake(before: str, after: str) -> list[tuple[str, tuple[str, ...]]]:
    rows = (
        f'{sign}  set(HIP_SUPPORTED_ARCHS "{each}")'
        for sign, each in zip("-+", (before, after), strict=True)
    )
    return _built(CMAKE, *rows)


def test_what_a_list_no_longer_has_is_told_and_what_is_new() -> None:
    assert _image("7.0 7.5 8.0", "7.5 8.0") == [("removed", ("sm_70",))]
    assert _image("8.0 10.0", "8.0 10.0 11.0") == [("added", ("sm_110",))]
    assert _cmake("gfx906;gfx940;gfx941", "gfx906;gfx1102") == [
        ("removed", ("gfx940", "gfx941")),
        ("added", ("gfx1102",)),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("8.0 8.6", "8.0"),
        ("8.0", "8.0 8.6 8.9"),
        ("9.0 10.0", "9.0+PTX"),
        ("9.0a 9.0", "9.0a"),
        ("8.0 9.0", "9.0 8.0"),
        ("$DEFAULT", "8.0"),
        ("8.0", ""),
        ("8.0", "native"),
    ],
    ids=["still runs", "ran before", "compiled", "variant", "order", "unknown", "none", "by hand"],
)  # fmt: skip
def test_what_runs_all_the_same_or_is_not_known_is_not_told(before: str, after: str) -> None:
    assert _image(before, after) == []


def test_newer_code_runs_on_no_older_gpu() -> None:
    assert _image("8.0 8.9", "8.9+PTX") == [("removed", ("sm_80",))]
    assert _image("8.9", "9.0+PTX") == [("removed", ("sm_89",)), ("added", ("sm_90",))]


def test_code_for_one_gpu_alone_runs_on_no_other_one() -> None:
    assert _image("10.0a 10.3a", "10.0a") == [("removed", ("sm_103",))]
    assert _image("9.0a 10.0", "9.0a+PTX") == [("removed", ("sm_100",))]
    assert _image("10.0f 10.3a", "10.0f") == []
    assert _image("10.0 12.0", "10.0f+PTX") == [("removed", ("sm_120",))]


@pytest.mark.parametrize(
    ("path", "line"), [(IMAGE, "ARG rocm_arch{}!"), (CMAKE, "set(A_SUPPORTED_ARCHS{}!")]
)
def test_a_line_of_spaces_is_read_at_once(path: str, line: str) -> None:
    assert _built(path, "+" + line.format(" " * 1_900)) == []


def test_what_a_list_beside_it_still_names_is_not_gone() -> None:
    rows = (
        *('-  set(CUDA_SUPPORTED_ARCHS "7.0;7.5")', '+  set(CUDA_SUPPORTED_ARCHS "7.5")'),
        *(" else()", '   set(CUDA_SUPPORTED_ARCHS "7.0;12.1")'),
    )
    assert _built(CMAKE, *rows) == []
    assert _built(CMAKE, *rows[:3]) == [("removed", ("sm_70",))]


def test_lists_of_one_name_are_read_together() -> None:
    rows = (
        *('-  set(CUDA_SUPPORTED_ARCHS "7.5;12.1")', '+  set(CUDA_SUPPORTED_ARCHS "7.5")'),
        *('-  set(CUDA_SUPPORTED_ARCHS "7.0;12.1")', '+  set(CUDA_SUPPORTED_ARCHS "7.0;12.1")'),
    )
    assert _built(CMAKE, *rows) == []
    assert _built(CMAKE, rows[0], rows[1], rows[3]) == []


@pytest.mark.parametrize(
    "path", ["tests/docker/Dockerfile", ".github/Dockerfile", "rocket/args.py"]
)
def test_what_nobody_is_built_by_is_not_read(path: str) -> None:
    rows = ("-ARG torch_cuda_arch_list='7.0 8.0'", "+ARG torch_cuda_arch_list='8.0'")
    assert _built(IMAGE, *rows)
    assert _built(path, *rows) == []


def test_a_list_takes_the_place_of_what_the_title_says_of_it(pull: Make, activity: Make) -> None:
    before, after = (f'set(HIP_SUPPORTED_ARCHS "{each}")' for each in ("gfx906", "gfx906;gfx1102"))
    patch = f"@@ -1 +1 @@\n-{before}\n+{after}"
    files = [FileChange(CMAKE, "modified", 1, 1, patch)]
    told = read(activity([pull(1, "[ROCm] Add gfx1102 support", files=files)]))
    (fact,) = [one for one in told.facts if one.subject is Subject.HARDWARE]
    assert (fact.name, fact.inferred) == ("gfx1102", False)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.EN, "no longer built for sm_70 (docker/Dockerfile)"),
        (Language.ZH, "不再为 sm_70 构建（docker/Dockerfile）"),
    ],
)
def test_it_is_said_by_which_file(language: Language, said: str) -> None:
    patch = (
        '@@ -1 +1 @@\n-ENV TORCH_CUDA_ARCH_LIST="7.0;8.0" \\\n+ENV TORCH_CUDA_ARCH_LIST="8.0" \\'
    )
    file = FileChange(IMAGE, "modified", 1, 1, patch)
    facts = build_targets(replace(item_of({}, {}), files=(file,)))
    (runs,) = fact_runs(facts, language)
    assert plain(runs) == said


def test_what_two_files_leave_out_is_said_of_each() -> None:
    files = tuple(
        FileChange(
            path,
            "modified",
            1,
            1,
            f"@@ -1 +1 @@\n-ARG rocm_arch={gone};gfx942\n+ARG rocm_arch=gfx942",
        )
        for path, gone in (("Dockerfile", "gfx906"), ("Dockerfile.tiny", "gfx908"))
    )
    runs = fact_runs(build_targets(replace(item_of({}, {}), files=files)), Language.EN)
    assert [plain(one) for one in runs] == [
        "no longer built for gfx906 (Dockerfile)",
        "no longer built for gfx908 (Dockerfile.tiny)",
    ]
