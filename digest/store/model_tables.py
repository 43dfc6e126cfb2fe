"""The tables of what a model answered and cost."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from digest.store.columns import Moment, Packed


class ModelAnswerRow(SQLModel, table=True):
    """One answer of a model, under all that the model saw.

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
    """The form in which an endpoint's model takes a request for JSON."""

    __tablename__ = "model_endpoint"

    endpoint: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    form: str
