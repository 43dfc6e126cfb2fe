"""The Home tab: a view of blocks, made anew whenever it is opened.

https://docs.slack.dev/surfaces/app-home
"""

from typing import Any

from adapters.slack.markup import Json
from adapters.slack.render import render_parts
from bot.answer.overviews import HomePage
from digest.wording.saying import CATALOGUES

CHANNEL_CHOSEN = "infra_home_channel"

MOST_BLOCKS = 100
"""Of a view: https://docs.slack.dev/reference/views/home-tab-views"""


def home_view(page: HomePage, notice: str = "") -> dict[str, Any]:
    """Give the view; `notice` stands at its head."""
    words = CATALOGUES[page.language].slack
    blocks = [_text(f"⚠️ {notice}")] if notice else []
    blocks.append(_header(words.home_followups))
    for message in render_parts((page.followups,), page.language):
        blocks += message.payload["blocks"]
    blocks.append(_header(words.home_channels))
    blocks += [_channel(channel.id, said) for channel, said in page.channels] or [
        _text(words.home_none)
    ]
    if page.left_out:
        blocks.append(_text(words.home_more(page.left_out)))
    choose: Json = {
        "type": "conversations_select",
        "action_id": CHANNEL_CHOSEN,
        "placeholder": {"type": "plain_text", "text": words.home_choose},
        "filter": {"include": ["public", "private"], "exclude_bot_users": True},
    }
    blocks += [_header(words.home_set_up), _text(words.home_set_up_how) | {"accessory": choose}]
    return {"type": "home", "blocks": blocks[:MOST_BLOCKS]}


def home_refusal(why: str) -> dict[str, Any]:
    """Give the view that says why there is nothing to see now."""
    return {"type": "home", "blocks": [_text(why)]}


def chosen_channel(body: dict[str, Any]) -> str:
    """Give the channel that was chosen in the view, empty where none was."""
    actions = body.get("actions") or [{}]
    return str(actions[0].get("selected_conversation") or "")


def _header(text: str) -> Json:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _text(text: str) -> Json:
    """Give a sentence of ours, in `mrkdwn`."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def _channel(id: str, said: str) -> Json:
    """Give what is said of a channel as rich text, where nothing in it is markup."""
    elements = [{"type": "channel", "channel_id": id}, {"type": "text", "text": f" {said}"}]
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": elements}],
    }
