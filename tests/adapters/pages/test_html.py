"""A page as HTML: strangers' words are escaped, an author's marks are drawn."""

from datetime import UTC, datetime

from adapters.pages import html
from digest.languages import Language
from digest.writing.document import (
    Code,
    Document,
    Moment,
    Paragraph,
    Quote,
    Runs,
    Table,
    Typed,
    Words,
)

NOTES = ("What", "Name", "Before", "After", "From")


def upgrade_note(what: str, name: str, before: str, after: str) -> tuple[Runs, ...]:
    values = tuple((Code(each) if each else Words("–"),) for each in (name, before, after))
    return ((Words(what),), *values, (Words("#1"),))


def drawn_rows(*rows: tuple[Runs, ...]) -> list[str]:
    table = Table(NOTES, rows, turns=2)
    page = html.render(Document(Language.EN, (Words("Page"),), (table,), (), ()))
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    return [row.removesuffix("</tr>") for row in body.strip().splitlines()]


def test_an_authors_bold_words_headings_and_code_are_drawn_without_their_marks() -> None:
    quote = Quote((), "# What\n**Set <b>** `--a`, not f(**a)\u202e. [See](https://x.example)")
    drawn = html.render(Document(Language.EN, (Words("Page"),), (quote,), (), ()))

    assert "<p><strong><bdi>What</bdi></strong></p>" in drawn
    assert "<strong><bdi>Set &lt;b&gt;</bdi></strong>" in drawn
    assert "<code>--a</code><bdi>, not f(**a)&lt;U+202E&gt;. </bdi><bdi>See</bdi></p>" in drawn
    assert "x.example" not in drawn


def test_a_renamed_setting_says_both_names_once_and_an_arrow_where_there_is_no_room() -> None:
    """On a telephone a row is one line: cells of the class `unsaid` are not shown there."""
    (row,) = drawn_rows(upgrade_note("setting renamed", "b.new", "a.old", "b.new"))

    assert row == (
        "<tr><td>setting renamed</td>"
        '<td class="unsaid"><code>b.new</code></td>'
        "<td><code>a.old</code></td>"
        '<td class="turned"><code>b.new</code></td>'
        "<td>#1</td>"
    )
    (row,) = drawn_rows(upgrade_note("renamed", "NEW", "OLD (seconds, 30)", "NEW (ms, 30)"))
    assert '<td class="unsaid"><code>NEW</code></td>' in row
    style = html.render(Document(Language.EN, (Words("Page"),), (), (), ()))
    narrow = style.split("@media (max-width: 40rem) {")[1]
    assert ".unsaid { display: none; }" in narrow
    assert '.turned::before { content: "→ "; }' in narrow


def test_a_note_of_one_side_names_it_and_says_no_name_twice() -> None:
    added, removed, again = drawn_rows(
        upgrade_note("flag added", "--kv", "", "auto"),
        upgrade_note("module removed", "a.b", "a.b", ""),
        upgrade_note("", "a.c", "", ""),
    )

    assert '<td class="unsaid">–</td><td data-name="After"><code>auto</code></td>' in added
    assert '<td><code>a.b</code></td><td class="unsaid"><code>a.b</code></td>' in removed
    assert again.startswith('<tr><td><span class="again">module removed</span></td>')


def test_what_a_person_types_is_code_and_a_moment_words() -> None:
    runs = (Typed("vllm today"), Words(", "), Moment("at 09:00", datetime(2026, 2, 1, tzinfo=UTC)))
    drawn = html.render(Document(Language.EN, (Words("Page"),), (Paragraph(runs),), (), ()))

    assert '<span class="kept"><code>vllm today</code>,</span> at 09:00' in drawn
