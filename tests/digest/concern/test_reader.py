"""What a small codebase uses of vLLM is told: each kind of use, at its line, and nothing else."""

from textwrap import dedent

import pytest

from digest.concern.reader import Codebase, surface_of, used_upstreams
from digest.concern.surface import (
    CodePlace,
    How,
    Problem,
    Surface,
    SurfaceOrigin,
    Use,
    UseKind,
    upstream,
)

VLLM = upstream("vllm")


def surface(files: dict[str, str], **more: object) -> Surface:
    told = {path: dedent(text).lstrip("\n") for path, text in files.items()}
    return surface_of(Codebase(SurfaceOrigin("here"), told, **more), VLLM)  # type: ignore[arg-type]


def told(found: Surface, kind: UseKind) -> set[tuple[str, str]]:
    return {(use.name, str(use.place)) for use in found.uses if use.kind is kind}


def one(found: Surface, kind: UseKind, name: str) -> Use:
    return next(use for use in found.uses if use.kind is kind and use.name == name)


def test_imports_are_told_however_they_are_made() -> None:
    found = surface(
        {
            "plug/__init__.py": "",
            "plug/a.py": """
                from typing import TYPE_CHECKING
                import vllm.envs as envs
                import other, vllm.config
                try:
                    from vllm.new import (
                        Thing,
                    )
                except ImportError:
                    Thing = None
                if TYPE_CHECKING:
                    from vllm.v1.request import Request
                def late():
                    from vllm.lazy import name as own
                    import importlib
                    importlib.import_module("vllm.by_string")
                    return own.deeper
                WORKER = "vllm.worker:Cls"
                SITE = "vllm.ai"
                from vllm_ascend import nothing
                """,
        }
    )

    hows = {use.name: use.how for use in found.uses}
    assert told(found, UseKind.MODULE) == {
        ("vllm.envs", "plug/a.py:2"),
        ("vllm.config", "plug/a.py:3"),
        ("vllm.new", "plug/a.py:5"),
        ("vllm.v1.request", "plug/a.py:11"),
        ("vllm.lazy", "plug/a.py:13"),
        ("vllm.by_string", "plug/a.py:15"),
    }
    assert {
        ("vllm.new.Thing", "plug/a.py:6"),
        ("vllm.lazy.name.deeper", "plug/a.py:16"),
        ("vllm.worker.Cls", "plug/a.py:17"),
    } <= told(found, UseKind.NAME)
    assert hows["vllm.new.Thing"] is How.TRY
    assert hows["vllm.v1.request.Request"] is How.TYPE_CHECKING
    assert hows["vllm.lazy"] is How.LAZY
    assert hows["vllm.by_string"] is How.STRING


def test_names_are_followed_through_aliases_and_reexports_of_the_codebase() -> None:
    found = surface(
        {
            "src/plug/__init__.py": "from .base import *\n",
            "src/plug/base.py": "from vllm.config import VllmConfig as C\nmake = C\n",
            "src/plug/use.py": """
                import plug
                from plug.base import make
                from . import base as b
                plug.C(model_config=1, **more)
                make(1, 2)
                b.C.parse(x=1)
                """,
            "src/plug/round.py": "from plug.circle import x\nx()\n",
            "src/plug/circle.py": "from plug.round import x\n",
        }
    )

    made = [use for use in found.uses if use.kind is UseKind.CONSTRUCTED]
    assert [(str(use.place), use.keywords, use.positional, use.more) for use in made] == [
        ("src/plug/use.py:4", ("model_config",), 0, True),
        ("src/plug/use.py:5", (), 2, False),
    ]
    assert {use.name for use in made} == {"vllm.config.VllmConfig"}
    assert told(found, UseKind.CALLED) == {("vllm.config.VllmConfig.parse", "src/plug/use.py:6")}


def test_what_a_class_inherits_overrides_and_reads_is_told() -> None:
    found = surface(
        {
            "plug/__init__.py": "",
            "plug/base.py": """
                from vllm.worker import WorkerBase
                from vllm.config import VllmConfig
                class Base(WorkerBase):
                    def __init__(self, config: VllmConfig | None, own):
                        super().__init__(config, rank=0)
                        self.config = config
                        self.own = own
                """,
            "plug/worker.py": """
                from plug.base import Base
                class Worker(Base):
                    kind = "npu"
                    def load(self, path, *, fast=False, **rest):
                        self.own.x(), self.own.take_blocks(), self.config.take_none()
                        self.kind
                        self.warm_up(1)
                        return self.config.model_config.dtype
                    def read(cfg: "Config", x):
                        pass
                """,
        }
    )

    assert told(found, UseKind.SUBCLASS) == {("vllm.worker.WorkerBase", "plug/base.py:3")}
    load = one(found, UseKind.OVERRIDE, "vllm.worker.WorkerBase.load")
    assert (load.by, load.keywords, load.positional, load.more) == (
        "Worker",
        ("path", "fast"),
        1,
        True,
    )
    assert one(found, UseKind.CALLED, "vllm.worker.WorkerBase.__init__").keywords == ("rank",)
    assert told(found, UseKind.MEMBER) == {
        ("vllm.config.VllmConfig.model_config.dtype", "plug/worker.py:8")
    }
    assert ("vllm.worker.WorkerBase.warm_up", "plug/worker.py:7") in told(found, UseKind.CALLED)
    assert one(found, UseKind.CALLED, "take_blocks").place == CodePlace("plug/worker.py", 5)
    assert not any(".own" in use.name or "kind.x" in use.name for use in found.uses)


def test_an_override_that_calls_what_it_overrides_is_on_top_of_it() -> None:
    found = surface(
        {
            "plug/__init__.py": "",
            "plug/base.py": """
                from vllm.worker import WorkerBase, Other
                class Base(WorkerBase):
                    def __init__(self, config):
                        super().__init__(config)
                    def load(self): return self.stop()
                    def stop(self): return WorkerBase.stop(self)
                class Plain(Base): ...
                """,
            "plug/worker.py": """
                from plug.base import Base, Plain, WorkerBase, Other
                class Worker(Plain):
                    def __init__(self, config):
                        super().__init__(config)
                    def load(self):
                        super().load()
                    def stop(self): return self.stop()
                class Both(Other, Base):
                    def __init__(self, config):
                        Base.__init__(self, config)
                """,
        }
    )
    on_top = {
        (use.by, use.name.removeprefix("vllm.worker."))
        for use in found.uses
        if use.kind is UseKind.OVERRIDE and use.how is How.ON_TOP
    }
    assert on_top == {
        ("Base", "WorkerBase.__init__"),
        ("Base", "WorkerBase.stop"),
        ("Worker", "WorkerBase.__init__"),
        ("Both", "WorkerBase.__init__"),
    }


def test_what_is_patched_is_told_and_what_merely_replaces_an_own_name_is_not() -> None:
    found = surface(
        {
            "plug/__init__.py": "",
            "plug/fix.py": """
                from unittest.mock import patch
                import vllm.core
                from vllm.core import Sched
                def mine(self, a, b=1): ...
                Sched.schedule = mine
                vllm.core.helper = None
                setattr(Sched, "other", mine)
                @patch("vllm.core.third")
                @patch("plug.fix.Sched")
                @patch.object(Sched, "fourth")
                def test(monkeypatch):
                    monkeypatch.setattr("vllm.core.fifth", 1)
                    monkeypatch.setattr(vllm.core, "sixth", 1)
                """,
        }
    )

    assert {name for name, _ in told(found, UseKind.PATCHED)} == {
        "vllm.core.Sched.schedule",
        "vllm.core.Sched.other",
        "vllm.core.Sched.fourth",
        *(f"vllm.core.{name}" for name in ("helper", "third", "fifth", "sixth")),
    }
    patched = one(found, UseKind.PATCHED, "vllm.core.Sched.schedule")
    assert patched.keywords == ("self", "a", "b")


def test_flags_and_variables_are_told_where_it_is_started() -> None:
    found = surface(
        {
            "plug/__init__.py": "",
            "run.sh": """
                export VLLM_USE_V1=1
                # export VLLM_OLD=1
                export PLUG_X=1
                docker run --gpus all image
                vllm serve model \\
                  --max-num-seqs 16 \\
                  --port=${VLLM_PORT}
                other --not-this
                """,
            "values.yaml": "image: vllm/vllm-openai:v0.9.1\nargs:\n  - --tensor-parallel-size\n",
            "doc.md": "Use `--seed` of vLLM:\n```\npip install vllm==0.9.2 --no-deps\n```\n",
            "plug/e.py": 'import vllm.envs as e\nx = e.VLLM_PORT\nparser.add_argument("--mine")\n',
            "main.c": "// VLLM_C\n",
        }
    )

    assert told(found, UseKind.FLAG) == {
        ("--max-num-seqs", "run.sh:6"),
        ("--port", "run.sh:7"),
        ("--tensor-parallel-size", "values.yaml:3"),
        ("--seed", "doc.md:1"),
    }
    assert told(found, UseKind.VARIABLE) == {
        ("VLLM_USE_V1", "run.sh:1"),
        ("VLLM_PORT", "run.sh:7"),
        ("VLLM_PORT", "plug/e.py:2"),
    }
    assert {(use.name, use.value) for use in found.uses if use.kind is UseKind.PIN} == {
        ("vllm/vllm-openai", "v0.9.1"),
        ("vllm", "==0.9.2"),
    }


SHA = "cdc4824a21eaa986d4d1fee90a7e6465c9f706e6"


@pytest.mark.parametrize(
    ("path", "text", "value", "line"),
    [
        ("requirements.txt", "# vllm==1\nvllm[audio] >= 0.9, <0.10  # why\n", ">=0.9,<0.10", 2),
        ("requirements/cuda.txt", "vllm\n", "", 1),
        ("pyproject.toml", '[project]\ndependencies = [\n  "vllm==0.9.1",\n]\n', "==0.9.1", 3),
        ("pyproject.toml", '[tool.poetry.dependencies]\nvllm = "^0.9"\n', "^0.9", 2),
        (
            "pyproject.toml",
            '[tool.uv.sources]\nvllm = { git = "https://x/y", rev = "abc1234" }\n',
            "abc1234",
            2,
        ),
        ("setup.cfg", "[options]\ninstall_requires =\n    vllm~=0.9.0\n", "~=0.9.0", 3),
        ("setup.py", 'setup(install_requires=["vllm>=0.9"])\n', ">=0.9", 1),
        ("environment.yml", "dependencies:\n  - vllm =0.9.1\n", "=0.9.1", 2),
        ("uv.lock", '[[package]]\nname = "vllm"\nversion = "0.9.1"\n', "==0.9.1", 3),
        (
            "poetry.lock",
            '[[package]]\nname = "vllm-x"\nversion = "1"\n\n[[package]]\nname = "vllm"\n'
            'version = "0.9.1"\n',
            "==0.9.1",
            7,
        ),
        ("requirements.txt", f"vllm @ git+https://u:p@github.com/a/b@{SHA}#egg=vllm\n", SHA, 1),
        ("requirements.txt", "vllm @ https://x/vllm-0.9.1-cp38-abi3-linux.whl\n", "0.9.1", 1),
        ("Dockerfile", "ARG VLLM_TAG=v0.9.1\nARG VLLM_ASCEND_TAG=v7\n", "v0.9.1", 1),
        ("Dockerfile", "FROM vllm/vllm-openai@sha256:" + "a" * 64, "sha256:" + "a" * 64, 1),
        ("ci.yaml", f"  vllm_version: [{SHA}]\n", SHA, 1),
        (".github/vllm-main-verified.commit", f"{SHA}\n", SHA, 1),
        (
            "tune.py",
            '_fp4_vllm_version = "0.1"\nfp4_vllm_version = "0.2"\nFP4_VLLM_VERSION = "0.9.1"\n',
            "0.9.1",
            3,
        ),
        ("docs.yml", "pip_vllm_version: 0.9.1\n", "0.9.1", 1),
        (
            "CMakeLists.txt",
            f"GIT_REPOSITORY https://github.com/vllm-project/vllm.git\n  GIT_TAG {SHA}\n",
            SHA,
            2,
        ),
        (
            "build.sh",
            "git clone https://github.com/vllm-project/vllm\ncd vllm\ngit checkout v0.9.1\n",
            "v0.9.1",
            3,
        ),
    ],
)
def test_a_pin_is_told_in_files_of_every_kind(path: str, text: str, value: str, line: int) -> None:
    found = surface_of(Codebase(SurfaceOrigin(), {path: text}), VLLM)

    pins = [use for use in found.uses if use.kind is UseKind.PIN]
    assert [(use.value, use.place.path, use.place.line) for use in pins] == [(value, path, line)]


def test_the_commit_of_a_submodule_is_a_pin() -> None:
    text = '[submodule "x"]\n\tpath = third/vllm\n\turl = https://github.com/vllm-project/vllm\n'
    found = surface({".gitmodules": text}, links=[("third/vllm", SHA), ("other", "b" * 40)])

    assert [(use.name, use.value) for use in found.uses] == [("third/vllm", SHA)]


def test_headers_that_are_included_are_told_of_a_repository_of_headers() -> None:
    files = {"csrc/a.cu": "#include <cutlass/gemm/gemm.h>\n#include <vector>\n"}
    found = surface_of(Codebase(SurfaceOrigin(), files), upstream("cutlass"))

    assert told(found, UseKind.MODULE) == {("cutlass/gemm/gemm.h", "csrc/a.cu:1")}


def test_hostile_files_cost_their_own_uses_and_nothing_else() -> None:
    deep = "vllm = " + "(" * 5000 + ")" * 5000
    found = surface(
        {
            "plug/bad.py": "import vllm\ndef (:\n",
            "plug/deep.py": deep,
            "plug/nul.py": "import vllm\0",
            "plug/chain.py": "import vllm\nvllm" + ".a" * 20_000,
            "plug/loop.py": "class A(B): pass\nclass B(A):\n  def f(self): self.x.y\n",
            "plug/self.py": "x = x.y\nx.z()\nfrom .self import *\n",
            "long.sh": "vllm serve " + "--a" * 500_000,
            "plug/line\u2028break.py": "import vllm.hidden",
            "uv.lock": '[[package]]\nname = "vllm"\n',
            "plug/good.py": "import vllm.good\n",
        }
    )

    assert ("vllm.good", "plug/good.py:1") in told(found, UseKind.MODULE)
    assert {str(problem.place).partition(":")[0] for problem in found.problems} >= {"plug/bad.py"}
    assert Surface.read(found.write()) == found
    assert "hidden" not in found.write()


def test_a_codebase_that_uses_nothing_says_so() -> None:
    found = surface({"a.py": "import torch\n"})

    assert found.uses == ()
    assert [problem.why for problem in found.problems] == [
        "nothing of vllm-project/vllm is used here"
    ]
    assert isinstance(found.problems[0], Problem)


def test_the_repositories_that_a_codebase_uses_are_found() -> None:
    files = {"a.py": "import flashinfer\n  from vllm import x\nimport vllm_ascend, cutlassx\n"}

    assert {one.repo for one in used_upstreams(Codebase(SurfaceOrigin(), files))} == {
        "flashinfer-ai/flashinfer",
        "vllm-project/vllm",
    }


def test_of_a_flag_the_word_is_kept_that_it_chooses_and_nothing_of_ones_own() -> None:
    found = surface(
        {
            "run.sh": """
                vllm serve model --quantization fp8 --kv-cache-dtype=nvfp4 \\
                  --api-key hush --served-model-name ours --load-format ./ours/one \\
                  --attention-backend $BACKEND
                """,
            "plug/e.py": 'import vllm\nrun(["vllm", "serve", "--moe-backend", "triton"])\n',
            "plug/f.py": 'run(["vllm", "serve", "--gemm-backend", ours.own, "--a-dtype", D])\n',
            "side.yaml": "image: vllm\nargs:\n  - --storage-backend=acme-prod-bucket\n",
            "README.md": "vllm reads `--other-dtype` option is old; vllm serve --last-dtype fp8.\n",
            "all.sh": "vllm serve m --billing-strategy=acme --tool-call-parser acme_contract\n",
        }
    )
    assert {(use.name, use.value) for use in found.uses if use.kind is UseKind.FLAG} == {
        ("--quantization", "fp8"),
        ("--kv-cache-dtype", "nvfp4"),
        ("--api-key", ""),
        ("--served-model-name", ""),
        ("--load-format", ""),
        ("--attention-backend", ""),
        ("--moe-backend", "triton"),
        ("--gemm-backend", ""),
        ("--a-dtype", ""),
        ("--storage-backend", ""),
        ("--other-dtype", ""),
        ("--last-dtype", ""),
        ("--billing-strategy", ""),
        ("--tool-call-parser", ""),
    }
    assert "acme" not in found.write()
    assert Surface.read(found.write()) == found
