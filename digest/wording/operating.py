"""What the bot says of itself, and the commands of who runs it."""

from collections.abc import Callable
from typing import Generic

from digest.phrase import Example
from digest.wording.area import Area, Sentence, says


class ChatErrorWords(Area, Generic[Sentence]):
    """The bot itself, whatever the platform."""

    failed_repos: Callable[[object, object], Sentence] = says(lambda repos, why: f"{repos}: {why}")
    both: Callable[[object, object], Sentence] = says(lambda first, second: f"{first}; {second}")
    own_error_with: Callable[[object], Sentence] = says(
        lambda repo: f"Infra Digest met an error of its own with {repo}, which its log holds"
    )
    not_allowed: Sentence = says(
        "it may not be told here: INFRA_PRIVATE_REPOS does not name it for this workspace, or "
        "guests or people of another organisation would read it"
    )
    asked_much: Callable[[object], Sentence] = says(
        lambda wait: f"you have asked for much in a short time: ask again in {wait}"
    )
    workspace_asked_much: Callable[[object], Sentence] = says(
        lambda wait: f"much was asked for in this workspace in a short time: ask again in {wait}"
    )
    seconds: Callable[[object], Sentence] = says(lambda count: f"{count} s")
    minutes: Callable[[object], Sentence] = says(lambda count: f"{count} min")
    much_said: Sentence = says("more was said since than the bot looks through")
    mention_asks: Callable[[Example], Sentence] = says(
        lambda command: f"a mention only asks questions; for this there is {command}"
    )
    no_token: Callable[[object], Sentence] = says(
        lambda platform: f"there is no token for {platform}: an admin sets one"
    )
    clock: Callable[[object], Sentence] = says(
        lambda day: (
            f"the clock (of PostgreSQL, else of this machine) says {day}, so nothing is posted: "
            "set it, on most machines by switching NTP on"
        )
    )
    own_error: Sentence = says(
        "the digest could not be made, Infra Digest met an error of its own, which its log "
        "holds; it tries again, at longer and longer intervals"
    )
    broken: Sentence = says("That went wrong here, and is in the bot's log; asking again may help.")
    may_not_share: Sentence = says(
        "only who may write here can share here: the answer stays with you"
    )
    nothing_to_share: Sentence = says("there is nothing in this answer to share")
    model_not_json: Callable[[object], Sentence] = says(
        lambda model: f"{model} answers, but not with JSON: set another model"
    )
    of_check_model: Callable[[object], Sentence] = says(lambda why: f"INFRA_MODEL_CHECK: {why}")
    cost_not_noted: Sentence = says("what the model costs cannot be noted, so it is not asked")
    no_platform: Sentence = says(
        "no platform is set up: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or DISCORD_TOKEN, as "
        "docs/slack.md and docs/discord.md tell"
    )
    port_taken: Callable[[object, object, object], Sentence] = says(
        lambda host, port, names: f"{host}:{port} cannot be listened on: set another {names}"
    )
    no_tokens: Callable[[object], Sentence] = says(
        lambda name: f"no tokens may be spent: {name} is 0"
    )


class ModelServer(Area, Generic[Sentence]):
    """Why a model's server gave no answer, for who runs the program: a field for each `Trouble`
    that a server can be in, and why an answer of it cannot be used.

    The values of the former are its host, the model and the status that it answered with.
    """

    timeout: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"the model server {host} does not answer in time: check that it runs and is not "
            "overloaded"
        )
    )
    unreachable: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"the model server {host} cannot be reached: check that it runs and OPENAI_BASE_URL"
        )
    )
    certificate: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"the model server {host} shows a certificate that is not trusted here: name the file "
            "of its authority in SSL_CERT_FILE"
        )
    )
    address: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"{host} answers something else than a model server does: check OPENAI_BASE_URL, which "
            "mostly ends in /v1"
        )
    )
    key: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: f"the model server {host} refuses the key: check OPENAI_API_KEY"
    )
    access: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"the model server {host} lets this key not use {model}: check INFRA_MODEL and the key"
        )
    )
    unknown_model: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"the model server {host} knows no model {model}: check INFRA_MODEL"
        )
    )
    quota: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"the account at {host} has nothing left to spend: check its plan"
        )
    )
    busy: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: (
            f"the model server {host} takes no more questions now (429): ask again later"
        )
    )
    broken: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: f"the model server {host} fails ({status}): ask again later"
    )
    refused: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: f"the model server refused the question ({status})"
    )
    too_long: Callable[[object, object, object], Sentence] = says(
        lambda host, model, status: f"the question is longer than {model} can read"
    )
    declined: Sentence = says("the model declined to answer")
    cut: Sentence = says("the model's answer was cut at its limit")
    empty: Sentence = says("the model's answer is empty")
    far_longer: Sentence = says("the model's answer is far longer than was asked for")
    without_json: Sentence = says(
        "the model's answer holds no JSON of the shape that was asked for"
    )


class DatabaseWords(Area, Generic[Sentence]):
    """The database at `place`."""

    opened: Sentence = says("the database")
    file: Callable[[object], Sentence] = says(lambda path: f"the database {path}")
    in_memory: Sentence = says("the database in memory")
    postgresql: Callable[[object, object], Sentence] = says(
        lambda name, host: f"the PostgreSQL database {name} on {host}"
    )
    postgresql_here: Callable[[object], Sentence] = says(
        lambda name: f"the PostgreSQL database {name} on this machine"
    )
    disk_full: Callable[[object], Sentence] = says(
        lambda place: f"the disk that holds {place} is full: free some space and ask again"
    )
    locked_by_program: Callable[[object], Sentence] = says(
        lambda place: f"{place} is locked by another program: end that one or ask again later"
    )
    not_writable: Callable[[object], Sentence] = says(
        lambda place: (
            f"{place} cannot be written: allow writing to it and to its folder, or name another "
            "file in DATABASE_URL"
        )
    )
    not_openable: Callable[[object], Sentence] = says(
        lambda place: (
            f"{place} cannot be opened: allow reading and writing its folder, or name another file "
            "in DATABASE_URL"
        )
    )
    disk_fails: Callable[[object], Sentence] = says(
        lambda place: (
            f"{place} cannot be read or written by the disk: free some space or check the disk, "
            "then ask again"
        )
    )
    damaged: Callable[[object], Sentence] = says(
        lambda place: f"{place} is damaged: restore a backup, or move the file away to start anew"
    )
    not_sqlite: Callable[[object], Sentence] = says(
        lambda place: (
            f"{place} is not a SQLite database: name another file in DATABASE_URL, or move this "
            "one away"
        )
    )
    server_full: Callable[[object], Sentence] = says(
        lambda place: f"the disk of {place} is full: free some space there and ask again"
    )
    no_resources: Callable[[object], Sentence] = says(
        lambda place: f"{place} has no resources left: ask again later"
    )
    read_only: Callable[[object], Sentence] = says(
        lambda place: f"{place} is read-only: name the primary server in DATABASE_URL"
    )
    locked: Callable[[object], Sentence] = says(
        lambda place: f"{place} is locked by another program: ask again later"
    )
    restarting: Callable[[object], Sentence] = says(
        lambda place: f"{place} is shutting down or starting: ask again later"
    )
    refuses_user: Callable[[object], Sentence] = says(
        lambda place: f"{place} refuses the user or password: correct DATABASE_URL"
    )
    missing: Callable[[object], Sentence] = says(
        lambda place: f"{place} does not exist on its server: create it, or correct DATABASE_URL"
    )
    other_program: Callable[[object], Sentence] = says(
        lambda place: (
            f"{place} holds tables of another program: name another database in DATABASE_URL"
        )
    )
    no_rights: Callable[[object], Sentence] = says(
        lambda place: (
            f"{place} does not let this user work in it: grant it the rights, or correct "
            "DATABASE_URL"
        )
    )
    not_migrated: Callable[[object], Sentence] = says(
        lambda place: f"{place} is not set up for this version: run `infra db upgrade`"
    )
    no_answer: Callable[[object], Sentence] = says(
        lambda place: f"{place} does not answer: check that it runs and DATABASE_URL names it"
    )
    unusable: Callable[[object, object], Sentence] = says(
        lambda place, cause: f"{place} cannot be used: {cause}"
    )
    deleted: Sentence = says(
        "the file of the database was deleted while the program ran: put it back from a backup,"
        " or start the program again with a new one"
    )
    needs_store: Sentence = says("this is about what is stored: ask again without --no-store")
    other_message: Sentence = says("a stored message was written by another version of infra")
    newer: Callable[[object], Sentence] = says(
        lambda place: f"{place} was made by a newer version of infra: install that version"
    )
    no_url: Sentence = says(
        "DATABASE_URL is not a database URL: write sqlite:///FILE or postgresql://…"
    )
    other_kind: Callable[[object], Sentence] = says(
        lambda name: f"DATABASE_URL names {name}: only SQLite and PostgreSQL are supported"
    )
    of_another: Callable[[object], Sentence] = says(
        lambda place: f"{place} belongs to another program: name another file in DATABASE_URL"
    )


class Checks(Area, Generic[Sentence]):
    """What `infra check` and `infra db upgrade` find."""

    configuration: Sentence = says("configuration")
    clock: Sentence = says("clock")
    database: Sentence = says("database")
    host: Sentence = says("host")
    network: Sentence = says("network")
    token: Sentence = says("token")
    model: Sentence = says("model")
    zone_and_language: Callable[[object, object], Sentence] = says(
        lambda tz, language: f"zone {tz}, language {language}"
    )
    up_to_date: Callable[[object], Sentence] = says(lambda place: f"{place} is up to date")
    upgraded: Sentence = says("the database is up to date")
    careful: Callable[[object], Sentence] = says(lambda why: f"careful: {why}")
    fleeting: Callable[[object, object], Sentence] = says(
        lambda file, where: (
            f"{file} stands {where}: the next restart takes away subscriptions, follow-ups and "
            "what was told. Set DATABASE_URL to a PostgreSQL, or to a file on a volume that stays"
        )
    )
    in_container: Sentence = says("inside a container")
    in_memory: Sentence = says("in memory")
    ephemeral_disk: Callable[[object], Sentence] = says(
        lambda host: f"on the ephemeral disk of {host}"
    )
    check_alone: Sentence = says(
        "INFRA_MODEL_CHECK is set and INFRA_MODEL is not, so no model is asked: set "
        "INFRA_MODEL too, or neither"
    )
    no_model: Sentence = says("none: set INFRA_MODEL as docs/model.md tells, or do without")
    no_model_asked: Callable[[object], Sentence] = says(lambda why: f"{why}, so no model is asked")
    model_answers: Callable[[object, object, object], Sentence] = says(
        lambda model, seconds, form: f"{model} answers in {seconds} s by {form}"
    )
    tokens_spent: Callable[[object, object], Sentence] = says(
        lambda day, month: f"{day} tokens spent today, {month} this month (UTC)"
    )
    of_allowed: Callable[[object, object], Sentence] = says(
        lambda spent, most: f"{spent} of {most}"
    )
    answers: Callable[[object], Sentence] = says(lambda address: f"{address} answers")
    not_tried: Sentence = says("not tried: the network comes first")
    accepted: Sentence = says("accepted")
    used_up: Sentence = says("accepted, but used up: wait for the next hour")
    no_token: Sentence = says("none: set GITHUB_TOKEN for full detail and more than one repository")
    requests_left: Callable[[object, object], Sentence] = says(
        lambda token, left: f"{token}; {left} requests are left this hour"
    )
    slack_by_http: Callable[[object], Sentence] = says(
        lambda team: (
            f"the token is workspace {team}'s; heard by HTTP, for which the web process runs"
        )
    )
    slack_by_socket: Callable[[object], Sentence] = says(
        lambda team: f"the token is workspace {team}'s; heard by Socket Mode"
    )
    discord_accepted: Sentence = says("the token is accepted")


class StatusLines(Area, Generic[Sentence]):
    """What `infra status` says."""

    no_channel: Sentence = says("no channel has a subscription")
    last_and_next: Callable[[object, object], Sentence] = says(
        lambda last, next: f"last: {last}; next: {next}"
    )
    nothing_yet: Sentence = says("nothing yet")
    none: Sentence = says("none")
    now: Sentence = says("now")
    waiting: Callable[[object], Sentence] = says(lambda what: f"waiting: {what}")
    paused: Callable[[object], Sentence] = says(lambda why: f"paused: {why}")
    last_error: Callable[[object], Sentence] = says(lambda why: f"last error: {why}")
    claimed: Callable[[object], Sentence] = says(lambda date: f"{date} is claimed")
    planned: Callable[[object], Sentence] = says(lambda date: f"{date} is planned")
    failed: Callable[[object], Sentence] = says(
        lambda tries: f"failed {tries} {'time' if tries == 1 else 'times'}"
    )
    again_at: Callable[[object], Sentence] = says(lambda at: f"again at {at}")
    queue: Callable[[object], Sentence] = says(lambda number: f"queue: {number}")
    queue_since: Callable[[object, object], Sentence] = says(
        lambda number, since: f"queue: {number}, the first due since {since}"
    )
    webhook: Callable[[object], Sentence] = says(lambda number: f"webhook: {number} waiting")
    webhook_failing: Callable[[object, object], Sentence] = says(
        lambda number, since: f"webhook: {number} waiting, failing since {since}"
    )
    no_process: Sentence = says("no process runs")
    process: Callable[[object, object, object, object], Sentence] = says(
        lambda owner, only, version, how: f"process {owner} ({only}, {version}): {how}"
    )
    everything: Sentence = says("everything")
    clock: Callable[[object], Sentence] = says(lambda ago: f"clock {ago}")
    no_clock: Sentence = says("no clock")
    heard: Callable[[object], Sentence] = says(lambda platform: f"{platform} heard")
    ago: Callable[[object], Sentence] = says(lambda seconds: f"{seconds} s ago")
    github: Callable[[object], Sentence] = says(lambda left: f"GitHub requests left: {left}")
    github_unknown: Sentence = says("not known while no process asks")
    today: Callable[[object], Sentence] = says(lambda spent: f"model today: {spent}")
    this_month: Callable[[object], Sentence] = says(lambda spent: f"model this month: {spent}")
    spent: Callable[[object, object, object], Sentence] = says(
        lambda questions, sent, answered: (
            f"{questions} {'question' if questions == '1' else 'questions'}, "
            f"{sent} tokens sent to it, {answered} answered (UTC)"
        )
    )
    model_failed: Callable[[object, object], Sentence] = says(
        lambda at, why: f"model failed last: {at}, {why}"
    )
    model_paused: Callable[[object, object, object], Sentence] = says(
        lambda at, why, until: f"model failed last: {at}, {why}; it is left alone until {until}"
    )


class Operating(Area, Generic[Sentence]):
    """What the commands of who runs the bot say: copies, days filled in, mornings by hand."""

    operator: Sentence = says("somebody on the command line")
    backed_up: Callable[[object, object, object], Sentence] = says(
        lambda file, rows, size: f"{file}: {rows} rows, {size} bytes"
    )
    restored: Callable[[object, object], Sentence] = says(
        lambda place, counts: f"{place} holds {counts}"
    )
    restored_empty: Callable[[object], Sentence] = says(
        lambda place: f"{place} holds nothing: the backup is empty"
    )
    posted_again: Sentence = says(
        "what was posted since the backup is not known here and comes once more: see "
        "docs/running.md"
    )
    deleted: Callable[[object, object], Sentence] = says(
        lambda name, counts: f"{name}: deleted {counts}"
    )
    nothing_stored: Callable[[object], Sentence] = says(
        lambda name: f"{name}: nothing is kept of it"
    )
    subscribed_in: Callable[[object], Sentence] = says(
        lambda workspaces: f"channels are subscribed in {workspaces}"
    )
    backfilled: Callable[[object, object, object, object], Sentence] = says(
        lambda repo, done, days, since: f"{repo}: {done} of {days} days since {since} are stored"
    )
    collected: Callable[[object, object, object], Sentence] = says(
        lambda of, items, requests: f"{of}: {items} items, {requests}"
    )
    requests: Callable[[object], Sentence] = says(lambda number: f"{number} requests")
    requests_and_left: Callable[[object, object], Sentence] = says(
        lambda number, left: f"{number} requests, {left}"
    )
    left: Callable[[object, object], Sentence] = says(
        lambda limit, number: f"{limit} {number} left"
    )
    left_of: Callable[[object, object], Sentence] = says(
        lambda number, limit: f"{number} requests of {limit} are left"
    )
    run_again: Callable[[object], Sentence] = says(
        lambda why: f"{why}; run it again, what is stored is not asked for again"
    )
    about: Callable[[object, object], Sentence] = says(lambda what, why: f"{what}: {why}")
    nothing_due: Sentence = says("nothing is due then")
    nothing_to_send: Sentence = says("nothing to tell")
    delivered: Callable[[object, object], Sentence] = says(
        lambda channel, date: f"{channel}: told {date}"
    )
    not_set_up: Callable[[object], Sentence] = says(
        lambda platform: f"{platform} is not set up here: set its tokens as infra run has them"
    )
    not_delivered: Sentence = says("not told yet: infra status says what it waits for")
    drawn: Callable[[object], Sentence] = says(lambda url: f"the first message, drawn: {url}")


class Pages(Area, Generic[Sentence]):
    """The pages beside the digests."""

    repos: Sentence = says("Repositories")
    days: Sentence = says("All days")
    empty: Sentence = says("No day is stored yet: the first morning thread brings one.")
    zone: Callable[[object], Sentence] = says(lambda tz: f"Days in {tz}")
    no_page: Sentence = says("No page here")
    not_stored: Sentence = says(
        "Nothing is stored under this address: a day has a page once it was told."
    )
    not_now: Sentence = says("Not now")
    no_store: Sentence = says("What is stored cannot be read at the moment: try again in a minute.")
    title: Sentence = says("What happened")


class Demonstration(Area, Generic[Sentence]):
    """The demonstration without a network."""

    own_history: Sentence = says("This project's own git history: the day of its newest commit.")
    recorded_day: Sentence = says(
        "A recorded busy day of an invented repository, with pull requests and issues."
    )
    rest: Callable[[object], Sentence] = says(
        lambda file: f"Whole, and as Slack and Discord show it: {file}"
    )
    title: Sentence = says("A morning with Infra Digest")
    intro: Sentence = says(
        "The messages are those that the bot posts, drawn by this page. The repository is invented,"
        " and so are its people and what became of its changes."
    )
    more: Sentence = says("More of the thread")
    text: Sentence = says("As the terminal says it")
    morning: Sentence = says("9 o'clock: the morning thread")
    morning_note: Sentence = says(
        "One message in the channel says what matters. What it names has a message of its own in"
        " the thread, with buttons."
    )
    flagged: Sentence = says("Alice flags a change")
    flagged_note: Sentence = says("A reaction or a button: the message says who flagged it.")
    taken: Sentence = says("Bob takes it")
    taken_note: Sentence = says("Now somebody owns it. Pressed again, the button gives it back.")
    released: Sentence = says("A day later it is in a release")
    released_note: Sentence = says(
        "The bot follows what is flagged at its repository, and says in the thread what became of"
        " it, once. The message of the change says it, too."
    )
    done: Sentence = says("Bob has upgraded")
    done_note: Sentence = says("Done closes it; Reopen opens it again.")


class OperatingAreas(Area, Generic[Sentence]):
    """All of them."""

    chat: ChatErrorWords[Sentence]
    model_server: ModelServer[Sentence]
    database: DatabaseWords[Sentence]
    pages: Pages[Sentence]
    demonstration: Demonstration[Sentence]
    checks: Checks[Sentence]
    status: StatusLines[Sentence]
    operating: Operating[Sentence]
