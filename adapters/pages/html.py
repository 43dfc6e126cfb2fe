"""Draws a document as one self-contained HTML file.

Every text goes through Jinja's escaping; addresses that are not http(s) are left out. The page
loads nothing: its policy forbids everything from outside, and every script but the one of its
filter, which is named by its hash. Without that script it shows everything.
"""

from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from adapters.web.addresses import target
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing.document import Document, Entry, Link, Runs, keys_in, walk
from digest.writing.emphasis import described
from digest.writing.visible import revealed, spans, visible

TEMPLATE = "page.html.jinja"
SCRIPT = "filter.js"


def render(document: Document) -> str:
    """Return the page as one HTML file that asks for nothing from outside."""
    say = CATALOGUES[document.language]
    return template(TEMPLATE).render(
        page=document,
        language=say.html_tag,
        words=say.concerned,
        filter=say.filter,
        script_hash=script_hash(),
    )


@lru_cache(maxsize=1)
def style_hash() -> str:
    """Return the SHA-256 of the style that stands in every page, as a policy names it in base64."""
    page = render(Document(Language.EN, (), (), (), ()))
    return _hash(page.partition("<style>")[2].partition("</style>")[0])


@lru_cache(maxsize=1)
def script_hash() -> str:
    """Return the SHA-256 of the script of a page with a filter, the only one that may run."""
    return _hash(template(SCRIPT).render())


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


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
    environment.filters["keys_in"] = keys_in
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
