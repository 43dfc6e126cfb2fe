"""What a chat says beside the pages: parents, buttons, follow-ups; one set for each language.

Phrases that pages have too come from `digest.writing.wording`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.model.followups import Which
from bot.model.parts import ActionKind
from digest.languages import Language


def _several(one: str, many: str) -> Callable[[int], str]:
    return lambda number: f"{number:,} {one if number == 1 else many}"


@dataclass(frozen=True, slots=True)
class ChatWords:
    """No field has a default, so that a phrase which a language lacks is a type error.

    `day` takes weekday, day and month, `several_days` two such days.
    """

    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    day: str
    several_days: str
    until: str
    whole_day: str
    days: Callable[[int], str]
    repositories: Callable[[int], str]
    followups: Callable[[int], str]
    closed: Callable[[int], str]
    left_out: Callable[[int], str]
    more_here: Callable[[int], str]
    more: Callable[[int], str]
    unseen: str
    caught_up: str
    of_it: str
    in_part: str
    why_in_threads: str
    withheld: Callable[[int], str]
    further_lines: Callable[[int], str]
    thread: str
    show_all: str
    all_of: str
    nothing_left: str
    week_old: str
    not_taken: str
    flagged_by: str
    taken_by: str
    done_by: str
    state: Mapping[str, str]
    untold: str
    which_one: str
    which_one_of: str
    this_message: str
    which_invited: str
    which_more: Callable[[int], str]
    which_change: str
    no_followups: str
    none_of: Mapping[Which, str]
    elsewhere: str
    shared_by: str
    changed_by: str
    paused_by: str
    resumed_by: str
    concern_by: str
    buttons: Mapping[ActionKind, str]


EN = ChatWords(
    weekdays=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    day="{weekday} {day} {month}",
    several_days="{first} – {last}",
    until="{day} until {time}",
    whole_day="all day",
    days=_several("day", "days"),
    repositories=_several("repository", "repositories"),
    followups=_several("open follow-up", "open follow-ups"),
    closed=lambda number: f"{number:,} done",
    left_out=lambda number: f"{number:,} left out by this channel's settings",
    more_here=lambda number: f"{number:,} more in the thread",
    more=lambda number: f"{number:,} more",
    unseen="not looked at: {what}",
    caught_up="{repos}: {days} too, which could not be looked at before.",
    of_it=" ({what})",
    in_part="in part",
    why_in_threads="the threads say why",
    withheld=lambda number: (
        f"{number:,} {'repository' if number == 1 else 'repositories'} may not be told here; "
        "infra status says more to who runs the bot."
    ),
    further_lines=_several("further line", "further lines"),
    thread="thread",
    show_all="Show all {count}",
    all_of="All {count} of {name}, {days}",
    nothing_left="Everything is told by title already.",
    week_old="Open for a week or more",
    not_taken="nobody has taken it",
    flagged_by="🚩 flagged by {people}",
    taken_by="👀 taken by {people}",
    done_by="✅ done by {people}",
    state={"open": "open", "taken": "taken", "done": "done", "gone": "taken back"},
    untold="Too many days to tell: those from {day} until this window are left out. "
    "Ask for them by their dates.",
    which_one="🚩 Which one?",
    which_one_of="🚩 Which one of {message}?",
    this_message="this message",
    which_invited="🚩 A message about several changes was flagged: "
    "whoever flagged it says which one.",
    which_more=_several("more message waits", "more messages wait"),
    which_change="Which one?",
    no_followups="No follow-ups: react with 🚩 to what needs work.",
    none_of={Which.MINE: "No open follow-up is yours.", Which.DONE: "No follow-up is done."},
    elsewhere="{what} on the page of the change: {link}",
    shared_by="{person} asked, and shares: {asked}",
    changed_by="{person} changed what this channel gets.",
    paused_by="{person} paused this channel.",
    resumed_by="{person} resumed this channel.",
    concern_by="{person} changed what concerns this channel.",
    buttons={
        ActionKind.SHOW_ALL: "Show all",
        ActionKind.SHOW_REST: "Show them",
        ActionKind.SHOW_BITES: "Show fixes",
        ActionKind.FOLLOWUPS: "Follow-ups",
        ActionKind.FLAG: "🚩 Flag",
        ActionKind.FLAG_ONE: "🚩 Flag one of these",
        ActionKind.TAKE: "👀 Take",
        ActionKind.DONE: "✅ Done",
        ActionKind.REOPEN: "↩ Reopen",
        ActionKind.WATCH: "🔔 Until released",
        ActionKind.DEEP_DIVE: "Deep dive",
        ActionKind.CHOOSE: "Choose",
        ActionKind.WHICH: "Choose which one",
        ActionKind.SHARE: "Share",
        ActionKind.PAGE: "Page",
    },
)

ZH = ChatWords(
    weekdays=("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    months=tuple(f"{month}月" for month in range(1, 13)),
    day="{month}{day}日 {weekday}",
    several_days="{first} 至 {last}",
    until="{day} 截至 {time}",
    whole_day="全天",
    days=lambda number: f"{number} 天",
    repositories=lambda number: f"{number} 个仓库",
    followups=lambda number: f"{number} 个待跟进",
    closed=lambda number: f"{number} 个已完成",
    left_out=lambda number: f"按本频道设置略去 {number} 项",
    more_here=lambda number: f"另有 {number} 项，见讨论串",
    more=lambda number: f"另有 {number} 项",
    unseen="未能查看：{what}",
    caught_up="{repos}：补上此前未能查看的 {days}。",
    of_it="（{what}）",
    in_part="部分",
    why_in_threads="原因见讨论串",
    withheld=lambda number: (
        f"有 {number} 个仓库不得在此播报；机器人的运行者可用 infra status 查看。"
    ),
    further_lines=lambda number: f"另有 {number} 行",
    thread="讨论串",
    show_all="显示全部 {count} 项",
    all_of="{name} {days}，全部 {count} 项",
    nothing_left="所有条目都已列出标题。",
    week_old="待跟进已满一周",
    not_taken="尚无人接手",
    flagged_by="🚩 {people} 标记",
    taken_by="👀 {people} 接手",
    done_by="✅ {people} 完成",
    state={"open": "待跟进", "taken": "已接手", "done": "已完成", "gone": "已撤回"},
    untold="{day} 起至此时段之前的天数过多，已略去，可按日期查询。",
    which_one="🚩 是哪一项？",
    which_one_of="🚩 是{message}中的哪一项？",
    this_message="这条消息",
    which_invited="🚩 有人标记了包含多项变更的消息：请标记者选择是哪一项。",
    which_more=lambda number: f"另有 {number} 条消息待选择",
    which_change="是哪一项？",
    no_followups="没有跟进项：对需要处理的消息添加 🚩 即可。",
    none_of={Which.MINE: "没有属于你的待跟进项。", Which.DONE: "没有已完成的跟进项。"},
    elsewhere="{what}，见变更页面：{link}",
    shared_by="{person} 查询并分享：{asked}",
    changed_by="{person} 更改了本频道的订阅。",
    paused_by="{person} 暂停了本频道。",
    resumed_by="{person} 恢复了本频道。",
    concern_by="{person} 更改了与本频道有关的内容。",
    buttons={
        ActionKind.SHOW_ALL: "显示全部",
        ActionKind.SHOW_REST: "显示",
        ActionKind.SHOW_BITES: "显示修复",
        ActionKind.FOLLOWUPS: "跟进项",
        ActionKind.FLAG: "🚩 标记",
        ActionKind.FLAG_ONE: "🚩 标记其中一项",
        ActionKind.TAKE: "👀 接手",
        ActionKind.DONE: "✅ 完成",
        ActionKind.REOPEN: "↩ 重新打开",
        ActionKind.WATCH: "🔔 关注至发布",
        ActionKind.DEEP_DIVE: "详细",
        ActionKind.CHOOSE: "选择",
        ActionKind.WHICH: "选择是哪一项",
        ActionKind.SHARE: "分享",
        ActionKind.PAGE: "页面",
    },
)

CHAT_WORDS: Mapping[Language, ChatWords] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
