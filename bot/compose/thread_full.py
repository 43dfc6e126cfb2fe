"""What a thread tells by count, by title: everything, or the rest alone."""

from bot.compose.channel_digest import ChannelDigest
from bot.compose.thread_replies import lines, rest_groups, themes, titled
from bot.wording.chat_words import CHAT_WORDS
from digest.languages import Language
from digest.writing.document import Block, Bullets, Paragraph, Tone, Words
from digest.writing.plan import plan
from digest.writing.sections import Context, context, issue_entries, revert_entry
from digest.writing.wording.languages import CATALOGUES


def all_blocks(told: ChannelDigest, language: Language) -> list[Block]:
    """Give every item by its title, in the order of a page."""
    claims = told.digest.claims
    full = plan(told.reading, claims, full=True)
    about = context(told.reading, CATALOGUES[language], language, claims).telling(
        full.glossed, full=True
    )
    names = about.say.headings
    blocks: list[Block] = []
    if full.high:
        blocks += [titled(f"▲ {names.high}", len(full.high)), Bullets(lines(full.high, about))]
    if full.releases:
        blocks += [titled(names.releases, len(full.releases))]
        blocks += [Bullets(lines(full.releases, about))]
    if full.reverts:
        pairs = tuple(revert_entry(pair, about) for pair in full.reverts)
        blocks += [titled(f"↩ {names.reverted}", len(pairs)), Bullets(pairs)]
    blocks += themes(full, about)
    if full.issues.size:
        issues = issue_entries((*full.issues.told, *full.issues.more), about)
        blocks += [titled(names.issues, full.issues.size), Bullets(tuple(issues))]
    blocks += _rest(told, about)
    if told.excluded:
        left = CHAT_WORDS[language].left_out(told.excluded)
        blocks.append(Paragraph((Words(left),), Tone.SMALL))
    return blocks


def rest_blocks(told: ChannelDigest, language: Language) -> list[Block]:
    """Give what a thread tells by count alone: issues beyond those worth a look, and the rest."""
    claims = told.digest.claims
    about = context(told.reading, CATALOGUES[language], language, claims)
    blocks: list[Block] = []
    if more := plan(told.reading).issues.more:
        entries = issue_entries(more, about)
        blocks += [titled(about.say.headings.issues, len(more)), Bullets(tuple(entries))]
    return blocks + _rest(told, about)


def _rest(told: ChannelDigest, about: Context) -> list[Block]:
    blocks: list[Block] = []
    for name, reads in rest_groups(plan(told.reading, full=True), about):
        blocks.append(titled(name[:1].upper() + name[1:], len(reads)))
        blocks.append(Bullets(lines(reads, about)))
    return blocks
