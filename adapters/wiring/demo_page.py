"""One page without a network: a morning and the life of a follow-up, as it looks on both platforms.

The messages are made as the bot makes them; only people and what became of the items upstream are
invented, as the recorded repository is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from adapters.discord.render import COLOURS, NOTIFIES, PLAIN, first_facts
from adapters.pages.chat_page import ChatPage, Scene, ShownMessage, picture, render
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
NO_COLOUR = 0x4E5058
"""The bar of a message of Discord's that has no colour of its own."""


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
            shown = [each for scene in scenes for each in scene.messages]
            drawn = picture(shown[:SHOWN_IN_PICTURES], platform, title, height, language)
            found[f"{name}-{platform}{ending}.svg"] = drawn
    return found


def _scenes(digest: Digest, language: Language) -> list[Scene]:
    say = CATALOGUES[language].demonstration
    thread = _thread(digest, language)
    messages = [
        _shown(each, "09:00", in_thread=each is not thread.parent)
        for each in (thread.parent, *thread.replies)
    ]
    part = next(each for each in thread.replies if each.kind is PartKind.ITEM)
    morning = Scene(say.morning, say.morning_note, messages)
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
    yield Scene(say.flagged, say.flagged_note, [_shown(shown, "09:12", flagged)])

    followup = _reacted(followup, ReactionKind.TAKE, BOB, day + timedelta(hours=9, minutes=40))
    shown = with_state(part, followup, language)
    yield Scene(say.taken, say.taken_note, [_shown(shown, "09:40", taken)])

    released = replace(merged, release=RELEASE)
    followup, news = _looked(followup, released, day + timedelta(days=1, hours=14, minutes=7))
    announced, shown = news_part(followup, news, language), with_state(part, followup, language)
    messages = [_shown(announced, "14:07"), _shown(shown, "14:07", taken)]
    yield Scene(say.released, say.released_note, messages)

    followup = _reacted(followup, ReactionKind.DONE, BOB, day + timedelta(days=1, hours=15))
    shown = with_state(part, followup, language)
    yield Scene(say.done, say.done_note, [_shown(shown, "15:00", (*taken, "✅ 1"))])


def _shown(
    part: Part, time: str, reactions: tuple[str, ...] = (), *, in_thread: bool = True
) -> ShownMessage:
    """Return a part as it is shown, as far as Discord shows more of it."""
    colour = "" if part.kind in PLAIN else f"#{COLOURS.get(part.kind, NO_COLOUR):06x}"
    above = first_facts(part.summary) if part.kind in NOTIFIES else ""
    return ShownMessage(part, time, in_thread, reactions, colour, above)


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
