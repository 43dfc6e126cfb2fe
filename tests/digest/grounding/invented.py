"""Invented changes with true sentences about them, read from `true_claims.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from digest.claims import ClaimKind, Draft
from digest.evidence import Evidence, Hunk
from digest.languages import Language

REPO = "acme/engine"
_CORPUS = Path(__file__).with_name("true_claims.toml")


@dataclass(frozen=True, slots=True)
class Told:
    """One item's evidence, with true drafts about it; `seen` while the rules were written."""

    evidence: Evidence
    drafts: tuple[Draft, ...]
    seen: bool


def told() -> tuple[Told, ...]:
    """Read the whole corpus."""
    return tuple(_told(item) for item in tomllib.loads(_CORPUS.read_text(encoding="utf-8"))["item"])


def _told(item: dict[str, Any]) -> Told:
    kind = item.get("kind", "pull_request")
    ref = item["title"] if kind == "release" else item["ref"]
    key = f"{REPO}:{kind}:{ref}"
    evidence = Evidence(
        key=key,
        title=item["title"],
        body=tuple(item["body"]),
        paragraphs=len(item["body"]),
        hunks=tuple(
            Hunk(
                f"h{number}",
                hunk["path"],
                hunk["start"],
                tuple(hunk["lines"].strip("\n").split("\n")),
            )
            for number, hunk in enumerate(item.get("hunk", ()), 1)
        ),
        hunks_total=len(item.get("hunk", ())),
        facts=tuple(_facts(item, kind)),
    )
    return Told(
        evidence, tuple(_draft(claim, key) for claim in item["claim"]), item["half"] == "seen"
    )


def _facts(item: dict[str, Any], kind: str) -> list[str]:
    """Give the facts as `digest.asking.seeing` words them."""
    files = [entry.split() for entry in item.get("files", ())]
    ref = item["title"] if kind == "release" else f"#{item['ref']}"
    facts = [f"ref: {ref}", f"kind: {kind}", f"state: {item.get('state', 'merged')}"]
    if files:
        facts.append(f"files: {len(files)}")
        facts.append(f"added lines: {sum(int(added) for _, added, _ in files)}")
        facts.append(f"removed lines: {-sum(int(removed) for *_, removed in files)}")
    return [*facts, *(f"path: {path}" for path, *_ in files)]


def _draft(claim: dict[str, str], key: str) -> Draft:
    return Draft(
        kind=ClaimKind(claim["kind"]),
        quote=claim["quote"],
        quote_from=claim["from"],
        text={Language.EN: claim["en"], Language.ZH: claim["zh"]},
        cites=(key,),
    )
