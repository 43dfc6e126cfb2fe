"""Whether a sentence keeps to the words of the passage that it quotes.

What is wrong in a sentence that names only what its source names is, nine times of ten, a word
that the passage does not have: the loader "squares" a scale, a value is "lowered", a fallback is
"emulated". So every word that says something has to stand in the passage, as another form of it
or as one of a few that mean the same. True sentences in words of their own are lost by this.
"""

import re
from collections.abc import Iterable

from digest.grounding.names import NAMES
from digest.grounding.plain import plain, spread
from digest.grounding.source import Diff, Source
from digest.grounding.stems import stem, stems
from digest.grounding.strength import ADD, AMOUNTS, DEEDS, EFFECTS
from digest.grounding.subjects import SUBJECTS
from digest.grounding.term import said
from digest.grounding.units import FIGURE
from digest.grounding.units import WORD as COUNT

_WORD = re.compile(r"[a-z][a-z0-9]+", re.ASCII)
_AROUND = 2
"""Sentences before and behind the quoted one that belong to its passage."""

_TELLS_OF_BEFORE = re.compile(
    r"\b(?:was|were|had|did|no longer|instead|rather|remov\w*|replac\w*|drop\w*|delet\w*|before|"
    r"old|again|still|not|previous\w*|former\w*|from|renam\w*|used to|revert\w*|chang\w*|becom\w*|"
    r"fix\w*|now)\b"
)
"""Words by which a sentence tells of what a change took out, too."""

_SAYS_NOTHING_WORDS = (
    # small words
    "the an and or of to in on at by for with from as is are was were be been being it its this "
    "that these those which who whose also has have had having does did do not no so but than "
    "there their them they can could may might will would when if because after before while "
    "where such both each every any all if still then yet only other others another same rather "
    "just since about between into until once again otherwise without within must should need "
    "needs over under against per via here further too very however instead longer now what how "
    # what writers of such sentences call things
    "value values text function functions argument arguments parameter parameters option options "
    "message line comment docstring type types name named names number method class variable "
    "string entry case cases thing result results own itself change changes changed author authors "
    "report reporter reports according code page step steps field fields list object instance key "
    "setting settings set sets item items section one ones "
    # verbs that say no more than that there is something
    "say says said state states become becomes became arise arises arose go goes going come comes "
    "came mean means call called calls use used uses using get gets give gives given take takes "
    "taken make makes made let lets "
    # when and where
    "old new newer previous previously earlier existing current currently first last part more "
    "most less least already up down through later next "
)
_SAYS_NOTHING = frozenset(stem(word) for word in _SAYS_NOTHING_WORDS.split())
_SAYS = re.compile(r"(?:label|purpose|milestone|path): ")
_ALIKE_WORDS = (
    "show shows shown display displays print prints log logs expose exposes report reports tell",
    "lack lacks lacking without missing absent",
    "stay stays keep keeps kept remain remains still preserve preserves retain retains unchanged",
    "check checks checked verify verified verifies validate validates validated tested confirm",
    "see saw seen observe observed",
    "gone remove removed removes delete deleted away",
    "send sends sent land lands push pushes forward forwards dispatch dispatches",
    "combine combined combines meet meets together",
    "carry carries hold holds held contain contains include includes part",
    "fuse fuses fused run runs ran running execute executes executed launch launches launched",
    "measure measured measures benchmark benchmarked goes",
    "start starts begin begins begun",
    "read reads load loads loaded fetch fetches",
    "write writes wrote store stores save saves",
    "raise raises raised throw throws error errors",
    "wrong incorrect incorrectly wrongly bad broken",
    "end ends ended finish finishes finished complete completed",
    "wait waits waited waiting queue queued queueing block blocks blocked",
    "upgrade upgraded bump bumped update updated",
    "unused nothing nobody",
    "point points suggest suggests prompt favor favour instead",
    "half halve halved twice",
    "repeat repeated duplicate duplicates twice",
    "differ differs differed diverge diverged diverges different",
    "against versus vs reference",
    "equal equals identical same match matches",
    "optional optionally none",
    "exclude excludes excluded exclusive exclusively",
    "require requires required need needs needed constraint constraints",
    "subclass subclasses inherits extends class",
    "off false disabled disable disables",
    "enabled enable enables true",
    "skip skips skipped continue ignore ignores ignored",
    "refuse refused refuses reject rejects rejected",
    "like such",
    "forbid forbids forbidden disallow disallows disallowed",
    "document documents documented explain explains describe describes description",
)
_ALIKE = tuple(frozenset(stem(word) for word in words.split()) for words in _ALIKE_WORDS)


def strange(rest: str, passage: str) -> list[str]:
    """Give the words of an English sentence, without its names, that its passage does not have.

    Both are in lower case. Numbers with their units are looked at elsewhere.
    """
    known = _known(rest, passage)
    bare = COUNT.sub(" ", FIGURE.sub(" ", rest))
    return [
        word
        for word in dict.fromkeys(_WORD.findall(bare))
        if stem(word) not in known and stem(word) not in _SAYS_NOTHING
    ]


def passage(rest: str, source: Source, quote: str, place: str, near: Diff | None) -> str:
    """Give what a sentence may be made of: the text around its quote, and the title.

    Around a quote of prose stand the sentences beside it; around one of code its hunk. What a
    hunk took out belongs to it only for a sentence that tells of what was.
    """
    shown = [source.title, quote, *(fact for fact in source.facts if _SAYS.match(fact))]
    if near is None:
        shown += _beside(quote, source) if place else source.sentences
    else:
        taken_out = set(near.removed.split("\n")) - set(near.added.split("\n"))
        if _TELLS_OF_BEFORE.search(rest):
            taken_out = set()
        shown += (line for line in near.whole.split("\n") if line not in taken_out)
        shown += source.sentences
    return "\n".join(shown)


def _beside(quote: str, source: Source) -> Iterable[str]:
    wanted = plain(quote)
    texts = [plain(sentence) for sentence in source.sentences]
    hits = [
        place
        for place, text in enumerate(texts)
        if text
        and (text in wanted or wanted in text or text[-30:] in wanted or text[:30] in wanted)
    ]
    near = {at for hit in hits for at in range(hit - _AROUND, hit + _AROUND + 1)}
    return [text for place, text in enumerate(texts) if place in near]


def _known(rest: str, passage: str) -> frozenset[str]:
    there = stems(passage) | stems(spread(passage))
    alike = frozenset[str]().union(*(each for each in _ALIKE if each & there))
    terms = (*SUBJECTS, *DEEDS, *EFFECTS, *AMOUNTS, ADD, *NAMES)
    reworded = frozenset(
        stem(word)
        for each, _ in said(terms, rest)
        if each.licence.search(passage)
        for found in each.said.finditer(rest)
        for word in _WORD.findall(found.group())
    )
    return there | alike | reworded
