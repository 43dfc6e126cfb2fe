"""A platform that keeps a transcript and fails when it is told to, and a forge to tell of."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.parts import Part, Thread
from bot.model.ports import (
    Message,
    MessageGone,
    NoPermission,
    OutcomeUnknown,
    PublishError,
    Unmet,
)
from digest.errors import CouldNotLook, InfraError, NotFound
from digest.languages import Language
from digest.models import Activity, FileChange, Item, Kind, Repo, State, Window
from digest.upstream import Followed, Standing
from digest.writing.rules import plain

KILN = Repo("example-org", "kiln")
LOOM = Repo("example-org", "loom")
SECRET = Repo("example-org", "vault")
CHANNEL = Channel(Platform.SLACK, "T1", "C1")
OTHER = Channel(Platform.SLACK, "T2", "C1")
ADA = Person(Platform.SLACK, "T1", "U1", "ada", tz="Europe/Rome")
BO = Person(Platform.SLACK, "T1", "U2", "bo")
ADA_HERE, BO_HERE = Visit(CHANNEL, ADA), Visit(CHANNEL, BO)


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, 2, day, hour, minute, tzinfo=UTC)


class Killed(BaseException):
    """The process ends here, without a chance to tidy up."""


@dataclass
class Said:
    """One message as the platform has it."""

    ref: str
    parent: str | None
    nonce: str
    payload: str
    deleted: bool = False
    at: datetime = datetime(2026, 2, 12, 9, tzinfo=UTC)

    @property
    def text(self) -> str:
        return str(json.loads(self.payload)["text"])

    @property
    def state(self) -> str:
        return str(json.loads(self.payload)["state"])

    @property
    def buttons(self) -> list[list[str]]:
        return list(json.loads(self.payload)["buttons"])


Step = Callable[[str], None]


@dataclass
class Transcript:
    """A publisher; `step` is told before and after everything that changes something.

    `faults` are raised by the next calls: (`send`, error, whether it was done nevertheless).
    """

    step: Step = lambda name: None
    said: dict[Channel, list[Said]] = field(default_factory=dict)
    faults: list[tuple[str, PublishError, bool]] = field(default_factory=list)
    asked: list[Said] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    edits: int = 0
    count: int = 0
    looked_for: int = 0
    checked: list[Channel] = field(default_factory=list)
    shared: set[Channel] = field(default_factory=set)
    public: set[Channel] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    strangers: set[str] = field(default_factory=set)
    wanting: tuple[Unmet, ...] = ()
    published: list[str] = field(default_factory=list)
    members: dict[Channel, set[str]] = field(default_factory=dict)
    clock: Callable[[], datetime] = lambda: datetime(2026, 2, 12, 9, tzinfo=UTC)

    def render(self, thread: Thread) -> tuple[Message, ...]:
        return tuple(
            _message(part, is_parent=number == 0)
            for number, part in enumerate((thread.parent, *thread.replies))
        )

    def render_parts(self, parts: Sequence[Part], language: Language) -> tuple[Message, ...]:
        return tuple(_message(part, is_parent=False) for part in parts)

    async def send(self, channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        self.step("send")
        fault = self._fault("send")
        if channel.id in self.closed:
            raise NoPermission("takes no messages")
        if fault and not fault[1]:
            raise fault[0]
        self.count += 1
        ref = str(self.count) if channel.platform is Platform.DISCORD else f"{self.count}.0"
        self.said.setdefault(channel, []).append(Said(ref, parent, nonce, payload, at=self.clock()))
        self.step("sent")
        if fault:
            raise fault[0]
        return ref

    async def find(
        self, channel: Channel, nonce: str, *, parent: str | None, since: datetime | None = None
    ) -> str | None:
        self.looked_for += 1
        fault = self._fault("find")
        if fault:
            raise fault[0]
        return next((each.ref for each in self.said.get(channel, []) if each.nonce == nonce), None)

    async def check(self, channel: Channel) -> None:
        self.checked.append(channel)
        fault = self._fault("check")
        if fault:
            raise fault[0]

    async def unmet(self, channel: Channel, *, publish: bool, role: str) -> tuple[Unmet, ...]:
        fault = self._fault("unmet")
        if fault:
            raise fault[0]
        return self.wanting

    async def publish(self, channel: Channel, ref: str) -> None:
        fault = self._fault("publish")
        if fault:
            raise fault[0]
        self.published.append(ref)

    async def is_shared(self, channel: Channel, person: str) -> bool:
        fault = self._fault("is_shared")
        if fault:
            raise fault[0]
        if channel.id.startswith("D"):
            return await self.is_stranger(channel, person)
        return channel in self.shared

    async def fetched(self, url: str, name: str = "") -> str:
        if url not in self.files:
            raise CouldNotLook(f"{url} was not fetched")
        return self.files[url]

    async def is_public(self, channel: Channel) -> bool:
        return channel in self.public

    async def is_stranger(self, channel: Channel, person: str) -> bool:
        fault = self._fault("is_stranger")
        if fault:
            raise fault[0]
        return not person or person in self.strangers

    async def is_member(self, channel: Channel, person: str, *, was_there: bool) -> bool:
        return was_there if channel.id.startswith("D") else person in self.members.get(channel, ())

    async def has_left(self, channel: Channel, person: str) -> bool:
        fault = self._fault("has_left")
        if fault:
            raise fault[0]
        return channel in self.members and person not in self.members[channel]

    async def edit(self, channel: Channel, ref: str, payload: str) -> None:
        self.step("edit")
        fault = self._fault("edit")
        if fault:
            raise fault[0]
        self.at(channel, ref).payload = payload
        self.edits += 1
        self.step("edited")

    async def delete(self, channel: Channel, ref: str) -> None:
        self.at(channel, ref).deleted = True

    async def link(self, channel: Channel, ref: str) -> str:
        return f"https://chat.example/{channel.id}/{ref}"

    async def ask(self, channel: Channel, person: str, payload: str, *, parent: str | None) -> bool:
        fault = self._fault("ask")
        if fault:
            raise fault[0]
        if channel.platform is Platform.DISCORD:
            return False
        self.asked.append(Said("", parent, person, payload))
        return True

    async def direct(self, channel: Channel, person: str) -> Channel:
        fault = self._fault("direct")
        if fault:
            raise fault[0]
        return replace(channel, id=f"D{person}")

    async def tell(self, channel: Channel, person: str, payload: str) -> None:
        fault = self._fault("tell")
        if fault:
            raise fault[0]
        self.told.append((person, str(json.loads(payload)["text"])))

    def at(self, channel: Channel, ref: str) -> Said:
        found = [each for each in self.said[channel] if each.ref == ref and not each.deleted]
        if not found:
            raise MessageGone("the message is gone")
        return found[0]

    def texts(self, channel: Channel = CHANNEL) -> list[str]:
        return [each.text for each in self.said.get(channel, []) if not each.deleted]

    def one(self, words: str, channel: Channel = CHANNEL) -> Said:
        (found,) = (each for each in self.said[channel] if words in each.text and not each.deleted)
        return found

    def reply(self, words: str, channel: Channel = CHANNEL) -> Said:
        """Return the one message of a thread that holds these words; its parent may too."""
        said = (each for each in self.said[channel] if each.parent and not each.deleted)
        (found,) = (each for each in said if words in each.text)
        return found

    def _fault(self, call: str) -> tuple[PublishError, bool] | None:
        if self.faults and self.faults[0][0] == call:
            _, error, done = self.faults.pop(0)
            return error, done
        return None


def _message(part: Part, *, is_parent: bool) -> Message:
    buttons = [[action.kind.value, action.value] for action in part.actions]
    blocks = str(part.blocks)
    payload = {"text": part.summary, "state": plain(part.state), "buttons": buttons, "all": blocks}
    return Message(json.dumps(payload), part.about, is_parent, part.kind)


def unknown(*, done: bool) -> tuple[str, PublishError, bool]:
    return "send", OutcomeUnknown("no answer came"), done


class Forge:
    """Where repositories live: some changes on every day, or none that can be looked at."""

    def __init__(self, clock: Callable[[], datetime], changes: int = 6) -> None:
        self.clock = clock
        self.changes = changes
        self.down: dict[Repo, InfraError] = {}
        self.asked: list[tuple[Repo, str]] = []
        self.standing: dict[str, Standing] = {}
        self.looks: list[int] = []

    async def standings(self, wanted: Sequence[Followed]) -> dict[str, Standing]:
        """Give what a test says of items; else they stand as they were told."""
        if wanted[0].releases:  # asked for a follow-up, not for what was told lately
            self.looks.append(len(wanted))
        if failing := self.down.get(wanted[0].repo):
            raise failing
        merged = Standing(State.MERGED)
        return {each.key: self.standing.get(each.key, merged) for each in wanted}

    async def collect(self, repo: Repo, window: Window) -> Activity:
        self.asked.append((repo, window.label))
        if repo in self.down:
            raise self.down[repo]
        items = []
        day = window.start.replace(hour=0, minute=0)
        while day < window.end:
            items += [self._change(repo, day, number) for number in range(self.changes)]
            day += timedelta(days=1)
        items = [item for item in items if item.at in window]
        return Activity(repo, window, tuple(items), self.clock(), "forge")

    async def find(self, repo: Repo, ref: str) -> Item:
        raise NotFound(f"{repo} has no {ref}")

    def _change(self, repo: Repo, day: datetime, number: int) -> Item:
        own = day.day * 100 + number
        is_big = number < 2
        title = (
            "[Security] Fix CVE-2026-{own} in {name}"
            if is_big
            else "[Bugfix] Mend {name} crash {own}"
        )
        fix = FileChange(f"{repo.name}/server.py", "modified", 90, 20)
        return Item(
            key=f"{repo}:pull_request:{own}",
            repo=repo,
            kind=Kind.PULL_REQUEST,
            ref=f"#{own}",
            title=title.format(name=repo.name, own=own),
            url=f"https://github.com/{repo}/pull/{own}",
            author="wren",
            at=day + timedelta(hours=1, minutes=number),
            state=State.MERGED,
            number=own,
            commits=(f"{own:040x}",),
            files=(fix,),
            additions=900 if is_big else 90,
            deletions=20,
            comments=30 if is_big else 0,
            labels=("high priority", "release-highlight") if is_big else (),
        )
