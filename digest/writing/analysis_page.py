"""The analysis of one change as sections: only what its diff and its author's words show.

A section without evidence is left out. What stands under a heading is computed, or the author's own
sentence, marked as such; how a model reads the change stands apart (`remarks.review`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from digest.facts import Fact, FactChange, FactKind, Subject
from digest.models import Change, FileChange
from digest.reading.analysis import Analysis
from digest.reading.known_facts import demands, facts_of_change
from digest.reading.paths import UNREAD, role
from digest.reading.statements import Aspect, StatedFigures
from digest.wording.pages import AnalysisWords
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Entry,
    Foreign,
    Hunk,
    Paragraph,
    Quote,
    Runs,
    Section,
    Strong,
    Tone,
    Words,
)
from digest.writing.outline import Context
from digest.writing.phrasing import fill, first_of, joined, plain, quoted

MOST_NAMES = 12
"""Names in a sentence; all of them stand among what changed for users."""
MOST_PATHS = 3
"""Files that are named below the patch; all of them stand among the files."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Lines of hunks together, files in tables, lines of one result; None means all of them."""

    lines: int | None
    files: int | None
    result_lines: int | None


SHORT = Extent(lines=120, files=40, result_lines=30)
"""About eight screens in all, four of them of the patch."""
LONG = Extent(lines=600, files=200, result_lines=120)
"""The form for whoever asks for an analysis."""
WHOLE = Extent(lines=None, files=None, result_lines=None)
IN_A_DAY = Extent(lines=200, files=40, result_lines=60)
"""One high change of a day that is told as an analysis."""


class Telling:
    """Says the parts of one analysis in one language."""

    def __init__(
        self, change: Change, taken_apart: Analysis, about: Context, extent: Extent
    ) -> None:
        self._change = change
        self._analysis = taken_apart
        self._about = about
        self._say = about.say
        self._words: AnalysisWords = CATALOGUES[about.language].analysis
        self._most = extent.result_lines

    def after_notes(self) -> list[Section]:
        """Give insight, tests and benchmarks, risks, what to do, and open points."""
        return [
            *self._insight(),
            *self._tests(),
            *self._risks(),
            *self._recommended(),
            *self._open_points(),
        ]

    def surface(self) -> list[Block]:
        """Give the public names that the change touches."""
        if not self._analysis.surface:
            return []
        lines = []
        for surface in self._analysis.surface:
            kind = self._words.surface_kinds.get(surface.kind, surface.kind)
            names = joined(((Code(name),) for name in surface.names), self._say.comma)
            more: Runs = (Words(f" +{surface.more}"),) if surface.more else ()
            lines.append(Entry((Words(kind + self._say.colon), *names, *more)))
        return [Paragraph((Strong((Words(self._words.surface),)),)), Bullets(tuple(lines))]

    def hunks(self) -> list[Block]:
        """Give the chosen hunks, each with file and line."""
        blocks: list[Block] = []
        for hunk in self._analysis.choice.hunks:
            blocks.append(Hunk(hunk.path, hunk.text, hunk.line or None))
            if hunk.more:
                more = Words(self._words.further_lines(hunk.more) + self._say.colon)
                link = entries.reference(self._change.read.item)
                blocks.append(Paragraph((more, link), Tone.SMALL))
        choice = self._analysis.choice
        if left := choice.total - len(choice.hunks):
            runs = fill(
                self._words.not_shown,
                hunks=self._words.hunks(left),
                files=self._paths(choice.left, MOST_PATHS),
                link=entries.reference(self._change.read.item),
            )
            blocks.append(Paragraph(runs, Tone.SMALL))
        return blocks

    def not_seen(self) -> list[Section]:
        """Say what nothing can be told of: what of the patch was not read, by rules or the model.

        Of files that do not run nothing is missed. What a poorer source could not give at all is
        said first on the page.
        """
        lines: list[Runs] = []
        if self._analysis.choice.more:
            lines.append((Words(self._words.goes_on),))
        if unread := [path for path in self._analysis.unread if role(path) not in UNREAD]:
            lines.append(fill(self._say.say.no_patch, files=self._paths(unread, MOST_NAMES)))
        lines += self._reach()
        if not lines:
            return []
        bullets = Bullets(tuple(Entry(runs) for runs in lines))
        return [Section((Words(self._words.not_seen),), "not-looked-at", (bullets,))]

    def _reach(self) -> list[Runs]:
        """Say how much the model saw, where that was not all."""
        reach = self._change.reach
        if reach is None or (reach.lines, reach.sentences) == (
            reach.lines_total,
            reach.sentences_total,
        ):
            return []
        return [
            fill(
                self._words.model_saw,
                lines=str(reach.lines),
                lines_total=str(reach.lines_total),
                sentences=str(reach.sentences),
                sentences_total=str(reach.sentences_total),
            )
        ]

    def _paths(self, paths: Sequence[str], most: int) -> Runs:
        return first_of([(Code(path),) for path in paths], most, self._say.comma)

    def reason(self) -> list[Section]:
        """Give why a change was made, in its author's words."""
        stated = self._analysis.stated
        if not stated.reason:
            return []
        name = self._words.reason if stated.reasoned else self._words.described
        author = self._change.read.item.author
        speaker: Runs = (Foreign(author),) if author else ()
        quote = Quote(speaker, "\n\n".join(stated.reason))
        return [Section((Words(name),), "reason", (quote,))]

    def _insight(self) -> list[Section]:
        parts, names = [], self._words.kinds
        for aspect, heading in (
            (Aspect.ARCHITECTURE, names.architecture),
            (Aspect.PERFORMANCE, names.performance),
            (Aspect.SECURITY, names.security),
            (Aspect.MAINTAINABILITY, names.maintainability),
            (Aspect.COMPATIBILITY, names.compatibility),
        ):
            lines = self._sentences(self._analysis.stated.about(aspect))
            if aspect is Aspect.PERFORMANCE and self._analysis.stated.unmeasured:
                lines.append(Entry((Words(self._words.no_benchmark),)))
            if lines:
                blocks = (Bullets(tuple(lines)),)
                parts.append(Section((Words(heading),), aspect.value, blocks, 3))
        if not parts:
            return []
        return [Section((Words(self._words.insight),), "insight", ()), *parts]

    def _tests(self) -> list[Section]:
        tests: list[Block] = []
        touched = self._touched(self._words.tests_touched, self._analysis.tests)
        stated = self._sentences(self._analysis.stated.about(Aspect.TEST))
        if touched or stated:
            tests.append(Bullets((*touched, *stated)))
        tests += self._printed(self._analysis.stated.runs, self._words.runs)
        benchmarks: list[Block] = []
        touched = self._touched(self._words.benchmarks_touched, self._analysis.benchmarks)
        if touched:
            benchmarks.append(Bullets(tuple(touched)))
        benchmarks += self._printed(self._analysis.stated.figures, self._words.figures)
        parts = (
            (self._words.kinds.test, "tests", tests),
            (self._words.kinds.benchmark, "benchmarks", benchmarks),
        )
        return [
            Section((Words(heading),), anchor, tuple(blocks))
            for heading, anchor, blocks in parts
            if blocks
        ]

    def _touched(self, template: str, files: Sequence[FileChange]) -> list[Entry]:
        if not files:
            return []
        sized: list[Runs] = []
        for file in files:
            size = self._say.say.size_lines.format(added=file.additions, deleted=file.deletions)
            sized.append((Code(file.path), Words(f" {size}")))
        return [Entry(fill(template, files=first_of(sized, MOST_NAMES, self._say.comma)))]

    def _printed(self, figures: Iterable[StatedFigures], unnamed: str) -> list[Block]:
        blocks: list[Block] = []
        for figure in figures:
            lines = figure.text.rstrip("\n").split("\n")
            name: Runs = (Foreign(figure.heading),) if figure.heading else (Words(unnamed),)
            shown = lines[: self._most]
            blocks.append(Quote(name, "\n".join(shown), printed=True))
            if left := len(lines) - len(shown):
                more = Words(self._words.further_lines(left) + self._say.colon)
                link = entries.reference(self._change.read.item)
                blocks.append(Paragraph((more, link), Tone.SMALL))
        return blocks

    def _risks(self) -> list[Section]:
        lines = self._sentences(self._analysis.stated.about(Aspect.RISK))
        key = self._change.read.item.key
        for pair in self._change.reverts:
            if pair.original is not None and pair.original.key == key:
                taken = entries.reference(pair.revert)
                lines.append(Entry(fill(self._words.taken_back, revert=taken)))
        return self._section(self._words.kinds.risk, "risks", lines)

    def _recommended(self) -> list[Section]:
        known = facts_of_change(self._change)
        facts = demands(known)
        users = self._sentences(self._analysis.stated.about(Aspect.ACTION))
        pressing = [fact for fact in facts if not (_is_called(fact) or _is_pinned(fact))]
        if pressing:
            count = self._say.count.notes(len(pressing))
            users.append(
                Entry(fill(self._words.breaking, notes=count, names=self._names(pressing)))
            )
        developers: list[Entry] = []
        changed = [fact for fact in known if fact.change is not FactChange.ADDED]
        called = [fact for fact in changed if _is_called(fact)]
        if called:
            names = self._names(called)
            developers.append(Entry(fill(self._words.imports_change, names=names)))
        maintainers: list[Entry] = []
        pinned = [fact for fact in changed if _is_pinned(fact)]
        if pinned:
            maintainers.append(Entry(fill(self._words.pins_change, names=self._names(pinned))))
        parts = [
            Section((Words(heading),), anchor, blocks, 3)
            for heading, anchor, lines in (
                (self._words.kinds.for_developers, "for-developers", developers),
                (self._words.kinds.for_users, "for-users", users),
                (self._words.kinds.for_maintainers, "for-maintainers", maintainers),
            )
            if lines and (blocks := (Bullets(tuple(lines)),))
        ]
        if not parts:
            return []
        return [Section((Words(self._words.recommended),), "recommendations", ()), *parts]

    def _names(self, facts: Sequence[Fact]) -> Runs:
        names = dict.fromkeys((_old_name(fact), fact.name) for fact in facts)
        return first_of([_renamed(*pair) for pair in names], MOST_NAMES, self._say.comma)

    def _open_points(self) -> list[Section]:
        lines = self._sentences(self._analysis.stated.about(Aspect.QUESTION))
        for left in self._analysis.left:
            place = (Code(left.path), Words(f":{left.line} "))
            lines.append(Entry((*place, Code(left.text))))
        return self._section(self._words.kinds.question, "open-points", lines)

    def _section(self, name: str, anchor: str, lines: Sequence[Entry]) -> list[Section]:
        if not lines:
            return []
        return [Section((Words(name),), anchor, (Bullets(tuple(lines)),))]

    def _sentences(self, stated: Sequence[str]) -> list[Entry]:
        """Give the author's own sentences."""
        item = self._change.read.item
        return [
            Entry(quoted(plain(sentence), item, self._say, self._about.language))
            for sentence in stated
        ]


def _old_name(fact: Fact) -> str:
    """Give the name that people still write, where a thing was renamed."""
    renamed = fact.change in (FactChange.RENAMED, FactChange.MOVED)
    return fact.before.partition(" ")[0] if renamed and fact.before else ""


def _is_called(fact: Fact) -> bool:
    """Tell whether code that calls the project is concerned."""
    return fact.kind is FactKind.MOVE or fact.subject in (Subject.API_NAME, Subject.API_ARGUMENT)


def _is_pinned(fact: Fact) -> bool:
    """Tell whether it is about a version that is needed."""
    return fact.kind is FactKind.REQUIREMENT


def _renamed(old: str, name: str) -> Runs:
    return (Code(old), Words(" → "), Code(name)) if old and old != name else (Code(name),)
