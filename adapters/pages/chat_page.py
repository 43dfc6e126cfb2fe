"""A page that shows messages side by side as Slack and as Discord draw them."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.pages.chat_messages import Message
from adapters.pages.html import template
from digest.languages import Language
from digest.wording.saying import CATALOGUES

OPEN_MESSAGES = 4
"""Messages of a scene that are seen at once; the others are unfolded."""


PICTURE_WIDTH = 640


@dataclass(frozen=True, slots=True)
class Shown:
    """A message at a time of the day; `private` says that one person alone sees it."""

    message: Message
    time: str
    in_thread: bool = False
    private: str = ""
    reactions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What both platforms show at one moment."""

    title: str
    note: str
    slack: Sequence[Shown]
    discord: Sequence[Shown]


@dataclass(frozen=True, slots=True)
class ChatPage:
    """A whole page; `more` leads to the messages that are folded, `texts` are titled."""

    title: str
    intro: str
    more: str
    scenes: Sequence[Scene]
    texts: Sequence[tuple[str, str]]
    open_messages: int = OPEN_MESSAGES


def render(page: ChatPage, language: Language) -> str:
    """Give the page as one HTML file that asks for nothing from outside."""
    return template("chat.html.jinja").render(page=page, language=CATALOGUES[language].html_tag)


def picture(
    shown: Sequence[Shown], platform: str, title: str, height: int, language: Language
) -> str:
    """Give messages of a platform, in lower case, as an SVG that asks for nothing from outside.

    Nothing measures how high they are: what does not fit into `height` pixels fades out.
    """
    return template("chat.svg.jinja").render(
        shown=shown,
        platform=platform,
        title=title,
        width=PICTURE_WIDTH,
        height=height,
        language=CATALOGUES[language].html_tag,
    )
