"""The answer to a command, as parts that every platform can draw: the page of it, made to fit.

A chat has one narrow column and messages that end: tables of files and of upgrade notes become
lists, notes without their places, and of a long patch the beginning is shown. What is left out is
counted, with a link to where it stands.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.compose.pages import page
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.references import digest_reference
from bot.model.replies import (
    ChangeReply,
    DigestReply,
    FoundReply,
    HelpReply,
    MessageReply,
    QueryReply,
    Reply,
    RoundupReply,
    WhyReply,
)
from digest.concern.upgrade import Upgrade
from digest.errors import UsageError
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.analysis_page import Extent
from digest.writing.document import (
    Block,
    Document,
    Paragraph,
    Runs,
    Strong,
    Tone,
    keys_in,
)
from digest.writing.pages import change_page, upgrade_page
from digest.writing.remarks import in_a_notification
from digest.writing.rules import plain

FILES_SHOWN = 30
"""Files of a change that are listed; reviewers open the others on the page of the change."""

PATCH_LINES = 60
"""Lines of a patch that are shown, over all files: about two screens."""

HERE = "here"
"""The value of a button about the message that it stands on: the channel has that message."""

IN_CHAT = Extent(PATCH_LINES, FILES_SHOWN, result_lines=20)

MOST_CHANGES = 5
"""Changes of each section of an upgrade: with two lines under each some 350 words in all."""

MOST_LINES = 2

SHOWN_SECTIONS = ("breaks", "otherwise", "new")
"""The sections of an upgrade that a message has; the file has all."""


def answer_parts(reply: Reply, *, request: str = "") -> tuple[Part, ...]:
    """Return the answer to a command.

    `request` is the command as typed: the value of the Share button, which is left out without it,
    as it is where there is nothing that others would want to read.
    """
    language = reply.language
    document = page(reply)
    about: tuple[str, ...] = ()
    actions: list[Action] = []
    words = CATALOGUES[language].thread
    match reply:
        case DigestReply(digest):
            about = tuple(read.item.key for read in digest.reading.items)
            if about:
                label = words.show_all.format(count=len(about))
                actions.append(Action(ActionKind.SHOW_ALL, digest_reference(digest.reading), label))
        case ChangeReply(change):
            about = (change.read.item.key,)
            document = change_page(change, language, IN_CHAT)
        case WhyReply(read):
            about = (read.item.key,)
        case FoundReply(_, found):
            about = tuple(read.item.key for read in found)
        case QueryReply(answer):
            about = tuple(hit.read.item.key for hit in answer.hits)
        case RoundupReply():
            others = [block for each in document.sections for block in each.blocks]
            about = keys_in([*document.lead, *others])
        case _:
            pass
    actions += _flags(about, request, language)
    if request and is_shareable(reply):
        actions.append(Action.usual(ActionKind.SHARE, request, language))
    part = _part(document, about, actions)
    if written := _written(reply):
        part = replace(part, summary=" ".join((plain(document.title), *written)))
    return (part,)


def _written(reply: Reply) -> list[str]:
    """Return what a model wrote above an answer, as a notification says it: with whose it is."""
    match reply:
        case QueryReply(answer):
            items = {hit.read.item.key: hit.read.item for hit in answer.hits}
            return in_a_notification(answer.remarks, answer.model, reply.language, items, least=1)
        case DigestReply(digest):
            return in_a_notification(digest.remarks, digest.model, reply.language)
        case RoundupReply(roundup):
            items = {
                read.item.key: read.item for each in roundup.digests for read in each.reading.items
            }
            return in_a_notification(roundup.remarks, roundup.model, reply.language, items)
    return []


def upgrade_part(upgrade: Upgrade, language: Language, request: str) -> Part:
    """Return an upgrade's report that is read in two minutes; the rest is counted.

    `request` is the command that gives it again, empty where everybody sees it.
    """
    whole = upgrade_page(upgrade, language, most=MOST_CHANGES, lines=MOST_LINES)
    shown = tuple(section for section in whole.sections if section.anchor in SHOWN_SECTIONS)
    about = keys_in([block for section in shown for block in section.blocks])
    return _part(replace(whole, sections=shown), about, _flags(about, request, language))


def _flags(about: tuple[str, ...], request: str, language: Language) -> list[Action]:
    """Return the button that flags the one item of an answer, or asks which of several."""
    if len(about) == 1:
        label = CATALOGUES[language].buttons[ActionKind.FLAG]
        return [Action(ActionKind.FLAG, about[0], label)]
    return [flag_one(ActionKind.ASK, request, language)] if about and request else []


def flag_one(kind: ActionKind, value: str, language: Language) -> Action:
    """Return the button that asks which item of an answer is to be flagged.

    The answer is named by the button that gives it, since an answer for one person is not kept.
    """
    return Action.usual(ActionKind.FLAG_ONE, f"{kind}|{value}", language)


def flag_one_here(language: Language) -> Action:
    """Return the button that asks which item of the message that it stands on is to be flagged."""
    return Action.usual(ActionKind.FLAG_ONE, HERE, language)


def read_flag_one(value: str) -> tuple[ActionKind, str]:
    """Read kind and value of the button that gave an answer; `UsageError` for what is none."""
    kind, _, request = value.partition("|")
    if kind not in tuple(ActionKind):
        raise UsageError(SAY.followups.old_button)
    return ActionKind(kind), request


def is_shareable(reply: Reply) -> bool:
    """Return whether others would learn something: not from help, nor from a search in vain."""
    match reply:
        case HelpReply() | MessageReply():
            return False
        case FoundReply(_, found):
            return bool(found)
        case QueryReply(answer):
            return bool(answer.hits)
    return True


def _part(document: Document, about: tuple[str, ...], actions: Sequence[Action]) -> Part:
    blocks: list[Block] = []
    if document.title:
        blocks.append(Paragraph(document.title, Tone.LEAD))
    blocks += [_plain(block) for block in document.lead]
    for section in document.sections:
        blocks.append(Paragraph((Strong(section.heading),)))
        blocks += section.blocks
    blocks += document.footer
    lines = [*([document.title] if document.title else []), *_first(document.lead)]
    summary = " ".join(plain(runs) for runs in lines)
    return Part(PartKind.ANSWER, tuple(blocks), about, tuple(actions), summary)


def _first(lead: Sequence[Block]) -> list[Runs]:
    return [block.runs for block in lead if isinstance(block, Paragraph)][:1]


def _plain(block: Block) -> Block:
    """Return a paragraph that leads a page as one like others: the title leads a message."""
    if isinstance(block, Paragraph) and block.tone is Tone.LEAD:
        return Paragraph(block.runs)
    return block
