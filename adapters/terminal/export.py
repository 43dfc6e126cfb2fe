"""Files that are written: days as Markdown with an index, and what a source gives."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from adapters.terminal.files import read_text, write_text
from adapters.terminal.markdown import render
from adapters.terminal.options import Options
from adapters.terminal.output import progress, say, warn
from adapters.wiring.assembly import running
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Gap, Roundup
from digest.ports import Contents
from digest.sources.recorded import save
from digest.windows import days
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, localized
from digest.writing.document import Document
from digest.writing.pages import day_page as analysis_page
from digest.writing.pages import digest_page, roundup_page

REPORTS = "reports"
INDEX = "README.md"


async def export(folder: Path, when: str, names: tuple[str, ...], options: Options) -> int:
    """Write the days that are meant; gives 1 where a whole day could not be looked at.

    A day at which nobody could be looked at leaves its page as it was.
    """
    blind = written = 0
    with progress() as tell:
        async with running(tell, options.source, stored=options.store) as infra:
            asking = options.asker(infra.settings)
            repos = await infra.answers.repos(names)
            window = infra.answers.window(when, asking)
            for day in days(window):
                roundup = await infra.answers.roundup(repos, day)
                for repo, why in roundup.failed:
                    warn(f"{day.label}: could not look at {repo}: {localized(why, Language.EN)}")
                if not roundup.digests:
                    blind += 1
                    continue
                path = folder / REPORTS / f"{day.label[:10]}.md"
                busy = [each for each in roundup.digests if each.reading.items]
                if options.analysis:
                    whole = [await infra.pipeline.analysed(d.reading.repo, day) for d in busy]
                    pages = [analysis_page(each, asking.language) for each in whole]
                else:
                    pages = [digest_page(each, asking.language, full=True) for each in busy]
                if write_text(path, day_page(roundup, pages, asking.language)):
                    written += 1
                    say(f"{path}\n")
    if _write_index(folder, asking.language):
        written += 1
        say(f"{folder / INDEX}\n")
    if not written and not blind:
        say(f"{folder} is up to date\n")
    return 1 if blind else 0


def day_page(roundup: Roundup, busy: Sequence[Document], language: Language) -> str:
    """Return the page of a day: the roundup first, then the page of each busy repository.

    Of one repository alone its own page says everything.
    """
    if len(roundup.digests) == 1 and not roundup.failed:
        quiet = digest_page(roundup.digests[0], language, full=True)
        return render(busy[0] if busy else quiet)
    return "\n".join(map(render, (roundup_page(roundup, language), *busy)))


def _write_index(folder: Path, language: Language) -> bool:
    reports = folder / REPORTS
    files = sorted(reports.iterdir()) if reports.is_dir() else []
    pages = {
        found[1]: read_text(file) for file in files if (found := DAY_FILE.fullmatch(file.name))
    }
    if not pages:
        return False
    index = folder / INDEX
    return write_text(index, updated(read_text(index), pages, REPORTS, language))


BEGIN = "<!-- infra: everything from here to the end mark is written by infra export -->"
END = "<!-- infra: end -->"
DAY_FILE = re.compile(r"(\d{4}-\d{2}-\d{2})\.md", re.ASCII)


def updated(index: str, pages: Mapping[str, str], folder: str, language: Language) -> str:
    """Return the index anew: `pages` are the texts of the days by `2026-02-11`, in any order.

    What stands before and after the marks is kept as it is; an index without marks gets them at
    its end. `UsageError` if the marks are not one pair, since then nobody can say what is whose.
    """
    days = sorted(pages, reverse=True)
    block = "\n\n".join(
        [
            BEGIN,
            pages[days[0]].strip("\n") if days else "",
            f"## {CATALOGUES[language].pages.days}",
            "\n".join(f"- [{day}]({folder}/{day}.md)" for day in days),
            END,
        ]
    )
    if BEGIN not in index and END not in index:
        before = index.rstrip("\n") or f"# {CATALOGUES[language].pages.title}"
        return f"{before}\n\n{block}\n"
    if index.count(BEGIN) != 1 or index.count(END) != 1 or index.index(BEGIN) > index.index(END):
        raise UsageError(SAY.cli.index_marks)
    before, _, rest = index.partition(BEGIN)
    return f"{before}{block}{rest.partition(END)[2]}"


async def record(name: str, when: str, file: Path, options: Options) -> int:
    """Collect a window anew and save it, without the whole files that interfaces are read from."""
    with progress() as tell:
        async with running(tell, options.source, stored=options.store) as infra:
            (repo,) = await infra.answers.repos([name])
            window = infra.answers.window(when, options.asker(infra.settings))
            activity = await infra.source.collect(repo, window)
            has_files = isinstance(infra.source, Contents)
    save(activity, file)
    say(f"{file}: {len(activity.items)} items of {repo}, {window.label}\n")
    gaps = [Gap("contents", SAY.files.by_patches)] if has_files else []
    for gap in (*activity.gaps, *gaps):
        what = CATALOGUES[Language.EN].names.gaps.get(gap.what, gap.what)
        warn(f"not recorded: {what}: {localized(gap.why, Language.EN)}")
    return 0
