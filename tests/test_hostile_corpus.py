"""Whatever strangers, rules or a model say, in every role and on every medium: it stays text.

Nothing pings, no link leads to where a stranger wants it under other words, nothing runs, nothing
hides.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from adapters.discord import render as discord
from adapters.slack import render as slack
from adapters.terminal.drawing import draw
from adapters.terminal.options import Format, Options
from bot.compose.answer_parts import answer_parts
from bot.compose.chat_reply import ChatReply
from bot.compose.followup_parts import (
    choice_part,
    deep_dive_part,
    followups_part,
    news_part,
    notice_part,
    owner_left_part,
    with_corrections,
    with_states,
)
from bot.compose.item_part import with_state
from bot.compose.parent_extras import ParentExtras
from bot.compose.thread import plan, show_all, show_rest
from bot.model.channel_commands import parse_chat
from bot.model.following import Correction, Following, News
from bot.model.followups import ReactionKind, ReactionRecord
from bot.model.parts import Part, Thread
from bot.model.replies import (
    AnalysisReply,
    ChangeReply,
    DigestReply,
    FoundReply,
    Reply,
    RoundupReply,
    WhyReply,
)
from digest.errors import UsageError
from digest.languages import Language
from digest.models import AnalysedDay, Digest, Roundup
from digest.reading.relations import as_change
from digest.upstream import Standing
from tests import hostile_days
from tests.adapters.discord.dialect import seen
from tests.adapters.discord.drawn import markdown as discord_markdown
from tests.bot.channels_invented import CHANNEL as NEAR
from tests.bot.channels_invented import FLINT, NOW, followup, subscription, told
from tests.digest.writing import invented
from tests.digest.writing.invented import DAY, URL

TEXTS = (*hostile_days.corpus(), *hostile_days.cut_texts())
OWN = (URL, "https://github.com/example-org/")
"""Where links may lead: the repositories themselves."""

HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b-\u200f\u2028-\u202e\u2061-\u206f\u2800\u3164\ufeff\uffa0\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Discord's own joiner, U+2060, is what breaks a mention there."""

PARSER = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"])


DAYS: Mapping[str, Callable[[str], Digest]] = {
    "as rules read it": lambda text: told(hostile_days.judged_day(text)),
    "in each typed place": lambda text: told(hostile_days.typed_day(text)),
    "in a model's words": hostile_days.model_day,
}


def replies(day: Digest, text: str, language: Language) -> Iterator[Reply]:
    """Return everything that can be asked about a day."""
    reads = day.reading.items
    changes = [as_change(day.reading, each.item) for each in reads[:3]]
    whole = tuple(each for each in changes if each)
    yield DigestReply(day, language)
    yield RoundupReply(
        Roundup(DAY, (day, told(invented.busy(), FLINT)), ((FLINT, text),)), language
    )
    yield AnalysisReply(AnalysedDay(day, whole, ((reads[0].item.key, text),)), language)
    yield FoundReply(text, reads, language)
    for change in whole[:1]:
        yield ChangeReply(change, language)
        yield WhyReply(change.read, language)


def parts(day: Digest, text: str, language: Language) -> Iterator[Part]:
    """Return everything that a chat is answered with about a day."""
    for reply in replies(day, text, language):
        if not isinstance(reply, AnalysisReply):
            yield from answer_parts(reply, request=text)
    yield show_all(day, language)
    yield show_rest(day, language)
    marks = (ReactionRecord(ReactionKind.FLAG, "U1", "1.1", NOW, None, text),)
    flagged = [
        replace(
            followup(number, marks=marks, flagged_by=frozenset({text}), taken_by=text), title=text
        )
        for number in (101, 102)
    ]
    yield followups_part(flagged, language)
    yield choice_part("1.1", flagged, language, address=f"{URL}/pull/1", first_line="x")
    yield deep_dive_part(flagged, language)
    became = Standing(None, reverted_by=text, release=text, pin=text, title=text, fix=text)
    following = Following(became, seen=became)
    for turn in News:
        yield news_part(replace(flagged[0], following=following), (turn,), language)
    yield owner_left_part(flagged[:1], text, language)
    yield owner_left_part(flagged, text, language)
    for about in (flagged[:1], flagged):
        wrong = [
            Correction(NEAR, each.item_key, each.ref, text, each.url, News.RETITLED, became)
            for each in about
        ]
        yield with_corrections(followups_part(about, language), wrong, language)
    yield with_states(notice_part(flagged[0], language), flagged, language)
    yield with_state(notice_part(flagged[0], language), flagged[0], language)
    yield from ChatReply.line(text, language).parts
    for typed in (text, f"subscribe {text}", f"vllm {text}", f"followups {text}"):
        try:
            parse_chat(typed)
        except UsageError as error:
            said = error.line(language)
            yield from ChatReply.line(said, language, failed=True).parts


def threads(day: Digest, text: str, language: Language) -> tuple[Thread, ...]:
    """Return a morning of two repositories."""
    other = told(invented.busy(), FLINT)
    chosen = subscription(invented.REPO, FLINT, language=language, topics=(text[:40],))
    nudged = [replace(followup(taken_by=text), title=text)]
    return plan(
        [day, other], [(FLINT, text)], chosen, ParentExtras(open_followups=2, nudged=nudged)
    )


def objects(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from objects(inner)


UNSHOWN = ("custom_id", "value", "action_id", "block_id", "url")


def strings(value: object) -> Iterator[str]:
    """Return every text that is shown."""
    for inner in objects(value):
        for name, each in inner.items():
            if isinstance(each, str) and name not in UNSHOWN:
                yield each


SLACK_MARKUP = re.compile(r"<([^>]*)>")
SLACK_MARK = re.compile(r"[*~`]|\b_\B|\B_\b|:[^\s:]+:|^&gt;", re.MULTILINE)
SLACK_KINDS = {
    *("header", "context", "actions", "rich_text", "button", "static_select"),
    *("rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted"),
    *("text", "link", "plain_text", "mrkdwn"),
}


def slack_faults(payload: Mapping[str, Any]) -> Iterator[str]:
    """Say what in a message of Slack's is more than text: in `text` and `mrkdwn` `<…>` means."""
    read = [payload["text"]]
    for each in objects(payload["blocks"]):
        if (kind := each.get("type")) is not None and kind not in SLACK_KINDS:
            yield f"an element {kind}"
        if kind == "mrkdwn":
            read.append(each["text"])
            if mark := SLACK_MARK.search(SLACK_MARKUP.sub("", each["text"])):
                yield f"a mark {mark[0]} in {each['text'][:80]}"
        if (url := each.get("url")) and not url.startswith(OWN):
            yield f"a link to {url}"
    for text in read:
        for found in SLACK_MARKUP.finditer(text):
            if not found[1].startswith(OWN):
                yield f"markup {found[0]}"
    for text in strings(payload):
        if hidden := HIDDEN.search(text):
            yield f"hidden U+{ord(hidden[0]):04X} in {text[max(0, hidden.start() - 30) :][:60]!r}"


def discord_faults(payload: Mapping[str, Any], markdown: str) -> Iterator[str]:
    """Say what in a message of Discord's is more than text."""
    if payload["allowed_mentions"] != {"parse": []}:
        yield "it may ping"
    for name, inner in seen(markdown).marks:
        if name in ("mention", "emoji", "address", "spoiler"):
            yield f"{name} {inner}"
        if name == "link" and not inner.startswith(OWN):
            yield f"a link to {inner}"
    if re.search(r"discord(app)?\.gg", payload["content"].replace("\\", "")):
        yield f"an invitation in {payload['content']}"
    for text in strings(payload):
        if hidden := HIDDEN.search(text):
            yield f"hidden U+{ord(hidden[0]):04X} in {text[max(0, hidden.start() - 30) :][:60]!r}"
    for each in objects(payload["components"]):
        if (url := each.get("url")) and not url.startswith(OWN):
            yield f"a button to {url}"


OWN_HTML = re.compile(r'<a id="[\w-]+">|</?sub>|</a>')


def markdown_faults(page: str) -> Iterator[str]:
    """Say what in a page of Markdown is more than text, its own links and its own form."""
    for block in PARSER.parse(page):
        for token in (block, *(block.children or ())):
            url = str(token.attrs.get("href") or token.attrs.get("src") or "")
            if url and not url.startswith((*OWN, "#")):
                yield f"a link to {url}"
            is_own = OWN_HTML.fullmatch(token.content)
            if token.type in ("html_inline", "html_block", "image") and not is_own:
                yield f"{token.type} {token.content}"
            if token.type == "text" and re.search(r"(?<![\w`])@\w", token.content):
                yield f"a mention in {token.content[:80]}"
    if hidden := HIDDEN.search(page):
        yield f"hidden U+{ord(hidden[0]):04X} in {page[max(0, hidden.start() - 60) :][:90]!r}"


HTML_TAGS = (
    *("html", "head", "meta", "title", "style", "body", "main", "header", "footer", "nav"),
    *("h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "a", "strong", "b", "em", "del", "s"),
    *("code", "pre", "span", "div", "table", "thead", "tbody", "tr", "th", "td", "section"),
    *("blockquote", "small", "br", "hr", "details", "summary", "link", "article"),
    *("figure", "figcaption", "bdi"),
)


class Html(HTMLParser):
    """Collects what a page is made of."""

    TAGS = frozenset(HTML_TAGS)

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.TAGS:
            self.faults.append(f"a tag {tag}")
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.faults.append(f"an attribute {name}")
            leads = name in ("href", "src")
            if leads and not (value or "").startswith((*OWN, "#", "/", "data:image")):
                self.faults.append(f"a link to {value}")


def html_faults(page: str) -> Iterator[str]:
    found = Html()
    found.feed(page)
    yield from found.faults
    if hidden := HIDDEN.search(page):
        yield f"hidden U+{ord(hidden[0]):04X} in {page[max(0, hidden.start() - 60) :][:90]!r}"


def text_faults(page: str) -> Iterator[str]:
    if hidden := HIDDEN.search(page):
        yield f"hidden U+{ord(hidden[0]):04X} in {page[max(0, hidden.start() - 60) :][:90]!r}"


PAGES = {Format.MARKDOWN: markdown_faults, Format.HTML: html_faults, Format.TEXT: text_faults}


def faults(day: Digest, text: str, language: Language) -> Iterator[tuple[str, str]]:
    """Return each medium with what in it is more than text."""
    morning, answered = threads(day, text, language), tuple(parts(day, text, language))
    on_slack = [m for each in morning for m in slack.render(each)]
    for m in (*on_slack, *slack.render_parts(answered, language)):
        yield from (("slack", each) for each in slack_faults(m.payload))
    on_discord = [m for each in morning for m in discord.render(each)]
    for d in (*on_discord, *discord.render_parts(answered, language)):
        yield from (("discord", each) for each in discord_faults(d.payload, discord_markdown(d)))
    for thread in morning:
        if re.search("[<@]everyone|@here|<@", name := discord.thread_name(thread)):
            yield "discord", f"a thread called {name}"
    for reply in replies(day, text, language):
        for form, found in PAGES.items():
            for full in {True, not isinstance(reply, DigestReply)}:
                page = draw(reply, Options(format=form, full=full))
                yield from ((form.value, each) for each in found(page))


SOME = tuple(
    zip(
        (*hostile_days.bundles(), *hostile_days.cut_texts()[-4:]),
        itertools.cycle(DAYS),
        itertools.cycle((Language.EN, Language.EN, Language.EN, Language.ZH)),
        strict=False,
    )
)


@pytest.mark.parametrize(("text", "day", "language"), SOME, ids=range(len(SOME)))
def test_many_hostile_texts_in_every_role_stay_text(
    text: str, day: str, language: Language
) -> None:
    assert sorted(set(faults(DAYS[day](text), text, language)))[:5] == []


@settings(max_examples=settings.default.max_examples // 8)
@given(st.sampled_from(TEXTS), st.sampled_from(list(DAYS)), st.sampled_from(Language))
def test_any_hostile_text_in_every_role_stays_text(text: str, day: str, language: Language) -> None:
    assert sorted(set(faults(DAYS[day](text), text, language)))[:5] == []
