"""What Slack tells the bot: every listener answers Slack at once and works on in the background.

Slack waits three seconds (https://docs.slack.dev/interactivity/handling-user-interaction), and
tells an event again that was not answered; the bot knows events by their id. A reaction, which has
nobody who waits for an answer, is acknowledged once it is kept: Slack keeps it until then.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import aiohttp
import structlog
from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.operations.background import Background
from adapters.slack import views
from adapters.slack.api import (
    TIMEOUT,
    Identity,
    People,
    answered,
    respond,
    show_alone,
    tell_directly,
    translated,
)
from adapters.slack.payloads import (
    ACTION,
    ButtonPress,
    ChatPlace,
    Reacted,
    TypedText,
    direct,
    flagged,
    mention,
    moment,
    pressed,
    pressing,
    reacted,
    typed,
)
from adapters.slack.render import COMMAND, plain_text, render_parts
from adapters.web.client import text_of
from bot.answer.button_handler import MenuMessage, Press
from bot.answer.chat import Chat
from bot.compose.chat_reply import Attachment, ChatReply
from bot.model.channels import Channel, Platform, Visit
from bot.model.followups import Reaction
from bot.model.parts import ActionKind
from bot.model.ports import ChannelGone, NoPermission, PublishError
from digest.errors import BadAnswer, InfraError
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.wording.platforms import Slack
from digest.wording.saying import CATALOGUES, localized

FLAG_SHORTCUT = "flag_for_followup"
SETTINGS_WORD = "settings"
OPEN_SETTINGS = "infra_open_settings"

CHECKED_WITHIN = 2.0
"""Seconds for looking at a form before it is closed; what is wrong then is said by message."""

STORED_WITHIN = 2.0
"""Seconds for keeping a reaction; one that takes longer is told again, and known by its id."""

NOT_STORED = 503
"""Answered, Slack tells an event again: https://docs.slack.dev/apis/events-api#retries"""

PATIENCE = 0.8
"""Seconds until a person is told that it takes longer."""

SCOPE = "files:read"

BACK = ("channel_unarchive", "group_unarchive", "member_joined_channel")
"""https://docs.slack.dev/reference/events; the last only of the bot itself, which was invited."""

Work: TypeAlias = Callable[[], Coroutine[Any, Any, ChatReply | None]]

log = structlog.get_logger()


@dataclass(eq=False, repr=False)
class Listeners:
    """Everything that the bot hears in one workspace."""

    chat: Chat
    people: People
    responder: "Responder"
    background: Background
    identity: Identity

    def listen(self, app: AsyncApp) -> None:
        """Tell the app what to call; `manifest.yaml` names the same events and commands."""
        app.command(COMMAND)(self.on_command)
        app.event("app_mention")(self.on_mention)
        app.event("message")(self.on_direct)
        app.event("reaction_added")(self.on_reaction)
        app.event("reaction_removed")(self.on_reaction)
        app.message_shortcut(FLAG_SHORTCUT)(self.on_flag)
        app.action(ACTION)(self.on_press)
        app.action(OPEN_SETTINGS)(self.on_open_settings)
        app.options(views.TYPE_AHEAD)(self.on_options)
        app.view(views.CALLBACK)(self.on_submit)
        app.event("app_home_opened")(self.on_home)
        app.action(views.CHANNEL_CHOSEN)(self.on_channel_chosen)
        for name in BACK:
            app.event(name)(self.on_channel_back)

    async def on_command(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Answer `/infra …`."""
        await ack()
        self._answer_command(typed(body), "command")

    async def on_mention(self, body: dict[str, Any]) -> None:
        """Answer `@Infra …`."""
        if found := mention(body, self.identity.user):
            self._start(partial(self._mentioned, found), found.place, "mention")

    async def on_direct(self, body: dict[str, Any]) -> None:
        """Answer what was written to the bot alone."""
        if found := direct(body):
            self._start(partial(self._directly, found), found.place, "direct message")

    async def on_reaction(self, body: dict[str, Any]) -> BoltResponse | None:
        """Handle a reaction; if it cannot be stored in time, Slack sends it again."""
        found = reacted(body, self.identity.user)
        if not found:
            return None
        is_stored = await self.background.finished(self._reacted(found), "reaction", STORED_WITHIN)
        return None if is_stored else BoltResponse(status=NOT_STORED, body="not kept yet")

    async def on_flag(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Flag the message that the shortcut was used on."""
        await ack()
        place, at = pressing(body), moment(str(body.get("action_ts")))
        self._start(partial(self._flag, flagged(body), place, at), place, "flag")

    async def on_press(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Do what a button says; one that opens a page does so by itself."""
        await ack()
        found = pressed(body)
        if found and found.is_home:
            self.background.start(self._press_at_home(found), f"press {found.kind} at home")
        elif found and found.kind is not ActionKind.PAGE:
            answers = found.is_own and found.kind is ActionKind.CHOOSE
            work = partial(self._press, found)
            self._start(work, found.place, f"press {found.kind}", in_place=answers)

    async def on_open_settings(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Open the form from a button, which brings a new trigger."""
        await ack()
        self._answer_command(TypedText(pressing(body), SETTINGS_WORD), "settings")

    async def on_options(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Offer repositories or zones while somebody types; none where that takes too long."""
        wanted = str(body.get("value") or "")
        if body.get("block_id") == "tz":
            await ack(views.zone_options(wanted))
            return
        names: tuple[str, ...] = ()
        try:
            place = replace(pressing(body), channel=views.origin_of(body).channel)
            async with asyncio.timeout(CHECKED_WITHIN):
                names = await self.chat.repo_names(wanted, await self._visit(place))
        except (TimeoutError, InfraError) as error:
            log.warning("no names offered", reason=str(error))
        await ack(views.repo_options(names))

    async def on_submit(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Say what is wrong with a form, or close it and set the channel."""
        who = pressing(body)
        try:
            sent = views.submitted(body)
        except BadAnswer as error:
            log.warning("form not read", person=who.person, reason=str(error))
            old = {"repos": SAY.settings.old_form}
            shown = views.shown_faults(old, self.people.language(who.person))
            await ack(response_action="errors", errors=shown)
            return
        origin = sent.origin
        place = ChatPlace(origin.channel, who.person, who.name, response_url=origin.response_url)
        if faults := await self._faults(sent, place):
            await ack(response_action="errors", errors=faults)
            return
        await ack()
        self._start(partial(self._save, sent, place), place, "save settings")

    async def on_home(self, body: dict[str, Any]) -> None:
        """Draw the Home tab of who opened it."""
        event = body.get("event") or {}
        if event.get("tab") == "home" and isinstance(event.get("user"), str):
            self.background.start(self._home(event["user"]), "home")

    async def on_channel_chosen(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Open the form of a channel that was chosen on the Home tab."""
        await ack()
        place = replace(pressing(body), channel=views.chosen_channel(body))
        if place.channel:
            self.background.start(self._set_up(place), "set up")

    async def on_channel_back(self, body: dict[str, Any]) -> None:
        """Note that a channel can be told again; what is gone a delivery meets."""
        event = body.get("event") or {}
        kind, id, user = event.get("type"), event.get("channel"), event.get("user")
        is_back = kind != "member_joined_channel" or user == self.identity.user
        if isinstance(id, str) and id and is_back:
            back = self.chat.delivering.unreachable.back(self._channel(id))
            self.background.start(back, f"slack {kind}")

    async def _home(self, user: str, notice: Callable[[Slack[str]], str] | None = None) -> None:
        person = await self.people.person(user)
        try:
            page = await self.chat.home.page(Visit(self._channel(user), person))
            say = CATALOGUES[page.language].slack
            view = views.home_view(page, notice(say) if notice else "")
        except InfraError as error:
            log.warning("home not looked up", person=user, reason=str(error))
            view = views.home_refusal(CATALOGUES[self.people.language(user)].slack.home_not_now)
        await self.responder.publish(user, view)

    async def _press_at_home(self, found: ButtonPress) -> None:
        """Do what a button of the Home tab says, and draw the tab anew."""
        user = found.place.person
        own = await self._visit(replace(found.place, channel=user))
        reply = await self.chat.press(Press(found.kind, found.value, own, "", found.at))
        summary = reply.parts[0].summary if reply and reply.parts else ""
        await self._home(user, (lambda say: summary) if summary else None)

    async def _set_up(self, place: ChatPlace) -> None:
        """Open the form where the person and the bot are members, so that both see what follows."""
        for user in (place.person, self.identity.user):
            if not await self.people.is_member(user, place.channel, unless_known=False):
                await self._home(place.person, lambda say: say.home_not_there)
                return
        self._answer_command(TypedText(place, SETTINGS_WORD), "settings")

    async def _faults(self, sent: views.Submission, place: ChatPlace) -> dict[str, str]:
        try:
            async with asyncio.timeout(CHECKED_WITHIN):
                found = await self.chat.settings.faults(sent.filled, await self._visit(place))
        except (TimeoutError, InfraError):
            return {}  # what saving meets is told by message
        return views.shown_faults(found, sent.origin.language)

    def _answer_command(self, typed: TypedText, name: str) -> None:
        async def work() -> ChatReply:
            return await self.chat.answer_text(typed.text, await self._visit(typed.place))

        self._start(work, typed.place, name, replaces=True)

    async def _mentioned(self, found: TypedText) -> ChatReply | None:
        visit, thread = await self._visit(found.place), found.place.thread
        return await self.chat.answer_mention(
            found.text, visit, thread=thread, event_id=found.event_id
        )

    async def _directly(self, found: TypedText) -> ChatReply | None:
        visit = await self._visit(found.place)
        return await self.chat.answer_direct(found.text, visit, event_id=found.event_id)

    async def _reacted(self, found: Reacted) -> None:
        visit = await self._visit(found.place)
        in_channel = await self.people.is_member(visit.person.id, visit.channel.id)
        reaction = Reaction(
            found.kind,
            visit.person,
            found.added,
            about=(),
            at=found.at,
            message=found.message,
            in_channel=in_channel,
        )
        await self.chat.followups.react(reaction, visit.channel, found.event_id)

    async def _flag(self, message: MenuMessage, place: ChatPlace, at: datetime) -> ChatReply:
        return await self.chat.flag(await self._writing(place), message, at)

    async def _press(self, found: ButtonPress) -> ChatReply | None:
        place = found.place
        visit = await self._writing(place, unless_known=found.kind is not ActionKind.SHARE)
        press = Press(found.kind, found.value, visit, found.message, found.at, place.thread)
        return await self.chat.press(press)

    async def _save(self, sent: views.Submission, place: ChatPlace) -> ChatReply | None:
        visit = await self._visit(place)
        reply = await self.chat.save_settings(sent.filled, visit)
        for file in () if reply.failed else sent.files:
            read = partial(self.responder.read, file.url, file.name)
            given = await self.chat.give_file(file.name, read, visit)
            if given.failed:  # the other files may be as they should be
                before = () if reply.is_posted else reply.parts
                reply = replace(given, parts=(*before, *given.parts))
        return reply

    async def _visit(self, place: ChatPlace) -> Visit:
        person = await self.people.person(place.person, place.name)
        return Visit(self._channel(place.channel), person)

    async def _writing(self, place: ChatPlace, *, unless_known: bool = True) -> Visit:
        """Return who is where with `may_write` looked up: members of the channel may."""
        is_member = await self.people.is_member(
            place.person, place.channel, unless_known=unless_known
        )
        visit = await self._visit(place)
        return replace(visit, person=replace(visit.person, may_write=is_member))

    def _start(self, work: Work, place: ChatPlace, name: str, **shown: Any) -> None:
        """Work on beside what Slack hears, and show what comes of it as `Responder.give` does."""
        language = partial(self._language, place)
        self.background.start(self.responder.give(work, place, language, **shown), name)

    async def _language(self, place: ChatPlace) -> Language:
        """Return the language that a channel reads, else the person's as far as it is known."""
        chosen = None
        with contextlib.suppress(InfraError):
            chosen = await self.chat.channel_language(self._channel(place.channel))
        return chosen or self.people.language(place.person)

    def _channel(self, id: str) -> Channel:
        return Channel(Platform.SLACK, self.identity.team, id)


class Responder:
    """Shows replies to the one person who asked: that it takes long, the answer, or a form."""

    def __init__(self, web: AsyncWebClient, patience: float = PATIENCE) -> None:
        self._web = web
        self._patience = patience

    async def give(
        self,
        work: Work,
        place: ChatPlace,
        language: Callable[[], Awaitable[Language]],
        *,
        replaces: bool = False,
        in_place: bool = False,
    ) -> None:
        """Do the work and show what comes of it, saying so before where it takes long.

        `language` is for what is said without a reply; it is asked late, when more is known of the
        person. `replaces` tells that the `response_url` is of a command: there the answer takes the
        place of what was said before. (Of a button it would take the place of the message that the
        button is on.) `in_place` is for a button of a message that the person alone sees, and that
        is over once it is answered: there it does.
        """
        task = asyncio.create_task(work())
        is_waiting_told = False
        try:
            await asyncio.wait({task}, timeout=self._patience)
            if not task.done():
                working = {"text": CATALOGUES[await language()].slack.working}
                await self._say(working, place, replace=in_place, direct=False)
                is_waiting_told = bool(place.response_url)
            reply = await task
        except Exception:
            broken = {"text": CATALOGUES[await language()].chat.broken}
            replace = in_place or (replaces and is_waiting_told)
            await self._say(broken, place, replace=replace, direct=False)
            raise
        finally:
            task.cancel()
        if reply is None or (reply.is_posted and not is_waiting_told):
            return
        if await self._opened(reply, place):
            return
        payloads = [dict(each.payload) for each in render_parts(reply.parts, reply.language)]
        if reply.form and payloads:
            payloads[-1]["blocks"] = [*payloads[-1].get("blocks", ()), _open_button(reply.language)]
        for number, payload in enumerate(payloads):
            first = number == 0 and (in_place or (replaces and is_waiting_told))
            await self._say(payload, place, replace=first)
        if reply.file:
            await self._attach(reply.file, reply.language, place)

    async def read(self, url: str, name: str) -> str:
        """Return the text of an uploaded file; raises `PublishError` and `UsageError`.

        The file's `url_private_download` is asked with the bot's token, which is given to Slack
        alone; it needs `files:read`. Without it Slack answers with a page
        (https://docs.slack.dev/reference/objects/file-object).
        """
        if not _is_slack(url, self._web.base_url):
            raise NoPermission(SAY.slack.scope_named(SCOPE))
        timeout = aiohttp.ClientTimeout(total=TIMEOUT)
        headers = {"Authorization": f"Bearer {self._web.token}"}
        try:
            async with (
                aiohttp.ClientSession(trust_env=True, timeout=timeout) as session,
                session.get(url, headers=headers, allow_redirects=False) as answer,
            ):
                if answer.status != 200 or answer.content_type == "text/html":
                    raise NoPermission(SAY.slack.scope_named(SCOPE))
                return await text_of(answer, name)
        except (TimeoutError, aiohttp.ClientError) as error:
            raise translated(error) from error

    async def publish(self, user: str, view: Mapping[str, Any]) -> None:
        """Show a person their Home tab; where Slack does not take it, that is logged."""
        # https://docs.slack.dev/reference/methods/views.publish
        try:
            await answered(self._web.views_publish(user_id=user, view=dict(view)))
        except PublishError as error:
            log.warning("home not shown", person=user, reason=str(error))

    async def _attach(self, file: Attachment, language: Language, place: ChatPlace) -> None:
        """Send a file to the person alone, in their direct messages: elsewhere others see it."""
        # https://docs.slack.dev/messaging/working-with-files
        say = CATALOGUES[language].upgrades
        try:
            opened = await answered(self._web.conversations_open(users=place.person))
            direct = opened.get("channel") or {}
            await answered(
                self._web.files_upload_v2(
                    filename=file.name,
                    title=file.name,
                    content=file.text,
                    channel=str(direct.get("id") or place.person),
                    initial_comment=say.whole,
                )
            )
        except PublishError as error:
            log.info("file not sent", channel=place.channel, reason=str(error))
            await self._say({"text": say.no_file(localized(error.why, language))}, place)

    async def _say(
        self,
        payload: Mapping[str, Any],
        place: ChatPlace,
        *,
        replace: bool = False,
        direct: bool = True,
    ) -> None:
        """Show one message to the person alone; what cannot be shown is logged.

        Where the bot is not in the channel, what is too much for the `response_url` is told by
        direct message, unless it says only how far something is.
        """
        body = {"response_type": "ephemeral", "replace_original": replace, **payload}
        if place.thread:
            body["thread_ts"] = place.thread
        if place.response_url and await _responded(place, body):
            return
        try:
            try:
                await show_alone(
                    self._web, place.channel, place.person, payload, thread=place.thread
                )
            except (ChannelGone, NoPermission):
                if not direct:
                    raise
                await tell_directly(self._web, place.person, payload)
        except PublishError as error:
            log.warning("answer not shown", channel=place.channel, reason=str(error))

    async def _opened(self, reply: ChatReply, place: ChatPlace) -> bool:
        """Open the form of a reply; False where there is none or Slack opens none any more.

        A trigger lives for three seconds: https://docs.slack.dev/surfaces/modals
        """
        if reply.form is None or not place.trigger:
            return False
        form = views.view(reply.form, place.channel, reply.language, place.response_url)
        try:
            await answered(self._web.views_open(trigger_id=place.trigger, view=form))
        except PublishError as error:
            log.info("form not opened", channel=place.channel, reason=str(error))
            return False
        return True


async def _responded(place: ChatPlace, body: Mapping[str, Any]) -> bool:
    """Answer by the `response_url` of a place, and tell whether Slack says that it took it.

    Where it does not say so the answer goes another way, and may stand there twice for one person.
    """
    try:
        await respond(place.response_url, body)
    except PublishError as error:
        log.info("response_url not usable", channel=place.channel, reason=str(error))
        return False
    return True


def _is_slack(url: str, api: str) -> bool:
    """Return whether an address is of Slack, or of the server that stands for it in tests."""
    try:
        target, known = urlsplit(url), urlsplit(api)
        host = target.hostname or ""
    except ValueError:
        return False
    is_slacks = host == "slack.com" or host.endswith(".slack.com")
    return target[:2] == known[:2] or (target.scheme == "https" and is_slacks)


def _open_button(language: Language) -> Mapping[str, Any]:
    """Return a button that opens the form: pressing it gives a new trigger."""
    label = plain_text(CATALOGUES[language].slack.settings)
    button = {"type": "button", "action_id": OPEN_SETTINGS, "text": label}
    return {"type": "actions", "elements": [button]}
