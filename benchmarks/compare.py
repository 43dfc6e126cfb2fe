"""A day's digests with and without a model's words, side by side and unlabelled.

::

    python -m benchmarks.compare 2026-02-11 sglang vllm --out compare.html --key compare-key.json

Both sides tell the same reading; which is which stands in the key alone. Settings are those of
`infra` (`GITHUB_API_URL`, `OPENAI_BASE_URL` and so on); `--source recorded:FILE` reads a recording.
A repository of which the model has nothing proven is left out, since both sides would be the same.
"""

import argparse
import asyncio
import json
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from adapters.operations.logs import log_nowhere
from adapters.pages import html
from adapters.terminal import markdown
from adapters.terminal.files import write_text
from adapters.wiring.run import Choices, running
from bot.answer.answers import Asker
from digest.errors import InfraError
from digest.languages import Language
from digest.models import Digest, Origin
from digest.wording.saying import said
from digest.writing.digest_page import digest_page

SIDES = ("A", "B")
MODEL, RULES = "model", "rules"
_MAIN = re.compile(r"<main>(.*?)</main>", re.DOTALL)
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_ID = re.compile(r'( id="|labelledby=")')


@dataclass(frozen=True, slots=True)
class Pair:
    """One repository told twice: `sides` are the digests as A and B, `kinds` what they are."""

    repo: str
    sides: tuple[Digest, Digest]
    kinds: tuple[str, str]


def paired(digest: Digest, seed: int) -> Pair:
    """Put a digest beside itself without a model's words, in an order that the seed decides."""
    bare = replace(digest, claims=(), model=None, origin=Origin.RULES)
    told = {MODEL: digest, RULES: bare}
    kinds = [MODEL, RULES]
    repo = str(digest.reading.repo)
    random.Random(f"{seed} {repo} {digest.reading.window.label}").shuffle(kinds)
    return Pair(repo, (told[kinds[0]], told[kinds[1]]), (kinds[0], kinds[1]))


def as_html(pairs: Sequence[Pair], language: Language) -> str:
    """Draw every pair in two columns; small print would tell which is which, and is left out."""
    rows = []
    style = ""
    for number, pair in enumerate(pairs, start=1):
        cells = []
        for side, digest in zip(SIDES, pair.sides, strict=True):
            page = html.render(replace(digest_page(digest, language), footer=()))
            style = _STYLE.search(page)[0]  # type: ignore[index]  # the template has one
            body = _MAIN.search(page)[1]  # type: ignore[index]  # the template has one
            own = _ID.sub(rf"\g<1>{number}{side}-", body)
            cells.append(f"<div><p><b>{number}{side}</b></p>{own}</div>")
        rows.append(f'<div class="pair">{"".join(cells)}</div>')
    grid = (
        ".pair{display:grid;grid-template-columns:1fr 1fr;gap:2rem;border-bottom:4px solid "
        "var(--line);padding:1rem 2rem}.pair>div{min-width:0}"
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>A | B</title>'
        f"{style}<style>{grid}</style></head><body>{''.join(rows)}</body></html>\n"
    )


def as_markdown(pairs: Sequence[Pair], language: Language) -> str:
    """Draw every pair as two pages one after the other."""
    parts = []
    for number, pair in enumerate(pairs, start=1):
        for side, digest in zip(SIDES, pair.sides, strict=True):
            page = replace(digest_page(digest, language), footer=())
            parts.append(f"**{number}{side}**\n\n{markdown.render(page)}")
    return "\n---\n\n".join(parts)


def key_of(pairs: Sequence[Pair], seed: int) -> str:
    """Give what is behind each side."""
    sides = {
        f"{number}{side}": {"repo": pair.repo, "is": kind}
        for number, pair in enumerate(pairs, start=1)
        for side, kind in zip(SIDES, pair.kinds, strict=True)
    }
    return json.dumps({"seed": seed, "sides": sides}, indent=2) + "\n"


async def gathered(options: argparse.Namespace) -> list[Digest]:
    """Give the digests that a model had words for; who had none is told on standard error."""
    choices = Choices(options.source, store=not options.no_store)
    async with running(choices, lambda _step: None) as infra:
        asker = Asker(infra.settings.tz, Language(options.lang))
        window = infra.answers.window(options.day, asker)
        repos = await infra.answers.repos(options.repos)
        roundup = await infra.answers.roundup(repos, window)
    for repo, why in roundup.failed:
        print(f"{repo}: {said(why, Language.EN)}", file=sys.stderr)
    for digest in roundup.digests:
        if not digest.claims:
            missing = (digest.model.why if digest.model else "") or "no model, or nothing proven"
            print(f"{digest.reading.repo}: left out: {missing}", file=sys.stderr)
    return [digest for digest in roundup.digests if digest.claims]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the comparison and its key; 1 where there is nothing to compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("day")
    parser.add_argument("repos", nargs="*")
    parser.add_argument("--out", type=Path, default=Path("compare.html"))
    parser.add_argument("--key", type=Path, default=Path("compare-key.json"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lang", choices=[language.value for language in Language], default="en")
    parser.add_argument("--source", default="github")
    parser.add_argument("--no-store", action="store_true")
    options = parser.parse_args(arguments)
    log_nowhere(debug=False)
    try:
        pairs = [paired(digest, options.seed) for digest in asyncio.run(gathered(options))]
        if not pairs:
            print("nothing to compare: set a model as README tells", file=sys.stderr)
            return 1
        draw = as_markdown if options.out.suffix == ".md" else as_html
        write_text(options.out, draw(pairs, Language(options.lang)))
        write_text(options.key, key_of(pairs, options.seed))
    except InfraError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    print(f"{options.out}: {len(pairs)} pairs, key in {options.key}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
