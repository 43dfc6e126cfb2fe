"""What to watch, said in every language: each line names the items that are its evidence."""

from collections.abc import Iterable, Mapping, Sequence

from digest.languages import Language, text_in
from digest.models import Digest, Item, Point
from digest.reading.outlook import OutlookKind, WatchFor
from digest.wording.saying import CATALOGUES
from digest.writing.document import Entry
from digest.writing.phrasing import linked
from digest.writing.rules import called


def outlook_points(watches: Iterable[WatchFor]) -> tuple[Point, ...]:
    """Give what to watch as points, each with the keys of the items that say it."""
    return tuple(
        Point(
            {language: _sentence(watch, language) for language in Language},
            tuple(item.key for item in (*watch.items, *_release(watch))),
        )
        for watch in watches
    )


def outlook_entries(
    points: Sequence[Point], digests: Sequence[Digest], language: Language
) -> tuple[Entry, ...]:
    """Give the points of an outlook with their references linked."""
    items = _items(digests)
    return tuple(
        Entry(
            linked(text_in(point.text, language), _urls(point, items)),
            about=tuple(key for key in point.cites if key in items),
        )
        for point in points
    )


def _sentence(watch: WatchFor, language: Language) -> str:
    words, comma = CATALOGUES[language].outlook, CATALOGUES[language].comma
    titles = comma.join(called(item) for item in watch.items)
    left = watch.count - len(watch.items)
    if left > 0:
        titles += f"{comma}+{left}"
    slots = {"repo": watch.repo.name, "titles": titles}
    match watch.kind:
        case OutlookKind.REVERTED:
            return words.reverted_feature.format(**slots)
        case OutlookKind.RFC:
            return words.rfc.format(**slots)
        case OutlookKind.UNRELEASED:
            release = watch.release
            named = release.ref if release else ""
            day = f"{release.at:%Y-%m-%d}" if release else ""
            count = words.fixes(watch.count)
            return words.unreleased.format(**slots, count=count, release=named, day=day)


def _release(watch: WatchFor) -> tuple[Item, ...]:
    return (watch.release,) if watch.release else ()


def _items(digests: Sequence[Digest]) -> dict[str, Item]:
    items = {}
    for digest in digests:
        for pair in digest.reading.reverts:
            if pair.original is not None:
                items[pair.original.key] = pair.original
        for read in digest.reading.items:
            items[read.item.key] = read.item
    return items


def _urls(point: Point, items: Mapping[str, Item]) -> dict[str, str]:
    """Give the pages of what a point stands on; of a release, that of its tag.

    Two repositories may have the same number, so only the point's own items are known.
    """
    urls = {items[key].ref: items[key].url for key in point.cites if key in items}
    homes = [items[key] for key in point.cites if key in items]
    for key in point.cites:
        repo, mark, tag = key.partition(":release:")
        home, found, _ = homes[0].url.partition(f"/{homes[0].repo}/") if homes else ("", "", "")
        if mark and key not in items and found:
            urls[tag] = f"{home}/{repo}/releases/tag/{tag}"
    return urls
