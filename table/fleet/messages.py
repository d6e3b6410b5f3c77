"""The messages that go over the broker, as pydantic models: the only source of docs/fleet.schema.json.

Readers must accept unknown keys: a later table may send more. `v` changes only with a breaking change.
"""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"  # used in topics and in Home Assistant's ids
Name = Annotated[str, Field(pattern=NAME)]
Book = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$", description="the journal that the events come from")]
Count = Annotated[int, Field(ge=0, le=2**53)]
Short = Annotated[str, Field(max_length=200)]
Words = Annotated[str, Field(max_length=2000)]


def _finite(value: JsonValue) -> JsonValue:
    """Reject NaN and infinity: pydantic reads them, but they are not JSON, and no subscriber could read them."""
    match value:
        case float() if not isfinite(value):
            raise ValueError("holds a number that is not finite")
        case dict():
            for inner in value.values():
                _finite(inner)
        case list():
            for inner in value:
                _finite(inner)
    return value


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    v: Literal[1] = Field(default=1, description="version of this schema")
    table: Name
    book: Book


class Online(_Message):
    """`…/online`, retained; `online` false is also the last will."""

    online: bool
    closed: bool = Field(default=False, description="not lost: somebody ended it")
    run: Short = Field(default="", description="another one with every start of the table")
    held_s: Annotated[float, Field(ge=0)] = Field(
        default=0.0, description="how long this table has had its name, seconds: of two, the elder keeps it"
    )


class Sentence(BaseModel):
    """What the referee said to everybody."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    event: Short
    tone: Literal["told", "refused", "asks", "over", "notice", "fault"]
    rule: Short | None
    text: Words


class _Standing(_Message):
    """How the game stands, as a spectator may know it."""

    n: Count = Field(description="number of the newest event of this journal")
    game: Short = Field(description="the game's name in the journal")
    of: Short = Field(description="which game it is")
    players: list[Short] = Field(max_length=12)
    phase: Short
    to_act: list[Short] = Field(max_length=12)
    over: Annotated[dict[str, JsonValue] | None, AfterValidator(_finite)]


class Event(_Standing):
    """`…/event`: one entry of the journal. `id` is the same however often it is sent."""

    id: Short = Field(description="<book>-<n>")
    seq: Count = Field(description="number of the journal entry")
    kind: Literal["new", "play", "undo", "redo", "correct", "refused", "note", "close"]
    at: Short = Field(description="UTC, ISO 8601")
    move: Short | None = Field(description="the move, as a spectator may see it")
    said: list[Sentence] = Field(max_length=40)


class State(_Standing):
    """`…/state`, retained: how the table stands now."""

    title: Short = Field(description="what people call this table")
    oldest: Count = Field(description="number of the oldest event that can still be asked for")
    said: Sentence | None = Field(description="the last sentence of the game")
    asks: bool = Field(description="the referee waits for an answer at the table")
    healthy: bool
    faults: list[Words] = Field(max_length=40, description="what is not awake, and why")
    version: Short = Field(description="Polartable's version")


class Again(_Message):
    """`…/again`, from a hub: send the events from `from` on once more; 0 and another's book: is anybody there?"""

    start: Count = Field(alias="from")

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False, populate_by_name=True)


def topic(prefix: str, table: str, what: str) -> str:
    return f"{prefix}/{table}/{what}"


def schema() -> dict[str, Any]:
    """JSON Schema of all four messages."""
    kinds: list[type[BaseModel]] = [Online, State, Event, Again]
    out: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Polartable fleet",
    }
    _, definitions = TypeAdapter.json_schemas([(kind, "validation", TypeAdapter(kind)) for kind in kinds])
    return out | definitions
