"""The table of commands: one row for each, from which help and docs/commands.md are made."""

from dataclasses import dataclass

from bot.model.commands import nearest, shown
from digest.errors import UsageError
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY


@dataclass(frozen=True, slots=True)
class HelpRow:
    """One command: its topic, its form, one example that works, and what it gives."""

    topic: str
    form: str
    example: str
    gives: Phrase


GIVES = SAY.gives

READING_ROWS: tuple[HelpRow, ...] = (
    HelpRow("repo", "REPO [WHEN]", "sglang 2026-02-11", GIVES.repo),
    HelpRow("span", "REPO FROM..TO", "vllm v0.15.0..v0.16.0", GIVES.span),
    HelpRow("change", "REPO N | pr/N | #N | SHA | vX.Y | URL", "sglang 18905", GIVES.change),
    HelpRow("all", "all [WHEN]", "all week", GIVES.all),
    HelpRow("search", "search WORDS", "search flash attention", GIVES.search),
    HelpRow("ask", "QUESTION", "what broke for MI300 since monday", GIVES.ask),
    HelpRow("repos", "repos", "repos", GIVES.repos),
    HelpRow("watch", "watch OWNER/NAME [as ALIAS]", "watch pytorch/pytorch as torch", GIVES.watch),
    HelpRow("unwatch", "unwatch ALIAS", "unwatch torch", GIVES.unwatch),
    HelpRow("why", "why REPO N", "why sglang 18905", GIVES.why),
    HelpRow("help", "help [TOPIC]", "help change", GIVES.help),
)

CHANNEL_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "subscribe",
        "subscribe REPO… [at 09:00] [tz ZONE] [on daily|weekdays|weekly|mon,wed] [in zh|en] "
        "[without bots,ci,docs] [paths GLOB…] [topics WORD…] [quiet line|nothing] "
        "[eyes open|nothing] [publish yes|no] [mention ROLE breaks,security|nothing] "
        "[one thread|own threads] [show now|later]",
        "subscribe vllm sglang at 09:00 on weekdays tz Asia/Shanghai in zh without bots,ci",
        GIVES.subscribe,
    ),
    HelpRow("unsubscribe", "unsubscribe REPO…|all", "unsubscribe sglang", GIVES.unsubscribe),
    HelpRow("pause", "pause", "pause", GIVES.pause),
    HelpRow("resume", "resume", "resume", GIVES.resume),
    HelpRow("subscriptions", "subscriptions", "subscriptions", GIVES.subscriptions),
    HelpRow(
        "followups", "followups [mine|open|done|all|everywhere]", "followups mine", GIVES.followups
    ),
    HelpRow(
        "concern",
        "concern [models|hardware|flags|paths|symbols|pins WORD,…] "
        "[add OWNER/NAME of REPO|https://…] [remove NAME|all]",
        "concern models Qwen3, DeepSeek-V4 hardware MI355",
        GIVES.concern,
    ),
    HelpRow(
        "upgrade", "upgrade REPO [FROM..TO]", "upgrade vllm v0.15.0..v0.16.0", GIVES.channel_upgrade
    ),
    HelpRow("settings", "settings", "settings", GIVES.settings),
)

CHAT_ROWS = (
    *(row for row in READING_ROWS if row.topic not in ("watch", "unwatch", "help")),
    *CHANNEL_ROWS,
    *(row for row in READING_ROWS if row.topic == "help"),
)
"""The table of a channel, where repositories are not watched but subscribed."""

WHEN = "today · yesterday · 2026-02-11 · 2026-02-09..2026-02-11 · week · since fri"
LANGUAGES = "in en · in zh"


def rows_about(topic: str, rows: tuple[HelpRow, ...]) -> tuple[HelpRow, ...]:
    """Give the row of a topic, or all rows for no topic; `UsageError` suggests the nearest."""
    if not topic:
        return rows
    found = tuple(row for row in rows if row.topic == topic)
    if found:
        return found
    topics = tuple(dict.fromkeys(row.topic for row in rows))
    meant = nearest(topic, topics)
    other = SAY.commands.topics(topics)
    hint = SAY.commands.did_you_mean(Example(f"help {meant}")) if meant else other
    raise UsageError(SAY.commands.no_help(shown(topic), hint))
