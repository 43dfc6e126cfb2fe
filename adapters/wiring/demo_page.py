"""One page without a network: a morning and the life of two follow-ups, as both platforms draw it.

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
from bot.compose.followup_parts import choice_part, invitation_part, news_part, with_states
from bot.compose.item_part import with_state
from bot.compose.thread import plan
from bot.followups.handler import as_shown
from bot.model.channel_commands import Subscribe
from bot.model.channels import Channel, Person, Platform
from bot.model.following import SETTLED_AFTER, Following, News, looked
from bot.model.followups import FollowUp, Reaction, ReactionKind, apply
from bot.model.parts import Part, PartKind, Thread
from bot.model.subscriptions import changed
from digest.languages import Language
from digest.models import Digest, Kind, State
from digest.upstream import Standing
from digest.wording.saying import CATALOGUES

CHANNEL = Channel(Platform.SLACK, "T1", "C1")
ALICE = Person(Platform.SLACK, "T1", "U1", "alice")
BOB = Person(Platform.SLACK, "T1", "U2", "bob")
SHOWN_IN_PICTURES = 2
MORNING_HEIGHT, FOLLOWUP_HEIGHT = 820, 470
FIX, RELEASE = "#4171", "v0.15.1"


def demo_page(digest: Digest, texts: Sequence[tuple[str, str]], language: Language) -> str:
    """Return the page as HTML: the thread of a digest's day, and what becomes of what is flagged.

    The first change with a message of its own is flagged, taken, released and done; the first open
    issue of a list is flagged, fixed and released. A day that has none of one leaves that story
    out. `texts` are folded below, each with its title.
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
            shown = shown[:SHOWN_IN_PICTURES]
            drawn = picture(shown, platform, title, height, language)
            found[f"{name}-{platform}{ending}.svg"] = drawn
    return found


def _scenes(digest: Digest, language: Language) -> list[Scene]:
    say = CATALOGUES[language].demonstration
    day = digest.reading.window.end
    thread = _thread(digest, language)
    slack, discord = (
        [Shown(read(each.payload), "09:00", in_thread=not each.is_parent) for each in drawn]
        for drawn, read in (
            (slack_thread(thread), slack_message),
            (discord_thread(thread), discord_message),
        )
    )
    scenes = [Scene(say.morning, say.morning_note, slack, discord)]
    for part in thread.replies:
        if part.kind is PartKind.ITEM:
            scenes += _of_a_change(_followup(digest, part.about[0]), part, day, language)
            break
    for part in thread.replies:
        issue = _open_issue(digest, part)
        if issue:
            scenes += _of_an_issue(digest, issue, part, day, language)
            break
    return scenes


def _thread(digest: Digest, language: Language) -> Thread:
    now = digest.reading.collected_at
    subscription = changed(
        None,
        Subscribe(),
        repos=(digest.reading.repo,),
        channel=CHANNEL,
        person=ALICE,
        now=now,
        tz="UTC",
        language=language,
    )
    (thread,) = plan([digest], [], subscription)
    return thread


def _of_a_change(
    followup: FollowUp, part: Part, day: datetime, language: Language
) -> Iterator[Scene]:
    say = CATALOGUES[language].demonstration
    merged = Standing(State.MERGED)
    followup = _reacted(followup, ReactionKind.FLAG, ALICE, day + timedelta(hours=9, minutes=12))
    followup, _ = _looked(followup, merged, day + timedelta(hours=9, minutes=37))
    shown = with_state(part, followup, language)
    yield _scene(say.flagged, say.flagged_note, [(shown, "09:12", ("🚩 1",))], language)
    followup = _reacted(followup, ReactionKind.TAKE, BOB, day + timedelta(hours=9, minutes=40))
    shown = with_state(part, followup, language)
    yield _scene(say.taken, say.taken_note, [(shown, "09:40", ("🚩 1", "👀 1"))], language)
    released = replace(merged, release=RELEASE)
    followup, news = _looked(followup, released, day + timedelta(days=1, hours=14, minutes=7))
    yield _scene(
        say.released,
        say.released_note,
        [
            (news_part(followup, news, language), "14:07", ()),
            (with_state(part, followup, language), "14:07", ("🚩 1", "👀 1")),
        ],
        language,
    )
    followup = _reacted(followup, ReactionKind.DONE, BOB, day + timedelta(days=1, hours=15))
    shown = with_state(part, followup, language)
    yield _scene(say.done, say.done_note, [(shown, "15:00", ("🚩 1", "👀 1", "✅ 1"))], language)


def _of_an_issue(
    digest: Digest, key: str, part: Part, day: datetime, language: Language
) -> Iterator[Scene]:
    say = CATALOGUES[language].demonstration
    private = say.private(ALICE.name)
    (about,) = [each.about for each in slack_parts((part,), language) if key in each.about][:1]
    # A change of an earlier day that was reverted is named there too, and is no item of this day.
    items = {read.item.key for read in digest.reading.items}
    offered = [_followup(digest, each) for each in about if each in items]
    choice = choice_part("", offered, language)
    _, invited = _below(invitation_part(language), "09:20", language)
    questions, questions_below = _below(choice, "09:20", language, private=private)
    yield Scene(say.issue, say.issue_note, questions, [*invited, *questions_below])
    followup = _followup(digest, key)
    followup = _reacted(followup, ReactionKind.FLAG, ALICE, day + timedelta(hours=9, minutes=21))
    followup, _ = _looked(followup, Standing(State.OPEN), day + timedelta(hours=9, minutes=37))
    news_rows = []
    for hours, standing in (
        (34, Standing(State.OPEN, fix=FIX)),
        (36, Standing(State.CLOSED, fix=FIX, is_fixed=True)),
        (38, Standing(State.CLOSED, fix=FIX, is_fixed=True, release=RELEASE)),
    ):
        at = day + timedelta(hours=hours, minutes=7)
        followup, news = _looked(followup, standing, at)
        if not news:  # what can be taken back is told once it has stood for a while
            at += SETTLED_AFTER
            followup, news = _looked(followup, standing, at)
        news_rows.append((news_part(followup, news, language), f"{at:%H:%M}", ()))
    yield _scene(
        say.fixed,
        say.fixed_note,
        [*news_rows, (with_states(part, [followup], language), news_rows[-1][1], ("🚩 1",))],
        language,
    )


def _scene(
    title: str,
    note: str,
    parts: Sequence[tuple[Part, str, tuple[str, ...]]],
    language: Language,
) -> Scene:
    """Draw replies in a thread, each with its time and the reactions below it."""
    slack: list[Shown] = []
    discord: list[Shown] = []
    for part, time, reactions in parts:
        for scene, shown in zip(
            (slack, discord), _below(part, time, language, reactions=reactions), strict=True
        ):
            scene += shown
    return Scene(title, note, slack, discord)


def _below(
    part: Part,
    time: str,
    language: Language,
    *,
    reactions: tuple[str, ...] = (),
    private: str = "",
) -> tuple[list[Shown], list[Shown]]:
    """Draw a reply in a thread, as Slack and as Discord show it."""
    slack, discord = (
        [
            Shown(read(each.payload), time, in_thread=True, reactions=reactions, private=private)
            for each in draw((part,), language)
        ]
        for draw, read in ((slack_parts, slack_message), (discord_parts, discord_message))
    )
    return slack, discord


def _open_issue(digest: Digest, part: Part) -> str:
    """Return the first open issue with a bug's label that a part about several items tells."""
    if len(part.about) < 2:
        return ""
    items = {read.item.key: read.item for read in digest.reading.items}
    shown = [items[key] for key in part.about if key in items]
    open_bugs = (
        each
        for each in shown
        if each.kind is Kind.ISSUE and each.state is State.OPEN and "bug" in each.title.casefold()
    )
    return next((each.key for each in open_bugs), "")


def _followup(digest: Digest, key: str) -> FollowUp:
    read = next(read for read in digest.reading.items if read.item.key == key)
    item, known = read.item, Following(as_shown(read))
    return FollowUp(None, CHANNEL, key, item.title, item.ref, item.url, following=known)


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
