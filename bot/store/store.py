"""The store of the bot, its parts by idea, in the same database as the digests."""

from bot.store.deliveries import Deliveries, Subscriptions
from bot.store.followups import FollowUps, Outgoing
from bot.store.posts import Corrections, Posts
from bot.store.records import (
    ChannelLog,
    ConcernRecords,
    HiddenRepos,
    SourceRecords,
    Timestamps,
    Values,
)
from digest.store.database import Database
from digest.store.store import Leases


class ChannelStore:
    """Everything that is kept of channels."""

    def __init__(self, database: Database, *, announces: bool = False) -> None:
        """Take an open database; `announces` tells that a webhook gets what follow-ups become."""
        self.subscriptions = Subscriptions(database)
        self.deliveries = Deliveries(database)
        self.posts = Posts(database)
        self.followups = FollowUps(database, announces=announces)
        self.concerns = ConcernRecords(database)
        self.log = ChannelLog(database)
        self.leases = Leases(database)
        self.values = Values(database)
        self.timestamps = Timestamps(database)
        self.sources = SourceRecords(database)
        self.corrections = Corrections(database)
        self.outgoing = Outgoing(database)
        self.hidden = HiddenRepos(database)
