"""One invented change that sentences are held against."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from digest.claims import ClaimKind, Draft
from digest.evidence import Evidence, Hunk
from digest.grounding.verdict import Verdict
from digest.grounding.verification import verify
from digest.languages import Language

KILN = Evidence(
    key="example-org/kiln:pull_request:41",
    title="[Perf] Reuse glaze buffers in the firing scheduler",
    body=(
        "The firing scheduler allocated new glaze buffers for every batch, which may stall when "
        "`max_batch` is large. It now keeps a pool of 8 buffers per kiln.",
        "On H100 the latency of a firing drops from 41.5 ms to 30 ms (up to 1.4x). See #17 and "
        "4be19f0. Needs kilnlib 2.3.1; Windows is not supported.",
        "Set `KILN_POOL=0` or `--no-pool` to turn it off. "
        "The default of `pool_size` goes from 4 to 8.",
    ),
    paragraphs=3,
    hunks=(
        Hunk(
            "h1",
            "kiln/core/scheduler.py",
            10,
            (
                " def fire(self, batch):",
                "-    buffers = allocate(batch.count)",
                "+    buffers = self.pool.take(batch.count)",
                "     return self.run(batch, buffers)",
            ),
        ),
        Hunk(
            "h2",
            "kiln/config.py",
            3,
            (
                " class Config:",
                "-    pool_size: int = 4",
                "+    pool_size: int = 8",
                " max_batch: int = 64",
            ),
        ),
    ),
    hunks_total=2,
    facts=(
        "ref: #41",
        "kind: pull_request",
        "state: merged",
        "purpose: perf",
        "files: 2",
        "added lines: 30",
        "removed lines: 12",
        "path: kiln/core/scheduler.py",
        "path: kiln/config.py",
    ),
)
POOL = "It now keeps a pool of 8 buffers per kiln"


@dataclass(frozen=True, slots=True)
class Judge:
    """Holds sentences against one item."""

    evidence: Evidence = KILN

    def draft(self, en: str = "", zh: str = "", quote: str = POOL, place: str = "body") -> Draft:
        text = {each: said for each, said in ((Language.EN, en), (Language.ZH, zh)) if said}
        return Draft(ClaimKind.WHAT, quote, place, text, (self.evidence.key,))

    def __call__(
        self, en: str = "", zh: str = "", quote: str = POOL, place: str = "body"
    ) -> Verdict:
        return verify([self.draft(en, zh, quote, place)], self.evidence)[0]

    def checks(
        self, en: str = "", zh: str = "", quote: str = POOL, place: str = "body"
    ) -> set[str]:
        """Give the checks that failed; empty where the sentence is believed."""
        return {failure.check for failure in self(en, zh, quote, place).failures}


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def judge_of() -> Callable[..., Judge]:
    """Make a judge of a change that differs: `judge_of(title=…)`."""
    return lambda **more: Judge(replace(KILN, **more))
