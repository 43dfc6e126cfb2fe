"""Errors, gaps, refusals and answers in English."""

from digest.github_web import web
from digest.wording import phrases as of

COMMANDS: of.Commands[str] = of.Commands(
    too_long=lambda count, most, example: (
        f"{count} characters are too many for a command, {most} can be read: {example}"
    ),
    did_you_mean_command=lambda first, meant: f"there is no command {first}: did you mean {meant}?",
    for_command_line=lambda first, instead: (
        f"{first} is for the command line, here it is: {instead}"
    ),
    all_for_command_line=lambda instead: f"that is for the command line, here it is: {instead}",
    no_more_words=lambda command, example: f"{command} takes no more words: {example}",
    no_words=lambda example: f"say what to search for: {example}",
    nothing_to_search="nothing to search for: write `infra search WORDS`",
    no_item=lambda example: f"say which item: {example}",
    no_help=lambda topic, hint: f"there is no help about {topic}: {hint}",
    topics=lambda topics: f"topics are {topics}",
    did_you_mean=lambda meant: f"did you mean {meant}?",
    not_this_time=lambda when, meant: f"{when} is not a time: did you mean {meant}?",
    neither_time_nor_change=lambda when, first, second, third: (
        f"{when} is neither a time nor a change: {first}, {second} or {third}"
    ),
    no_channel=lambda text: (
        f"{text} is no channel: write slack:TEAM/CHANNEL or discord:GUILD/CHANNEL"
    ),
    nobody=lambda word: (
        f"{word} is nobody: write members, admins, or people and "
        "groups as slack:T0123/U0456, slack:T0123/S0456, discord:1234/5678 or "
        "discord:1234/role:5678"
    ),
)

REPOSITORIES: of.Repositories[str] = of.Repositories(
    watched=lambda repo, alias: f"{repo} is watched as {alias}",
    not_watched=lambda alias: f"{alias} is not watched any more",
    unknown=lambda name, hint: f"there is no repository called {name}: {hint}",
    write=lambda names: f"write OWNER/NAME, or one of {names}",
    only_this=lambda repo: f"this source holds {repo} alone: leave --source out",
    alias_taken=lambda alias, taken, repo, other: (
        f"{alias} already means {taken}: watch {repo} as {other}"
    ),
    no_alias=lambda alias, hint: f"{alias} is not the alias of a watched repository: {hint}",
    only_this_not=lambda only, name, short: (
        f"this source holds {only} alone, not {name}: write {short}"
    ),
    not_owner_name=lambda name, example: f"{name} is not of the form OWNER/NAME: {example}",
    alias_is_word=lambda alias, repo: f"{alias} is a word of a command: watch {repo} as my-{alias}",
    alias_letter=lambda alias, example: f"an alias begins with a letter, unlike {alias}: {example}",
    which_alias="say which alias: unwatch torch",
    watch_which=lambda example: f"say which repository to watch: {example}",
)

SUBSCRIBING: of.Subscribing[str] = of.Subscribing(
    first_follows="Its first thread follows at once.",
    unless_quiet="Its first thread follows at once, unless yesterday was quiet.",
    not_had=lambda why: f"One thing is missing: {why}.",
    hour_and_end=lambda hour, end: f"Another hour: {hour}. To end it: {end}.",
    managers_only=(
        "only members with Manage Channels change by a button what this channel gets: ask one"
    ),
    discord_only="publishing and mentions of a role are for Discord alone",
    no_repositories=lambda example: f"say which repositories: {example}",
    twice=lambda keyword, example: f"{keyword} is said twice: {example}",
    nothing_follows=lambda keyword, example: f"nothing follows {keyword}: {example}",
    not_a_repository=lambda name, example: f"{name} is no repository: {example}",
    from_which=lambda one, every: f"say which: {one}, or {every}",
    nothing_yet=lambda example: f"This channel has no subscription yet: {example}",
    which_first=lambda example: (
        f"Which repository should this channel hear of? Press one, or name several: {example}"
    ),
    paused_until=lambda example: f"Nothing more is posted here. To go on: {example}",
    no_subscription=lambda example: f"this channel has no subscription: {example}",
    not_subscribed=lambda repo: f"this channel does not get {repo}",
    subscribed_to_others=lambda repo, names: f"this channel does not get {repo}: it gets {names}",
    too_many=lambda count, max_repos: (
        f"{count} repositories are too many for one channel, it takes {max_repos}: unsubscribe "
        "some, or use a second channel"
    ),
    may_not=(
        "only admins and people named in INFRA_MAY_SUBSCRIBE change what this channel gets: ask one"
    ),
    stranger=(
        "guests, people of other organisations, and who cannot be looked up now change nothing "
        "here: ask a member"
    ),
    changed=lambda what: f"This channel gets {what}.",
    unreached=lambda what, why: f"This channel gets {what}. Nothing is posted yet, because {why}.",
    caught_up="What was due meanwhile follows at once.",
    ended="This channel gets no threads any more.",
    goes_on=lambda example: f"It goes on with {example}",
    back_by_itself=lambda example: (
        f"It goes on by itself once that is mended, at once with {example}"
    ),
    which_zone=lambda at, example: (
        f"In which time zone is it {at} for this channel? Choose one, or name any other: {example}"
    ),
    really_all=lambda names: (
        f"This channel would get nothing any more of {names}; its settings would be gone, too."
    ),
    end_all="Unsubscribe from all",
    paused_since=lambda date: f"since {date}",
)

CHANNELS: of.Channels[str] = of.Channels(
    gets=lambda repos, days, at, tz: f"{repos} {days} at {at} {tz}",
    every_day="every day",
    on_weekdays="on weekdays",
    on=lambda days: f"on {days}",
    weekly_on=lambda days: f"weekly on {days}",
    in_language=lambda name: f"in {name}",
    without=lambda names: f"without {names}",
    paths=lambda globs: f"paths {globs}",
    topics=lambda words: f"topics {words}",
    nothing_if_quiet="nothing on quiet days",
    eyes_open="👀 opens a follow-up",
    eyes_nothing="👀 opens nothing",
    one_thread="all in one thread",
    published="published to who follows the channel",
    mentioned_on=lambda what: f"a role mentioned on {what}",
    what_breaks="what breaks",
    security="security",
    and_paused=lambda what, why: f"{what}; paused: {why}",
    and_failed=lambda what, why: f"{what}; last error: {why}",
)

CITIES: of.Cities[str] = of.Cities(
    san_francisco="San Francisco",
    new_york="New York",
    london="London",
    berlin="Berlin",
    india="India",
    beijing="Beijing",
    tokyo="Tokyo",
)

CONCERNS: of.Concerns[str] = of.Concerns(
    not_a_list=lambda word, example: (
        f"concern takes lists of words, add or remove, not {word}: {example}"
    ),
    say_what=lambda word, example: f"say what {word} is: {example}",
    too_many_words=lambda count, name, most: (
        f"{count} words are too many for {name}, it takes {most}"
    ),
    not_a_word=lambda word, example: f"{word} is too long, or no word: {example}",
    add_what=lambda example: f"say which public repository uses what: {example}",
    nothing_said=lambda words, codebase: (
        f"nothing is said to concern this channel: {words}, or {codebase}"
    ),
    none_called=lambda name, has: f"there is no concern called {name}: there are {has}",
    taken=lambda names: f"Taken away: {names}",
    too_many=lambda most, example: f"a channel takes {most} concerns: take one away with {example}",
    one_at_a_time="add a codebase, remove something or write words: one at a time, and of with add "
    "alone",
    not_read=lambda repo, why: f"{repo} was not read: {why}",
    too_much=lambda repo, disk, memory: (
        f"{repo} is too large to be read here: more than {disk} MB of files or {memory} MB of "
        "memory; whoever has it runs infra surface, and gives the file"
    ),
    too_slow=lambda repo, seconds: f"{repo} was not read within {seconds} seconds",
    files_not_told=lambda count: (
        f"files that are not told here, since others can read along by now: {count}; give them "
        "again where they may be told"
    ),
    by_hand=lambda name, words: f"By hand ({name}): {words}",
    used=lambda name, repo, names, places, date: (
        f"{name} uses {names} names of {repo} in {places} places, read on {date}"
    ),
    unread=lambda name: f"{name} is read now, and then every day",
    and_failed=lambda what, why: f"{what}; the last reading failed: {why}",
    not_an_address=lambda example: (
        f"a file of a surface is fetched from a public https address: {example}"
    ),
    not_public=lambda host: (
        f"{host} is no public address: give a file that everybody can read, or upload it"
    ),
    not_fetched=lambda address, why: f"{address} was not fetched: {why}",
    too_large=lambda name, most: (
        f"{name} is larger than {most} MB: narrow it to one upstream repository with infra "
        "surface --of REPO"
    ),
    not_text=lambda name: f"{name} is no text: give the file that infra surface writes",
    uses_nothing=lambda name: (
        f"{name} says of nothing that it is used: make it with infra surface PATH --of REPO"
    ),
    too_many_hops="it leads on too often",
    status=lambda number: f"the server answers {number}",
    no_answer="no answer came",
)

UPGRADES: of.Upgrades[str] = of.Upgrades(
    needs_clone=lambda repo: (
        "this reads every commit of the span, which a recording does not hold: leave "
        f"--source out, or add --source git:{web()}/{repo}"
    ),
    or_clone=lambda why: f"{why}; a clone needs no network: --source git:PATH",
    tree_too_large=lambda repo: (
        f"{repo} has more files than GitHub lists: give a clone by --source git:{web()}/{repo}"
    ),
    needs_token=lambda count, repo: (
        f"this asks GitHub {count} times, and without a token it answers 60 times an hour: "
        f"set GITHUB_TOKEN, or give a clone by --source git:{web()}/{repo}"
    ),
    spent=(
        "what is left of this hour's requests to GitHub is kept for mornings: ask again "
        "within the hour, it goes on from where it was"
    ),
    unread=lambda count, names: f"could not be looked at: {count} ({names})",
    cut="the span has more commits than GitHub lists: the oldest are not in this report",
    no_release=lambda repo: f"{repo} has no release: write to what, as v0.15.0..TAG_OR_SHA",
    not_pinned=lambda repo, pins: (
        f"{repo} has no tag or commit that this surface pins ({pins}): write from what, as "
        "v0.15.0.."
    ),
    no_pin="this surface pins no version: write from what, as v0.15.0..v0.16.0",
    following=lambda count: f"following names (files: {count})",
    listing=lambda done, total: f"listing files of changes ({done} of {total})",
    comparing=lambda done, total: f"comparing definitions (commits: {done} of {total})",
    both_ends=lambda count: f"comparing both ends (files: {count})",
    of_what=lambda example: f"say of which repository, from where to where: {example}",
    not_a_span=lambda words, example: f"{words} is no span of tags or SHAs: {example}",
    being_read="the codebase that concerns this channel is being read: ask again in some minutes",
    no_surface=lambda repo, example: (
        f"no codebase of this channel uses {repo}, as far as it was read: {example}"
    ),
    one_at_a_time="a report is being made in this channel: ask again once it is there",
    whole="The whole report:",
    whole_by=lambda example: f"whole, as a file, by {example}",
    no_file=lambda why: f"the file of the whole report was not sent: {why}",
)

SETTINGS: of.Settings[str] = of.Settings(
    choose_days="Choose at least one day.",
    old_form="This form is out of date: close it and open the settings again.",
    not_a_time=lambda given, example: f"{given} is not a time of day: {example}",
    beyond_clock=lambda given, example: f"{given} is not on a clock of 24 hours: {example}",
    no_days=lambda example: f"say on which days: {example}",
    weekly=lambda alone, example: f"weekly is one day of the week: {alone}, or {example}",
    days=lambda first, second, third: f"{first}, {second} or {third}",
    not_a_day=lambda word, hint: f"{word} is not a day of the week: {hint}",
    no_choice=lambda word, examples: f"{word} cannot be chosen: {examples}",
    too_many=lambda count, name, most, example: (
        f"{count} {name} are too many, {most} can be followed: {example}"
    ),
    not_followed=lambda word, _name, example: f"{word} cannot be followed: {example}",
)

WINDOWS: of.Windows[str] = of.Windows(
    no_zone=lambda name, hint: f"no time zone is called {name}: {hint}",
    zones="zones have names such as UTC, Asia/Shanghai or Europe/Berlin",
    one_end=lambda words, yesterday, today: f"{words} has one end: write {yesterday}..{today}",
    one_end_of_tags=lambda words: (
        f"{words} has one end: name two tags or SHAs, such as v0.15.0..v0.15.1"
    ),
    not_a_time=lambda words, hint: f"{words} is not a time: {hint}",
    forms=lambda forms: f"write one of {forms}",
    not_a_date=lambda words, today: f"{words} is not a date: write year-month-day, such as {today}",
    no_such_day=lambda words, month_name, year, length, near_day: (
        f"{words} does not exist, {month_name} {year} has {length} days: try {near_day}"
    ),
    two_zones=lambda name, one, other: (
        f"{name} is the time of {one} and of {other}: write one of them"
    ),
    no_days="no day is too few: try yesterday",
    backwards=lambda first, last: f"{first}..{last} runs backwards: write {last}..{first}",
    to_come=lambda last, today, key, near: (
        f"{last} is still to come, it is {today} in {key}: try {near}"
    ),
    too_early=lambda first, first_day: (
        f"{first} is before git's first day: start at {first_day} or later"
    ),
    too_long=lambda count, max_days, near_first, last: (
        f"{count} days are too many, a digest has at most {max_days}: try {near_first}..{last}"
    ),
    just_begun=lambda today, key: f"{today} has only just begun in {key}: try yesterday",
    skipped=lambda key, first, near_day: f"the calendar of {key} skipped {first}: try {near_day}",
    nothing_between=lambda base, head: (
        f"{head} and {base} are the same: name two versions"
        if base == head
        else f"{head} has nothing that {base} has not: try {head}..{base}"
    ),
    good_is_newer=lambda good, bad: (
        f"{good} is newer than {bad}: name the good version first, the later bad one behind it"
    ),
)

CHAT: of.Chat[str] = of.Chat(
    failed_repos=lambda repos, why: f"{repos}: {why}",
    both=lambda first, second: f"{first}; {second}",
    own_error_with=lambda repo: (
        f"Infra Digest met an error of its own with {repo}, which its log holds"
    ),
    not_allowed=(
        "it may not be told here: INFRA_PRIVATE_REPOS does not name it for this workspace, or "
        "guests or people of another organisation would read it"
    ),
    asked_much=lambda wait: f"you have asked for much in a short time: ask again in {wait}",
    workspace_asked_much=lambda wait: (
        f"much was asked for in this workspace in a short time: ask again in {wait}"
    ),
    seconds=lambda count: f"{count} s",
    minutes=lambda count: f"{count} min",
    much_said="more was said since than the bot looks through",
    mention_asks=lambda command: f"a mention only asks questions; for this there is {command}",
    no_token=lambda platform: f"there is no token for {platform}: an admin sets one",
    clock=lambda day: (
        f"the clock (of PostgreSQL, else of this machine) says {day}, so nothing is posted: set "
        "it, on most machines by switching NTP on"
    ),
    own_error=(
        "the digest could not be made, Infra Digest met an error of its own, which its log "
        "holds; it tries again, at longer and longer intervals"
    ),
    may_not_share="only who may write here can share here: the answer stays with you",
    nothing_to_share="there is nothing in this answer to share",
    broken="That went wrong here, and is in the bot's log; asking again may help.",
    model_not_json=lambda model: f"{model} answers, but not with JSON: set another model",
    of_check_model=lambda why: f"INFRA_MODEL_CHECK: {why}",
    cost_not_noted="what the model costs cannot be noted, so it is not asked",
    no_platform=(
        "no platform is set up: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or DISCORD_TOKEN, as "
        "docs/slack.md and docs/discord.md tell"
    ),
    port_taken=lambda host, port, names: (
        f"{host}:{port} cannot be listened on: set another {names}"
    ),
    no_tokens=lambda name: f"no tokens may be spent: {name} is 0",
)

MODEL_SERVER: of.ModelServer[str] = of.ModelServer(
    timeout=lambda host, model, status: (
        f"the model server {host} does not answer in time: check that it runs and is not overloaded"
    ),
    unreachable=lambda host, model, status: (
        f"the model server {host} cannot be reached: check that it runs and OPENAI_BASE_URL"
    ),
    certificate=lambda host, model, status: (
        f"the model server {host} shows a certificate that is not trusted here: name the file of "
        "its authority in SSL_CERT_FILE"
    ),
    address=lambda host, model, status: (
        f"{host} answers something else than a model server does: check OPENAI_BASE_URL, which "
        "mostly ends in /v1"
    ),
    key=lambda host, model, status: (
        f"the model server {host} refuses the key: check OPENAI_API_KEY"
    ),
    access=lambda host, model, status: (
        f"the model server {host} lets this key not use {model}: check INFRA_MODEL and the key"
    ),
    unknown_model=lambda host, model, status: (
        f"the model server {host} knows no model {model}: check INFRA_MODEL"
    ),
    quota=lambda host, model, status: (
        f"the account at {host} has nothing left to spend: check its plan"
    ),
    busy=lambda host, model, status: (
        f"the model server {host} takes no more questions now (429): ask again later"
    ),
    broken=lambda host, model, status: f"the model server {host} fails ({status}): ask again later",
    refused=lambda host, model, status: f"the model server refused the question ({status})",
    too_long=lambda host, model, status: f"the question is longer than {model} can read",
    declined="the model declined to answer",
    cut="the model's answer was cut at its limit",
    empty="the model's answer is empty",
    far_longer="the model's answer is far longer than was asked for",
    without_json="the model's answer holds no JSON of the shape that was asked for",
)

FOLLOWUPS: of.Followups[str] = of.Followups(
    no_such=lambda word, hint: f"there are no {word} follow-ups: {hint}",
    which=lambda example: f"{example}, open, done or all",
    old_question="this question is out of date: flag the message again",
    old_button="this button is out of date: ask again with a command",
    may_not="only admins and those named in INFRA_MAY_FOLLOW_UP follow up here: ask one",
    may_not_write="only who may write here can follow up here",
)

GITHUB: of.GitHub[str] = of.GitHub(
    no_repo=lambda repo: (
        f"there is no repository {repo}, or it is private: check the name, as in vllm-project/vllm"
    ),
    nothing_at=lambda repo, ref: f"{repo} has nothing to read at {ref}: check the reference",
    no_end=lambda repo, ref: (
        f"{repo} has no tag or commit {ref}: write a tag as it is there, or a SHA"
    ),
    no_item=lambda repo, ref, example: (
        f"{repo} has no pull request, issue, commit or tag {ref}: see {example}"
    ),
    refuses_repo=lambda repo: f"GitHub does not let this token look at {repo}, or blocks it",
    private=lambda asked: (
        f"{asked} is private: list its name in INFRA_PRIVATE_REPOS if it may be told"
    ),
    nothing_there=(
        "GitHub has nothing there, or it is private: check the name, as in vllm-project/vllm"
    ),
    unknown_name="GitHub knows nothing of that name: check the number, SHA or tag",
    blocked="GitHub blocks this repository for legal reasons",
    token_may_not="GitHub does not allow this token to look there: check its access",
    may_not="GitHub does not allow to look there",
    bad_token="GitHub refused the token: set GITHUB_TOKEN to a valid one, or unset it",
    pause=lambda time: f"GitHub asks for a pause until {time} UTC; try again then",
    limit=lambda until: f"GitHub's hourly limit is used up{until}; try again then",
    limit_without_token=lambda until: (
        f"GitHub's 60 requests an hour without a token are used up{until}: set GITHUB_TOKEN to "
        "look at more repositories"
    ),
    until=lambda time: f" until {time} UTC",
    own_error=lambda status: (
        f"GitHub answered with an error of its own ({status}); try again in some minutes"
    ),
    not_accepted=lambda status: (
        f"GitHub did not accept the request ({status}); check GITHUB_API_URL"
    ),
    bad_answer=lambda what: (
        f"GitHub's answer about {what} has another form than expected; try again later"
    ),
    broke_off="the connection to GitHub broke off; try again later",
    not_reached="GitHub could not be reached; try again later",
    no_network="GitHub could not be reached: check the network and GITHUB_API_URL",
    too_slow="GitHub does not answer in time; try again later",
    cut_off="GitHub's answer was cut off; try again later",
    not_json="GitHub's answer is cut or not JSON; try again later",
    circle="GitHub's addresses lead in a circle; check GITHUB_API_URL",
    unknown_packing="GitHub's answer is packed in an unknown way; check GITHUB_API_URL",
    next_page_elsewhere="GitHub named a next page on another server; check GITHUB_API_URL",
    other_server="GitHub sent us to another server; check GITHUB_API_URL",
    bad_graphql="GitHub's GraphQL answer has another form than expected; try again later",
    graphql_unknown="GitHub's GraphQL does not know what was asked; check GITHUB_API_URL",
    unfinished="GitHub could not finish the question; try again in some minutes",
    no_branch="GitHub did not name the default branch",
    no_repository_given="GitHub did not give the repository; try again in some minutes",
    too_large=lambda size: f"GitHub's answer is larger than {size} MB",
    another_repository="GitHub answered about another repository; try again later",
    something_else="GitHub answered about something else",
    moved="GitHub has moved it to another repository",
    not_given=lambda number: f"GitHub did not give #{number}",
    not_all_given=lambda number: f"GitHub did not give all of #{number}",
    in_part="GitHub gave a part of the answer only",
    too_many_since="there are too many since then to see them all",
    files_cut=lambda most, refs: f"GitHub lists no more than {most} files of a change: in {refs}",
    later_reverts="later reverts could not be looked up",
    too_many=lambda advice: f"there are too many for one hour: {advice}",
    too_many_since_then=lambda advice: f"there are too many since then for one hour: {advice}",
    older_without_details=lambda advice: (
        f"older ones have no description, labels or state here: {advice}"
    ),
    reopened_not_read=lambda count, advice: (
        f"of {count} reopened ones it was not read when: {advice}"
    ),
    # in stored days alone
    tags_not_read=lambda advice: f"of the tags without a release not all were looked at: {advice}",
    without_token=lambda advice: (
        "who merged, which issues are closed, and tags without a release are not told without a "
        f"token: {advice}"
    ),
    files_not_read=lambda left, count, advice: (
        f"the files of {left} of {count} changes were not read: {advice}"
    ),
    merge_too_large=lambda sha, advice: (
        f"the merge {sha} brought more than could be read: {advice}"
    ),
    merges_not_read=lambda count, advice: f"what {count} merges brought was not read: {advice}",
    set_token="set GITHUB_TOKEN to see them",
    following_needs_token="following items upstream needs GITHUB_TOKEN: set it",
)

UNREAD: of.Unread[str] = of.Unread(
    # in stored days alone
    reopening=lambda number, why: f"when #{number} was reopened could not be read: {why}",
    rewritten=lambda why: f"whether the branch was rewritten could not be seen: {why}",
    patches=lambda count, why: (
        f"the patches of {count} {'change' if count == 1 else 'changes'} could not be read: {why}"
    ),
    merge=lambda sha, why: f"what the merge {sha} brought could not be read: {why}",
    originals=lambda why: f"what reverts take back could not be looked up: {why}",
    later_reverts=lambda why: f"later reverts could not be looked up: {why}",
    some=lambda count, why: f"{count} could not be read: {why}",
    commit=lambda sha, why: f"{sha} could not be read: {why}",
)

GIT: of.Git[str] = of.Git(
    # the first two are in stored days alone
    no_issues="git holds no issues",
    no_descriptions="git holds no descriptions and labels of pull requests",
    no_talk="git holds no issues, and of pull requests what their commits say",
    shallow="the clone is shallow, older commits are missing: git fetch --unshallow",
    files_not_compared=lambda missing, whole: (
        f"interfaces were not compared in files: {missing} of {whole}"
    ),
    patches_too_large=lambda refs: (
        f"patches that are too large to be read, alone or with the others of the time: in {refs}"
    ),
    patches_lost=lambda refs: f"patches of files whose content the repository lacks: in {refs}",
    from_before=lambda why: f"{why}; shown is what was fetched before",
    # in stored days and concerns alone, also as the reason within `from_before`
    being_fetched="another infra is still fetching this repository",
    needs_login=lambda where: (
        f"{where} needs a login: make `git ls-remote {where}` work, then try again"
    ),
    no_repository=lambda where, error: (
        f"there is no repository at {where}: check the address ({error})"
    ),
    no_answer=lambda where, error: f"{where} does not answer: check the network ({error})",
    not_fetched=lambda where, error: f"{where} could not be fetched: {error}",
    no_folder=lambda where: f"there is no folder {where}: check the path",
    is_a_file=lambda where: f"{where} is a file: name the folder of a clone",
    other_owner=lambda path: (
        f"{path} belongs to another user: if you trust it, run git config --global --add "
        f"safe.directory {path}"
    ),
    not_git=lambda path: f"{path} is not a git repository: name a clone or a bare repository",
    no_branch=lambda branch: (
        f"the default branch {branch} does not exist: name another one with git symbolic-ref "
        "HEAD refs/heads/NAME"
    ),
    no_item=lambda repo, ref: f"{repo} has no change or tag {ref} in its git history",
    failed=lambda error: f"git could not do it: {error}",
    too_slow=lambda command, seconds: (
        f"git {command} did not end within {seconds} seconds; try again"
    ),
    bad_list="git gave a list that is cut or foreign; try again",
    bad_files="git gave a list of files that is cut or foreign; try again",
    cannot_run=lambda place, why: f"git cannot be run in {place}: {why}; make room or give access",
    one_by_one=lambda count, head: (
        f"not looked at one by one: {count} commits that are older, or on the branch of {head} "
        "alone"
    ),
    more_between=lambda base, head: f"more lies between {base} and {head} than was listed",
    no_revision=lambda revision: f"{revision} is no revision of git: name a tag, a branch or a SHA",
    no_codebase_but_file=lambda path: (
        f"{path} is a file: name the folder of a codebase, or the .toml or .json of a surface"
    ),
    lacks_revision=lambda name, revision: (
        f"{name} has no revision {revision}: name a tag, branch or SHA"
    ),
    no_address=lambda text: f"{text} is no path or address of a git repository",
    not_clonable=lambda text, schemes: f"{text} cannot be cloned: use a path or one of {schemes}",
    fetch_disk_full=lambda where: f"the disk is full, {where} was not fetched: free some space",
    needs_program=lambda where, error: f"git needs a further program for {where}: {error}",
    not_installed="git is not installed: install it (https://git-scm.com/downloads) and try again",
    cannot_read=lambda path, error: f"{path} cannot be read by git: {error}",
)

FILES: of.Files[str] = of.Files(
    cannot_write=lambda path, why: f"cannot write {path}: {why}; make room or name another file",
    holds_alone=lambda file, label, start, end: f"{file} holds {label} alone ({start} to {end})",
    other_repo=lambda file, repo, asked: f"{file} holds {repo}, not {asked}: ask for {repo}",
    no_item=lambda file, ref: f"{file} holds no change, issue or release {ref}",
    missing=lambda path: f"there is no file {path}: check its path",
    cannot_read=lambda path, why: f"{path} cannot be read: {why}",
    damaged=lambda path: f"{path} is no recording, or a damaged one: record it anew",
    not_recorded=lambda kind, place, why: f"not a recorded {kind}: {place}: {why}",
    no_zones=lambda path: f"{path} has times without a zone: write 2026-02-11T09:30:00Z",
    no_versions="a recording holds no versions: ask for days, or leave --source out",
    by_patches="a recording tells by patches alone what users meet",
    no_room=lambda place, why: f"cannot write to {place}: {why}; make room or give access",
    no_backup=lambda path: f"{path} is no backup, or a damaged one: name what infra backup wrote",
    own_database=lambda path: f"{path} is the database itself: name what infra backup wrote",
    not_utf8=lambda path: f"{path} is not UTF-8 text: name another folder",
)

DATABASE: of.Database[str] = of.Database(
    opened="the database",
    file=lambda path: f"the database {path}",
    in_memory="the database in memory",
    postgresql=lambda name, host: f"the PostgreSQL database {name} on {host}",
    postgresql_here=lambda name: f"the PostgreSQL database {name} on this machine",
    disk_full=lambda place: f"the disk that holds {place} is full: free some space and ask again",
    locked_by_program=lambda place: (
        f"{place} is locked by another program: end that one or ask again later"
    ),
    not_writable=lambda place: (
        f"{place} cannot be written: allow writing to it and to its folder, or name another "
        "file in DATABASE_URL"
    ),
    not_openable=lambda place: (
        f"{place} cannot be opened: allow reading and writing its folder, or name another file "
        "in DATABASE_URL"
    ),
    disk_fails=lambda place: (
        f"{place} cannot be read or written by the disk: free some space or check the disk, "
        "then ask again"
    ),
    damaged=lambda place: (
        f"{place} is damaged: restore a backup, or move the file away to start anew"
    ),
    not_sqlite=lambda place: (
        f"{place} is not a SQLite database: name another file in DATABASE_URL, or move this one "
        "away"
    ),
    server_full=lambda place: f"the disk of {place} is full: free some space there and ask again",
    no_resources=lambda place: f"{place} has no resources left: ask again later",
    read_only=lambda place: f"{place} is read-only: name the primary server in DATABASE_URL",
    locked=lambda place: f"{place} is locked by another program: ask again later",
    restarting=lambda place: f"{place} is shutting down or starting: ask again later",
    refuses_user=lambda place: f"{place} refuses the user or password: correct DATABASE_URL",
    missing=lambda place: (
        f"{place} does not exist on its server: create it, or correct DATABASE_URL"
    ),
    other_program=lambda place: (
        f"{place} holds tables of another program: name another database in DATABASE_URL"
    ),
    no_rights=lambda place: (
        f"{place} does not let this user work in it: grant it the rights, or correct DATABASE_URL"
    ),
    not_migrated=lambda place: f"{place} is not set up for this version: run `infra db upgrade`",
    no_answer=lambda place: (
        f"{place} does not answer: check that it runs and DATABASE_URL names it"
    ),
    unusable=lambda place, cause: f"{place} cannot be used: {cause}",
    deleted=(
        "the file of the database was deleted while the program ran: put it back from a backup,"
        " or start the program again with a new one"
    ),
    needs_store="this is about what is stored: ask again without --no-store",
    other_message="a stored message was written by another version of infra",
    newer=lambda place: f"{place} was made by a newer version of infra: install that version",
    no_url="DATABASE_URL is not a database URL: write sqlite:///FILE or postgresql://…",
    other_kind=lambda name: f"DATABASE_URL names {name}: only SQLite and PostgreSQL are supported",
    of_another=lambda place: (
        f"{place} belongs to another program: name another file in DATABASE_URL"
    ),
)

DISCORD: of.Discord[str] = of.Discord(
    old_command="this command is an old one: type / and choose it again",
    not_a_repository=lambda repo, choose, example: (
        f"{repo} is no repository: choose {choose}, or {example}"
    ),
    not_both=lambda example: f"say when or which change, not both: {example}",
    token=(
        "Discord refuses the bot's token: reset it in the Developer Portal under Bot, and set "
        "DISCORD_TOKEN to the new one"
    ),
    gone="Discord shows the bot no such channel: subscribe in another channel",
    not_on_server=(
        "the bot is not on this server any more: invite it again with the link of infra "
        "discord invite"
    ),
    lacks=lambda names: (
        f"the bot lacks {names} in this channel: give it that under Edit Channel, Permissions"
    ),
    locked="the thread is locked: a moderator unlocks it",
    many_threads="this server has as many active threads as it can: close some",
    not_text=(
        "such a channel takes no morning threads: subscribe in a text, announcement or forum "
        "channel"
    ),
    not_served="this bot does not serve this server: who runs it adds the server to INFRA_GUILDS",
    no_tags=lambda names: (
        f"this forum has no tags {names}: make them, or give the bot Manage Channels here"
    ),
    tag_needed=lambda name: (
        f"every post of this forum needs a tag: make one called {name}, or give the bot Manage "
        "Channels here"
    ),
    not_announcement=(
        "this is no announcement channel, so nothing is published to other servers: change its "
        "kind, or switch publishing off"
    ),
    no_role="the role that was to be mentioned is gone: choose another one, or nobody",
    role_silent=lambda name: (
        f"nobody of {name} would be notified: allow everybody to mention that role"
    ),
    not_published=lambda why: f"the morning stands here, and was not published to others: {why}",
    no_messages="this person takes no direct messages from the bot",
    message_gone="the message or its thread does not exist any more",
    thread_archived="the thread is archived",
    has_thread="the message has a thread",
    not_taken="Discord does not take this message as it is drawn",
    limited="Discord takes no more for a while",
    unclear="Discord did not answer, or not as it should",
    no_name="Discord took a message and did not say which it is",
    half_done="Discord failed and does not say whether it was done",
    not_reached="Discord cannot be reached",
    stopped=lambda status: f"something before Discord refuses with status {status}",
    refuses=lambda status: f"Discord refuses with status {status}: an admin looks at the app",
    lost="This button is out of date: ask again.",
    pages=lambda page, pages: f"Page {page} of {pages}",
)

SLACK: of.Slack[str] = of.Slack(
    token=(
        "Slack refuses the bot's token: an admin installs the app again and sets "
        "SLACK_BOT_TOKEN to the new one"
    ),
    gone=(
        "Slack shows the bot no such channel: if it is a private one, type /invite @Infra there"
        ", else subscribe in another channel"
    ),
    archived="the channel is archived: unarchive it, or subscribe in another channel",
    not_in="the bot is not in this channel: type /invite @Infra there",
    may_not_post=(
        "this workspace does not let the bot post here: an admin allows it in the channel's "
        "posting permissions"
    ),
    scope=(
        "the Slack app lacks a right: an admin compares its scopes with `infra slack manifest` "
        "and installs it again"
    ),
    scope_named=lambda needed: (
        "the Slack app lacks a right: an admin compares its scopes with `infra slack manifest` "
        f"and installs it again (missing: {needed})"
    ),
    refuses=lambda code: f"Slack refuses with {code}: an admin looks at the app",
    message_gone="the message does not exist any more",
    too_long="Slack takes no message as long as this one",
    unclear="Slack did not answer, or not as it should",
    no_name="Slack took a message and did not say which it is",
    too_late="the answer came too late for Slack: ask again",
    not_taken="Slack does not take this message as it is drawn",
    limited="Slack takes no more messages for a while",
    half_done="Slack failed and does not say whether it was done",
    not_reached="Slack cannot be reached",
    stopped=lambda status: f"something before Slack refuses with status {status}",
    working="Looking; the answer comes here.",
    settings="Open the settings",
    home_followups="Your follow-ups",
    home_channels="What your channels get",
    home_none="None of your channels gets anything yet.",
    home_direct="Your direct messages with the bot:",
    home_more=lambda count: (
        f"{count} more channels of this workspace were not looked at: "
        "`/infra subscriptions` in a channel says what it gets."
    ),
    home_set_up="Set up a channel",
    home_set_up_how=(
        "Invite the bot with `/invite @Infra`, then choose the channel. Everything else is asked"
        " with `/infra`, in any conversation."
    ),
    home_choose="Choose a channel",
    home_not_there="You and the bot have to be in that channel: type /invite @Infra there first.",
    home_not_now="This could not be looked up just now. Open Home again in a minute.",
    no_way_to_hear="set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP",
    bad_app_token=(
        "Slack refuses SLACK_APP_TOKEN: make an app-level token with the scope connections:write, "
        "and switch Socket Mode on"
    ),
    not_installed="This Infra is installed in another workspace: ask an admin to install it here.",
)

OBJECTS: of.Objects[str] = of.Objects(
    a_commit="a commit",
    a_file="a file",
    the_default_branch="the default branch",
    a_comparison="a comparison",
    a_merge="a merge",
    a_pull_request="a pull request",
    a_pull_requests_commits="a pull request's commits",
    a_release="a release",
    an_issues_events="an issue's events",
    changed_files="changed files",
    commits="commits",
    issues="issues",
    later_reverts="later reverts",
    pull_requests="pull requests",
    releases="releases",
    a_tree="a list of files",
    tags="tags",
    the_limits="the limits",
    the_repository="the repository",
)

PERMISSIONS: of.Permissions[str] = of.Permissions(
    manage_channels="Manage Channels",
    mention_everyone="Mention @everyone, @here, and All Roles",
    manage_threads="Manage Threads",
    manage_server="Manage Server",
    administrator="Administrator",
    view_channel="View Channel",
    send_messages="Send Messages",
    embed_links="Embed Links",
    read_history="Read Message History",
    create_threads="Create Public Threads",
    send_in_threads="Send Messages in Threads",
)

DELIVERING: of.Delivering[str] = of.Delivering(
    missing="A message is missing here: it was refused as it is. Ask for the changes by name.",
    refused=lambda count, day: (
        f"{count} of the messages of {day} were refused and are missing in the thread"
    ),
    paused=lambda channel, why: f"Nothing more is posted to {channel}: {why}.",
    of_channel=lambda channel, what: f"{channel}: {what}",
)

ABSENCES: of.Absences[str] = of.Absences(
    archived="the channel is archived; it goes on when the channel is unarchived",
    deleted="the channel was deleted; subscribe in another one",
    left="the bot was removed from the channel; it goes on once it is invited again",
    uninstalled="the bot was taken off this workspace or server; it goes on once it is back",
    failing=lambda since, why: (
        f"sending has failed since {since} ({why}); it goes on once that works"
    ),
)

SOURCES: of.Sources[str] = of.Sources(
    branch=lambda repo, now, before: (
        f"The default branch of {repo} is {now} now; before it was {before}."
    ),
    failing=lambda repo, since, why: f"{repo} could not be looked at since {since}: {why}.",
    silent=lambda repo, days, at: (
        f"{repo} has been silent for {days} days, longer than it usually is; it is looked at as "
        f"before, last at {at}."
    ),
    moved=lambda repo, now: f"{repo} is {now} now; the channel goes on with it under its new name.",
)

MENTIONS: of.Mentions[str] = of.Mentions(
    own_message=lambda date: f"In this channel: told on {date} in a message of its own.",
    with_others=lambda date, count: (
        f"In this channel: told on {date} in one message with {count} others."
    ),
    in_parent=lambda date: f"In this channel: named on {date} in the first message of its thread.",
    not_subscribed=lambda repo: f"This channel does not get {repo}.",
    left_out_by=lambda setting: f"Not in this channel: left out by {setting}.",
    to_come="Not yet in this channel: its day comes with the next thread.",
    by_count=lambda importance: f"In this channel: counted, not named (importance: {importance}).",
    before="Not in this channel: it is older than its first thread.",
)

REPLIES: of.Replies[str] = of.Replies(
    not_mine="This is no message of mine, and links no change of a repository watched here.",
    nothing_here="This message is about no single change: choose one in its thread.",
    not_open=lambda ref: f"Nobody has flagged {ref}: 🚩 comes before ✅.",
    shared="Shared.",
    flagged=lambda ref: f"🚩 {ref} is flagged.",
    nobody_asks="Nothing here waits for you: react with 🚩 to a message first.",
)

WELCOME: of.Welcome[str] = of.Welcome(
    does="I tell a channel every morning what happened the day before in the repositories it "
    "depends on: what breaks, what is new, what to look at.",
    gets_nothing="This channel gets nothing yet.",
    ask=lambda day, change: (
        f"Ask at any time, only you see the answer: {day} for a day, {change} for one change. "
        "React with 🚩 to what needs work."
    ),
    digest="Today's digest",
    set_up="Set up this channel",
    change="Change its settings",
    commands="All commands",
    which="Of which repository?",
)

STATE: of.State[str] = of.State(
    last=lambda date: f"Last: {date}.",
    never="Nothing told yet.",
    next=lambda at: f"Next: {at}.",
    wrong=lambda why: f"Last error: {why}.",
    lately="Lately:",
    changed=lambda who, what: f"{who} changed it: {what}",
    told=lambda date: f"told {date}",
    failed=lambda why: f"not told: {why}",
)

PAGES: of.Pages[str] = of.Pages(
    repos="Repositories",
    days="All days",
    empty="No day is stored yet: the first morning thread brings one.",
    zone=lambda tz: f"Days in {tz}",
    no_page="No page here",
    not_stored="Nothing is stored under this address: a day has a page once it was told.",
    not_now="Not now",
    no_store="What is stored cannot be read at the moment: try again in a minute.",
    title="What happened",
)

DEMONSTRATION: of.Demonstration[str] = of.Demonstration(
    own_history="This project's own git history: the day of its newest commit.",
    recorded_day="A recorded busy day of an invented repository, with pull requests and issues.",
    rest=lambda file: f"Whole, and as Slack and Discord show it: {file}",
    title="A morning with Infra Digest",
    intro=(
        "The messages are those that the bot posts, drawn by this page. The repository is invented,"
        " and so are its people and what became of its changes."
    ),
    more="More of the thread",
    text="As the terminal says it",
    morning="9 o'clock: the morning thread",
    morning_note=(
        "One message in the channel says what matters. What it names has a message of its own in"
        " the thread, with buttons."
    ),
    flagged="Alice flags a change",
    flagged_note="A reaction or a button: the message says who flagged it.",
    taken="Bob takes it",
    taken_note="Now somebody owns it. Pressed again, the button gives it back.",
    released="A day later it is in a release",
    released_note=(
        "The bot follows what is flagged at its repository, and says in the thread what became of"
        " it, once. The message of the change says it, too."
    ),
    done="Bob has upgraded",
    done_note="Done closes it; Reopen opens it again.",
)

HELP: of.Help[str] = of.Help(
    command="command",
    example="example",
    result="gives",
    alias="alias",
    repository="repository",
    title="Commands",
    times="WHEN is ",
    and_language="; the language is added by ",
)

GIVES: of.Gives[str] = of.Gives(
    repo="what happened in a repository; yesterday unless you say when",
    span="what changed for a user between two versions: tags or SHAs",
    change="one change, issue or release: what changed for users, files, hunks, related",
    all="every repository, busiest first; by WHEN alone, those that the channel gets",
    search="items already collected that hold these words",
    ask="a question in plain words, of the days that are stored: the last seven, or the time in it",
    repos="the repositories known by alias",
    watch="one more repository, under an alias",
    unwatch="that repository is left out again",
    why="why an item is graded as it is, point by point",
    help="this table, or one row of it",
    subscribe="a thread every morning in this channel; again, it adds repositories and changes "
    "what you name",
    unsubscribe="these repositories are told no more in this channel",
    pause="nothing more is posted in this channel until it is resumed",
    resume="this channel goes on, with one thread over the days since the last",
    subscriptions="what this channel is told, and when",
    followups="what was flagged here: 🚩 flag, 👀 take, ✅ done; everywhere: and mine elsewhere",
    channel_upgrade="what an upgrade means for the codebases that concern this channel: "
    "what breaks, behaves otherwise, is new; else from what they pin to the newest release",
    concern="what concerns this channel: words by hand, and public codebases that are read daily",
    settings="the settings of this channel, to be changed, and what happened to it lately",
    surface="what a codebase uses of a repository, as a file (--format toml or json); nothing of "
    "it runs",
    upgrade="what an upgrade means for a codebase: breaks, behaves otherwise, new, unchanged; "
    "by GitHub or --source git:CLONE",
    between="the changes of a bisect range, the likeliest cause first; "
    "by GitHub or --source git:CLONE",
    export="DIR/reports/DATE.md for each day, and an index in DIR/README.md",
    record="what the source gives, in one file for --source recorded:FILE",
    evaluate="how well days are told, measured against what editors chose",
    check="tries configuration, database, network, tokens and model, and says what to do",
    db="brings the database up to date with this program",
    demo="a day, and a page of what Slack and Discord show of it, offline",
    run="the bot, until it is stopped: hears, ticks and sends",
    deliver="what every channel would be told then; with --send it is",
    cli_subscribe="as in that channel: PLATFORM:WORKSPACE/CHANNEL",
    cli_followups="what was flagged in a channel, or in all; also as json and csv",
    slack="the manifest to make the Slack app from",
    cli_slack="a day's messages as JSON, each with a link to Block Kit Builder",
    discord="the link that adds the bot to a server, with the permissions it needs",
    status="what each channel got last and gets next, errors, queue, budgets, clock",
    backfill="collects the days since a date, within GitHub's limits; again goes on",
    backup="the whole database in one file, while the bot runs",
    restore="a backup, into SQLite or PostgreSQL; --yes replaces what is there",
    forget="deletes everything of a workspace or server, and says what",
    output="how the answer is drawn",
    language_and_zone="language and zone, else as set",
    length="every item by its title; a few lines",
    concerned="of a digest, what concerns a codebase comes first; else see upgrade",
    analysis="the long form: of one change, or of a repository's day with its contents",
    source="where to look: any clone works too",
    further="keep nothing; log to standard error; which version this is",
)

SLASH: of.Slash[str] = of.Slash(
    quiet_line="one line",
    quiet_nothing="nothing",
    eyes_open="opens a follow-up",
    eyes_nothing="does nothing",
    on_both="what breaks, and security",
    on_nothing="nothing",
    threads_own="each repository its own",
    which_open="open",
    which_mine="mine",
    which_done="done",
    which_all="all",
    which_everywhere="everywhere",
    language="The language of the digest",
    zone="The channel's time zone: Asia/Shanghai",
    time="When the morning thread comes: 09:00",
    days="On which days: daily, weekdays, weekly or mon,wed",
    paths="Only changes to these files: csrc/** docs/*.md",
    topics="Only changes about these words: attention",
    quiet="How a quiet day is told",
    eyes="What 👀 does on what nobody flagged (nothing if you don't say)",
    threads="One thread for all, or one each",
    publish="In an announcement channel: publish to servers that follow it",
    mention="A role to mention, only on what you choose",
    mention_on="When the role is mentioned",
    show="Show yesterday's thread at once (yes if you don't say)",
    infra="What happened in a repository, or one change of it",
    repo="A repository: vllm, or all",
    when="A day or days: yesterday, 2026-02-11, week",
    change="A number, SHA or tag: 35621, v0.15.1",
    share="Show the answer to the whole channel",
    search="Search what was told",
    words="What to look for",
    only_repo="Only in this repository",
    followups="Changes that somebody follows up",
    followups_show="Show the follow-ups of this channel",
    which="Open ones if you don't say",
    channel="What this channel gets every morning",
    subscribe="Get a morning thread about repositories",
    subscribe_repos="Repositories: vllm sglang",
    unsubscribe="Get no more about repositories",
    unsubscribe_repos="Repositories: vllm, or all",
    pause="Post nothing more here until resumed",
    resume="Go on, with what was due meanwhile",
    concern="What you use: words, or a public codebase that is read every day",
    concern_add="A public codebase, OWNER/NAME, or the https address of a file",
    concern_file="A file that infra surface wrote",
    concern_of="What it uses: vllm",
    concern_remove="Take away: words, a name, or all",
    subscriptions="Show what this channel gets, and when",
    settings="Show the settings of this channel, or change them",
    concern_models="Models, with commas: Qwen3, DeepSeek-V4; nothing clears them",
    concern_hardware="Hardware: MI355, SM120; nothing clears them",
    concern_flags="Flags and variables: --max-num-seqs, VLLM_USE_V1; nothing clears them",
    concern_paths="Files and folders upstream: vllm/v1/core; nothing clears them",
    concern_symbols="Classes and functions: SchedulerInterface; nothing clears them",
    concern_pins="Versions: flashinfer==0.6.3; nothing clears them",
    flag="Flag for follow-up",
    deep_dive="Deep dive",
    upgrade="What an upgrade means for the codebases of this channel",
    upgrade_repo="The repository: vllm",
    upgrade_from="A tag or SHA; what you pin if you don't say",
    upgrade_to="A tag or SHA; the newest release if you don't say",
    without=lambda names: f"What to leave out: {names}",
)

TAGS: of.Tags[str] = of.Tags(
    breaking="breaking",
    security="security",
    important="important",
    release="release",
    plain="digest",
)

CLI: of.CommandLine[str] = of.CommandLine(
    no_format=lambda what, form, forms: f"{what} is not told as {form}: write --format {forms}",
    analysis_of="--analysis is for a change or a day of one repository: infra sglang "
    "18905 --analysis",
    takes=lambda form, example: f"write {form}, such as {example}",
    no_folder=lambda path: f"there is no folder {path}: make it first, or name another one",
    not_a_value=lambda option, value, hint: f"{option} cannot be {value}: {hint}",
    which_channel=lambda command: (
        f"say in which channel: infra {command} … --channel slack:TEAM/CHANNEL"
    ),
    discord_token="set DISCORD_TOKEN first, as docs/discord.md tells",
    sent_too_early=lambda day, example: (
        f"nothing is sent as of {day}, long before this program: {example}"
    ),
    no_moment=lambda text: f"{text} is not a moment: write --at 2026-02-12T09:00",
    no_clone=lambda path: (
        f"there is no clone at {path}: make one, or name others with --clones DIR"
    ),
    no_windows=lambda path: f"{path} holds no windows that an editor labelled: name another folder",
    no_json=lambda path, why: f"{path} cannot be read as JSON: {why}",
    no_model="no model is set: set INFRA_MODEL and OPENAI_BASE_URL",
    no_statements=lambda path: f"{path} holds no statements: say which labels",
    is_a_file=lambda path: f"{path} is a file: name a folder to write to",
    index_marks="the index needs its begin mark and its end mark once each: mend them",
    file_exists=lambda path: f"{path} exists: name another file, or remove it first",
    backup_exists=lambda path: f"{path} exists: name another file, or add --yes to replace it",
    not_empty=lambda place, counts: (
        f"{place} is not empty, it holds {counts}: add --yes to "
        f"replace all of it, or name another one in DATABASE_URL"
    ),
    bot_runs=lambda place: f"the bot runs on {place}: stop its processes first, or add --yes",
    not_over=lambda day, example, yesterday: f"{day} is not over yet: {example} {yesterday}",
    before_git=lambda day, example, first: f"{day} is before git's first day: {example} {first}",
    write=lambda words: f"write {words}",
    concerns_none=lambda path, names: f"{path} concerns none of these repositories: {names}",
    not_with_brief=lambda option: f"{option} and --brief cannot both be: leave one of them out",
    no_source=lambda source, forms: f"there is no source {source}: write --source {forms}",
    no_option=lambda option, hint: f"there is no option {option}: {hint}",
    options=lambda names: f"options are {names}",
    needs_value=lambda option, form: f"{option} needs a value: write {form}",
    no_value=lambda option: f"{option} takes no value: write {option} alone",
    takes_no_source=lambda command: f"{command} takes no --source: leave it out",
    searches_source="what was read before, with the same --source, is searched: read it first "
    "(infra vllm week), and for a clone add --source git:PATH",
    other_command=lambda option, rows: f"{option} belongs to another command: see {rows}",
    no_subscription=lambda channel: f"{channel} has no subscription",
    no_surface=lambda path: f"{path} is not there, or empty: write it with infra surface PATH",
    between_of="say of which repository: infra between vllm v0.15.0 v0.15.1 WORDS",
    output_failed=lambda why: f"the output cannot be written: {why}: make room and ask again",
)

CHECKS: of.Checks[str] = of.Checks(
    configuration="configuration",
    clock="clock",
    database="database",
    host="host",
    network="network",
    token="token",
    model="model",
    zone_and_language=lambda tz, language: f"zone {tz}, language {language}",
    up_to_date=lambda place: f"{place} is up to date",
    upgraded="the database is up to date",
    careful=lambda why: f"careful: {why}",
    fleeting=lambda file, where: (
        f"{file} stands {where}: the next restart takes away subscriptions, follow-ups and what "
        "was told. Set DATABASE_URL to a PostgreSQL, or to a file on a volume that stays"
    ),
    in_container="inside a container",
    in_memory="in memory",
    ephemeral_disk=lambda host: f"on the ephemeral disk of {host}",
    check_alone="INFRA_MODEL_CHECK is set and INFRA_MODEL is not, so no model is asked: set "
    "INFRA_MODEL too, or neither",
    no_model="none: set INFRA_MODEL as docs/model.md tells, or do without",
    no_model_asked=lambda why: f"{why}, so no model is asked",
    model_answers=lambda model, seconds, form: f"{model} answers in {seconds} s by {form}",
    tokens_spent=lambda day, month: f"{day} tokens spent today, {month} this month (UTC)",
    of_allowed=lambda spent, most: f"{spent} of {most}",
    answers=lambda address: f"{address} answers",
    not_tried="not tried: the network comes first",
    accepted="accepted",
    used_up="accepted, but used up: wait for the next hour",
    no_token="none: set GITHUB_TOKEN for full detail and more than one repository",
    requests_left=lambda token, left: f"{token}; {left} requests are left this hour",
    slack_by_http=lambda team: (
        f"the token is workspace {team}'s; heard by HTTP, for which the web process runs"
    ),
    slack_by_socket=lambda team: f"the token is workspace {team}'s; heard by Socket Mode",
    discord_accepted="the token is accepted",
)

STATUS: of.StatusLines[str] = of.StatusLines(
    no_channel="no channel has a subscription",
    last_and_next=lambda last, next: f"last: {last}; next: {next}",
    nothing_yet="nothing yet",
    none="none",
    now="now",
    waiting=lambda what: f"waiting: {what}",
    paused=lambda why: f"paused: {why}",
    last_error=lambda why: f"last error: {why}",
    claimed=lambda date: f"{date} is claimed",
    planned=lambda date: f"{date} is planned",
    failed=lambda tries: f"failed {tries} {'time' if tries == 1 else 'times'}",
    again_at=lambda at: f"again at {at}",
    queue=lambda number: f"queue: {number}",
    queue_since=lambda number, since: f"queue: {number}, the first due since {since}",
    webhook=lambda number: f"webhook: {number} waiting",
    webhook_failing=lambda number, since: f"webhook: {number} waiting, failing since {since}",
    no_process="no process runs",
    process=lambda owner, only, version, how: f"process {owner} ({only}, {version}): {how}",
    everything="everything",
    clock=lambda ago: f"clock {ago}",
    no_clock="no clock",
    heard=lambda platform: f"{platform} heard",
    ago=lambda seconds: f"{seconds} s ago",
    github=lambda left: f"GitHub requests left: {left}",
    github_unknown="not known while no process asks",
    today=lambda spent: f"model today: {spent}",
    this_month=lambda spent: f"model this month: {spent}",
    spent=lambda questions, sent, answered: (
        f"{questions} {'question' if questions == '1' else 'questions'}, "
        f"{sent} tokens sent to it, {answered} answered (UTC)"
    ),
    model_failed=lambda at, why: f"model failed last: {at}, {why}",
    model_paused=lambda at, why, until: (
        f"model failed last: {at}, {why}; it is left alone until {until}"
    ),
)

OPERATING: of.Operating[str] = of.Operating(
    operator="somebody on the command line",
    backed_up=lambda file, rows, size: f"{file}: {rows} rows, {size} bytes",
    restored=lambda place, counts: f"{place} holds {counts}",
    restored_empty=lambda place: f"{place} holds nothing: the backup is empty",
    posted_again="what was posted since the backup is not known here and comes once more: see "
    "docs/running.md",
    deleted=lambda name, counts: f"{name}: deleted {counts}",
    nothing_stored=lambda name: f"{name}: nothing is kept of it",
    subscribed_in=lambda workspaces: f"channels are subscribed in {workspaces}",
    backfilled=lambda repo, done, days, since: (
        f"{repo}: {done} of {days} days since {since} are stored"
    ),
    collected=lambda of, items, requests: f"{of}: {items} items, {requests}",
    requests=lambda number: f"{number} requests",
    requests_and_left=lambda number, left: f"{number} requests, {left}",
    left=lambda limit, number: f"{limit} {number} left",
    left_of=lambda number, limit: f"{number} requests of {limit} are left",
    run_again=lambda why: f"{why}; run it again, what is stored is not asked for again",
    about=lambda what, why: f"{what}: {why}",
    nothing_due="nothing is due then",
    nothing_to_send="nothing to tell",
    delivered=lambda channel, date: f"{channel}: told {date}",
    not_set_up=lambda platform: (
        f"{platform} is not set up here: set its tokens as infra run has them"
    ),
    not_delivered="not told yet: infra status says what it waits for",
    drawn=lambda url: f"the first message, drawn: {url}",
)

SURFACES: of.Surfaces[str] = of.Surfaces(
    no_process=lambda why: f"no process can be started: {why}",
    too_large="its surface is too large to be kept: name one with: of REPO",
    too_long=lambda count: (
        f"a surface is at most {count} characters long: narrow it to "
        f"one upstream repository with --of"
    ),
    uses_nothing="this surface uses nothing: make one with infra surface PATH --of REPO",
    of_another=lambda of, repo: f"this surface is of {of}, not of {repo}",
    no_json=lambda line, column, error: (
        f"this surface is no JSON: line {line}, column {column}: {error}"
    ),
    no_toml=lambda error: f"this surface is no TOML: {error}",
    too_deep="this surface is nested too deeply or holds a number too long",
    no_upstream=lambda name, known: (
        f"{name} is no repository that is known ({known}): write OWNER/NAME or OWNER/NAME=MODULE"
    ),
    several_used=lambda names: (
        f"several repositories are used here: say which one you mean: {names}"
    ),
    none_used="no watched repository is imported here: name another: --of OWNER/NAME",
)
