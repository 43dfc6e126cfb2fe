"""How the time of reading grows with what a stranger wrote: eight times the text against it.

Reading that is linear takes eight times as long, reading that looks at each pair 64 times. What is
read up to a bound alone takes less.
"""

import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import unified_diff

from benchmarks.memory_and_cpu import DAY, REPO, START
from benchmarks.rows import Row
from digest.models import (
    Activity,
    FileAt,
    FileChange,
    Item,
    Kind,
    State,
)
from digest.reading.interfaces.extra_config import extra_config_facts
from digest.reading.interfaces.facts import functions_touched, interface_facts
from digest.reading.interfaces.moves import move_facts
from digest.reading.interfaces.rust_flags import may_have, rust_definitions
from digest.reading.patch import hunks
from digest.reading.reader import read
from digest.reading.sentence import quote
from digest.reading.targets import build_targets

SCALE = 1.0
"""Of the sizes below; the tests of the benchmarks take less."""
TIMES_THE_TEXT = 8
MOST_GROWTH = 20.0
RUNS = 3
LEAST_SECONDS = 0.002
"""What takes less is counted as this: a clock tells no more of it."""

BEFORE, AFTER = "b" * 40, "a" * 40

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Case:
    """A reader, and its work on so many characters, lines or items."""

    name: str
    size: int
    make: Callable[[int], Work]


def _item(number: int, title: str, body: str = "", files: Iterable[FileChange] = ()) -> Item:
    return Item(
        key=f"{REPO}:{Kind.PULL_REQUEST}:{number}",
        repo=REPO,
        kind=Kind.PULL_REQUEST,
        ref=f"#{number}",
        number=number,
        title=title,
        url=f"https://github.com/{REPO}/pull/{number}",
        author="ada",
        at=START,
        state=State.MERGED,
        body=body,
        commits=(AFTER,),
        parents=(BEFORE,),
        files=tuple(files),
    )


def _page(items: list[Item]) -> Work:
    activity = Activity(REPO, DAY, tuple(items), DAY.end, source="invented")
    return lambda: read(activity)


def _long_page(piece: str) -> Callable[[int], Work]:
    return lambda size: _page(
        [_item(1, piece * (10_000 // len(piece)), piece * (size // len(piece)))]
    )


def _many_items(count: int) -> Work:
    body = "The scheduler held the lock while it waited.\n\n" * 10 + "Fixes #12"
    return _page(
        [_item(n, f"[{n}/N] Fix the queue of part {n}", body) for n in range(1, count + 1)]
    )


def _quotation(piece: str) -> Callable[[int], Work]:
    def make(size: int) -> Work:
        item = _item(1, "t " * 5_000, piece * (size // len(piece)))
        return lambda: quote(item)

    return make


PATHS = ("rocket/envs.py", "rocket/cli/serve_args.py", "requirements.txt", "pyproject.toml",
         "setup.py", "include/a.h", "rocket/a.cu", "config/a.yaml", "config/a.toml",
         "config/a.json", "config/a.ini")  # fmt: skip


def _hunk(piece: str) -> Callable[[int], Work]:
    def make(size: int) -> Work:
        patch = "@@ -1 +1 @@\n+" + piece * (size // len(piece))
        files = [FileChange(path, "modified", 1, 1, patch) for path in PATHS]

        def work() -> None:
            for file in files:
                interface_facts([_item(1, "Change", files=[file])], {})
                functions_touched(file)

        return work

    return make


def _compared(path: str, of: Callable[[int], tuple[str, str]]) -> Callable[[int], Work]:
    """Return the comparing of one file's two sides."""

    def make(size: int) -> Work:
        before, after = of(size)
        contents: dict[FileAt, str | None] = {
            FileAt(BEFORE, path): before,
            FileAt(AFTER, path): after,
        }
        sides = (before.split("\n"), after.split("\n"))
        patch = "\n".join([*unified_diff(*sides, lineterm="")][2:])
        item = _item(1, "Change", files=[FileChange(path, "modified", 1, 1, patch)])
        return lambda: interface_facts([item], contents)

    return make


def _support(part: str) -> Callable[[int], tuple[str, str]]:
    head = "class IonPump(Pump):\n    supported_sizes = "
    return lambda size: (f"{head}[1]\n", f"{head}[2]  # {part * size}\n    {part * size}\n")


def _branches(size: int) -> tuple[str, str]:
    head = (
        "@dataclass\nclass EngineConfig:\n    tank: int | None = None\n\n"
        "    def __post_init__(self):\n"
    )
    body = "".join(
        f"        if c{n}:\n            self.tank = {n}\n            return\n" for n in range(size)
    )
    return f"{head}{body}        self.tank = 1\n", f"{head}{body}        self.tank = 2\n"


def _switches(size: int) -> tuple[str, str]:
    head = "@dataclass\nclass EngineConfig:\n    tank: int = 1\n"
    fields = "".join(f"    lid_{n}: bool = False\n" for n in range(size))
    body = "".join(f"        if c{n}():\n            self.lid_{n} = True\n" for n in range(size))
    return head, f"{head}{fields}\n    def __post_init__(self):\n{body}"


def _handed_settings(size: int) -> Work:
    files = [
        FileChange(
            f"rocket/part_{n}.py", "modified", 40, 400, "@@ -1,400 +1,40 @@\n"
            + "-level = 'a level that is not read'\n" * 400
            + "\n".join(f'+self.extra_config.get("key_{n}_{m}", 1)' for m in range(40)),
        )
        for n in range(size)
    ]  # fmt: skip
    item = _item(1, "Change", files=files)
    return lambda: list(extra_config_facts(item))


def _built(path: str, line: str) -> Callable[[int], Work]:
    def make(size: int) -> Work:
        patch = f"@@ -1 +1 @@\n+{line}{' ' * size}!"
        item = _item(1, "Change", files=[FileChange(path, "modified", 1, 1, patch)])
        return lambda: build_targets(item)

    return make


def _rust(of: Callable[[int], str]) -> Callable[[int], Work]:
    def make(size: int) -> Work:
        text = of(size)
        return lambda: (rust_definitions("src/main.rs", text), may_have(text, "--heat"))

    return make


def _front(size: int) -> Work:
    front = "".join(f"from .pumps import Pump{n}\n" for n in range(2 * size))
    gone = [f"-class Valve{n}: ..." for n in range(size)]
    patch = f"@@ -1,{size} +0,0 @@\n" + "\n".join(gone)
    path, parts = "rocket/parts/engine.py", "rocket/parts/__init__.py"
    item = _item(1, "Change", files=[FileChange(path, "removed", 0, size, patch)])
    return lambda: move_facts(item, {parts: front})


def _bounded_patch(size: int) -> Work:
    patch = "@@ -1 +1 @@\n+a\n" * size
    return lambda: (next(hunks(patch)), sum(1 for _ in hunks(patch, max_chars=30_000)))


PAGES = ("[", "( ", "a:", "fixes #1, ", "revert ", "#1 ", "bump ", " ", "1/2 ", "old x ", "|-")
BODIES = ("<!--", "```\n", "a. ", "(", "fixes #1 ", "- [ ", "| ", "`")
PATCHES = ("p.add_argument(", '"', "class A:\n+", "((((", "a\t", "x: int = Field(",
           "typer.Option(", "a:\n+ ", '"a": {\n+', "torch>=1;", '"torch>=1", ', "void f(",
           "std::vector<", "int a(b, ", "[a]\n+", "a = 1\n+", "@x\n+", "if a:\n+ ")  # fmt: skip
RUST: tuple[Callable[[int], str], ...] = (
    lambda size: "#[arg(long" + "\n" * (10 * size),
    lambda size: '#[arg(long, help = "' + '\\"' * (5 * size),
    lambda size: "".join(
        f"#[arg(long, default_value_t = A{n})]\n a{n}: u8,\n" for n in range(size)
    ),
    lambda size: "#[arg(long\n" * size,
    lambda size: "#[arg(long)]\n" * size,
    lambda size: "long " * size,
    lambda size: "const A: u8 = 1;\n" * size,
)
CASES = (
    *(Case("a page of one long text", 125_000, _long_page(piece)) for piece in PAGES),
    Case("a page of many changes", 125, _many_items),
    *(Case("a quotation of a long description", 125_000, _quotation(piece)) for piece in BODIES),
    *(Case("facts of a long patch", 4_000, _hunk(piece)) for piece in PATCHES),
    *(
        Case("what a class supports, on a long line", 650,
             _compared("rocket/layers/pumps/ion.py", _support(part)))
        for part in ("supported_", "supported_a: ")
    ),
    Case("a default of many branches", 150, _compared("rocket/config/engine.py", _branches)),
    Case("new switches that code turns on", 50, _compared("rocket/config/engine.py", _switches)),
    Case("settings of a table that many files look up", 5, _handed_settings),
    *(
        Case("a list of GPUs on a long line", size, _built(*line))
        for size, *line in (
            (25, "Dockerfile", "ARG rocm_arch"), (200, "CMakeLists.txt", "set(A_SUPPORTED_ARCHS")
        )
    ),
    *(Case("flags of a program in Rust", 500, _rust(of)) for of in RUST),
    Case("a module that went, beside a long front", 400, _front),
    Case("the head of a patch of 100 MB", 800_000, _bounded_patch),
)  # fmt: skip


def measure() -> list[Row]:
    """Return of each reader how many times as long it took over the text it grew most with."""
    worst: dict[str, float] = {}
    for case in CASES:
        few, many = (
            _seconds(case, max(1, round(case.size * SCALE * times)))
            for times in (1, TIMES_THE_TEXT)
        )
        growth = many / max(few, LEAST_SECONDS)
        worst[case.name] = max(growth, worst.get(case.name, 0.0))
    return [
        Row(f"{name}, {TIMES_THE_TEXT} × of it", f"{growth:.1f} ×", f"{MOST_GROWTH:.0f} ×",
            growth <= MOST_GROWTH)
        for name, growth in worst.items()
    ]  # fmt: skip


def _seconds(case: Case, size: int) -> float:
    """Return the least processor time of some runs, each with a text that was not read before."""
    spent = []
    for run in range(RUNS):
        work = case.make(size + run)
        gc.collect()
        gc.freeze()  # else all that is there before is looked through, the oftener the more is made
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
        gc.unfreeze()
    return min(spent)
