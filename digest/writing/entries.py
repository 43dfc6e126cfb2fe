"""How one item is said: its title and reference, its facts, why it ranks there, its author."""

import re
from collections.abc import Iterable, Mapping, Sequence

from digest.facts import Fact
from digest.grades import ChangeObject, Purpose
from digest.languages import Language
from digest.models import Item, Kind, Notice, ReadItem, Revert, State
from digest.reading.paths import RUNTIME, role
from digest.reading.reverts import SHORT_SHA, reason
from digest.reading.weight import BACKGROUND
from digest.wording.catalogue import Catalogue
from digest.writing.document import Foreign, Link, Run, Runs, Strong, Struck, Words
from digest.writing.phrasing import fill, joined, plain, quoted
from digest.writing.visible import visible

_REF = re.compile(r"#\d{1,9}|[0-9a-f]{7,64}")
_HOME = re.compile(r"(https?://\S{1,300}?)/(?:pull|commit)/")
# A title that ends so would make "#12" behind it read as another thing than it is.
_MISLEADING = re.compile(r"(issue|\bPR\b).{0,20}$", re.IGNORECASE)

_BASES = frozenset(purpose.value for purpose in Purpose)
_PART = "area_"
"""How reasons begin that name a part of the software."""
_IMPLIED_BY = {"switched_by_default": "default_changed"}
"""Reasons that say less than another one beside them."""

SPACE = Words(" ")
DOT = " · "
MOST_REASONS = 2
FOLDERS_SHOWN = 3
"""Names at the end of a path that tell where a file is."""
SHA_SHOWN = 7
"""Digits of a SHA as git abbreviates it."""


_SHA = re.compile("[0-9a-f]{40}")


def abbreviated(value: str) -> str:
    """Give a value that is a whole SHA as git abbreviates it, any other as it is."""
    return value[:SHA_SHOWN] if _SHA.fullmatch(value) else value


def notice_runs(notice: Notice, say: Catalogue) -> Runs:
    """Say what is new about a repository, or what of a span is not as it may be taken."""
    return fill(
        say.say.notice[notice.kind],
        before=Foreign(abbreviated(notice.before)),
        after=Foreign(abbreviated(notice.after)),
    )


def title(item: Item, say: Catalogue) -> Run:
    """Give a title verbatim, or say that there is none to see."""
    if not visible(item.title):
        return Words(say.say.untitled)
    return Foreign(item.title)


def reference(item: Item) -> Link:
    """Give an item's reference, linked to its own page."""
    return Link(item.ref, item.url)


def named(
    item: Item,
    say: Catalogue,
    *,
    strong: bool = False,
    struck: bool = False,
) -> Runs:
    """Give title and reference, once where both are one.

    Where the title would lend the reference another meaning, a dot stands between them.
    """
    if visible(item.title) == item.ref:
        return (Strong((reference(item),)),) if strong else (reference(item),)
    run = title(item, say)
    if struck:
        run = Struck((run,))
    if strong:
        run = Strong((run,))
    return (run, *behind(item.title, item))


def behind(words: str, item: Item) -> Runs:
    """Give the reference of an item, and its commits, as they follow words of its title."""
    if item.kind is not Kind.ISSUE and _MISLEADING.search(visible(words)[-30:]):
        return (Words(DOT), *commits(item, reference(item)))
    return (SPACE, *commits(item, reference(item)))


def commits(item: Item, link: Link) -> Runs:
    """Give a reference, and the commits of a change that landed as several."""
    if item.kind is not Kind.PULL_REQUEST or len(item.commits) < 2:
        return (link,)
    base, pull, _ = item.url.partition("/pull/")
    shas = joined(
        ((Link(sha[:SHA_SHOWN], f"{base}/commit/{sha}" if pull else ""),) for sha in item.commits),
        " ",
    )
    return (link, Words(" ("), *shas, Words(")"))


def references(items: Iterable[Item]) -> Runs:
    """Give linked references with spaces between them."""
    return joined(((reference(item),) for item in items), " ")


def purpose_word(read: ReadItem, say: Catalogue) -> str:
    """Name the purpose of an item, and say where it was inferred."""
    word = say.names.purposes[read.purpose]
    return word + say.say.inferred if read.inferred else word


def purpose(read: ReadItem, say: Catalogue) -> Runs:
    """Give purpose and object, and whether the purpose was inferred."""
    return joined(((Words(purpose_word(read, say)),), touched(read, say)), DOT)


def touched(read: ReadItem, say: Catalogue) -> Runs:
    """Give the object; source code is what a change touches unless it says otherwise."""
    if read.object in (ChangeObject.SOURCE, ChangeObject.OTHER):
        return ()
    return (Words(say.names.objects[read.object]),)


def changed_lines(item: Item) -> str:
    """Give how many lines came and went, `+20 −4`, which stay together where a line ends."""
    sides = (("+", item.additions), ("−", item.deletions))
    return "\u00a0".join(f"{sign}{lines:,}" for sign, lines in sides if lines)


def size(item: Item, say: Catalogue) -> Runs:
    """Give lines added and deleted, and the number of files where the list was read."""
    lines = changed_lines(item) or say.say.size_lines.format(added=0, deleted=0)
    if item.files is None:
        if not item.additions and not item.deletions:
            return (Words(say.say.files_unread),)
        return (Words(lines),)
    return fill(say.say.size, lines=lines, files=say.count.files(len(item.files)))


def main_file(item: Item) -> str:
    """Return the end of the path of the file that runs and that most lines of a change are in."""
    files = [file for file in item.files or () if role(file.path) in RUNTIME]
    if not files:
        return ""
    largest = max(files, key=lambda file: file.additions + file.deletions)
    return "/".join(largest.path.split("/")[-FOLDERS_SHOWN:])


def facts(read: ReadItem, say: Catalogue) -> Runs:
    """Give what kind of change it is, its size and its author in one line."""
    parts = [purpose(read, say)]
    if read.item.kind.is_change:
        parts.append(size(read.item, say))
    if read.series is not None and read.series[2]:
        _, index, total = read.series
        parts.append(fill(say.stories.parts, parts=str(index), of=str(total)))
    if read.item.author:
        parts.append((Foreign(read.item.author),))
    return joined(parts, DOT)


def reasons(read: ReadItem, say: Catalogue, known: Iterable[Fact] = ()) -> str:
    """Return the heaviest reasons that raise the item, in words; `why_page` has all.

    The base of the score, named for a purpose, is no reason of its own, but where nothing else
    says what the item does: then it stands with the parts that the item is in. A symptom that is
    only inferred, as the facts that are known tell, is marked so here too.
    """
    inferred = {fact.symptom.name.lower() for fact in known if fact.symptom and fact.inferred}
    aside = _BASES | BACKGROUND
    raising = sorted(
        (reason for reason in read.reasons if reason.points > 0 and reason.name not in aside),
        key=lambda reason: -reason.points,
    )
    names = {reason.name for reason in raising}
    shown = [reason for reason in raising if reason.name != "grave"] or raising
    shown = [reason for reason in shown if _IMPLIED_BY.get(reason.name) not in names]
    if not shown:
        return _parts_of(read, say)
    return say.semicolon.join(
        dict.fromkeys(
            say.reason(reason.name) + (say.say.inferred if reason.name in inferred else "")
            for reason in shown[:MOST_REASONS]
        )
    )


def _parts_of(read: ReadItem, say: Catalogue) -> str:
    """Return the purpose of a change and the parts that it is in; nothing where none is known."""
    parts = sorted(
        (each for each in read.reasons if each.points > 0 and each.name.startswith(_PART)),
        key=lambda reason: -reason.points,
    )
    if not parts:
        return ""
    words = (purpose_word(read, say), *(say.reason(each.name) for each in parts[:MOST_REASONS]))
    return say.semicolon.join(words)


def why(read: ReadItem, say: Catalogue, known: Iterable[Fact] = ()) -> Runs:
    """Return the reasons as a sentence; nothing where none raises the item."""
    text = reasons(read, say, known)
    return fill(say.say.why, reasons=text) if text else ()


def author(read: ReadItem, say: Catalogue, language: Language) -> Runs:
    """Give the author's own sentences, marked as such; nothing if there are none.

    Sentences in another script than the page's lead, as a whole, to where they stand.
    """
    text = plain(read.quote)
    return quoted(text, read.item, say, language) if text else ()


def taken_back(read: ReadItem, known: Mapping[str, Item], say: Catalogue) -> Runs:
    """Say what took an item back, linked where it is among `known`; nothing if it stands."""
    if read.reverted_by is None:
        return ()
    by = known.get(read.reverted_by)
    _, kind, name = read.reverted_by.rsplit(":", 2)
    short = name[:SHORT_SHA] if kind == Kind.COMMIT else f"#{name}"
    return fill(say.say.taken_back, revert=reference(by) if by else Words(short))


def taken(read: ReadItem, pair: Revert | None, say: Catalogue, *, since: bool = False) -> Runs:
    """Say what took an item back, or what it takes back itself; nothing if neither.

    With `since`, that it did so after the window that is told.
    """
    if pair is None:
        return taken_back(read, {}, say)
    time = "" if pair.seconds is None else say.count.duration(max(0, pair.seconds))
    if pair.revert.key != read.item.key:
        template = say.say.taken_back_after if time else say.say.taken_back
        said = fill(template, revert=reference(pair.revert), time=time)
        return (*said, Words(say.say.since_then)) if since else said
    if pair.original is None:
        return taken_ref(pair, say)
    template = say.say.takes_back_after if time else say.say.takes_back
    return fill(template, original=reference(pair.original), time=time)


def taken_ref(pair: Revert, say: Catalogue) -> Runs:
    """Say what a revert takes back by the reference alone that it names.

    Nothing without one, or where it is the title that the revert's own title says.
    """
    ref = pair.original_ref
    is_linked = bool(ref and _REF.fullmatch(ref))
    if not ref or (not is_linked and ref in pair.revert.title):
        return ()
    link: Run = Link(ref, _page(pair.revert, ref)) if is_linked else Foreign(ref)
    return fill(say.say.takes_back, original=link)


def _page(item: Item, ref: str) -> str:
    """Give the address of another change of the same repository; empty where there is none."""
    home = _HOME.match(item.url)
    if home is None:
        return ""
    return f"{home[1]}/pull/{ref[1:]}" if ref.startswith("#") else f"{home[1]}/commit/{ref}"


def revert(pair: Revert, say: Catalogue, *, since: bool = False) -> Runs:
    """Give a revert beside what it reverts, with the time between.

    With `since`, that it came after the window that is told.
    """
    taken = reference(pair.revert)
    if pair.original is None:
        back = taken_ref(pair, say)
        name = named(pair.revert, say)
        return (*name, Words(say.pause), *back, Words(say.stop)) if back else name
    original = named(pair.original, say, struck=True)
    when = (Words(say.say.since_then),) if since else ()
    if pair.seconds is None:
        said = fill(say.say.reverted, original=original, revert=taken)
        return (*said, *when, Words(say.stop))
    sentence = fill(
        say.say.reverted_after,
        original=original,
        revert=taken,
        time=say.count.duration(max(0, pair.seconds)),
    )
    sentence = (*sentence, *when)
    if why := reason(pair.revert):
        return (*sentence, Words(say.colon), Foreign(why))
    return (*sentence, Words(say.stop))


def state(item: Item, say: Catalogue, *, has_notes: bool) -> str:
    """Name the state of an item; of a bare tag say too where nothing is known of what is in it."""
    named_state = say.names.states[item.state]
    is_bare = item.state is State.TAGGED and not has_notes
    return f"{named_state}{say.pause}{say.say.no_notes}" if is_bare else named_state


def issue(
    read: ReadItem,
    say: Catalogue,
    linked: Sequence[Item],
    same: Sequence[Item],
) -> Runs:
    """Give an issue with its state, discussion, and the changes that name it.

    `linked` are changes that say they close it, which is not to say that it is fixed; `same` are
    related issues.
    """
    item = read.item
    parts: list[Runs] = [(Words(say.names.states[item.state]),)]
    if item.comments:
        parts.append((Words(say.count.comments(item.comments)),))
    if item.reactions:
        parts.append((Words(say.count.reactions(item.reactions)),))
    if item.duplicate_of is not None:
        twin = next((other for other in same if other.number == item.duplicate_of), None)
        ref: Run = reference(twin) if twin else Words(f"#{item.duplicate_of}")
        parts.append(fill(say.say.duplicate_of, ref=ref))
    others = [other for other in same if other.number != item.duplicate_of]
    if others:
        parts.append(fill(say.say.same_as, refs=references(others)))
    if linked:
        parts.append(fill(say.say.linked_change, refs=references(linked)))
    return (*named(item, say), Words(DOT), *joined(parts, DOT))
