"""How one change, issue, release, revert or story is told in a line, or in a few under each other.

Every medium is made of these; where they stand is decided in `composition` and `sections`. What
lines above have told already (`Mentioned`) is not said again.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate

from digest.facts import Fact, FactChange, FactKind, Story, Subject, Symptom
from digest.grades import ChangeObject, Purpose
from digest.languages import Language
from digest.models import Item, Kind, ReadItem, Revert
from digest.reading.interfaces.moves import is_inner_state
from digest.reading.known_facts import additions, bites, demands, is_of_code, is_of_no_name
from digest.reading.paths import role
from digest.reading.releases import has_notes, is_nightly, same_version
from digest.reading.reverts import relands
from digest.reading.sentence import ENDS, is_worth_a_line, split_sentences
from digest.reading.story_names import clean_title, shortened, speaks_of
from digest.writing import entries
from digest.writing.document import (
    Block,
    Code,
    Entry,
    Foreign,
    Paragraph,
    Quote,
    Run,
    Runs,
    Strong,
    Struck,
    Words,
)
from digest.writing.entries import DOT
from digest.writing.fact_phrases import (
    RULES,
    fact_runs,
    in_statements,
    mended_value,
    named_as_new,
    names,
    novelty,
    symptom_runs,
)
from digest.writing.making import short_name as short_model
from digest.writing.outline import Context, Outline, Strand
from digest.writing.phrasing import fill, is_for_others, joined
from digest.writing.phrasing import plain as unmarked
from digest.writing.remarks import is_translated, own_sentence
from digest.writing.rules import plain
from digest.writing.visible import bare, visible, without_kind

CALLED = (Subject.API_NAME, Subject.API_ARGUMENT)
"""What is called says less by its name than the title of what it is for."""
FIRST_LINES = 4
"""How many lines of a release's notes are told; the others are counted."""
MOST_TRIALS = 6
"""Pre-releases that their line names; each night may bring one."""
MOST_PEOPLE = 2
BRIEFLY = 48
"""Characters of the words by which a member of a story is known whose title stands elsewhere."""
MOST_STATEMENTS = 4
"""Statements of facts of one change in a line; its own message or page has all."""
MOST_OF_DEMANDS = 400
"""Characters of statements of one change in a line; the first one stands whole however long."""
LONGEST_SEEN = 320
"""Characters of a sentence that is quoted for what it says that somebody saw."""
_LIST_MARK = re.compile(r"^(?:[-*+]|\d{1,3}[.)]) ")
_REFERS_BACK = re.compile(
    r"(?:this|that|these|those|it|they|he|she|which|such|however|but|then|therefore)\b",
    re.IGNORECASE,
)
"""How a sentence begins that says nothing without the one before it."""
OF_NO_PROGRAM = (ChangeObject.TEST, ChangeObject.DOCS, ChangeObject.CI, ChangeObject.EXAMPLE)


@dataclass(frozen=True, slots=True)
class Mentioned:
    """What lines above say: items by their titles, as keys, and facts."""

    titles: frozenset[str] = frozenset()
    facts: frozenset[Fact] = frozenset()

    def __or__(self, other: "Mentioned") -> "Mentioned":
        return Mentioned(self.titles | other.titles, self.facts | other.facts)


NOTHING_MENTIONED = Mentioned()


def referenced(runs: Runs, read: ReadItem) -> Entry:
    """Return what is said of an item, with its reference behind it."""
    return Entry((*runs, entries.SPACE, entries.reference(read.item)), about=(read.item.key,))


def first_bite(facts: Sequence[Fact]) -> Fact | None:
    """Return what somebody saw; None where no text says it: a symptom is a claim."""
    return next((fact for fact in bites(facts) if fact.symptom is not Symptom.BROKEN), None)


def symptom(read: ReadItem, about: Context) -> Runs:
    """Say what somebody saw, and whom it hit where the title does not name them."""
    found = first_bite(about.facts_of(read))
    return _with_origin(found, read, about) if found else ()


def _with_origin(fact: Fact, read: ReadItem, about: Context) -> Runs:
    brought_by = (item for item in about.items.values() if fact.name and item.ref == fact.name)
    origin = next(map(entries.reference, brought_by), None)
    return symptom_runs(fact, read.item.title, about.language, origin)


def hit(read: ReadItem, about: Context) -> Runs:
    """Say what was seen, and the title, which says whom it hit."""
    return joined((symptom(read, about), (_title(read, about),)), DOT)


def _title(read: ReadItem, about: Context) -> Run:
    """Return a title without the mark of its kind, which its heading says already."""
    if not visible(read.item.title):
        return entries.title(read.item, about.say)
    return Foreign(without_kind(read.item.title))


def demand(
    read: ReadItem, about: Context, *, of_code: bool | None = None, beside_title: bool = False
) -> Runs:
    """Say what of a change asks to act: the first statements whole, of further ones the names.

    With `of_code`, only what hits code that imports the project, or only what does not; with
    `beside_title`, without what its title says in the same words.
    """
    statements = demand_statements(read, about, of_code=of_code, beside_title=beside_title)
    return joined(statements, about.say.semicolon)


def demand_statements(
    read: ReadItem, about: Context, *, of_code: bool | None = None, beside_title: bool = False
) -> list[Runs]:
    """Say what of a change asks to act, a statement for each of which it does; see `demand`."""
    facts = demanded(read, about, of_code=of_code, beside_title=beside_title)
    statements = _demands_said(facts, about)
    whole = _said_whole(statements, about)
    if left := [fact for group in in_statements(facts)[whole:] for fact in group]:
        count = len({name for fact in left for name in fact.names or (fact.name,)})
        items = names(left, about.language, count=False)
        more = fill(about.say.page.more, count=str(count), items=items)
        statements[whole:] = [more]
    if statements:
        statements[-1] = (*statements[-1], *_shared_with(facts, read, about))
    return statements


def _demands_said(facts: Sequence[Fact], about: Context) -> list[Runs]:
    return fact_runs(facts, about.language, whole=about.whole or about.upgrades)


def _shared_with(facts: Sequence[Fact], read: ReadItem, about: Context) -> Runs:
    """Name other changes of the window that a statement is about: of these is what was before."""
    keys = dict.fromkeys(one.item for fact in facts for one in fact.evidence if one.item)
    others = about.cited(key for key in keys if key != read.item.key)
    return fill(about.say.page.shared, items=entries.references(others)) if others else ()


def _said_whole(statements: Sequence[Runs], about: Context) -> int:
    """Return how many of a change's statements a line has whole; of the others it has the names."""
    if about.whole or about.upgrades:
        return len(statements)
    lengths = (len(plain(runs)) for runs in statements)
    room = max(1, sum(total <= MOST_OF_DEMANDS for total in accumulate(lengths)))
    if len(statements) <= min(room, MOST_STATEMENTS + 1):
        return len(statements)
    return min(room, MOST_STATEMENTS)


def only_named(read: ReadItem, about: Context, *, of_code: bool) -> frozenset[Fact]:
    """Return the facts of which `demand` has the names alone, beside a title."""
    facts = demanded(read, about, of_code=of_code, beside_title=True)
    whole = _said_whole(_demands_said(facts, about), about)
    return frozenset(fact for group in in_statements(facts)[whole:] for fact in group)


def demanded(
    read: ReadItem, about: Context, *, of_code: bool | None = None, beside_title: bool = False
) -> tuple[Fact, ...]:
    """Return the facts of a change that ask to act; see `demand`."""
    return tuple(
        fact
        for fact in demands(about.facts_of(read))
        if not (beside_title and _is_of_title(fact))
        if of_code in (None, is_of_code(fact))
    )


def novel(read: ReadItem, about: Context) -> Runs:
    """Say what a change adds: what it supports by name, else its title and its one new setting."""
    facts = novelties_of(read, about)
    words = novelty(facts, about.language, whole=about.whole)
    if facts and facts[0].kind is FactKind.SUPPORT:
        return words
    title: Runs = (Foreign(bare(read.item.title)),)
    if not facts or facts[0].name in read.item.title:
        return title
    return (*title, Words(about.say.colon), *words)


def novelties_of(read: ReadItem, about: Context) -> tuple[Fact, ...]:
    """Return the facts of what a change adds that are told by name among what is new."""
    added = additions(about.facts_of(read))
    return named_as_new([fact for fact in added if fact.subject not in CALLED])


@dataclass(frozen=True, slots=True)
class FrontItem:
    """An item of the front page in its parts, as every medium lays them out.

    `head` is its first fact, nothing where none is known, and `is_seen` tells that it is what
    somebody saw; `quote` is the author's own sentence, `own` the same as it stands in a line,
    translated where it is.
    """

    head: Runs
    is_seen: bool
    facts: tuple[Runs, ...]
    taken: Runs
    quote: str
    own: Runs
    small: Runs


def front_item(
    read: ReadItem, about: Context, pair: Revert | None = None, mentioned: Collection[Fact] = ()
) -> FrontItem:
    """Return what is told of an item of the front page; `pair` is the revert that it is part of.

    Facts that are `mentioned` elsewhere are left out.
    """
    say, language = about.say, about.language
    text = quotation(read, about)
    facts = [
        fact
        for fact in about.facts_of(read)
        if fact not in mentioned and _adds_to_title(fact, read.item)
        if not (text and unmarked(fact.quote) == text)
    ]
    statements = fact_runs(facts, language, whole=about.whole)
    statements += _mended(read, about)
    if added := _changelog(read, about):
        statements.append(added)
    if goes_on := going_on(read.item, about):
        statements.append(goes_on)
    leads = bool(facts) and _leads(facts[0])
    is_seen = leads and facts[0].kind is FactKind.BITE
    if is_seen:
        statements[0] = _with_origin(facts[0], read, about)
    author: Runs = (Foreign(read.item.author),) if read.item.author else ()
    return FrontItem(
        head=statements[0] if leads else (),
        is_seen=is_seen,
        facts=tuple(statements[1:] if leads else statements),
        taken=entries.taken(read, pair, say, since=about.is_since(pair)),
        quote=text,
        own=own_sentence(read, text, say, language) if text else (),
        small=joined((author, entries.size(read.item, say)), DOT),
    )


def _adds_to_title(fact: Fact, item: Item) -> bool:
    """Tell whether a fact says what the title does not: none that is read from its words alone.

    Nor what a class kept for itself: who uses that all the same is told by what concerns them.
    """
    if fact.kind is FactKind.SUPPORT and (fact.inferred or fact.change is FactChange.ADDED):
        return fact.name.casefold() not in visible(item.title).casefold()
    if _is_of_title(fact) or is_of_no_name(fact):
        return False
    if fact.kind is FactKind.SPEED:
        return (unmarked(fact.quote) or fact.name) not in unmarked(item.title)
    return fact.symptom is not Symptom.BROKEN and not is_inner_state(fact)


def _is_of_title(fact: Fact) -> bool:
    """Tell whether a fact says what a title says: `Use the ring by default`, `Reject wide rows`."""
    is_stated = fact.change in (FactChange.DEFAULT, FactChange.REMOVED)
    of_title = all(each.source == "title" for each in fact.evidence[:1])
    return is_stated and of_title and fact.subject is Subject.FEATURE


def _leads(fact: Fact) -> bool:
    """Tell whether a fact says more than the title: what was hit, what asks to act, new support."""
    if fact.inferred and fact.kind is FactKind.SUPPORT:
        return False
    return fact.kind in (FactKind.BITE, FactKind.SUPPORT) or bool(demands((fact,)))


def front_entry(
    read: ReadItem,
    outline: Outline,
    about: Context,
    mentioned: Mentioned = NOTHING_MENTIONED,
    head: Runs | None = None,
    *,
    among_fixes: bool = False,
) -> Entry:
    """Return an item of the front page with author and size, its facts and its author's sentence.

    With `head`, it begins with that; facts that are
    `mentioned` in it or above are not said again. Where its heading says that it is a fix, its
    title does not.
    """
    key = read.item.key
    item = front_item(read, about, outline.taken.get(key), mentioned.facts)
    facts = item.facts
    if head is None:
        head = item.head
    elif plain(item.head) not in plain(head):
        facts = (item.head, *facts)
    is_bare = not (head or facts) and is_translated(read, about.language)
    quote = item.own if is_bare or key in outline.quoted else ()
    gone = read.reverted_by is not None
    top = entries.named(read.item, about.say, strong=not head, struck=gone)
    if among_fixes and not head and not gone:
        title, *behind = _named_below(read, about)
        top = (Strong((title,)), *behind)
    if head:
        top = (Strong(head), Words(DOT), *_named_below(read, about, struck=gone))
    small = item.small if outline.full else by_whom(read.item)
    under = tuple(Entry(runs) for runs in (*facts, item.taken, quote) if runs)
    return Entry(joined((top, small), DOT), under, about=(key,))


def _named_below(read: ReadItem, about: Context, *, struck: bool = False) -> Runs:
    """Return title and reference below a heading that says the kind, which the title leaves out."""
    if visible(read.item.title) == read.item.ref:
        return (entries.reference(read.item),)
    title = _title(read, about)
    run: Run = Struck((title,)) if struck else title
    return (run, *entries.behind(read.item.title, read.item))


def line_entry(
    read: ReadItem,
    about: Context,
    mentioned: Mentioned = NOTHING_MENTIONED,
    *,
    quote: bool = False,
    head: Runs = (),
    among_fixes: bool = False,
) -> Entry:
    """Return a change on a line of its own, as `line`, with its author's sentence under it.

    In Chinese what nothing else is said of has a model's Chinese, if it has one.
    """
    runs = line(read, about, mentioned, head=head, among_fixes=among_fixes)
    says = head or symptom(read, about) or statements(read, about, mentioned)
    if not (quote or says):
        return Entry(runs, _in_chinese(read, about), about=(read.item.key,))
    text = quotation(read, about) if quote else ""
    under = (Entry(own_sentence(read, text, about.say, about.language)),) if text else ()
    return Entry(runs, under, about=(read.item.key,))


def line(
    read: ReadItem,
    about: Context,
    mentioned: Mentioned = NOTHING_MENTIONED,
    *,
    head: Runs = (),
    by_one: bool = False,
    among_fixes: bool = False,
) -> Runs:
    """Return a change in one line: its fact, its title, its author and size.

    What somebody saw comes before the title, everything else after it. What is `by_one` who is
    named above has its size alone. With `head`, it begins with that; facts that are `mentioned` in
    it or above are not said again. Where its heading says that it is a fix, its title does not.
    """
    say = about.say
    if read.reverted_by is not None:
        gone = entries.taken_back(read, about.items, say)
        return (*entries.named(read.item, say, struck=True), Words(say.pause), *gone)
    head = head or symptom(read, about)
    named = _named_below(read, about) if among_fixes else entries.named(read.item, say)
    if head:
        named = (*head, Words(DOT), *_named_below(read, about))
    ends = _lines(read.item) if by_one else by_whom(read.item)
    known = _in_a_line(read, about, mentioned)
    words = bare(read.item.title)
    # `Fix` alone says nothing; Chinese has no spaces between words.
    if not (head or known) and len(words.split()) < 2 and words.isascii():
        path = entries.main_file(read.item)
        known = [(Code(path),)] if path else []
    return joined((named, *known, going_on(read.item, about), ends), DOT)


def _in_a_line(read: ReadItem, about: Context, mentioned: Mentioned) -> list[Runs]:
    found = statements(read, about, mentioned)
    return found if about.whole else found[:MOST_STATEMENTS]


def statements(
    read: ReadItem, about: Context, mentioned: Mentioned = NOTHING_MENTIONED
) -> list[Runs]:
    """Return what is known of a change beside what somebody saw, its title and lines above."""
    facts = [
        fact
        for fact in about.facts_of(read)
        if fact.kind is not FactKind.BITE and fact not in mentioned.facts
        if _adds_to_title(fact, read.item)
        # Of moves modules stand in a line, and what must be acted on; and no name that a fix needs.
        if fact.must_act or fact.kind is not FactKind.MOVE or fact.subject is Subject.MODULE
        if not (read.purpose is Purpose.FIX and _is_called(fact))
    ]
    added = _changelog(read, about)
    told = [*_mended(read, about), *fact_runs(facts, about.language, whole=about.whole)]
    return [*told, *([added] if added else [])]


def _mended(read: ReadItem, about: Context) -> list[Runs]:
    """Return which literal a fix gives another value, where no text says what was seen.

    Of what was seen it stands beside that.
    """
    broken = (fact for fact in about.facts_of(read) if fact.symptom is Symptom.BROKEN)
    return [runs for fact in broken if (runs := mended_value(fact, read.item.title))]


def _is_called(fact: Fact) -> bool:
    return fact.change is FactChange.ADDED and not fact.must_act and fact.subject in CALLED


def has_more(read: ReadItem, outline: Outline, about: Context, mentioned: Mentioned) -> bool:
    """Tell whether there is more to say of an item than its title, where that is told above."""
    if read.reverted_by is not None or read.item.key not in mentioned.titles:
        return True
    is_quoted = read.item.key in outline.quoted and quotation(read, about)
    return bool(is_quoted or statements(read, about, mentioned))


def by_whom(item: Item) -> Runs:
    """Return author and size, as they end a line: `Wentao Ye · −250`."""
    author: Runs = (Foreign(item.author),) if item.author else ()
    return joined((author, _lines(item)), DOT)


def _lines(item: Item) -> Runs:
    text = entries.changed_lines(item)
    return (Words(text),) if text else ()


def sentence(read: ReadItem, language: Language) -> str:
    """Return the author's best sentence for a reader of a language; empty where none stands alone.

    What begins in the middle of a sentence is none, nor is one that this reader cannot read, nor
    a title that no model has translated for them.
    """
    if read.sentence:
        text = unmarked(read.sentence.text)
        if is_translated(read, language):
            return text
        if read.sentence.is_title:
            return ""
    else:
        text = next(iter(split_sentences(unmarked(read.quote))), "")
        if read.item.kind is not Kind.ISSUE and not is_worth_a_line(text):
            return ""
    return "" if text[:1].islower() or is_for_others(text, language) else text


def quotation(read: ReadItem, about: Context) -> str:
    """Return what an item's author is quoted with: what somebody saw, else their best sentence.

    What was seen is quoted where its fact rests on a sentence of the description: the title beside
    it does not say it. A sentence that a model translated is told as it is.
    """
    best = sentence(read, about.language)
    found = first_bite(about.facts_of(read))
    shown = found.evidence[0] if found and found.evidence else None
    if shown is None or shown.source != "body" or is_translated(read, about.language):
        return best
    seen = _LIST_MARK.sub("", unmarked(" ".join(shown.quote.split())))
    if best and (best in seen or seen in best):
        return best
    is_whole = seen[-1:] in ENDS and len(seen) <= LONGEST_SEEN and not _REFERS_BACK.match(seen)
    if not is_whole or seen[:1].islower() or is_for_others(seen, about.language):
        return best
    return seen


def titles_entry(reads: Sequence[ReadItem], about: Context) -> Entry:
    """Return items by their titles, in one entry, each behind what was seen of it."""
    each = (
        joined((symptom(read, about), entries.named(read.item, about.say)), DOT) for read in reads
    )
    return Entry(joined(each, DOT), about=tuple(read.item.key for read in reads))


def story_entry(
    story: Story, outline: Outline, about: Context, mentioned: Mentioned = NOTHING_MENTIONED
) -> Entry | None:
    """Return a story: its name, how many changes by whom, and its members.

    A member that is told elsewhere, or whose title there is no time for, stands by its first words;
    where that is all of them, there is nothing to tell.
    """
    reads = [about.reads[key] for key in story.items if key in about.reads]
    parts = joined((_scale(story, len(reads), about), *_progress(story, about)), DOT)
    namesake = [read.item for read in reads if is_named_after(story, read.item)][:1]
    name: Runs = (Strong((Foreign(story.name),)),)
    if namesake:
        name = (*name, entries.SPACE, entries.reference(namesake[0]))
    name = _called(name, story, about)
    members: list[Entry] = []
    others: list[Item] = []
    for read in reads:
        if read.item in namesake:
            if more := _in_a_line(read, about, mentioned):
                members.append(Entry(joined(more, DOT), about=(read.item.key,)))
        elif member := _member(read, story, outline, about, mentioned):
            members.append(Entry(member, about=(read.item.key,)))
        else:
            others.append(read.item)
    if not members and all(item.key in mentioned.titles for item in namesake):
        return None
    if others:
        above = mentioned.titles | {read.item.key for read in outline.front}
        known = [item for item in others if item.key in above]
        brief = [_briefly(item) for item in others if item not in known]
        brief += [entries.references(known)] if known else []
        also = fill(about.say.stories.elsewhere, refs=joined(brief, about.say.comma))
        members.append(Entry(also, about=tuple(item.key for item in others)))
    return Entry((*name, Words(DOT), *parts), tuple(members), about=story.items)


def _briefly(item: Item) -> Runs:
    """Return an item by some words of its title: by its number alone nobody knows it."""
    words = shortened(clean_title(item.title), BRIEFLY)
    name: Runs = (Foreign(words), entries.SPACE) if words else ()
    return (*name, entries.reference(item))


def _called(name: Runs, story: Story, about: Context) -> Runs:
    """Return a story's name, with *and related* where some of its changes say nothing of it.

    Parts of a series, and changes for one tracker, are of it whatever their titles say; the title
    of one member is its own.
    """
    is_series = story.part or any(reason.startswith("tracker") for reason in story.reasons)
    members = [about.reads[key].item for key in story.items if key in about.reads]
    is_title = any(
        is_named_after(story, item) or shortened(clean_title(item.title)) == story.name
        for item in members
    )
    if is_series or is_title or all(speaks_of(story.name, item) for item in members):
        return name
    return fill(about.say.stories.and_related, name=name)


def is_named_after(story: Story, item: Item) -> bool:
    """Tell whether a story is called by the whole title of one of its members."""
    return visible(story.name) in (bare(item.title), clean_title(item.title))


def _member(
    read: ReadItem, story: Story, outline: Outline, about: Context, mentioned: Mentioned
) -> Runs:
    """Return a member of a story with its whole title; nothing where that stands elsewhere."""
    key = read.item.key
    if key in mentioned.titles:
        more = _in_a_line(read, about, mentioned)
        return joined(((entries.reference(read.item),), *more), DOT) if more else ()
    if read in outline.front or key not in outline.titled:
        return ()
    # A fix of tests alone mends nothing that runs, whatever its title says.
    mark: Runs = ()
    is_whole = all(role(file.path) in OF_NO_PROGRAM for file in read.item.files or ())
    if read.noise is not None and is_whole and "test" not in read.item.title.casefold():
        mark = fill(about.say.facts.only, conditions=about.say.names.noise[read.noise])
    return (*line(read, about, mentioned, by_one=len(story.authors) == 1), *mark)


def _scale(story: Story, count: int, about: Context) -> Runs:
    """Say how many changes a story has, and by whom."""
    words, say = about.say.stories, about.say
    most = len(story.authors) if about.whole else MOST_PEOPLE
    people = joined(((Foreign(name),) for name in story.authors[:most]), say.comma)
    if (left := len(story.authors) - most) > 0:
        total = left if about.language is Language.EN else len(story.authors)
        people = (*people, Words(f" {words.others(total)}"))
    by = _behind(fill(words.by, people=people), about) if people else ()
    return (Words(say.count.changes(count)), *by)


def _behind(by: Runs, about: Context) -> Runs:
    return (Words(" " if about.language is Language.EN else about.say.pause), *by)


def _progress(story: Story, about: Context) -> list[Runs]:
    """Say which parts of a series there are, when it began, how much was before, who joined it."""
    words, say = about.say.stories, about.say
    found: list[Runs] = []
    if story.part and story.of:
        numbers = say.comma.join(map(str, story.part))
        part = fill(words.parts, parts=numbers, of=str(story.of))
        found.append((*part, Words(say.colon + words.complete)) if is_complete(story) else part)
    if began := _began(story, about):
        found.append(fill(words.began, day=began))
    if story.earlier:
        found.append((Words(words.earlier(len(story.earlier))),))
    if story.by != RULES:
        found.append(_joined_by(story, about))
    return found


def is_complete(story: Story) -> bool:
    """Tell whether the last part of a series is among what landed."""
    return bool(story.of and story.part and max(story.part) >= story.of)


def _began(story: Story, about: Context) -> str:
    """Return the day on which a story began, where that was before the window.

    Not of a series that has had fewer parts than its numbers say: nobody here saw its first one.
    """
    if story.part and min(story.part) > len(story.earlier) + 1:
        return ""
    try:
        since = date.fromisoformat(story.since)
    except ValueError:
        return ""
    is_before = bool(story.earlier and about.first_day and since < about.first_day)
    return since.isoformat() if is_before else ""


def going_on(item: Item, about: Context) -> Runs:
    """Say that a change goes on with what earlier days told, where no story of the day says it."""
    story = about.going_on.get(item.key)
    parts = _progress(story, about) if story else []
    words = about.say.stories.goes_on
    return fill(words, how=joined(parts, about.say.comma)) if parts else ()


def _joined_by(story: Story, about: Context) -> Runs:
    return fill(about.say.stories.joined_by, model=Foreign(short_model(story.by)))


def strand_in_lead(strand: Strand, name: str, about: Context) -> Runs:
    """Return a strand by a short name: by whom where it is one, how many changes, whether done."""
    words, comma, story = about.say.stories, Words(about.say.pause), strand.story
    count = fill(about.say.facts.only, conditions=f"{strand.count}")
    if story is None:
        known = about.say.names.reasons.get(name)
        return (Words(known) if known else Foreign(name), *count)
    runs = _called((Foreign(name),), story, about)
    if len(story.authors) == 1:
        by = fill(words.by, people=Foreign(story.authors[0]))
        runs = (*runs, *_behind(by, about))
    runs = (*runs, *count)
    if is_complete(story):
        runs = (*runs, comma, Words(words.complete))
    return runs if story.by == RULES else (*runs, comma, *_joined_by(story, about))


def revert_entry(pair: Revert, about: Context, *, asks: bool = False) -> Entry:
    """Return a revert beside what it reverts, and what brought that again since.

    With `asks`, what it asks to act for stands under it.
    """
    runs = entries.revert(pair, about.say, since=about.is_since(pair))
    read = about.reads.get(pair.revert.key) if asks else None
    asked = demand(read, about) if read else ()
    under = (Entry(asked),) if asked else ()
    if pair.original is None:
        return Entry(runs, under, about=(pair.revert.key,))
    known = {item.key: item for item in (*about.items.values(), pair.original, pair.revert)}
    landed = relands(tuple(known.values()))
    again = [key for key, back in landed.items() if pair.original.key in back]
    if again and again[0] in about.items:
        reland = entries.reference(about.items[again[0]])
        runs = (*runs, *fill(about.say.say.back_as, again=reland))
    return Entry(runs, under, about=(pair.original.key, pair.revert.key))


def issue_entries(reads: Sequence[ReadItem], about: Context) -> list[Entry]:
    """Return issues with their states, the duplicates of one that is told under it."""
    lines: list[Entry] = []
    paired: set[str] = set()
    for read in reads:
        if read.item.key in paired:
            continue
        twins = [
            other
            for other in reads
            if other is not read and other.item.key not in paired
            if read.item.number is not None and other.item.duplicate_of == read.item.number
        ]
        paired.update(twin.item.key for twin in twins)
        own = issue_entry(read, about)
        under = (*own.under, *(issue_entry(twin, about) for twin in twins))
        lines.append(Entry(own.runs, under, about=own.about))
    return lines


def issue_entry(read: ReadItem, about: Context) -> Entry:
    """Return one issue with its state, and the changes and the issues that belong to it."""
    linked = list(about.closers.get(read.item.number or 0, ()))
    same: list[Item] = []
    for item in about.cited(read.related):
        if item.kind is Kind.ISSUE:
            same.append(item)
        elif item not in linked and item.kind is not Kind.RELEASE:
            linked.append(item)
    twin = read.item.duplicate_of
    if twin is not None and not any(other.number == twin for other in same):
        issues = (item for item in about.items.values() if item.kind is Kind.ISSUE)
        same += [item for item in issues if item.number == twin]
    runs = (*_seen(read, about), *entries.issue(read, about.say, linked, same))
    return Entry(runs, _in_chinese(read, about), about=(read.item.key,))


def issue_name(read: ReadItem, about: Context) -> Runs:
    """Return an issue by what was seen, its title and its reference."""
    return (*_seen(read, about), *entries.named(read.item, about.say))


def _seen(read: ReadItem, about: Context) -> Runs:
    seen = symptom(read, about)
    return (*seen, Words(DOT)) if seen else ()


def _in_chinese(read: ReadItem, about: Context) -> tuple[Entry, ...]:
    """Return a model's Chinese of the author's sentence, where there is one and it is wanted."""
    if read.sentence is None or not is_translated(read, about.language):
        return ()
    return (Entry(own_sentence(read, read.sentence.text, about.say, about.language)),)


def trials_line(reads: Sequence[ReadItem], about: Context, *, full: bool = False) -> Runs:
    """Return pre-releases in one line that says what they are; see `trial_references`."""
    name = Strong((Words(about.say.page.prereleases),))
    count = Words(f"{DOT}{len(reads)}{about.say.colon}")
    return (name, count, *trial_references(reads, about, full=full))


def trial_references(reads: Sequence[ReadItem], about: Context, *, full: bool = False) -> Runs:
    """Return references to pre-releases, newest first, those that come each night last.

    Of many the first ones, and how many more, unless it is to be `full`.
    """
    newest = sorted(reads, key=lambda read: read.item.at, reverse=True)
    newest.sort(key=lambda read: is_nightly(read.item))
    shown = newest if full or len(newest) <= MOST_TRIALS else newest[:MOST_TRIALS]
    left = len(newest) - len(shown)
    more = (Words(about.say.facts.and_more(left)),) if left else ()
    return (*entries.references(read.item for read in shown), *more)


def release(read: ReadItem, about: Context, *, opened: bool = True) -> list[Block]:
    """Return a release: its name, its state, and how its notes begin or how long they are."""
    notes = notes_of(read, about)
    state = Words(DOT + entries.state(read.item, about.say, has_notes=bool(notes)))
    name = entries.named(read.item, about.say, strong=True)
    if opened:
        return [Paragraph((*name, state)), *opening(read, about)]
    if not notes:
        return [Paragraph((*name, state))]
    if changelog_of(read, about):
        return [Paragraph((*name, state, Words(DOT), *_of_changelog(notes[:1], about)))]
    return [Paragraph((*name, state, Words(DOT + about.say.count.lines(len(notes)))))]


def opening(read: ReadItem, about: Context) -> list[Block]:
    """Return how the notes of a release begin, and how many lines follow."""
    say, notes = about.say, notes_of(read, about)
    if not notes:
        return []
    blocks: list[Block] = [Paragraph(each.runs) for each in _in_chinese(read, about)]
    speaker = say.say.changelog_begins if changelog_of(read, about) else say.say.own_words
    blocks.append(Quote((Words(speaker),), "\n".join(notes[:FIRST_LINES])))
    if len(notes) > FIRST_LINES:
        left = say.count.further_lines(len(notes) - FIRST_LINES)
        blocks.append(Paragraph((Words(left + say.colon), entries.reference(read.item))))
    return blocks


def notes_of(read: ReadItem, about: Context) -> list[str]:
    """Return the lines of a release's notes, or of its changelog where these say nothing."""
    notes = changelog_of(read, about) or read.item.body
    return [text.rstrip() for text in notes.splitlines() if text.strip()]


def changelog_of(read: ReadItem, about: Context) -> str:
    """Return what the changelog says of a release without notes of its own, if it is known."""
    if has_notes(read.item):
        return ""
    own = (fact for fact in about.facts_of(read) if fact.kind is FactKind.RELEASE)
    quotes = (fact.quote for fact in (*own, *_made(read.item, about)))
    return next(filter(None, quotes), "")


def _made(item: Item, about: Context) -> list[Fact]:
    """Return what changes that make the version of a release add to the changelog."""
    facts = (fact for facts in about.facts.values() for fact in facts)
    return [
        fact
        for fact in facts
        if fact.kind is FactKind.RELEASE and fact.item != item.key
        if same_version(fact.name, item.ref)
    ]


def _changelog(read: ReadItem, about: Context) -> Runs:
    """Return what a change that makes a version adds to its changelog, unless a release tells it.

    Of each entry its first sentence.
    """
    tags = [item.ref for item in about.items.values() if item.kind is Kind.RELEASE]
    made = (fact for fact in about.facts_of(read) if fact.kind is FactKind.RELEASE and fact.quote)
    own = (fact for fact in made if not any(same_version(fact.name, tag) for tag in tags))
    found = next(own, None)
    if found is None or read.item.kind is Kind.RELEASE:
        return ()
    return _of_changelog(found.quote.split("\n"), about)


def _of_changelog(found: Sequence[str], about: Context) -> Runs:
    """Return entries of a changelog as what is new in it, of each its first sentence."""
    plain_lines = (unmarked(line) for line in found)
    firsts = (next(iter(split_sentences(line)), line) for line in plain_lines)
    entries_added = joined(((Foreign(line),) for line in firsts), DOT)
    return fill(about.say.say.in_the_changelog, entries=entries_added)
