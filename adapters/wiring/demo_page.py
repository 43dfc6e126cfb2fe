"""One page without a network: a morning and the life of a follow-up, as both platforms draw it.

The messages are made as the bot makes them; only people and what became of the items upstream are
invented, as the recorded repository is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from adapters.discord.render import render as discord_thread
from adapters.discord.render import render_parts as discord_parts
from adapters.pages.chat_page import (
    ChatPage,
    Scene,
    Shown,
    discord_message,
    picture,
    render,
    slack_message,
)
from adapters.slack.render import render as slack_thread
from adapters.slack.render import render_parts as slack_parts
from bot.compose.followup_parts import news_part
from bot.compose.item_part import with_state
from bot.compose.thread import plan
from bot.followups.handler import as_shown
from bot.model.channel_commands import Subscribe
from bot.model.channels import Channel, Person, Platform
from bot.model.following import Following, News, looked
from bot.model.followups import FollowUp, Reaction, ReactionKind, apply
from bot.model.parts import Part, PartKind, Thread
from bot.model.subscriptions import changed
from digest.languages import Language
from digest.models import Digest, State
from digest.upstream import Standing
from digest.wording.saying import CATALOGUES

CHANNEL = Channel(Platform.SLACK, "T1", "C1")
ALICE = Person(Platform.SLACK, "T1", "U1", "alice")
BOB = Person(Platform.SLACK, "T1", "U2", "bob")
SHOWN_IN_PICTURES = 2
MORNING_HEIGHT, FOLLOWUP_HEIGHT = 820, 470
RELEASE = "v0.15.1"


def demo_page(digest: Digest, texts: Sequence[tuple[str, str]], language: Language) -> str:
    """Return the page as HTML: the thread of a digest's day, and what becomes of what is flagged.

    The first change with a message of its own is flagged, taken, released and done. `texts` are
    folded below, each with its title.
    """
    say = CATALOGUES[language].demonstration
    scenes = _scenes(digest, language)
    return render(ChatPage(say.title, say.intro, say.more, scenes, texts), language)


def demo_pictures(digest: Digest, language: Language) -> dict[str, str]:
    """Return pictures of the page for each platform as SVG, by their file names.

    They show how a morning begins, and a follow-up that is flagged and released.
    """
    say = CATALOGUES[language].demonstration
    morning, *others = _scenes(digest, language)
    life = [scene for scene in others if scene.title in (say.flagged, say.released)]
    ending = "" if language is Language.EN else f".{language}"
    found = {}
    for platform in Platform:
        for name, title, height, scenes in (
            ("morning", say.morning, MORNING_HEIGHT, [morning]),
            ("followup", say.released, FOLLOWUP_HEIGHT, life),
        ):
            shown = [each for scene in scenes for each in getattr(scene, platform)]
            drawn = picture(shown[:SHOWN_IN_PICTURES], platform, title, height, language)
            found[f"{name}-{platform}{ending}.svg"] = drawn
    return found


def _scenes(digest: Digest, language: Language) -> list[Scene]:
    say = CATALOGUES[language].demonstration
    thread = _thread(digest, language)
    slack, discord = (
        [Shown(read(each.payload), "09:00", in_thread=not each.is_parent) for each in drawn]
        for drawn, read in (
            (slack_thread(thread), slack_message),
            (discord_thread(thread), discord_message),
        )
    )
    part = next(each for each in thread.replies if each.kind is PartKind.ITEM)
    morning = Scene(say.morning, say.morning_note, slack, discord)
    return [morning, *_followed(digest, part, language)]


def _thread(digest: Digest, language: Language) -> Thread:
    subscription = changed(
        None,
        Subscribe(),
        repos=(digest.reading.repo,),
        channel=CHANNEL,
        person=ALICE,
        now=digest.reading.collected_at,
        tz="UTC",
        language=language,
    )
    (thread,) = plan([digest], [], subscription)
    return thread


def _followed(digest: Digest, part: Part, language: Language) -> Iterator[Scene]:
    """Yield what becomes of a change that is flagged."""
    say, day = CATALOGUES[language].demonstration, digest.reading.window.end
    read = next(each for each in digest.reading.items if each.item.key == part.about[0])
    item, known = read.item, Following(as_shown(read))
    followup = FollowUp(None, CHANNEL, item.key, item.title, item.ref, item.url, following=known)
    merged = Standing(State.MERGED)
    flagged = ("🚩 1",)
    taken = (*flagged, "👀 1")

    followup = _reacted(followup, ReactionKind.FLAG, ALICE, day + timedelta(hours=9, minutes=12))
    followup, _ = _looked(followup, merged, day + timedelta(hours=9, minutes=37))
    shown = with_state(part, followup, language)
    yield _scene(say.flagged, say.flagged_note, [(shown, "09:12", flagged)], language)

    followup = _reacted(followup, ReactionKind.TAKE, BOB, day + timedelta(hours=9, minutes=40))
    shown = with_state(part, followup, language)
    yield _scene(say.taken, say.taken_note, [(shown, "09:40", taken)], language)

    released = replace(merged, release=RELEASE)
    followup, news = _looked(followup, released, day + timedelta(days=1, hours=14, minutes=7))
    told, shown = news_part(followup, news, language), with_state(part, followup, language)
    parts = [(told, "14:07", ()), (shown, "14:07", taken)]
    yield _scene(say.released, say.released_note, parts, language)

    followup = _reacted(followup, ReactionKind.DONE, BOB, day + timedelta(days=1, hours=15))
    shown = with_state(part, followup, language)
    yield _scene(say.done, say.done_note, [(shown, "15:00", (*taken, "✅ 1"))], language)


def _scene(
    title: str,
    note: str,
    parts: Sequence[tuple[Part, str, tuple[str, ...]]],
    language: Language,
) -> Scene:
    """Draw replies in a thread, each with its time and the reactions below it."""
    slack, discord = (
        [
            Shown(read(each.payload), time, in_thread=True, reactions=reactions)
            for part, time, reactions in parts
            for each in draw((part,), language)
        ]
        for draw, read in ((slack_parts, slack_message), (discord_parts, discord_message))
    )
    return Scene(title, note, slack, discord)


def _reacted(followup: FollowUp, kind: ReactionKind, person: Person, at: datetime) -> FollowUp:
    reaction = Reaction(kind, person, True, (followup.item_key,), at)
    after = apply(followup, reaction).followup
    assert after is not None  # a reaction of a member was added
    return after


def _looked(
    followup: FollowUp, standing: Standing, at: datetime
) -> tuple[FollowUp, tuple[News, ...]]:
    following, news = looked(followup.following, standing, at)
    return replace(followup, following=following), news
