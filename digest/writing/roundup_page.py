"""Several digests as one page."""

from collections.abc import Mapping, Sequence

from digest.concern.concerned import concerned
from digest.concern.ripple import Ripple
from digest.concern.surface import Surface
from digest.github_web import web
from digest.languages import Language
from digest.models import Digest, Item, Reading, Repo, Roundup, UpgradeNote
from digest.phrase import Phrase
from digest.reading.relations import cross_repo
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.composition import compose
from digest.writing.concerned_parts import (
    MOST_CONCERNED,
    concerned_first,
    concerned_later,
    concerned_marks,
)
from digest.writing.digest_page import limits, of_repo, warnings, window_runs
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Runs,
    Section,
    Strong,
    Tone,
    Words,
)
from digest.writing.making import made_by
from digest.writing.outline import changes, context
from digest.writing.outlook import outlook_entries
from digest.writing.phrasing import fill, joined, label_of
from digest.writing.remarks import paragraph
from digest.writing.rules import quiet, summary
from digest.writing.sections import highlights


def roundup_page(
    roundup: Roundup,
    language: Language,
    surfaces: Sequence[Surface] = (),
    ripples: Sequence[Ripple] = (),
) -> Document:
    """Give several repositories on one page, in the order given.

    Those that could not be looked at come first, as warnings; the quiet ones are in one line. With
    surfaces, what of all repositories concerns their codebase is told before the repositories.
    """
    say = CATALOGUES[language]
    unseen = [(digest.reading.repo, why) for digest in roundup.digests if (why := _blind(digest))]
    seen = [digest for digest in roundup.digests if not _blind(digest)]
    loud = [digest for digest in seen if not quiet(digest.reading)]
    silent = [digest.reading for digest in seen if quiet(digest.reading)]
    by_reason: dict[str, list[Repo]] = {}
    for repo, why in (*roundup.failed, *unseen):
        by_reason.setdefault(say.localized(why), []).append(repo)
    lead: list[Block] = [_unseen(repos, why, say) for why, repos in by_reason.items()]
    unheard: list[Paragraph] = []
    for digest in loud:
        lead += of_repo(digest.reading, warnings(digest.reading, say), say)
        unheard += of_repo(digest.reading, limits(digest.reading, say), say)
    items = {read.item.key: read.item for each in seen for read in each.reading.items}
    lead += paragraph(roundup.remarks, roundup.model, items, language)
    listed = Bullets(tuple(_repo_entry(digest, language) for digest in loud))
    if loud and not surfaces:
        lead.append(listed)
    if silent:
        lead.append(_quiet_line(silent, say))
    needed = needs([digest.reading for digest in seen], say)
    between = Section((Words(say.headings.between),), "between", (Bullets(needed),))
    watched = outlook_entries(roundup.outlook, roundup.digests, language)
    ahead = Section((Words(CATALOGUES[language].outlook.heading),), "outlook", (Bullets(watched),))
    near = [one for digest in seen for one in concerned(digest.reading, surfaces)]
    near.sort(key=lambda one: not one.breaks)
    nearest = concerned_first(near, language, MOST_CONCERNED, ripples)
    others = concerned_later(near, language, MOST_CONCERNED)
    repos = Section((Words(say.form.repos),), "repositories", (listed,))
    count = CATALOGUES[language].thread.repositories(len(roundup.digests) + len(roundup.failed))
    line = (
        *window_runs(roundup.window, say),
        Words(say.gap),
        *made_by((*roundup.digests, roundup), say, language),
    )
    return Document(
        language=language,
        title=(Words(f"{count}{entries.DOT}{label_of(roundup.window, language)}"),),
        concerned=concerned_marks(near) if surfaces else frozenset(),
        lead=tuple(lead),
        sections=(
            *((nearest, repos) if surfaces and loud else ()),
            *((between,) if needed else ()),
            *((ahead,) if watched else ()),
            *others,
        ),
        footer=(*unheard, Paragraph(line, Tone.SMALL)),
    )


def _blind(digest: Digest) -> Phrase | None:
    """Return why nothing at all could be looked at; nothing where something was seen."""
    if digest.reading.items:
        return None
    return next((gap.why for gap in digest.reading.gaps if gap.what == "everything"), None)


def _unseen(repos: Sequence[Repo], why: str, say: Catalogue) -> Paragraph:
    names = joined(((Strong((Foreign(str(repo)),)),) for repo in repos), say.comma)
    return Paragraph(fill(say.say.failed_repo, repo=names, why=Foreign(why)), Tone.WARNING)


def _repo_entry(digest: Digest, language: Language) -> Entry:
    """Return one repository: how much happened there, and under it what matters most."""
    url = f"{web()}/{digest.reading.repo}"
    known = any(read.item.url.startswith(url) for read in digest.reading.items)
    name = Link(str(digest.reading.repo), url if known else "")
    say = CATALOGUES[language]
    counted = Words(summary(digest.reading, say))
    lines = news(digest, language)
    keys = tuple(key for entry in lines for key in entry.about)
    return Entry((Strong((name,)), Words(" · "), counted), tuple(lines), about=keys)


def news(digest: Digest, language: Language) -> list[Entry]:
    """Return what a roundup tells of one repository, under its name."""
    about = context(digest.reading, CATALOGUES[language], language)
    return highlights(compose(digest.reading, language, full=True), about)


def _quiet_line(silent: Sequence[Reading], say: Catalogue) -> Paragraph:
    repos = joined(((Foreign(str(reading.repo)),) for reading in silent), say.comma)
    return Paragraph(fill(say.say.quiet_repos, repos=repos))


def needs(readings: Sequence[Reading], say: Catalogue) -> tuple[Entry, ...]:
    """Give what the repositories need of each other, a line for each change and version."""
    items = {read.item.key: read.item for reading in readings for read in reading.items}
    alike: dict[tuple[object, ...], list[tuple[UpgradeNote, Item | None]]] = {}
    for note, _, release in cross_repo(readings):
        if cited := [items[key] for key in note.cites if key in items]:
            known = alike.setdefault((cited[0].repo, note.change, note.after, note.cites), [])
            if note.name not in {other.name for other, _ in known}:
                known.append((note, release))
    return tuple(_need(each, items, say) for each in alike.values())


def _need(
    notes: Sequence[tuple[UpgradeNote, Item | None]], items: Mapping[str, Item], say: Catalogue
) -> Entry:
    note, release = notes[0]
    cited = [items[key] for key in note.cites if key in items]
    gone = note.change == "removed"
    template = say.say.no_longer_lists if gone else say.say.now_needs
    shown = entries.abbreviated(note.after or "")
    version: Runs = (Code(shown),) if shown else ()
    names = joined(((Code(each.name),) for each, _ in notes), say.comma)
    needs = fill(template, repo=Foreign(cited[0].repo.name), name=names, version=version)
    runs: Runs = (*needs, entries.SPACE, *entries.references(cited))
    if release is not None and not gone:
        released = fill(say.say.released_here, release=entries.reference(release))
        runs = (*runs, Words(entries.DOT), *released)
    return Entry(runs, about=note.cites)


def busiest_first(digests: Sequence[Digest]) -> tuple[Digest, ...]:
    """Order digests for a roundup: most changes first, then most issues, then as given."""
    return tuple(
        sorted(
            digests,
            key=lambda d: (-len(changes(d.reading)), -d.reading.counts.issues),
        )
    )
