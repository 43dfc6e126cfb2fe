import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.grades import ChangeObject
from digest.models import FileChange
from digest.reading.paths import role, worth_reading


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("engine/scheduler.py", ChangeObject.SOURCE),
        ("engine/maint/clock.py", ChangeObject.SOURCE),
        ("engine/version/check.py", ChangeObject.SOURCE),
        ("config/default.yaml", ChangeObject.SOURCE),
        ("proto/engine.proto", ChangeObject.SOURCE),
        ("Makefile.py", ChangeObject.SOURCE),
        ("csrc/norm.cu", ChangeObject.KERNEL),
        ("engine/ops/triton_attention.py", ChangeObject.KERNEL),
        ("engine/kernels/moe.py", ChangeObject.KERNEL),
        ("tests/test_norm.py", ChangeObject.TEST),
        ("csrc/tests/norm.cu", ChangeObject.TEST),
        ("engine/queue_test.go", ChangeObject.TEST),
        ("web/app.test.ts", ChangeObject.TEST),
        ("conftest.py", ChangeObject.TEST),
        ("README.md", ChangeObject.DOCS),
        ("LICENSE", ChangeObject.DOCS),
        ("docs/conf.py", ChangeObject.DOCS),
        ("docs/img/picture.png", ChangeObject.DOCS),
        ("mkdocs.yml", ChangeObject.DOCS),
        (".github/workflows/ci.yml", ChangeObject.CI),
        ("scripts/ci/run.sh", ChangeObject.CI),
        (".pre-commit-config.yaml", ChangeObject.CI),
        (".gitignore", ChangeObject.CI),
        (".codespellrc", ChangeObject.CI),
        (".devcontainer/Dockerfile", ChangeObject.CI),
        ("pyproject.toml", ChangeObject.BUILD),
        ("maint/count_loaves.py", ChangeObject.BUILD),
        ("VERSION", ChangeObject.BUILD),
        ("docker/Dockerfile", ChangeObject.BUILD),
        ("Dockerfile.rocm", ChangeObject.BUILD),
        ("docker-compose.yml", ChangeObject.BUILD),
        ("CMakeLists.txt", ChangeObject.BUILD),
        ("cmake/cuda.cmake", ChangeObject.BUILD),
        ("requirements/cuda.txt", ChangeObject.DEPENDENCY),
        ("requirements/dev.txt", ChangeObject.CI),
        ("requirements-dev.txt", ChangeObject.CI),
        ("requirements/rocm-test.in", ChangeObject.CI),
        ("requirements/devices.txt", ChangeObject.DEPENDENCY),
        ("server/requirements.txt", ChangeObject.DEPENDENCY),
        ("requirements-cuda.txt", ChangeObject.DEPENDENCY),
        ("third_party/fastmath", ChangeObject.DEPENDENCY),
        ("uv.lock", ChangeObject.DEPENDENCY),
        ("examples/chat.py", ChangeObject.EXAMPLE),
        ("benchmarks/serve.py", ChangeObject.BENCHMARK),
        ("python/kiln/debug_utils/comparator.py", ChangeObject.BENCHMARK),
        ("engine/bench_serving.py", ChangeObject.BENCHMARK),
        ("Engine\\Tests\\a.py", ChangeObject.TEST),
        ("sample/chat.py", ChangeObject.EXAMPLE),
        ("examples/sample/chat.py", ChangeObject.EXAMPLE),
        ("vllm/v1/sample/sampler.py", ChangeObject.SOURCE),
        ("tools/profiler/run.py", ChangeObject.BENCHMARK),
        ("vllm/profiler/wrapper.py", ChangeObject.SOURCE),
        ("tools/check_docs.py", ChangeObject.BUILD),
        ("tools/wheels/name.sh", ChangeObject.BUILD),
        ("tools/library/include/tile.h", ChangeObject.SOURCE),
        ("engine/tools/serve.py", ChangeObject.SOURCE),
        ("docs/contributing/ci/failures.md", ChangeObject.DOCS),
        ("engine/attention/mainloop_spec.py", ChangeObject.SOURCE),
        ("spec/engine_spec.rb", ChangeObject.TEST),
        ("", ChangeObject.SOURCE),
    ],
)
def test_a_path_tells_what_its_file_is_for(path: str, expected: ChangeObject) -> None:
    assert role(path) is expected


def change(*paths: str) -> list[FileChange]:
    return [FileChange(path, "modified", 1, 1) for path in paths]


@pytest.mark.parametrize(
    "paths",
    [
        ["engine/run.py"],
        ["docs/run.md", "engine/run.py"],
        ["requirements/cuda.txt"],
        ["docker/Dockerfile"],
        ["third_party/fastmath"],
    ],
)
def test_what_runs_or_builds_or_pins_is_worth_reading(paths: list[str]) -> None:
    assert worth_reading(change(*paths))


@pytest.mark.parametrize(
    "paths",
    [
        [],
        ["docs/run.md"],
        [".github/workflows/ci.yml", "tests/test_run.py", "README.md"],
        ["examples/chat.py", "benchmarks/serve.py"],
    ],
)
def test_what_stands_beside_the_product_is_not_worth_a_request(paths: list[str]) -> None:
    assert not worth_reading(change(*paths))


@given(st.text(max_size=300))
def test_any_text_has_a_role(path: str) -> None:
    assert role(path) in ChangeObject
