"""What a chat says beside pages in English."""

from collections.abc import Callable

from digest.wording import chat as of


def _several(one: str, many: str) -> Callable[[int], str]:
    return lambda number: f"{number:,} {one if number == 1 else many}"


DATES = of.Dates(
    weekdays=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    day="{weekday} {day} {month}",
    several_days="{first} – {last}",
    until="{day} until {time}",
    whole_day="all day",
    weekday_names=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
)

BUTTONS = of.Buttons(
    show_all="Show all",
    show_rest="Show them",
    followups="Follow-ups",
    flag="🚩 Flag",
    flag_one="🚩 Flag one of these",
    take="👀 Take",
    done="✅ Done",
    reopen="↩ Reopen",
    watch="🔔 Until released",
    deep_dive="Deep dive",
    choose="Choose",
    which="Choose which one",
    share="Share",
    page="Page",
)

THREAD = of.ThreadWords(
    days=_several("day", "days"),
    repositories=_several("repository", "repositories"),
    followups=_several("open follow-up", "open follow-ups"),
    closed=lambda number: f"{number:,} done",
    left_out=lambda number: f"{number:,} left out by this channel's settings",
    more_here=lambda number: f"{number:,} more in the thread",
    all_here=lambda number: f"{number:,} in the thread",
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
    thread="thread",
    show_all="Show all {count}",
    all_of="All {count} of {name}, {days}",
    mostly_in="mostly {path}",
    nothing_left="Everything is told by title already.",
    week_old="Open for a week or more",
    not_taken="nobody has taken it",
    flagged_by="🚩 flagged by {people}",
    taken_by="👀 taken by {people}",
    done_by="✅ done by {people}",
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
    shared_by="{person} asked, and shares: {asked}",
    changed_by="{person} changed what this channel gets.",
    paused_by="{person} paused this channel.",
    resumed_by="{person} resumed this channel.",
    concern_by="{person} changed what concerns this channel.",
    none_mine="No open follow-up is yours.",
    none_done="No follow-up is done.",
    quiet_since="{repos}: quiet since {since}; last looked at {at}.",
)

UPSTREAM = of.UpstreamWords(
    turns=of.Turns(
        merged="merged",
        closed="closed",
        fixed="fixed by {fix}",
        not_planned="closed as not planned",
        duplicate="closed as a duplicate",
        reopened="opened again",
        linked="{fix} is to fix it",
        reverted="reverted by {by}",
        amended="taken out by force: its commit is not on the default branch any more",
        released="released in {release}",
        pinned="in what this channel pins: {pin}",
        pulled="the release was pulled",
        retitled="its title is now: {title}",
        rewritten="its notes were rewritten",
        missing=("not there any more: deleted, moved or private; it is not followed any further"),
        back="there again",
    ),
    repo_gone="{repo} is not there any more: deleted or private; none of it is followed further",
    corrected="Corrections to what was told before",
    became="What became of what was flagged",
    watching="You hear of {ref} until it is released. Press again to stop.",
    watching_no_more="You hear of {ref} no more.",
    over="{ref}: {became}. There is nothing more to wait for.",
    owner_left="{person} is not here any more: what they took can be taken again",
)

FORM = of.SettingsFormWords(
    title="Infra Digest",
    save="Save",
    close="Cancel",
    new="This channel gets no digest yet. Save, and yesterday's thread comes at once.",
    paused="Paused: {why}. Saving goes on with it.",
    repos="Repositories",
    repos_hint="Short names such as vllm, or OWNER/NAME.",
    repos_shown="Type a name",
    at="Time of day",
    tz="Time zone",
    tz_shown="Type a city, such as Shanghai",
    days="Days",
    language="Language",
    without="Leave out",
    paths="Only changes to these paths",
    paths_hint="Globs such as csrc/** *.cu; empty for all.",
    topics="Only these topics",
    topics_hint="Words such as attention moe; empty for all.",
    concern="What you use",
    concern_hint="models Qwen3, DeepSeek-V4 hardware MI355 flags --max-num-seqs; also paths, "
    "symbols and pins.",
    remove="Codebases and files here: take away",
    remove_hint="What is not ticked stays.",
    add="Add a codebase, or a file by its address",
    add_hint="vllm-project/vllm-ascend of vllm, or https://example.org/own.toml; public, and read "
    "every day.",
    file="Add files",
    file_hint="What infra surface PATH --of REPO wrote, as TOML or JSON; one of the same name is "
    "replaced.",
    quiet="On a day without changes",
    eyes="👀 on what nobody flagged",
    eyes_hint="It opens one unless you choose.",
    threads="Several repositories",
    one_thread="All in one thread",
    own_threads="A thread for each, after a roundup",
    bots="Changes by bots",
    ci="CI and build",
    docs="Documentation",
    quiet_line="Say so in one line",
    quiet_nothing="Post nothing",
    eyes_open="Opens a follow-up",
    eyes_nothing="Does nothing",
)
