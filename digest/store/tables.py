"""The tables of the digest store, in the words of `digest.models`.

`repo` columns hold `owner/name` in lower case, as GitHub takes either spelling for the same
repository. `source` says who was asked (`github`, `git:PATH`), since two sources tell the same
change differently. Text written by strangers stands in packed JSON, never in a text column, as
PostgreSQL refuses some characters there (U+0000); `words` is made of letters and digits alone.
"""

from datetime import datetime

from sqlmodel import Field, SQLModel

from digest.store.columns import Moment, Packed, table_of


class ItemRow(SQLModel, table=True):
    """One item of a repository, stored once and shared by all windows.

    `whole` tells that it was collected inside a window; what was merely seen after one (`later`)
    may lack files and never replaces a whole item. `reverting` tells that its title says so.
    """

    __tablename__ = "item"

    source: str = Field(primary_key=True)
    repo: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    kind: str
    whole: bool
    reverting: bool
    collected_at: datetime = Field(sa_type=Moment)
    body: bytes = Field(sa_type=Packed)


class ItemTimeRow(SQLModel, table=True):
    """The moments at which an item belongs to a window: a landing, or any event of an issue."""

    __tablename__ = "item_time"

    source: str = Field(primary_key=True)
    repo: str = Field(primary_key=True)
    at: datetime = Field(primary_key=True, sa_type=Moment)
    key: str = Field(primary_key=True, index=True)


class CoverageRow(SQLModel, table=True):
    """Intervals `[starts_at, ends_at)` that were collected, whole or with gaps.

    One that was collected again keeps an empty interval where another head was seen then.
    """

    __tablename__ = "coverage"

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(index=True)
    repo: str = Field(index=True)
    starts_at: datetime = Field(sa_type=Moment)
    ends_at: datetime = Field(sa_type=Moment)
    collected_at: datetime = Field(sa_type=Moment)
    complete: bool
    default_branch: str
    head: str
    body: bytes = Field(sa_type=Packed)


class DigestRow(SQLModel, table=True):
    """Digests in all languages, with their items. `final` ones never have to be made again."""

    __tablename__ = "digest"

    source: str = Field(primary_key=True)
    repo: str = Field(primary_key=True)
    starts_at: datetime = Field(primary_key=True, sa_type=Moment)
    ends_at: datetime = Field(primary_key=True, sa_type=Moment)
    tz: str = Field(primary_key=True)
    label: str
    partial: bool
    final: bool
    collected_at: datetime = Field(sa_type=Moment)
    body: bytes = Field(sa_type=Packed)


class ToldItemRow(SQLModel, table=True):
    """Items as a digest last told them, to be searched and explained."""

    __tablename__ = "told_item"

    source: str = Field(primary_key=True)
    repo: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment, index=True)
    score: int
    collected_at: datetime = Field(sa_type=Moment)
    title_words: str
    words: str
    body: bytes = Field(sa_type=Packed)


class StoryRow(SQLModel, table=True):
    """Stories as a window told them, or parts that wait for more; a later window goes on with them.

    One row for each window, so that a day that is told again goes on with what was before it.
    """

    __tablename__ = "story"

    source: str = Field(primary_key=True)
    repo: str = Field(primary_key=True)
    starts_at: datetime = Field(primary_key=True, sa_type=Moment)
    ends_at: datetime = Field(primary_key=True, sa_type=Moment)
    place: int = Field(primary_key=True)
    body: bytes = Field(sa_type=Packed)


class HTTPAnswerRow(SQLModel, table=True):
    """Remembered HTTP answers; `key` is a hash, since an address can be longer than an index."""

    __tablename__ = "http_answer"

    key: str = Field(primary_key=True)
    etag: str
    link: str
    permanent: bool
    checked_at: datetime = Field(sa_type=Moment)
    body: bytes = Field(sa_type=Packed)


class WatchedRepoRow(SQLModel, table=True):
    """Repositories that somebody named, with the alias that each answers to."""

    __tablename__ = "watched_repo"

    alias: str = Field(primary_key=True)
    owner: str
    name: str
    added_at: datetime = Field(sa_type=Moment)


class LeaseRow(SQLModel, table=True):
    """What one process at a time may do, held by `owner` until it says so no more."""

    __tablename__ = "hold"

    name: str = Field(primary_key=True)
    owner: str
    until: datetime = Field(sa_type=Moment)


class ModelAnswerRow(SQLModel, table=True):
    """Answers of a model, under all that the model saw.

    `about` is an item's key, or several; `body` holds the request, the text and its cost.
    """

    __tablename__ = "model_answer"

    key: str = Field(primary_key=True)
    repo: str
    about: str = Field(index=True)
    task: str
    model: str
    asked_at: datetime = Field(sa_type=Moment, index=True)
    body: bytes = Field(sa_type=Packed)


class ModelSpendingRow(SQLModel, table=True):
    """What a model cost on one day in UTC (`2026-02-12`)."""

    __tablename__ = "model_spending"

    day: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    calls: int
    input_tokens: int
    output_tokens: int


class ModelEndpointRow(SQLModel, table=True):
    """What earlier versions kept of how a model takes a request for JSON; nothing reads it."""

    __tablename__ = "model_endpoint"

    endpoint: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    form: str


ITEMS = table_of(ItemRow)
ITEM_TIMES = table_of(ItemTimeRow)
COVERAGE = table_of(CoverageRow)
DIGESTS = table_of(DigestRow)
TOLD_ITEMS = table_of(ToldItemRow)
STORIES = table_of(StoryRow)
HTTP_ANSWERS = table_of(HTTPAnswerRow)
WATCHED_REPOS = table_of(WatchedRepoRow)
LEASES = table_of(LeaseRow)
MODEL_ANSWERS = table_of(ModelAnswerRow)
MODEL_SPENDING = table_of(ModelSpendingRow)
