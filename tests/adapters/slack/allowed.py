"""What Slack accepts of a message, written down once more, apart from the code that keeps to it.

https://docs.slack.dev/reference/block-kit/blocks
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]


def faults(payload: Json) -> list[str]:
    """Give what Slack would refuse in a message; nothing for one that it takes."""
    blocks = payload["blocks"]
    found = [] if payload["text"] else ["no text"]
    found += [] if len(payload["text"].encode()) <= 4_000 else ["text above 4,000 bytes"]
    found += [] if 1 <= len(blocks) <= 50 else [f"{len(blocks)} blocks"]
    found += [] if _sum(blocks) <= 13_200 else [f"{_sum(blocks)} characters in all"]
    for block in blocks:
        found += _BLOCKS[block["type"]](block)
    return found


def texts(value: object, keys: Sequence[str] = ("text",)) -> Iterator[str]:
    """Give every text in a block."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in keys and isinstance(inner, str):
                yield inner
            else:
                yield from texts(inner, keys)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, keys)


def _escaped(text: str) -> int:
    return len(text) + 4 * text.count("&") + 3 * text.count("<") + 3 * text.count(">")


def _sum(blocks: object) -> int:
    return sum(_escaped(text) for text in texts(blocks, ("text", "url")))


def _between(text: str, most: int, what: str) -> list[str]:
    return [] if 1 <= len(text) <= most else [f"{what} of {len(text)} characters"]


def _header(block: Json) -> list[str]:
    plain = [] if block["text"]["type"] == "plain_text" else ["a header is plain text"]
    return plain + _between(block["text"]["text"], 150, "header")


def _context(block: Json) -> list[str]:
    found = [] if 1 <= len(block["elements"]) <= 10 else ["elements of a context"]
    for element in block["elements"]:
        found += _between(element["text"], 3_000, "context")
    return found


def _actions(block: Json) -> list[str]:
    found = [] if 1 <= len(block["elements"]) <= 25 else ["elements of actions"]
    ids = [element["action_id"] for element in block["elements"]]
    found += [] if len(set(ids)) == len(ids) else ["action_id twice"]
    for element in block["elements"]:
        found += _between(element["action_id"], 255, "action_id")
        if element["type"] == "button":
            found += _between(element["text"]["text"], 75, "button")
            found += [] if len(element.get("value", "")) <= 2_000 else ["value"]
            found += [] if len(element.get("url", "")) <= 3_000 else ["url"]
        else:
            options = element["options"]
            found += [] if 1 <= len(options) <= 100 else ["options"]
            for option in options:
                found += _between(option["text"]["text"], 75, "option")
                found += _between(option["value"], 150, "value of an option")
    return found


def _rich_text(block: Json) -> list[str]:
    found = [] if block["elements"] else ["empty rich text"]
    for element in block["elements"]:
        inner = element["elements"]
        found += [] if inner else [f"empty {element['type']}"]
        if element["type"] == "rich_text_list":
            for item in inner:
                found += [] if item["elements"] else ["empty list item"]
                found += _inline(item["elements"])
        else:
            found += _inline(inner)
    return found


def _inline(elements: Sequence[Json]) -> list[str]:
    found = []
    for element in elements:
        if element["type"] not in ("text", "link"):
            found.append(f"{element['type']} in rich text")
        if not element["text"]:
            found.append("empty text")
        if element["type"] == "link" and not element["url"].startswith(("https://", "http://")):
            found.append(f"a link to {element['url']}")
    return found


_BLOCKS = {
    "header": _header,
    "context": _context,
    "actions": _actions,
    "rich_text": _rich_text,
}
