"""Draws a document as one self-contained HTML file.

Every text goes through Jinja's escaping; addresses that are not http(s) are left out. The page
loads nothing: its policy forbids scripts and everything from outside.
"""

from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from adapters.web.addresses import target
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing.document import Document, Entry, Link, Runs, walk
from digest.writing.emphasis import described
from digest.writing.visible import revealed, spans, visible

TEMPLATE = "page.html.jinja"


def render(document: Document) -> str:
    """Return the page as one HTML file that asks for nothing from outside."""
    say = CATALOGUES[document.language]
    return template(TEMPLATE).render(page=document, language=say.html_tag, words=say.concerned)


@lru_cache(maxsize=1)
def style_hash() -> str:
    """Return the SHA-256 of the style that stands in every page, as a policy names it in base64."""
    page = render(Document(Language.EN, (), (), (), ()))
    style = page.partition("<style>")[2].partition("</style>")[0]
    return b64encode(sha256(style.encode()).digest()).decode()


@lru_cache
def template(name: str) -> Template:
    """Return a template of this folder, in which every text is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["visible"] = visible
    environment.filters["spans"] = spans
    environment.filters["revealed"] = revealed
    environment.filters["described"] = described
    environment.filters["target"] = target
    environment.filters["sign"] = _sign
    environment.filters["plain"] = _plain
    environment.filters["tells"] = _tells
    environment.filters["shape"] = lambda value: type(value).__name__
    return environment.get_template(name)


def _plain(runs: Runs) -> str:
    """Return the words of runs alone, as a window's title holds them."""
    words = (getattr(run, "text", getattr(run, "label", "")) for run in runs)
    return " ".join("".join(words).split())


def _tells(part: object, marks: frozenset[str]) -> bool:
    """Return whether a part of a page tells of an item, by its key or by a link to it."""
    return any(
        each.url in marks
        if isinstance(each, Link)
        else isinstance(each, Entry) and not marks.isdisjoint(each.about)
        for each in walk(part)
    )


def _sign(line: str) -> str:
    """Name what a line of a diff does."""
    return {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "kept")
