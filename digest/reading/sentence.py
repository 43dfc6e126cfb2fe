"""An author's own words for a reader: a quote of the description, and the best sentence of all.

Both are copied exactly, and are whole or not there. The best sentence comes from what was added to
a changelog, else from the description: what a change does for whom, not how.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from digest.models import Item, Kind, Sentence
from digest.reading.change import added_entries, bare, declared, is_release
from digest.reading.description import TITLE_READ, is_template
from digest.reading.folding import bare_title
from digest.reading.passages import Passage, PassageKind, is_order, passages
from digest.reading.paths import words as words_in

QUOTE_LIMIT = 300
"""Characters of a quote; a sentence is taken whole or not at all."""
LONGEST = 240
"""Characters of a sentence that a line of its own can hold."""
MIN_LETTERS, MIN_WIDE_LETTERS = 15, 8
"""A shorter sentence seldom says what or why; of scripts that write a word with a character."""
LEAST_WORDS = 4
"""Words below which what has no wider script is a heading or a scrap of a list; what ends as a
heading does has to have one more."""
SAME_AS_TITLE = 0.75
"""Share of a sentence's words that its title may already hold."""
ENDS = ".!?。！？"

FEWEST_WORDS = 3
"""Words, or Chinese characters, of a sentence that says something; numbers are none."""
_SILENT_RANK = 4
"""Rank from which a paragraph tells of tests and the like."""
MEANINGFUL = re.compile(
    r"motivation|highlight|why|what|summary|description|purpose|overview|background|problem|"
    r"root cause|fix|modification|change|breaking|upgrade|migration|context|动机|背景|描述|问题|"
    r"修改|概述",
    re.IGNORECASE,
)
SILENT = re.compile(
    r"test|known|evidence|verif|validat|check ?list|benchmark|accuracy|reviewer|review process|"
    r"how to|related|screenshot|result|reproduc|todo|follow|reference|credit|acknowledg|note to|"
    r"environment|测试|结果",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]`*]{0,3}\s+|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|fig|no|approx|resp|incl|eq|sec|al|aka|w\.r\.t|a\.k\.a)\.|\b[A-Za-z]\.)$",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"https?:|www\.|\]\(|!\[|\]\[|<[A-Za-z/!@#:&]|(?<![\w.])@\w|&[a-z]{2,8};|&#|\||\\[*_`<\[]|~~"
)
_CODE = re.compile(r"`[^`]*`")
_NO_NEWS = re.compile(
    r"^(?:\(|(?:no|yes)[.,] |"
    r"(?:pr )?dependenc(?:y|ies):|hi|hello|hey|thanks?|thank you|dear|cc\b|lgtm|\[?wip\b|"
    r"ping\b|same as|see (?:also|the title|above|#)|as (?:above|title)|per title|todo|fyi|n/?a\b|"
    r"none\b|follow[- ]?up|split from|ditto|made with\b|part \d|"
    r"(?:the )?(?:first|second|third|fourth|next|final|last)(?: and \w{2,8})? "
    r"(?:part|step|pr|of)\b|"
    r"(?:rebased|cherry-?picked|back-?port(?:ed|s)?|moved from|reopen(?:ed|s)|re-?submit\w*)\b|"
    r"(?:this (?:pr|pull request|commit|change) )?(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|"
    r"related to|part of|relates to|refs?|depends on|stacked on|issue|修复|关联)\s*:?\s*"
    r"(?:\(?[\w./-]{0,100}#\d+\)?[\s,;.&]*(?:and\s+)?)+$|"
    r"(?:this (?:pr |pull request |commit |change )?)?(?:reverts|undoes|takes back|backs out)\b"
    r"(?!.*\b(?:because|since|due to|as it|so that|which|to (?!#)\w+)\b)|你好|谢谢|感谢)|"
    r"\b(?:please (?:contact|ping|review|let me know|take a look)|feel free to|let me know|"
    r"reach out to|ready for review)\b|"
    r"\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}\b",
    re.IGNORECASE,
)
"""Greetings, links alone, how a change came about, whom to ask; a commit, which nobody reads."""
ACT = re.compile(
    r"\b(?:must|ha(?:s|ve) to|needs? to (?:be )?(?:set|pass|chang|updat|renam|migrat|rebuil|upgrad|"
    r"reinstall|adapt)\w*|whoever|should (?:now )?(?:use|pass|set|update|migrate|switch|call|"
    r"upgrade)|(?:use|pass|set|call|import) \S{1,60} instead|(?:use|pass|set) `[^`]{1,60}` to "
    r"(?:keep|restore|get back)|please (?:use|pass|set|update|migrate|switch))\b|"
    r"需要|必须|请(?:使用|改用|将)",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:it|they|also|however|but|and|then|therefore|these|those|that|so|thus|hence|moreover|"
    r"furthermore|otherwise|besides|instead|as a result|additionally|"
    r"(?:after|although|as|because|before|if|once|since|though|until|when|whenever|while) "
    r"(?:he|it|she|they|this (?:fails?|happens|is|occurs|was))|"
    r"(?:after|at|for|in|on|other than|under|with) (?:this|that|these|those|such)|"
    r"(?:add|change|fix|move|remove|update|use)s? (?:it|them|this|that))\b|"
    r"^(?:其中|但|因此)|^[\w.-]{0,60}(?:/[\w.-]{1,80})?#\d{1,8}\b",
    re.IGNORECASE,
)
"""What a sentence begins with that needs the one before it, or names another change by number."""
_LISTED = re.compile(r"(?<![\w/])#\d and #\d\b")
"""Points of a list that stands elsewhere."""
_TURNS = re.compile(r"(?:but|however|unfortunately|yet)\b|但|然而|不过", re.IGNORECASE)
"""What the sentence begins with that takes back the one before it."""
_AT_FAULT = re.compile(
    r"\b(?:incorrect\w*|mistak\w+|missing|never|previous(?:ly)?|prior|was|were|wrong\w*)\b",
    re.IGNORECASE,
)
"""Words of a sentence that says itself what was wrong: nothing takes that back."""
_LINKS = re.compile(
    r"^(?:and|as a result|but|consequently|hence|however|so|then|therefore|thus)\b[,:]? ?",
    re.IGNORECASE,
)
"""What only links a sentence to the one before it, which it can do without."""
_CUT = re.compile(
    r"\b(?:because|since|which|whose|and|or|but|if|when|while|of|the|an?|to|with|for|from|by|as|is|"
    r"are|was|were|that|supporting|including|using|via|into|enabling|allowing)$",
    re.IGNORECASE,
)
"""A last word that something has to follow: what came next was no prose."""
_BREAKING = re.compile(r"breaking|不兼容", re.IGNORECASE)
_WORD = re.compile(r"[0-9A-Za-z_]+|[\u3400-\u9fff]")
_FILLING = words_in(
    "a add adds added adding aim aims an and are as be been by change commit for from fix fixes "
    "fixed implement implements implemented in introduce introduces is it its now of on or patch "
    "pr pull request support supports supported that the there these this to want wants was we "
    "were when will with"
)
"""Words that tell nothing of a change: a sentence whose other words its title has repeats it."""
_THIS = r"(?:this (?:pr|pull request|commit|change|patch) )?"
_NO_EFFECT = (
    r"(?!.*(?:(?<![\w-])--\w|\d ?(?:%|x\b|×)|\b(?:breaks?|cuts?|makes?|must|no longer|reduces?|"
    r"required?|requires)\b))"
)
"""Before words that say nothing of what comes of a change: no figure, no flag, no demand."""
_HOLLOW = re.compile(
    r"^(?:this|the|(?:the )?current) (?:pr|pull request|change|commit|patch)(?: simply| just)? "
    r"(?:adds?|fix(?:es)?|implements?|introduces?|updates?|refactors?|moves?|removes?|is)\b.{0,40}$|"
    r"^(?:this|that|such) (?!pr\b|pull|change|commit|patch|kernel|model|feature|option|flag|fix).*|"
    r"^(?:please )?(?:refer to|see)\b.*|^(?:draft|wip|initial progress|merge with)\b.*|"
    r"^(?:as|per|see|same|(?:\w+ )?test(?:s|ed)?|note|todo|follow|part)\b.{0,50}$|"
    r"^(?:this|the) (?:kernel|feature|option|flag|fix|model|backend) (?:now )?supports? .{0,40}$|"
    r"^(?:fix(?:es)?|address(?:es)?|resolves?|closes?|implements?)\b.{0,80} "
    r"(?:(?:from|in|of|for|by) |\()#\d+\W*$|^(?:in |pr |pull request )#\d+,?.*|"
    r"^needs? (?:more )?(?:testing|reviews?|rebasing|benchmarks?)\b.*|"
    r"^(?:i|we) (?:just )?(?:add|chang|fix|mov|remov|updat)e?d (?:it|that|the|this)\b.{0,20}$|"
    r".*\b(?:review (?:feedback|comments?)|code ?rabbit|gemini code assist|copilot|separate pr|"
    r"not part of this (?:pr|change)|in a (?:follow-?up|separate|later|future) (?:pr|change))\b.*|"
    r"^(?:all )?measure(?:d|ments?)\b.*|^(?:pipecleaned|verified|validated|benchmarked|reproduced|"
    r"ran|built|checked) (?:on|with|by|in|from|that|against|locally|end|e2e)\b.*|"
    r"^(?:takes over|supersedes|replaces) (?:and supersedes )?(?:pr )?#\d+(?: of\b.*|\W*$)|"
    r"^the benchmark (?:also )?(?:checks?|covers?|verifies)\b.*|"
    r"^(?:touches|changes|updates) (?:docs|tests|comments)\b.*|"
    r"^(?:add|correct|fix|updat)(?:e|es|ed|s)? (?:a |an |the |broken |dead |some )*"
    r"(?:docs\b|docstrings?\b|documentation\b|readme\b|links? (?:in|of|to)\b)"
    rf"(?!.*(?:[:;]|, (?:and|so)\b|\band (?:add|fix|make|reject|remov))){_NO_EFFECT}.*|"
    rf"^{_THIS}(?:(?:contains|has|includes|makes) )?(?:two|three|four|five|a few|many|minor|"
    r"multiple|several|small|some|various)(?: [\w-]+){0,3} (?:adjustments|changes|clean-?ups?|"
    r"commits|enhancements|fixes|improvements?|modifications|optimi[sz]ations?|tweaks|updates)"
    rf"\b{_NO_EFFECT}.*|"
    rf"^{_THIS}adds? (?:an? |some |more |additional )*(?:(?:[\w-]+ )?tests?|"
    r"(?:(?:correctness|safety|sanity|validation) )?checks?)\b(?!-)"
    r"(?!.*\b(?:fix\w*|if|so that|when)\b).*|^CI pass\w*\b.*|^each commit\b.*|"
    r"^(?:there (?:are|is) )?no (?:[\w-]+(?:,? (?:and|or) |, | )){0,6}"
    r"(?:changes?|modifications?)\b(?!.*\b(?:but|except|must|unless)\b).*|"
    r"^[\w-]+-only changes?\b.*|^(?:changes|fixes|updates?) (?:for|in) (?:the )?v?\d[\d.]*\b.*|"
    r"^(?:\w+ )?(?:accuracy|correctness|results?) (?:(?:are|is|was|were) )?"
    r"(?:checked|confirmed|tested|validated|verified)\b(?!.*\bbefore\b).*|"
    r"^here(?:'s| is| are)\b.*|^recently,? we (?:need|plan|want)\b.*",
    re.IGNORECASE,
)
_SCRAP = re.compile(
    r"\||\b[0-9a-f]{9,40}\b|^\W*\d[\d.,% x×]*\W|"
    r"\b(?:TPS|tok/s|ms)\b.{0,200}\b(?:TPS|tok/s|ms)\b.{0,100}\d"
)
"""What was left of a table, a hash, or a row of figures."""
_LABEL = re.compile(
    r"^[*_]{0,2}(?:background|bug|cause|context|description|fix|goal|impact|issue|motivation|"
    r"problem|purpose|rationale|root cause|solution|summary|symptoms?|what|why)[*_]{0,2}"
    r"\s?[:：][*_]{0,2}\s+(?=\S)",
    re.IGNORECASE,
)
"""What an author puts before a sentence in the place of a heading."""
_FOR_WHOM = re.compile(
    r"\b(?:users?|when|if|without|now|no longer|so that|allows?|supports?|causes?d?|leads? to|"
    r"results? in|fails?|crash\w*|wrong|incorrect|hang\w*|faster|slower|instead of|because|"
    r"requires?|default\w*|previously|only|must|silently)\b|当|导致|支持|避免",
    re.IGNORECASE,
)


def quote(item: Item) -> str:
    """Return one or two neighbouring sentences of the item's body that stand alone, else nothing.

    The result is a substring of the body apart from runs of white space, has no link, mention or
    HTML, and is at most `QUOTE_LIMIT` characters long.
    """
    title = frozenset(_words(item.title[:TITLE_READ]))
    flat = " ".join(item.body.split())
    ranked = sorted(_paragraphs(item.body), key=lambda one: one[0])
    texts = [text for _, text in ranked]
    if _requires_action(item):
        # What a reader has to do comes before why; where nothing says it, all is as ever.
        told = [text for rank, text in ranked if rank < _SILENT_RANK]
        return _first(told, title, flat, ACT) or _first(texts, title, flat)
    return _first(texts, title, flat)


def best_sentence(item: Item, quoted: str, seen: str = "") -> Sentence | None:
    """Return the author's best sentence about a change, None where none stands alone.

    In: a change, issue or release with its description and, where known, its patches, what
    `quote` gives of its description, and words of the description that say what somebody has
    `seen`, empty where none do. Out: a sentence that is a piece of its source but for runs of
    white space.
    """
    if item.kind is Kind.RELEASE or (item.kind is not Kind.ISSUE and is_release(item)):
        return None
    title = frozenset(_words(bare(bare_title(item.title[:TITLE_READ]))))
    for path, entry in added_entries(item):
        text = next(iter(split_sentences(entry)), "")
        if _is_good(text, title):
            return Sentence(text, "changelog", path)
    seen = _LABEL.sub("", seen)
    if is_worth_a_line(seen) and _stands_alone(seen, title, _LINKS.sub("", seen)):
        return Sentence(seen, "body")
    for words in (seen, quoted):
        told = [_LABEL.sub("", one) for one in split_sentences(words)]
        candidates = [
            one
            for one, following in pairwise((*told, ""))
            if not _is_turned(one, following) and _is_good(one, title)
        ]
        if candidates:
            return Sentence(max(candidates, key=lambda one: bool(_FOR_WHOM.search(one))), "body")
    return None


def split_sentences(paragraph: str) -> list[str]:
    """Split a paragraph on one line into its sentences, none of them changed."""
    sentences: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(paragraph):
        end = match.start() + len(match.group().rstrip())
        piece = paragraph[start:end]
        if _ABBREVIATION.search(piece[-8:]) or paragraph[match.end() : match.end() + 1].islower():
            continue
        if piece.strip():
            sentences.append(piece.strip())
        start = match.end()
    rest = paragraph[start:].strip()
    return [*sentences, rest] if rest else sentences


def fits_a_line(text: str) -> bool:
    """Tell whether a sentence can stand on a line: short, no scrap of a table, no list to come."""
    return len(text) <= LONGEST and not _SCRAP.search(text) and text[-1:] not in ":："


def is_news(text: str) -> bool:
    """Tell whether a sentence is more than a greeting, a mention, or what a change closes."""
    said = [word for word in _WORD.findall(text) if not word.isdigit()]
    return len(said) >= FEWEST_WORDS and not _NO_NEWS.search(text)


def is_hollow(text: str) -> bool:
    """Tell whether a sentence of a change says nothing to a reader: how it was measured, say."""
    return _HOLLOW.match(text) is not None


def _requires_action(item: Item) -> bool:
    """Tell whether a change is stated to break something, and is not told for its danger first."""
    marks = " ".join((item.title[:TITLE_READ], *item.labels[:50]))
    if "security" in marks.lower():
        return False
    return (
        declared(item.title).breaking
        or _BREAKING.search(marks) is not None
        or any(_BREAKING.match(line.lstrip("*_ #")[:20]) for line in item.body.split("\n"))
    )


_LAST = Passage(PassageKind.PROSE, "")


def _paragraphs(body: str) -> list[tuple[int, str]]:
    """Return paragraphs of prose in order; a lower rank is more likely to say what and why.

    One that the next takes back says how it should have been, and is left out.
    """
    pieces = passages(body)
    return [
        (_rank(piece), piece.text)
        for piece, after in pairwise((*pieces, _LAST))
        if piece.kind in (PassageKind.PROSE, PassageKind.ITEM)
        and not piece.is_folded
        and not (_is_turned(piece.text, after.text) and not after.opened)
    ]


def _rank(piece: Passage) -> int:
    if _BREAKING.match(piece.text.lstrip("*_ ")):
        return -1
    about = 0 if MEANINGFUL.search(piece.heading) else 1
    section = _SILENT_RANK if SILENT.search(piece.heading) else about
    return section + (2 if piece.kind is PassageKind.ITEM else 0)


def _first(
    paragraphs: Sequence[str],
    title: frozenset[str],
    flat: str,
    sign: re.Pattern[str] | None = None,
) -> str:
    """Return the first sentence that stands alone (and has the sign), with the one after it."""
    for paragraph in paragraphs:
        sentences = split_sentences(paragraph)
        for place, sentence in enumerate(sentences):
            if not _stands_alone(sentence, title) or sentence not in flat:
                continue
            if sign is not None and not sign.search(sentence):
                continue
            following = sentences[place + 1] if place + 1 < len(sentences) else ""
            both = (
                f"{sentence} {following}" if sentence[-1] not in "。！？" else sentence + following
            )
            longer = following and len(both) <= QUOTE_LIMIT and _is_plain(following, title)
            if longer and both in flat:
                return both
            if not _is_turned(sentence, following):
                return sentence
    return ""


def _stands_alone(sentence: str, title: frozenset[str], said: str | None = None) -> bool:
    """Tell whether a sentence needs no other; `said` is it without what only links it."""
    if not _is_plain(sentence, title) or _LEANING.match(sentence if said is None else said):
        return False
    if _LISTED.search(sentence):
        return False
    letters = sum(1 for char in sentence if char.isalnum())
    wide = sum(1 for char in sentence if "\u3400" <= char <= "\u9fff")
    enough = len(sentence.split()) >= LEAST_WORDS + (sentence[-1] not in ENDS)
    return wide >= MIN_WIDE_LETTERS or (letters >= MIN_LETTERS and enough)


def _is_plain(sentence: str, title: frozenset[str]) -> bool:
    """Tell whether a sentence is whole, harmless and new: what a quote may hold."""
    if len(sentence) > QUOTE_LIMIT or sentence[-1] in ":：,，;；(（" or _MARKUP.search(sentence):
        return False
    if "\\n" in _CODE.sub("", sentence):
        return False
    if _CUT.search(sentence):
        return False
    if _NO_NEWS.search(sentence.lstrip("*_ ")) or is_template(sentence) or is_order(sentence):
        return False
    if sentence.count("`") % 2 or sentence.count("**") % 2 or _is_open(sentence):
        return False
    if any(unicodedata.category(char)[0] == "C" for char in sentence):
        return False
    words = _words(sentence)
    if not words or sum(word in title for word in words) >= SAME_AS_TITLE * len(words):
        return False
    telling = [word for word in words if word not in _FILLING]
    return not telling or sum(_is_in(word, title) for word in telling) < len(telling)


def _is_turned(text: str, following: str) -> bool:
    """Tell whether what follows takes back what a text says to be so."""
    return _TURNS.match(following) is not None and _AT_FAULT.search(text) is None


def _is_in(word: str, title: frozenset[str]) -> bool:
    return bool({word, f"{word}s", word.removesuffix("s")} & title)


def _is_open(sentence: str) -> bool:
    return any(
        sentence.count(left) != sentence.count(right) for left, right in ("()", "[]", "（）")
    )


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def is_worth_a_line(text: str) -> bool:
    """Tell whether a text is a whole sentence that fits a line and says something."""
    return text != "" and text[-1] in ENDS and fits_a_line(text) and not is_hollow(text)


def _is_good(text: str, title: frozenset[str]) -> bool:
    return is_worth_a_line(text) and _stands_alone(text, title)
