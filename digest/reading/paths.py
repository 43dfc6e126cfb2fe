"""What a file is for, told from its path alone."""

import re
from collections.abc import Sequence
from functools import lru_cache

from digest.grades import ChangeObject
from digest.models import FileChange


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


CI_FOLDERS = words(
    """
    .github .buildkite .circleci .gitlab .ci ci .jenkins pre_commit .azure-pipelines .devcontainer
    """
)
CI_NAMES = words(
    """
    .gitlab-ci.yml .pre-commit-config.yaml .travis.yml appveyor.yml azure-pipelines.yml
    codecov.yml codeowners jenkinsfile mergify.yml noxfile.py renovate.json tox.ini
    """
)
TOOLING_NAMES = words(
    """
    .clang-format .clang-tidy .codespellrc .coveragerc .dockerignore .editorconfig .flake8
    .git-blame-ignore-revs .gitattributes .gitignore .gitkeep .gitleaks.toml .isort.cfg .mailmap
    .markdownlint.yaml .prettierrc .pylintrc .python-version .ruff.toml .shellcheckrc .typos.toml
    .yamllint .yapfignore _typos.toml mypy.ini pytest.ini ruff.toml typos.toml
    """
)
TEST_FOLDERS = words(
    """
    test tests testing unittest unittests e2e e2e_test __tests__ testdata
    """
)
CHANGELOG = re.compile(
    r"(?:^|/)(?:changelog|changes|history|news|release[-_]?notes?|releases)"
    r"(?:[\w.-]*\.(?:md|rst|txt)|[\w-]*)$",
    re.IGNORECASE,
)
"""What tells users of changes; `history.py` runs, and `RELEASE.md` is mostly how one is made."""
DOCS_FOLDERS = frozenset(
    {"doc", "docs", "docs_new", "documentation", "blog", "website", ".agents", ".claude", ".cursor"}
)
DOCS_ENDINGS = (".md", ".mdx", ".rst", ".adoc", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
DOCS_NAMES = frozenset({"license", "notice", "authors", "contributors", "citation.cff", "readme"})
EXAMPLE_FOLDERS = frozenset(
    {"example", "examples", "samples", "tutorial", "tutorials", "cookbook", "demo", "playground"}
)
BENCHMARK_FOLDERS = frozenset(
    {"bench", "benches", "benchmark", "benchmarks", "debug_utils", "debug_tools"}
)
"""Also what developers compare tensors with: like a profiler, it runs at no user's."""
ROOT_ROLES = {
    "sample": ChangeObject.EXAMPLE,
    "profiler": ChangeObject.BENCHMARK,
    "maint": ChangeObject.BUILD,
}
"""Folders that say so only at the root or within `tools`: `vllm/v1/sample` runs at a user's."""
DEPENDENCY_FOLDERS = frozenset(
    {"third_party", "thirdparty", "3rdparty", "vendor", "submodules", "requirements"}
)
DEPENDENCY_NAMES = words(
    """
    .gitmodules cargo.lock environment.yml go.mod go.sum package-lock.json package.json pdm.lock
    pipfile pipfile.lock pnpm-lock.yaml poetry.lock uv.lock yarn.lock
    """
)
BUILD_FOLDERS = frozenset({"cmake", "docker", "packaging", "scripts", "bazel"})
BUILD_NAMES = words(
    """
    _version.py build build.bazel build.rs build_backend.py cargo.toml cmakelists.txt justfile
    makefile manifest.in meson.build pyproject.toml setup.cfg setup.py version version.py
    version.txt workspace
    """
)
BUILD_ENDINGS = (".cmake", ".dockerfile", ".bazel", ".bzl", ".nix", ".spec")
KERNEL_FOLDERS = frozenset(
    {"csrc", "kernels", "kernel", "cute", "cutlass", "triton", "cute_dsl", "cutedsl", "sgl-kernel"}
)
KERNEL_ENDINGS = (".cu", ".cuh", ".hip", ".ptx", ".metal", ".cu.jinja", ".cuh.jinja")
KERNEL_NAME_PARTS = ("triton_", "_triton", "cutlass_", "_kernel.", "_kernels.")

_OF_WORKSHOP = re.compile(r"(?:^|[-_.])(?:dev|develop|docs?|lint|tests?|testing)(?=[-_.])")
"""A list of packages for who works on the project, none for who runs it."""

UNREAD = frozenset(
    {
        ChangeObject.DOCS,
        ChangeObject.CI,
        ChangeObject.TEST,
        ChangeObject.EXAMPLE,
        ChangeObject.BENCHMARK,
    }
)
"""Roles whose patches say nothing about what a user has to act on."""

REMEMBERED = 4_096
"""Paths whose role is kept: a dozen rules ask for that of each file of a day."""
RUNTIME = frozenset({ChangeObject.SOURCE, ChangeObject.KERNEL})
"""Roles of what runs at a user's."""


@lru_cache(maxsize=REMEMBERED)
def role(path: str) -> ChangeObject:
    """Tell what the file at `path` is for; any text is accepted, unknown files are source.

    A script of `tools` is for who works on the project, a library there (CUTLASS has one) is not.
    """
    *folders, name = path.lower().replace("\\", "/").split("/")
    inside = frozenset(folders)
    if inside & DOCS_FOLDERS:
        inside -= {"ci"}  # pages about CI
    for rule in (_side_role, _supply_role):
        found = rule(inside, name)
        if found is not None:
            return found
    if folders[:1] == ["tools"] and name.endswith((".py", ".sh")):
        return ChangeObject.BENCHMARK if "profiler" in inside else ChangeObject.BUILD
    top = next((folder for folder in folders if folder != "tools"), "")
    if top in ROOT_ROLES:
        return ROOT_ROLES[top]
    if name.endswith(KERNEL_ENDINGS) or inside & KERNEL_FOLDERS:
        return ChangeObject.KERNEL
    if name.endswith(".py") and any(part in name for part in KERNEL_NAME_PARTS):
        return ChangeObject.KERNEL
    return ChangeObject.SOURCE


def worth_reading(files: Sequence[FileChange]) -> bool:
    """Tell whether the patches of these files can hold anything for ranking or upgrade notes.

    True as soon as one file runs at a user's, builds, or pins a dependency (a bot's bump and a
    Dockerfile too); False for changes of documentation, CI, tests, examples and benchmarks alone,
    and for no files at all.
    """
    return any(role(file.path) not in UNREAD for file in files)


def _side_role(inside: frozenset[str], name: str) -> ChangeObject | None:
    """The roles that stand beside the product: they win over what a file is made of."""
    if inside & CI_FOLDERS or name in CI_NAMES or name in TOOLING_NAMES:
        return ChangeObject.CI
    if "scripts" in inside and ("test" in name or "codeowner" in name):
        return ChangeObject.CI
    if inside & TEST_FOLDERS or _is_test(name):
        return ChangeObject.TEST
    if inside & DOCS_FOLDERS or _is_docs(name):
        return ChangeObject.DOCS
    if inside & EXAMPLE_FOLDERS:
        return ChangeObject.EXAMPLE
    if inside & BENCHMARK_FOLDERS or name.startswith(("bench_", "benchmark_")):
        return ChangeObject.BENCHMARK
    return None


def _supply_role(inside: frozenset[str], name: str) -> ChangeObject | None:
    """The roles of what the product is built from."""
    is_list = inside & DEPENDENCY_FOLDERS or "requirements" in name
    if is_list and _OF_WORKSHOP.search(name):
        return ChangeObject.CI
    if inside & DEPENDENCY_FOLDERS or name in DEPENDENCY_NAMES:
        return ChangeObject.DEPENDENCY
    if name.startswith(("requirements", "constraints")) and name.endswith((".txt", ".in")):
        return ChangeObject.DEPENDENCY
    if name in BUILD_NAMES or name.endswith(BUILD_ENDINGS) or "dockerfile" in name:
        return ChangeObject.BUILD
    if name.startswith("docker-compose") or inside & BUILD_FOLDERS:
        return ChangeObject.BUILD
    return None


def _is_test(name: str) -> bool:
    stem = name.partition(".")[0]
    return (
        stem.startswith("test_")
        or stem.endswith(("_test", "_tests"))
        or name.endswith("_spec.rb")
        or (name in {"conftest.py", "tests.py"} or ".test." in name or ".spec." in name)
    )


def _is_docs(name: str) -> bool:
    if name.endswith(DOCS_ENDINGS):
        return True
    return name.partition(".")[0] in DOCS_NAMES or name in {
        "mkdocs.yml",
        "mkdocs.yaml",
        ".readthedocs.yaml",
    }
