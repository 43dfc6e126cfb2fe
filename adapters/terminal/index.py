"""The index of exported days: the newest in full, links to all, between two marks (pure)."""

import re
from collections.abc import Mapping

from digest.errors import UsageError
from digest.languages import Language
from digest.wording.saying import CATALOGUES

BEGIN = "<!-- infra: everything from here to the end mark is written by infra export -->"
END = "<!-- infra: end -->"
DAY_FILE = re.compile(r"(\d{4}-\d{2}-\d{2})\.md", re.ASCII)


def updated(index: str, pages: Mapping[str, str], folder: str, language: Language) -> str:
    """Give the index anew: `pages` are the texts of the days by `2026-02-11`, in any order.

    What stands before and after the marks is kept as it is; an index without marks gets them at
    its end. `UsageError` if the marks are not one pair, since then nobody can say what is whose.
    """
    days = sorted(pages, reverse=True)
    block = "\n\n".join(
        [
            BEGIN,
            pages[days[0]].strip("\n") if days else "",
            f"## {CATALOGUES[language].pages.past}",
            "\n".join(f"- [{day}]({folder}/{day}.md)" for day in days),
            END,
        ]
    )
    if BEGIN not in index and END not in index:
        before = index.rstrip("\n") or f"# {CATALOGUES[language].pages.title}"
        return f"{before}\n\n{block}\n"
    if index.count(BEGIN) != 1 or index.count(END) != 1 or index.index(BEGIN) > index.index(END):
        raise UsageError("the index needs its begin mark and its end mark once each: mend them")
    before, _, rest = index.partition(BEGIN)
    return f"{before}{block}{rest.partition(END)[2]}"
