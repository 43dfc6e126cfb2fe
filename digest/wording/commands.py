"""How commands are read, and what help tells of them."""

from collections.abc import Callable
from typing import Generic

from digest.phrase import Example
from digest.wording.area import Area, Sentence, says


class Commands(Area, Generic[Sentence]):
    """How a command is read."""

    too_long: Callable[[object, object, Example], Sentence] = says(
        lambda count, most, example: (
            f"{count} characters are too many for a command, {most} can be read: {example}"
        )
    )
    did_you_mean_command: Callable[[object, Example], Sentence] = says(
        lambda first, meant: f"there is no command {first}: did you mean {meant}?"
    )
    for_command_line: Callable[[object, Example], Sentence] = says(
        lambda first, instead: f"{first} is for the command line, here it is: {instead}"
    )
    all_for_command_line: Callable[[Example], Sentence] = says(
        lambda instead: f"that is for the command line, here it is: {instead}"
    )
    no_more_words: Callable[[object, Example], Sentence] = says(
        lambda command, example: f"{command} takes no more words: {example}"
    )
    no_words: Callable[[Example], Sentence] = says(
        lambda example: f"say what to search for: {example}"
    )
    nothing_to_search: Sentence = says("nothing to search for: write `infra search WORDS`")
    no_item: Callable[[Example], Sentence] = says(lambda example: f"say which item: {example}")
    no_help: Callable[[object, object], Sentence] = says(
        lambda topic, hint: f"there is no help about {topic}: {hint}"
    )
    topics: Callable[[object], Sentence] = says(lambda topics: f"topics are {topics}")
    did_you_mean: Callable[[str], Sentence] = says(lambda meant: f"did you mean {meant}?")
    not_this_time: Callable[[object, Example], Sentence] = says(
        lambda when, meant: f"{when} is not a time: did you mean {meant}?"
    )
    neither_time_nor_change: Callable[[object, Example, Example, Example], Sentence] = says(
        lambda when, first, second, third: (
            f"{when} is neither a time nor a change: {first}, {second} or {third}"
        )
    )
    no_channel: Callable[[object], Sentence] = says(
        lambda text: f"{text} is no channel: write slack:TEAM/CHANNEL or discord:GUILD/CHANNEL"
    )
    nobody: Callable[[object], Sentence] = says(
        lambda word: (
            f"{word} is nobody: write members, admins, or people and "
            "groups as slack:T0123/U0456, slack:T0123/S0456, discord:1234/5678 or "
            "discord:1234/role:5678"
        )
    )


class Repositories(Area, Generic[Sentence]):
    """Names of repositories."""

    unknown: Callable[[object, object], Sentence] = says(
        lambda name, hint: f"there is no repository called {name}: {hint}"
    )
    write: Callable[[object], Sentence] = says(lambda names: f"write OWNER/NAME, or one of {names}")
    watched: Callable[[object, object], Sentence] = says(
        lambda repo, alias: f"{repo} is watched as {alias}"
    )
    not_watched: Callable[[object], Sentence] = says(
        lambda alias: f"{alias} is not watched any more"
    )
    only_this: Callable[[object], Sentence] = says(
        lambda repo: f"this source holds {repo} alone: leave --source out"
    )
    alias_taken: Callable[[object, object, object, object], Sentence] = says(
        lambda alias, taken, repo, other: f"{alias} already means {taken}: watch {repo} as {other}"
    )
    no_alias: Callable[[object, object], Sentence] = says(
        lambda alias, hint: f"{alias} is not the alias of a watched repository: {hint}"
    )
    only_this_not: Callable[[object, object, object], Sentence] = says(
        lambda only, name, short: f"this source holds {only} alone, not {name}: write {short}"
    )
    not_owner_name: Callable[[object, object], Sentence] = says(
        lambda name, example: f"{name} is not of the form OWNER/NAME: {example}"
    )
    alias_is_word: Callable[[object, object], Sentence] = says(
        lambda alias, repo: f"{alias} is a word of a command: watch {repo} as my-{alias}"
    )
    alias_letter: Callable[[object, object], Sentence] = says(
        lambda alias, example: f"an alias begins with a letter, unlike {alias}: {example}"
    )
    which_alias: Sentence = says("say which alias: unwatch torch")
    watch_which: Callable[[object], Sentence] = says(
        lambda example: f"say which repository to watch: {example}"
    )


class Windows(Area, Generic[Sentence]):
    """Days, spans and zones."""

    no_zone: Callable[[object, object], Sentence] = says(
        lambda name, hint: f"no time zone is called {name}: {hint}"
    )
    zones: Sentence = says("zones have names such as UTC, Asia/Shanghai or Europe/Berlin")
    one_end: Callable[[object, object, object], Sentence] = says(
        lambda words, yesterday, today: f"{words} has one end: write {yesterday}..{today}"
    )
    one_end_of_tags: Callable[[object], Sentence] = says(
        lambda words: f"{words} has one end: name two tags or SHAs, such as v0.15.0..v0.15.1"
    )
    not_a_time: Callable[[object, object], Sentence] = says(
        lambda words, hint: f"{words} is not a time: {hint}"
    )
    forms: Callable[[object], Sentence] = says(lambda forms: f"write one of {forms}")
    not_a_date: Callable[[object, object], Sentence] = says(
        lambda words, today: f"{words} is not a date: write year-month-day, such as {today}"
    )
    no_such_day: Callable[[object, object, object, object, object], Sentence] = says(
        lambda words, month_name, year, length, near_day: (
            f"{words} does not exist, {month_name} {year} has {length} days: try {near_day}"
        )
    )
    two_zones: Callable[[object, object, object], Sentence] = says(
        lambda name, one, other: f"{name} is the time of {one} and of {other}: write one of them"
    )
    no_days: Sentence = says("no day is too few: try yesterday")
    backwards: Callable[[object, object], Sentence] = says(
        lambda first, last: f"{first}..{last} runs backwards: write {last}..{first}"
    )
    to_come: Callable[[object, object, object, object], Sentence] = says(
        lambda last, today, key, near: (
            f"{last} is still to come, it is {today} in {key}: try {near}"
        )
    )
    too_early: Callable[[object, object], Sentence] = says(
        lambda first, first_day: f"{first} is before git's first day: start at {first_day} or later"
    )
    too_long: Callable[[object, object, object, object], Sentence] = says(
        lambda count, max_days, near_first, last: (
            f"{count} days are too many, a digest has at most {max_days}: try {near_first}..{last}"
        )
    )
    just_begun: Callable[[object, object], Sentence] = says(
        lambda today, key: f"{today} has only just begun in {key}: try yesterday"
    )
    skipped: Callable[[object, object, object], Sentence] = says(
        lambda key, first, near_day: f"the calendar of {key} skipped {first}: try {near_day}"
    )
    nothing_between: Callable[[object, object], Sentence] = says(
        lambda base, head: (
            f"{head} and {base} are the same: name two versions"
            if base == head
            else f"{head} has nothing that {base} has not: try {head}..{base}"
        )
    )
    good_is_newer: Callable[[object, object], Sentence] = says(
        lambda good, bad: (
            f"{good} is newer than {bad}: name the good version first, the later bad one behind it"
        )
    )


class CommandLine(Area, Generic[Sentence]):
    """What only the command line can be told wrong."""

    no_format: Callable[[object, object, object], Sentence] = says(
        lambda what, form, forms: f"{what} is not told as {form}: write --format {forms}"
    )
    analysis_of: Sentence = says(
        "--analysis is for a change or a day of one repository: infra sglang 18905 --analysis"
    )
    takes: Callable[[object, object], Sentence] = says(
        lambda form, example: f"write {form}, such as {example}"
    )
    no_folder: Callable[[object], Sentence] = says(
        lambda path: f"there is no folder {path}: make it first, or name another one"
    )
    not_a_value: Callable[[object, object, object], Sentence] = says(
        lambda option, value, hint: f"{option} cannot be {value}: {hint}"
    )
    which_channel: Callable[[object], Sentence] = says(
        lambda command: f"say in which channel: infra {command} … --channel slack:TEAM/CHANNEL"
    )
    discord_token: Sentence = says("set DISCORD_TOKEN first, as docs/discord.md tells")
    sent_too_early: Callable[[object, object], Sentence] = says(
        lambda day, example: f"nothing is sent as of {day}, long before this program: {example}"
    )
    no_moment: Callable[[object], Sentence] = says(
        lambda text: f"{text} is not a moment: write --at 2026-02-12T09:00"
    )
    no_clone: Callable[[object], Sentence] = says(
        lambda path: f"there is no clone at {path}: make one, or name others with --clones DIR"
    )
    no_labels: Callable[[object], Sentence] = says(
        lambda path: f"there is no folder {path}: name one of labels"
    )
    no_windows: Callable[[object], Sentence] = says(
        lambda path: f"{path} holds no windows that an editor labelled: name another folder"
    )
    no_json: Callable[[object, object], Sentence] = says(
        lambda path, why: f"{path} cannot be read as JSON: {why}"
    )
    no_labels_form: Callable[[object, object], Sentence] = says(
        lambda path, why: f"{path} is not in the form of labels ({why}): see docs/commands.md"
    )
    no_model: Sentence = says("no model is set: set INFRA_MODEL and OPENAI_BASE_URL")
    no_statements: Callable[[object], Sentence] = says(
        lambda path: f"{path} holds no statements: say which labels"
    )
    is_a_file: Callable[[object], Sentence] = says(
        lambda path: f"{path} is a file: name a folder to write to"
    )
    index_marks: Sentence = says(
        "the index needs its begin mark and its end mark once each: mend them"
    )
    file_exists: Callable[[object], Sentence] = says(
        lambda path: f"{path} exists: name another file, or remove it first"
    )
    backup_exists: Callable[[object], Sentence] = says(
        lambda path: f"{path} exists: name another file, or add --yes to replace it"
    )
    not_empty: Callable[[object, object], Sentence] = says(
        lambda place, counts: (
            f"{place} is not empty, it holds {counts}: add --yes to "
            f"replace all of it, or name another one in DATABASE_URL"
        )
    )
    bot_runs: Callable[[object], Sentence] = says(
        lambda place: f"the bot runs on {place}: stop its processes first, or add --yes"
    )
    not_over: Callable[[object, object, object], Sentence] = says(
        lambda day, example, yesterday: f"{day} is not over yet: {example} {yesterday}"
    )
    before_git: Callable[[object, object, object], Sentence] = says(
        lambda day, example, first: f"{day} is before git's first day: {example} {first}"
    )
    write: Callable[[object], Sentence] = says(lambda words: f"write {words}")
    concerns_none: Callable[[object, object], Sentence] = says(
        lambda path, names: f"{path} concerns none of these repositories: {names}"
    )
    not_with_brief: Callable[[object], Sentence] = says(
        lambda option: f"{option} and --brief cannot both be: leave one of them out"
    )
    no_source: Callable[[object, object], Sentence] = says(
        lambda source, forms: f"there is no source {source}: write --source {forms}"
    )
    no_option: Callable[[object, object], Sentence] = says(
        lambda option, hint: f"there is no option {option}: {hint}"
    )
    options: Callable[[object], Sentence] = says(lambda names: f"options are {names}")
    needs_value: Callable[[object, object], Sentence] = says(
        lambda option, form: f"{option} needs a value: write {form}"
    )
    no_value: Callable[[object], Sentence] = says(
        lambda option: f"{option} takes no value: write {option} alone"
    )
    takes_no_source: Callable[[object], Sentence] = says(
        lambda command: f"{command} takes no --source: leave it out"
    )
    searches_source: Sentence = says(
        "what was read before, with the same --source, is searched: read it first "
        "(infra vllm week), and for a clone add --source git:PATH"
    )
    other_command: Callable[[object, object], Sentence] = says(
        lambda option, rows: f"{option} belongs to another command: see {rows}"
    )
    no_subscription: Callable[[object], Sentence] = says(
        lambda channel: f"{channel} has no subscription"
    )
    no_surface: Callable[[object], Sentence] = says(
        lambda path: f"{path} is not there, or empty: write it with infra surface PATH"
    )
    between_of: Sentence = says("say of which repository: infra between vllm v0.15.0 v0.15.1 WORDS")
    output_failed: Callable[[object], Sentence] = says(
        lambda why: f"the output cannot be written: {why}: make room and ask again"
    )


class HelpWords(Area, Generic[Sentence]):
    """The table of commands."""

    title: Sentence = says("Commands")
    reading: Sentence = says("What happened")
    channel: Sentence = says("In a channel")
    codebase: Sentence = says("For a codebase")
    files: Sentence = says("Files and figures")
    running: Sentence = says("Running the bot")
    options: Sentence = says("Options")
    command: Sentence = says("command")
    example: Sentence = says("example")
    result: Sentence = says("gives")
    alias: Sentence = says("alias")
    repository: Sentence = says("repository")
    times: Sentence = says("WHEN is ")
    and_language: Sentence = says("; the language is added by ")


class Gives(Area, Generic[Sentence]):
    """What a command or an option gives, for the table of commands."""

    repo: Sentence = says("what happened in a repository; yesterday unless you say when")
    span: Sentence = says("what changed for a user between two versions: tags or SHAs")
    change: Sentence = says(
        "one change, issue or release: what changed for users, files, hunks, related"
    )
    all: Sentence = says(
        "every repository, busiest first; by WHEN alone, those that the channel gets"
    )
    search: Sentence = says("items already collected that hold these words")
    ask: Sentence = says(
        "a question in plain words, of the days that are stored: the last seven, or the time in it"
    )
    repos: Sentence = says("the repositories known by alias")
    watch: Sentence = says("one more repository, under an alias")
    unwatch: Sentence = says("that repository is left out again")
    why: Sentence = says("why an item is graded as it is, point by point")
    help: Sentence = says("this table, or one row of it")
    subscribe: Sentence = says(
        "a thread every morning in this channel; again, it adds repositories and changes "
        "what you name"
    )
    unsubscribe: Sentence = says("these repositories are told no more in this channel")
    pause: Sentence = says("nothing more is posted in this channel until it is resumed")
    resume: Sentence = says("this channel goes on, with one thread over the days since the last")
    subscriptions: Sentence = says("what this channel is told, and when")
    followups: Sentence = says(
        "what was flagged here: 🚩 flag, 👀 take, ✅ done; everywhere: and mine elsewhere"
    )
    channel_upgrade: Sentence = says(
        "what an upgrade means for the codebases that concern this channel: "
        "what breaks, behaves otherwise, is new; else from what they pin to the newest release"
    )
    concern: Sentence = says(
        "what concerns this channel: words by hand, and public codebases that are read daily"
    )
    settings: Sentence = says(
        "the settings of this channel, to be changed, and what happened to it lately"
    )
    surface: Sentence = says(
        "what a codebase uses of a repository, as a file (--format toml or json); nothing of "
        "it runs"
    )
    upgrade: Sentence = says(
        "what an upgrade means for a codebase: breaks, behaves otherwise, new, unchanged; "
        "by GitHub or --source git:CLONE"
    )
    between: Sentence = says(
        "the changes of a bisect range, the likeliest cause first; by GitHub or --source git:CLONE"
    )
    export: Sentence = says("DIR/reports/DATE.md for each day, and an index in DIR/README.md")
    record: Sentence = says("what the source gives, in one file for --source recorded:FILE")
    evaluate: Sentence = says("how well days are told, measured against what editors chose")
    check: Sentence = says(
        "tries configuration, database, network, tokens and model, and says what to do"
    )
    db: Sentence = says("brings the database up to date with this program")
    demo: Sentence = says("a day, and a page of what Slack and Discord show of it, offline")
    run: Sentence = says("the bot, until it is stopped: hears, ticks and sends")
    deliver: Sentence = says("what every channel would be told then; with --send it is")
    cli_subscribe: Sentence = says(
        "as in that channel, PLATFORM:WORKSPACE/CHANNEL; so are unsubscribe, pause, resume, "
        "subscriptions, settings, concern and why"
    )
    cli_followups: Sentence = says("what was flagged in a channel, or in all; also as json and csv")
    slack: Sentence = says("the manifest to make the Slack app from")
    cli_slack: Sentence = says("a day's messages as JSON, each with a link to Block Kit Builder")
    discord: Sentence = says(
        "the link that adds the bot to a server, with the permissions it needs"
    )
    status: Sentence = says(
        "what each channel got last and gets next, errors, queue, budgets, clock"
    )
    backfill: Sentence = says(
        "collects the days since a date, within GitHub's limits; again goes on"
    )
    backup: Sentence = says("the whole database in one file, while the bot runs")
    restore: Sentence = says("a backup, into SQLite or PostgreSQL; --yes replaces what is there")
    forget: Sentence = says("deletes everything of a workspace or server, and says what")
    output: Sentence = says("how the answer is drawn")
    language_and_zone: Sentence = says("language and zone, else as set")
    length: Sentence = says("every item by its title; a few lines")
    concerned: Sentence = says(
        "of a digest, what concerns a codebase comes first; else see upgrade"
    )
    analysis: Sentence = says(
        "the long form: of one change, or of a repository's day with its contents"
    )
    source: Sentence = says("where to look: any clone works too")
    further: Sentence = says("keep nothing; log to standard error; which version this is")


class SlashWords(Area, Generic[Sentence]):
    """Discord's commands and options, at most 100 characters each."""

    quiet_line: Sentence = says("one line")
    quiet_nothing: Sentence = says("nothing")
    eyes_open: Sentence = says("opens a follow-up")
    eyes_nothing: Sentence = says("does nothing")
    on_both: Sentence = says("what breaks, and security")
    on_nothing: Sentence = says("nothing")
    threads_own: Sentence = says("each repository its own")
    which_open: Sentence = says("open")
    which_mine: Sentence = says("mine")
    which_done: Sentence = says("done")
    which_all: Sentence = says("all")
    which_everywhere: Sentence = says("everywhere")
    language: Sentence = says("The language of the digest")
    zone: Sentence = says("The channel's time zone: Asia/Shanghai")
    time: Sentence = says("When the morning thread comes: 09:00")
    days: Sentence = says("On which days: daily, weekdays, weekly or mon,wed")
    paths: Sentence = says("Only changes to these files: csrc/** docs/*.md")
    topics: Sentence = says("Only changes about these words: attention")
    quiet: Sentence = says("How a quiet day is told")
    eyes: Sentence = says("What 👀 does on what nobody flagged (nothing if you don't say)")
    threads: Sentence = says("One thread for all, or one each")
    publish: Sentence = says("In an announcement channel: publish to servers that follow it")
    mention: Sentence = says("A role to mention, only on what you choose")
    mention_on: Sentence = says("When the role is mentioned")
    show: Sentence = says("Show yesterday's thread at once (yes if you don't say)")
    infra: Sentence = says("What happened in a repository, or one change of it")
    repo: Sentence = says("A repository: vllm, or all")
    when: Sentence = says("A day or days: yesterday, 2026-02-11, week")
    change: Sentence = says("A number, SHA or tag: 35621, v0.15.1")
    share: Sentence = says("Show the answer to the whole channel")
    search: Sentence = says("Search what was told")
    words: Sentence = says("What to look for")
    only_repo: Sentence = says("Only in this repository")
    followups: Sentence = says("Changes that somebody follows up")
    followups_show: Sentence = says("Show the follow-ups of this channel")
    which: Sentence = says("Open ones if you don't say")
    channel: Sentence = says("What this channel gets every morning")
    subscribe: Sentence = says("Get a morning thread about repositories")
    subscribe_repos: Sentence = says("Repositories: vllm sglang")
    unsubscribe: Sentence = says("Get no more about repositories")
    unsubscribe_repos: Sentence = says("Repositories: vllm, or all")
    pause: Sentence = says("Post nothing more here until resumed")
    resume: Sentence = says("Go on, with what was due meanwhile")
    concern: Sentence = says("What you use: words, or a public codebase that is read every day")
    concern_add: Sentence = says("A public codebase, OWNER/NAME, or the https address of a file")
    concern_file: Sentence = says("A file that infra surface wrote")
    concern_of: Sentence = says("What it uses: vllm")
    concern_remove: Sentence = says("Take away: words, a name, or all")
    subscriptions: Sentence = says("Show what this channel gets, and when")
    settings: Sentence = says("Show the settings of this channel, or change them")
    concern_models: Sentence = says("Models, with commas: Qwen3, DeepSeek-V4; nothing clears them")
    concern_hardware: Sentence = says("Hardware: MI355, SM120; nothing clears them")
    concern_flags: Sentence = says(
        "Flags and variables: --max-num-seqs, VLLM_USE_V1; nothing clears them"
    )
    concern_paths: Sentence = says("Files and folders upstream: vllm/v1/core; nothing clears them")
    concern_symbols: Sentence = says(
        "Classes and functions: SchedulerInterface; nothing clears them"
    )
    concern_pins: Sentence = says("Versions: flashinfer==0.6.3; nothing clears them")
    flag: Sentence = says("Flag for follow-up")
    deep_dive: Sentence = says("Deep dive")
    upgrade: Sentence = says("What an upgrade means for the codebases of this channel")
    upgrade_repo: Sentence = says("The repository: vllm")
    upgrade_from: Sentence = says("A tag or SHA; what you pin if you don't say")
    upgrade_to: Sentence = says("A tag or SHA; the newest release if you don't say")
    without: Callable[[object], Sentence] = says(lambda names: f"What to leave out: {names}")


class CommandAreas(Area, Generic[Sentence]):
    """All of them."""

    commands: Commands[Sentence]
    repositories: Repositories[Sentence]
    windows: Windows[Sentence]
    help: HelpWords[Sentence]
    cli: CommandLine[Sentence]
    gives: Gives[Sentence]
    slash: SlashWords[Sentence]
