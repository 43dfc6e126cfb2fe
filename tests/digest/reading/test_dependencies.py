"""Pins and minimum versions, in every manifest that states them."""

import pytest

from tests.digest.reading.noted import Told, told

PROJECT = "pyproject.toml"
CASES: dict[str, tuple[str, str, list[Told]]] = {
    "a pin in a requirements file": (
        "server/requirements.txt",
        "@@ -4 +4 @@\n-httptools==0.6.1\n+httptools==0.6.4  # faster",
        [("dependency", "changed", "httptools", "==0.6.1", "==0.6.4")],
    ),
    "another one beside it": (
        "requirements/serve.txt",
        "@@ -3 +3,2 @@\n+smart-open[s3]>=7.0 ; python_version >= '3.10'\n uvloop>=0.20",
        [("dependency", "added", "smart-open", None, ">=7.0")],
    ),
    "one without a version": (
        "requirements.txt",
        "@@ -3 +3,0 @@\n-uvloop",
        [("dependency", "removed", "uvloop", "uvloop", None)],
    ),
    "the same name spelt in another way": (
        "requirements.txt",
        "@@ -3 +3 @@\n-Smart_Open>=7\n+smart-open>=7",
        [],
    ),
    "only another marker": (
        "requirements.txt",
        "@@ -3 +3 @@\n-av\n+av ; sys_platform == 'linux'",
        [],
    ),
    "options and remarks": ("requirements.txt", "@@ -3 +3,2 @@\n+-r base.txt\n+# torch==2", []),
    "what a resolver wrote": (
        "requirements.txt",
        "@@ -3 +3 @@\n-torch==2.1\n+torch==2.2\n     # via rocket",
        [],
    ),
    "what tests and pages are made with": (
        "requirements/test.in",
        "@@ -3 +3 @@\n-pytest==8\n+pytest==9",
        [],
    ),
    "a project's dependencies": (
        PROJECT,
        '@@ -8,4 +8,4 @@\n dependencies = [\n-  "torch>=2.4,<2.6",\n+  "torch>=2.6,<2.8",\n'
        '   "numpy"\n ]',
        [("dependency", "changed", "torch", ">=2.4,<2.6", ">=2.6,<2.8")],
    ),
    "a dependency whose list nothing shows": (
        PROJECT,
        '@@ -8 +8 @@\n-  "torch>=2.4",\n+  "torch>=2.6",',
        [("dependency", "changed", "torch", ">=2.4", ">=2.6")],
    ),
    "a bare name whose list the section shows": (
        PROJECT,
        '@@ -8,0 +9 @@ dependencies = [\n+  "watchfiles",',
        [("dependency", "added", "watchfiles", None, None)],
    ),
    "a bare name whose list nothing shows": (PROJECT, '@@ -8,0 +9 @@\n+  "E501",', []),
    "a list of a tool": (
        PROJECT,
        '@@ -8,2 +8,3 @@\n [tool.lint]\n ignore = [\n+  "x>=1",',
        [],
    ),
    "a list of the project that is none of dependencies": (
        PROJECT,
        '@@ -8,2 +8,3 @@\n [project]\n classifiers = [\n+  "Python>=3",',
        [],
    ),
    "authors": (
        PROJECT,
        '@@ -8 +8 @@\n-authors = [{ name = "A", email = "me@a.org" }]\n'
        '+authors = [{ name = "B", email = "you@b.org" }]',
        [],
    ),
    "what a build needs": (
        PROJECT,
        '@@ -1,2 +1,2 @@\n [build-system]\n-requires = ["setuptools>=61", "torch==2.4"]\n'
        '+requires = ["setuptools>=61", "torch==2.5"]',
        [("dependency", "changed", "torch", "==2.4", "==2.5")],
    ),
    "a wheel by its address": (
        "requirements.txt",
        "@@ -1 +1 @@\n-kern @ https://x.test/kern-1.whl\n+kern @ https://x.test/kern-2.whl",
        [
            (
                "dependency",
                "changed",
                "kern",
                "https://x.test/kern-1.whl",
                "https://x.test/kern-2.whl",
            )
        ],
    ),
    "poetry": (
        PROJECT,
        '@@ -1,2 +1,2 @@\n [tool.poetry.dependencies]\n-torch = "^2.1"\n+torch = "^2.2"',
        [("dependency", "changed", "torch", "^2.1", "^2.2")],
    ),
    "the Python that is needed": (
        PROJECT,
        '@@ -3 +3 @@ [project]\n-requires-python = ">=3.9"\n+requires-python = ">=3.10"',
        [("python", "changed", "requires-python", ">=3.9", ">=3.10")],
    ),
    "the project's own version": (
        PROJECT,
        '@@ -3 +3 @@ [project]\n-version = "1.4.0rc2"\n+version = "1.4.0"',
        [("dependency", "changed", "rocket", "1.4.0rc2", "1.4.0")],
    ),
    "the version of a project within, by its name": (
        "kernels-lib/pyproject.toml",
        '@@ -2,2 +2,2 @@ [project]\n name = "kern"\n-version = "1.0"\n+version = "1.1"',
        [("dependency", "changed", "kern", "1.0", "1.1")],
    ),
    "the version of a project within that is not named": (
        "kernels-lib/pyproject.toml",
        '@@ -3 +3 @@ [project]\n-version = "1.0"\n+version = "1.1"',
        [],
    ),
    "setup.py": (
        "setup.py",
        '@@ -3,3 +3,3 @@\n     install_requires=[\n-        "einops>=0.6",\n'
        '+        "einops>=0.7",\n     ],',
        [("dependency", "changed", "einops", ">=0.6", ">=0.7")],
    ),
    "the Python of setup.py": (
        "setup.py",
        '@@ -3 +3 @@\n-    python_requires=">=3.9",\n+    python_requires=">=3.10",',
        [("python", "changed", "requires-python", ">=3.9", ">=3.10")],
    ),
    "code of setup.py": (
        "setup.py",
        '@@ -3 +3 @@\n-    check("gcc>=9")\n+    check("gcc>=11")',
        [],
    ),
    "conda": (
        "environment.yml",
        "@@ -3 +3 @@\n-  - numpy=1.26\n+  - numpy=2.0",
        [("dependency", "changed", "numpy", "=1.26", "=2.0")],
    ),
    "an image": (
        "docker/Dockerfile",
        "@@ -1 +1 @@\n-FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS base\n"
        "+FROM nvidia/cuda:12.8.0-devel-ubuntu22.04 AS base",
        [("dependency", "changed", "nvidia/cuda", "12.4.1", "12.8.0")],
    ),
    "another variant of an image": (
        "docker/Dockerfile",
        "@@ -1 +1 @@\n-FROM python:3.12-slim\n+FROM python:3.12-alpine",
        [("dependency", "changed", "python", "3.12-slim", "3.12-alpine")],
    ),
    "an image from a variable": (
        "docker/Dockerfile",
        "@@ -1 +1 @@\n-FROM x/${A}:1\n+FROM x/${A}:2",
        [],
    ),
    "a stage more": ("docker/Dockerfile", "@@ -1,0 +1 @@\n+FROM python:3.12 AS tools", []),
    "fetched content": (
        "CMakeLists.txt",
        "@@ -3,4 +3,4 @@\n FetchContent_Declare(\n   repo-fast\n"
        "   GIT_REPOSITORY https://x.test/fast.git\n"
        "-  GIT_TAG abc\n+  GIT_TAG def\n )",
        [("dependency", "changed", "repo-fast", "abc", "def")],
    ),
    "fetched content by its address": (
        "cmake/fast.cmake",
        "@@ -3,2 +3,2 @@\n   GIT_REPOSITORY https://x.test/fast.git\n-  GIT_TAG abc\n"
        "+  GIT_TAG def",
        [("dependency", "changed", "fast", "abc", "def")],
    ),
    "fetched content that nothing names": (
        "CMakeLists.txt",
        "@@ -3 +3 @@\n-  GIT_TAG abc\n+  GIT_TAG def",
        [],
    ),
    "a crate": (
        "Cargo.toml",
        '@@ -3,2 +3,2 @@\n [dependencies]\n-tokio = { version = "1.1", features = ["x"] }\n'
        '+tokio = { version = "1.2", features = ["x"] }',
        [("dependency", "changed", "tokio", "1.1", "1.2")],
    ),
    "a crate's own fields": (
        "Cargo.toml",
        '@@ -1,3 +1,3 @@\n [package]\n-version = "1.1"\n+version = "1.2"\n-edition = "2021"\n'
        '+edition = "2024"',
        [],
    ),
    "a package of node": (
        "web/package.json",
        '@@ -3 +3 @@\n-    "@x/vite": "^5.1.0",\n+    "@x/vite": "^6.0.0",',
        [("dependency", "changed", "@x/vite", "^5.1.0", "^6.0.0")],
    ),
    "a submodule": ("libs/fast", "@@ -1 +1 @@\n-Subproject commit 111\n+Subproject commit 222", []),
    "a lock": ("uv.lock", '@@ -1 +1 @@\n-version = "1"\n+version = "2"', []),
    "a hook": (".pre-commit-config.yaml", "@@ -1 +1 @@\n-  rev: v1\n+  rev: v2", []),
}


@pytest.mark.parametrize(("path", "patch", "expected"), CASES.values(), ids=CASES)
def test_pins_are_told_as_their_manifest_states_them(
    path: str, patch: str, expected: list[Told]
) -> None:
    assert told(path, patch) == expected
