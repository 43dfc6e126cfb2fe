"""Models as JSON and back."""

from datetime import UTC, datetime

from digest.codec import dump, load
from digest.models import Event, FileChange, Item, Kind, Repo, State

AT = datetime(2026, 3, 2, 1, 2, 3, tzinfo=UTC)


def item(title: str, **more: object) -> Item:
    fields: dict[str, object] = {
        "key": "a/b:commit:1", "repo": Repo("a", "b"), "kind": Kind.COMMIT, "ref": "1",
        "title": title, "url": "https://x.test", "author": "ada", "at": AT,
        "state": State.MERGED,
    }  # fmt: skip
    return Item(**{**fields, **more})  # type: ignore[arg-type] # fields come by name


def test_what_is_dumped_is_loaded_again() -> None:
    whole = item(
        "Title",
        files=(FileChange("a.py", "added", 1, 0, "@@ -0,0 +1 @@\n+x"),),
        events=(Event("opened", AT),),
    )
    assert load(Item, dump(whole)) == whole


def test_a_lone_surrogate_is_replaced_and_the_rest_stays() -> None:
    whole = item(
        "a\ud800b",
        body="\udfff \U0001f600 数",
        labels=("x\udc80",),
        events=(Event("opened", AT),),
    )
    read = load(Item, dump(whole))
    assert (read.title, read.body, read.labels) == (
        "a\ufffdb",
        "\ufffd \U0001f600 数",
        ("x\ufffd",),
    )
    assert (read.at, read.events, read.kind) == (AT, (Event("opened", AT),), Kind.COMMIT)
