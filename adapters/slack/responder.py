"""Answers for one person: what is seen while it takes long, the answer itself, or a form."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import aiohttp
import structlog
from slack_sdk.web.async_client import AsyncWebClient

from adapters.operations.retry import refusal
from adapters.slack.errors import MissingScope, translated
from adapters.slack.payloads import Place
from adapters.slack.render import render_parts
from adapters.slack.views import view
from adapters.slack.web import TIMEOUT, answered, respond
from adapters.web.client import text_of
from bot.answer.upgrade_handler import LatestStep
from bot.compose.chat_reply import Attachment, ChatReply
from bot.model.ports import NoPermission, OutcomeUnknown, PublishError, Refused
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, said

SLACK = "slack.com"
SCOPE = "files:read"


async def uploaded(web: AsyncWebClient, url: str, name: str) -> str:
    """Return the text of an uploaded file; raises `PublishError` and `UsageError`.

    The file's `url_private_download` is asked with the bot's token, which is given to Slack
    alone; it needs `files:read`. Without it Slack answers with a page
    (https://docs.slack.dev/reference/objects/file-object).
    """
    if not _is_slack(url, web.base_url):
        raise NoPermission(SAY.slack.scope_named(SCOPE))
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    try:
        async with (
            aiohttp.ClientSession(trust_env=True, timeout=timeout) as session,
            session.get(
                url, headers={"Authorization": f"Bearer {web.token}"}, allow_redirects=False
            ) as answer,
        ):
            if answer.status != 200 or answer.content_type == "text/html":
                raise NoPermission(SAY.slack.scope_named(SCOPE))
            return await text_of(answer, name)
    except (TimeoutError, aiohttp.ClientError) as error:
        raise translated(error) from error


def _is_slack(url: str, api: str) -> bool:
    """Return whether an address is of Slack, or of the server that stands for it in tests."""
    try:
        target, known = urlsplit(url), urlsplit(api)
        host = target.hostname or ""
        if target[:2] == known[:2]:
            return True
        return target.scheme == "https" and (host == SLACK or host.endswith(f".{SLACK}"))
    except ValueError:
        return False


PATIENCE = 0.8
"""Seconds until a person is told that it takes longer."""

STEPS_AFTER = (10.0, 50.0)
"""Seconds until a step is told, and then another: with the answer's messages Slack takes few."""

RESPONSES = 5
"""Uses of a `response_url`: https://docs.slack.dev/interactivity/handling-user-interaction"""

PAUSES = (0.5, 2.0)
"""Seconds between tries at a `response_url`, the only way where the bot is in no channel."""
LONGEST_WAIT = 30.0
"""Seconds that a limit is waited for while somebody waits."""

OPEN_SETTINGS = "infra_open_settings"


Work: TypeAlias = Callable[[], Coroutine[Any, Any, ChatReply | None]]

log = structlog.get_logger()


class Responder:
    """Shows replies to the one person who asked."""

    def __init__(self, web: AsyncWebClient, patience: float = PATIENCE) -> None:
        self._web = web
        self._patience = patience
        self._has_files = True

    async def give(
        self,
        work: Work,
        place: Place,
        language: Callable[[], Awaitable[Language]],
        *,
        replaces: bool = False,
        in_place: bool = False,
        steps: LatestStep | None = None,
    ) -> None:
        """Do the work and show what comes of it, saying so before where it takes long.

        `language` is for what is said without a reply; it is asked late, when more is known of the
        person. `replaces` tells that the `response_url` is of a command: there the answer takes the
        place of what was said before. (Of a button it would take the place of the message that the
        button is on.) `in_place` is for a button of a message that the person alone sees, and that
        is over once it is answered: there it does. `steps` are told by edits meanwhile, where there
        is a `response_url` that is used no more than Slack takes.
        """
        task = asyncio.create_task(work())
        shown_steps = 0
        try:
            await asyncio.wait({task}, timeout=self._patience)
            if not task.done():
                shown_steps = await self._line(
                    CATALOGUES[await language()].slack.working, place, replace=in_place
                )
            if steps and replaces and shown_steps:
                async for step in steps.during(task, STEPS_AFTER):
                    line = said(step, await language())
                    shown_steps += await self._line(line, place, replace=True)
            reply = await task
        except Exception:
            await self._line(
                CATALOGUES[await language()].chat.broken,
                place,
                replace=in_place or (replaces and shown_steps > 0),
            )
            raise
        finally:
            task.cancel()
        if (
            reply is None
            or (reply.is_posted and not shown_steps)
            or await self._opened(reply, place)
        ):
            return
        await self._show(
            reply, place, used=shown_steps, replace=in_place or (replaces and shown_steps > 0)
        )
        if reply.file:
            await self._attach(reply.file, reply.language, place)

    async def read(self, url: str, name: str) -> str:
        """Return the text of an uploaded file; raises `PublishError` and `UsageError`."""
        return await uploaded(self._web, url, name)

    async def publish(self, user: str, view: Mapping[str, Any]) -> None:
        """Show a person their Home tab; where Slack does not take it, that is logged.

        https://docs.slack.dev/reference/methods/views.publish
        """
        try:
            await answered(self._web.views_publish(user_id=user, view=dict(view)))
        except PublishError as error:
            log.warning("home not shown", person=user, reason=str(error))

    async def _show(self, reply: ChatReply, place: Place, *, used: int, replace: bool) -> None:
        payloads = [dict(each.payload) for each in render_parts(reply.parts, reply.language)]
        if reply.form and payloads:
            payloads[-1]["blocks"] = [*payloads[-1].get("blocks", ()), _open_button(reply.language)]
        for number, payload in enumerate(payloads):
            at_url = used + number < RESPONSES
            await self._say(payload, place, replace=replace and number == 0, at_url=at_url)

    async def _attach(self, file: Attachment, language: Language, place: Place) -> None:
        """Send a file to the person alone, in their direct messages: elsewhere others see it.

        What is said of it comes with it, since an upload that fails leaves nothing there then.
        https://docs.slack.dev/messaging/working-with-files
        """
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
            await self._line(say.no_file(said(error.why, language)), place)

    async def _line(self, text: str, place: Place, *, replace: bool = False) -> int:
        """Show one sentence, and tell whether that used the `response_url`: 1 or 0."""
        await self._say({"text": text}, place, replace=replace, direct=False)
        return 1 if place.response_url else 0

    async def _say(
        self,
        payload: Mapping[str, Any],
        place: Place,
        *,
        replace: bool = False,
        at_url: bool = True,
        direct: bool = True,
    ) -> None:
        """Show one message to the person alone; what cannot be shown is logged.

        Where the bot is not in the channel, what is too much for the `response_url` is told by
        direct message, unless it says only how far something is.
        """
        body = {"response_type": "ephemeral", "replace_original": replace, **payload}
        if place.thread:
            body["thread_ts"] = place.thread
        if place.response_url and at_url and await _responded(place, body):
            return
        try:
            await answered(
                self._web.chat_postEphemeral(
                    channel=place.channel,
                    user=place.person,
                    thread_ts=place.thread or None,
                    text=payload.get("text"),
                    blocks=payload.get("blocks"),
                )
            )
        except PublishError as error:
            log.info("answer not shown in the channel", channel=place.channel, reason=str(error))
            if isinstance(error, OutcomeUnknown) or not direct:
                return
        else:
            return
        try:
            await answered(
                self._web.chat_postMessage(
                    channel=place.person,
                    text=payload.get("text"),
                    blocks=payload.get("blocks"),
                    unfurl_links=False,
                    unfurl_media=False,
                )
            )
        except PublishError as error:
            log.warning("answer not shown", channel=place.channel, reason=str(error))

    async def _opened(self, reply: ChatReply, place: Place) -> bool:
        """Open the form of a reply; False where there is none or Slack opens none any more.

        A trigger lives for three seconds: https://docs.slack.dev/surfaces/modals
        """
        if reply.form is None or not place.trigger:
            return False
        form = view(
            *(reply.form, place.channel, reply.language, place.response_url), files=self._has_files
        )
        try:
            await answered(self._web.views_open(trigger_id=place.trigger, view=form))
        except PublishError as error:
            # An app from before has no scope for files: the next form is without them.
            self._has_files = self._has_files and not isinstance(error, MissingScope | Refused)
            log.info("form not opened", channel=place.channel, reason=str(error))
            return False
        return True


async def _responded(place: Place, body: Mapping[str, Any]) -> bool:
    """Answer by the `response_url` of a place, and tell whether Slack took it.

    Where Slack failed it is asked again: an answer may then stand there twice, for one person. One
    of which that is still not known is sent no other way.
    """
    send = partial(respond, place.response_url, body)
    refused = await refusal(send, PAUSES, LONGEST_WAIT, repeats=True)
    if refused:
        log.info("response_url not usable", channel=place.channel, reason=str(refused))
    return refused is None or isinstance(refused, OutcomeUnknown)


def _open_button(language: Language) -> Mapping[str, Any]:
    """Return a button that opens the form: pressing it gives a new trigger."""
    label = {"type": "plain_text", "text": CATALOGUES[language].slack.settings}
    button = {"type": "button", "action_id": OPEN_SETTINGS, "text": label}
    return {"type": "actions", "elements": [button]}
