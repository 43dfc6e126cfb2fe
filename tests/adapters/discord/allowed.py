"""What Discord accepts of a message, written down once more, apart from the code that keeps to it.

https://docs.discord.com/developers/resources/message#create-message and
https://docs.discord.com/developers/components/reference
"""

from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]

FIELDS = {"content", "embeds", "components", "flags", "allowed_mentions"}


EMBED = {"title", "url", "description", "color"}


def faults(payload: Json) -> list[str]:
    """Give what Discord would refuse in a message; nothing for one that it takes."""
    found = [] if set(payload) == FIELDS else [f"fields {sorted(payload)}"]
    found += [] if payload["allowed_mentions"] == {"parse": []} else ["it may ping"]
    found += [] if _units(payload["content"]) <= 2_000 else ["content above 2,000"]
    # Content alone shows no previews; above an embed it must not hide that.
    bare = payload["content"] and not payload["embeds"]
    found += [] if payload["flags"] == (4 if bare else 0) else ["flags"]
    if not (payload["content"].strip() or payload["embeds"] or payload["components"]):
        found.append("nothing to see")
    found += [fault for embed in payload["embeds"] for fault in _embed(embed)]
    found += [] if sum(_size(embed) for embed in payload["embeds"]) <= 6_000 else ["embeds"]
    found += [] if len(payload["embeds"]) <= 10 else ["more than 10 embeds"]
    rows = payload["components"]
    found += [] if len(rows) <= 5 else [f"{len(rows)} rows"]
    found += [fault for row in rows for fault in _row(row)]
    ids = [each["custom_id"] for row in rows for each in row["components"] if "custom_id" in each]
    found += [] if len(ids) == len(set(ids)) else ["a custom_id twice"]
    weight = sum(len(text.encode()) for text in texts(payload))
    found += [] if weight <= 10_000 else [f"{weight} bytes"]
    return found


def texts(value: object) -> Iterator[str]:
    """Give every text in a payload."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _between(text: str, most: int, what: str) -> list[str]:
    return [] if 1 <= _units(text.strip()) <= most else [f"{what} of {_units(text)} units"]


def _size(embed: Json) -> int:
    return _units(embed.get("title", "")) + _units(embed.get("description", ""))


def _embed(embed: Json) -> list[str]:
    found = [] if set(embed) <= EMBED else ["fields of an embed"]
    found += [] if "title" in embed or "description" in embed else ["an embed without text"]
    if "title" in embed:
        found += _between(embed["title"], 256, "title")
    if not embed.get("url", "https://github.com/").startswith(("https://", "http://")):
        found.append("an address that is none")
    if "description" in embed:
        found += _between(embed["description"], 4_096, "description")
    return found


def _row(row: Json) -> list[str]:
    inner = row["components"]
    menus = [each for each in inner if each["type"] == 3]
    found = [] if row["type"] == 1 and inner else ["a row"]
    if menus:
        found += [] if len(inner) == 1 else ["a menu beside something"]
        return found + [fault for menu in menus for fault in _menu(menu)]
    found += [] if len(inner) <= 5 else [f"{len(inner)} buttons"]
    return found + [fault for button in inner for fault in _button(button)]


def _menu(menu: Json) -> list[str]:
    options = menu["options"]
    found = _between(menu["custom_id"], 100, "custom_id")
    found += [] if 1 <= len(options) <= 25 else [f"{len(options)} options"]
    values = [option["value"] for option in options]
    found += [] if len(values) == len(set(values)) else ["a value twice"]
    for option in options:
        found += _between(option["label"], 100, "label") + _between(option["value"], 100, "value")
    return found


def _button(button: Json) -> list[str]:
    found = _between(button["label"], 80, "label")
    if button["style"] == 5:
        return [*found, *_between(button["url"], 512, "url")]
    found += [] if button["style"] in {1, 2, 3, 4} else ["style"]
    return [*found, *_between(button["custom_id"], 100, "custom_id")]
