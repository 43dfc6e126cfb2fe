"""What GitHub, a clone or a file did not give, and why."""

from collections.abc import Callable
from typing import Generic

from digest.phrase import Example
from digest.wording.area import Area, Sentence, says


class GitHubWords(Area, Generic[Sentence]):
    """GitHub, asked over the network."""

    no_repo: Callable[[object], Sentence] = says(
        lambda repo: (
            f"there is no repository {repo}, or it is private: check the name, as in "
            "vllm-project/vllm"
        )
    )
    nothing_at: Callable[[object, object], Sentence] = says(
        lambda repo, ref: f"{repo} has nothing to read at {ref}: check the reference"
    )
    no_end: Callable[[object, object], Sentence] = says(
        lambda repo, ref: f"{repo} has no tag or commit {ref}: write a tag as it is there, or a SHA"
    )
    no_item: Callable[[object, object, Example], Sentence] = says(
        lambda repo, ref, example: (
            f"{repo} has no pull request, issue, commit or tag {ref}: see {example}"
        )
    )
    refuses_repo: Callable[[object], Sentence] = says(
        lambda repo: f"GitHub does not let this token look at {repo}, or blocks it"
    )
    private: Callable[[object], Sentence] = says(
        lambda asked: f"{asked} is private: list its name in INFRA_PRIVATE_REPOS if it may be told"
    )
    nothing_there: Sentence = says(
        "GitHub has nothing there, or it is private: check the name, as in vllm-project/vllm"
    )
    unknown_name: Sentence = says("GitHub knows nothing of that name: check the number, SHA or tag")
    blocked: Sentence = says("GitHub blocks this repository for legal reasons")
    token_may_not: Sentence = says(
        "GitHub does not allow this token to look there: check its access"
    )
    may_not: Sentence = says("GitHub does not allow to look there")
    bad_token: Sentence = says(
        "GitHub refused the token: set GITHUB_TOKEN to a valid one, or unset it"
    )
    pause: Callable[[object], Sentence] = says(
        lambda time: f"GitHub asks for a pause until {time} UTC; try again then"
    )
    limit: Callable[[object], Sentence] = says(
        lambda until: f"GitHub's hourly limit is used up{until}; try again then"
    )
    limit_without_token: Callable[[object], Sentence] = says(
        lambda until: (
            f"GitHub's 60 requests an hour without a token are used up{until}: set GITHUB_TOKEN to "
            "look at more repositories"
        )
    )
    until: Callable[[object], Sentence] = says(lambda time: f" until {time} UTC")
    own_error: Callable[[object], Sentence] = says(
        lambda status: (
            f"GitHub answered with an error of its own ({status}); try again in some minutes"
        )
    )
    not_accepted: Callable[[object], Sentence] = says(
        lambda status: f"GitHub did not accept the request ({status}); check GITHUB_API_URL"
    )
    bad_answer: Callable[[object], Sentence] = says(
        lambda what: f"GitHub's answer about {what} has another form than expected; try again later"
    )
    broke_off: Sentence = says("the connection to GitHub broke off; try again later")
    not_reached: Sentence = says("GitHub could not be reached; try again later")
    no_network: Sentence = says("GitHub could not be reached: check the network and GITHUB_API_URL")
    too_slow: Sentence = says("GitHub does not answer in time; try again later")
    cut_off: Sentence = says("GitHub's answer was cut off; try again later")
    not_json: Sentence = says("GitHub's answer is cut or not JSON; try again later")
    circle: Sentence = says("GitHub's addresses lead in a circle; check GITHUB_API_URL")
    unknown_packing: Sentence = says(
        "GitHub's answer is packed in an unknown way; check GITHUB_API_URL"
    )
    next_page_elsewhere: Sentence = says(
        "GitHub named a next page on another server; check GITHUB_API_URL"
    )
    other_server: Sentence = says("GitHub sent us to another server; check GITHUB_API_URL")
    bad_graphql: Sentence = says(
        "GitHub's GraphQL answer has another form than expected; try again later"
    )
    graphql_unknown: Sentence = says(
        "GitHub's GraphQL does not know what was asked; check GITHUB_API_URL"
    )
    unfinished: Sentence = says("GitHub could not finish the question; try again in some minutes")
    no_branch: Sentence = says("GitHub did not name the default branch")
    no_repository_given: Sentence = says(
        "GitHub did not give the repository; try again in some minutes"
    )
    too_large: Callable[[object], Sentence] = says(
        lambda size: f"GitHub's answer is larger than {size} MB"
    )
    another_repository: Sentence = says("GitHub answered about another repository; try again later")
    something_else: Sentence = says("GitHub answered about something else")
    moved: Sentence = says("GitHub has moved it to another repository")
    not_given: Callable[[object], Sentence] = says(lambda number: f"GitHub did not give #{number}")
    not_all_given: Callable[[object], Sentence] = says(
        lambda number: f"GitHub did not give all of #{number}"
    )
    in_part: Sentence = says("GitHub gave a part of the answer only")
    too_many_since: Sentence = says("there are too many since then to see them all")
    files_cut: Callable[[object, object], Sentence] = says(
        lambda most, refs: f"GitHub lists no more than {most} files of a change: in {refs}"
    )
    later_reverts: Sentence = says("later reverts could not be looked up")
    too_many: Callable[[object], Sentence] = says(
        lambda advice: f"there are too many for one hour: {advice}"
    )
    too_many_since_then: Callable[[object], Sentence] = says(
        lambda advice: f"there are too many since then for one hour: {advice}"
    )
    older_without_details: Callable[[object], Sentence] = says(
        lambda advice: f"older ones have no description, labels or state here: {advice}"
    )
    reopened_not_read: Callable[[object, object], Sentence] = says(
        lambda count, advice: f"of {count} reopened ones it was not read when: {advice}"
    )
    # in stored days alone
    tags_not_read: Callable[[object], Sentence] = says(
        lambda advice: f"of the tags without a release not all were looked at: {advice}"
    )
    without_token: Callable[[object], Sentence] = says(
        lambda advice: (
            "who merged, which issues are closed, and tags without a release are not told without "
            f"a token: {advice}"
        )
    )
    files_not_read: Callable[[object, object, object], Sentence] = says(
        lambda left, count, advice: (
            f"the files of {left} of {count} changes were not read: {advice}"
        )
    )
    merge_too_large: Callable[[object, object], Sentence] = says(
        lambda sha, advice: f"the merge {sha} brought more than could be read: {advice}"
    )
    merges_not_read: Callable[[object, object], Sentence] = says(
        lambda count, advice: f"what {count} merges brought was not read: {advice}"
    )
    set_token: Sentence = says("set GITHUB_TOKEN to see them")
    following_needs_token: Sentence = says("following items upstream needs GITHUB_TOKEN: set it")


class ObjectsOfGitHub(Area, Generic[Sentence]):
    """What an answer of GitHub is about."""

    a_commit: Sentence = says("a commit")
    a_file: Sentence = says("a file")
    the_default_branch: Sentence = says("the default branch")
    a_comparison: Sentence = says("a comparison")
    a_merge: Sentence = says("a merge")
    a_pull_request: Sentence = says("a pull request")
    a_pull_requests_commits: Sentence = says("a pull request's commits")
    a_release: Sentence = says("a release")
    an_issues_events: Sentence = says("an issue's events")
    changed_files: Sentence = says("changed files")
    commits: Sentence = says("commits")
    issues: Sentence = says("issues")
    later_reverts: Sentence = says("later reverts")
    pull_requests: Sentence = says("pull requests")
    releases: Sentence = says("releases")
    a_tree: Sentence = says("a list of files")
    tags: Sentence = says("tags")
    the_limits: Sentence = says("the limits")
    the_repository: Sentence = says("the repository")


class Unread(Area, Generic[Sentence]):
    """What could not be read, and why as the last value: see `cause`."""

    # in stored days alone
    reopening: Callable[[object, object], Sentence] = says(
        lambda number, why: f"when #{number} was reopened could not be read: {why}"
    )
    rewritten: Callable[[object], Sentence] = says(
        lambda why: f"whether the branch was rewritten could not be seen: {why}"
    )
    patches: Callable[[object, object], Sentence] = says(
        lambda count, why: (
            f"the patches of {count} {'change' if count == 1 else 'changes'} could not be read: "
            f"{why}"
        )
    )
    merge: Callable[[object, object], Sentence] = says(
        lambda sha, why: f"what the merge {sha} brought could not be read: {why}"
    )
    originals: Callable[[object], Sentence] = says(
        lambda why: f"what reverts take back could not be looked up: {why}"
    )
    later_reverts: Callable[[object], Sentence] = says(
        lambda why: f"later reverts could not be looked up: {why}"
    )
    some: Callable[[object, object], Sentence] = says(
        lambda count, why: f"{count} could not be read: {why}"
    )
    commit: Callable[[object, object], Sentence] = says(
        lambda sha, why: f"{sha} could not be read: {why}"
    )


class GitWords(Area, Generic[Sentence]):
    """A clone."""

    # the first two are in stored days alone
    no_issues: Sentence = says("git holds no issues")
    no_descriptions: Sentence = says("git holds no descriptions and labels of pull requests")
    no_talk: Sentence = says("git holds no issues, and of pull requests what their commits say")
    shallow: Sentence = says(
        "the clone is shallow, older commits are missing: git fetch --unshallow"
    )
    files_not_compared: Callable[[object, object], Sentence] = says(
        lambda missing, whole: f"interfaces were not compared in files: {missing} of {whole}"
    )
    files_not_parsed: Callable[[object], Sentence] = says(
        lambda paths: (
            f"interfaces were not compared in files that do not parse or are too large: {paths}"
        )
    )
    patches_too_large: Callable[[object], Sentence] = says(
        lambda refs: (
            "patches that are too large to be read, alone or with the others of the time: in "
            f"{refs}"
        )
    )
    patches_lost: Callable[[object], Sentence] = says(
        lambda refs: f"patches of files whose content the repository lacks: in {refs}"
    )
    from_before: Callable[[object], Sentence] = says(
        lambda why: f"{why}; shown is what was fetched before"
    )
    # in stored days and concerns alone, also as the reason within `from_before`
    being_fetched: Sentence = says("another infra is still fetching this repository")
    needs_login: Callable[[object], Sentence] = says(
        lambda where: f"{where} needs a login: make `git ls-remote {where}` work, then try again"
    )
    no_repository: Callable[[object, object], Sentence] = says(
        lambda where, error: f"there is no repository at {where}: check the address ({error})"
    )
    no_answer: Callable[[object, object], Sentence] = says(
        lambda where, error: f"{where} does not answer: check the network ({error})"
    )
    not_fetched: Callable[[object, object], Sentence] = says(
        lambda where, error: f"{where} could not be fetched: {error}"
    )
    no_folder: Callable[[object], Sentence] = says(
        lambda where: f"there is no folder {where}: check the path"
    )
    is_a_file: Callable[[object], Sentence] = says(
        lambda where: f"{where} is a file: name the folder of a clone"
    )
    other_owner: Callable[[object], Sentence] = says(
        lambda path: (
            f"{path} belongs to another user: if you trust it, run git config --global --add "
            f"safe.directory {path}"
        )
    )
    not_git: Callable[[object], Sentence] = says(
        lambda path: f"{path} is not a git repository: name a clone or a bare repository"
    )
    no_end: Callable[[object, object], Sentence] = says(
        lambda repo, ref: (
            f"{repo} has no tag or commit {ref} here: write a tag as git tag lists it, or a SHA; "
            "in a clone of your own git fetch --tags brings what is missing"
        )
    )
    no_branch: Callable[[object], Sentence] = says(
        lambda branch: (
            f"the default branch {branch} does not exist: name another one with git symbolic-ref "
            "HEAD refs/heads/NAME"
        )
    )
    no_item: Callable[[object, object], Sentence] = says(
        lambda repo, ref: f"{repo} has no change or tag {ref} in its git history"
    )
    failed: Callable[[object], Sentence] = says(
        lambda error: (
            f"git could not do it: {error}; if the clone is broken (git fsck tells), clone it anew"
        )
    )
    too_slow: Callable[[object, object], Sentence] = says(
        lambda command, seconds: f"git {command} did not end within {seconds} seconds; try again"
    )
    bad_list: Sentence = says("git gave a list that is cut or foreign; try again")
    bad_files: Sentence = says("git gave a list of files that is cut or foreign; try again")
    cannot_run: Callable[[object, object], Sentence] = says(
        lambda place, why: f"git cannot be run in {place}: {why}; make room or give access"
    )
    one_by_one: Callable[[object, object], Sentence] = says(
        lambda count, head: (
            f"not looked at one by one: {count} commits that are older, or on the branch of {head} "
            "alone"
        )
    )
    more_between: Callable[[object, object], Sentence] = says(
        lambda base, head: f"more lies between {base} and {head} than was listed"
    )
    no_revision: Callable[[object], Sentence] = says(
        lambda revision: f"{revision} is no revision of git: name a tag, a branch or a SHA"
    )
    no_codebase_but_file: Callable[[object], Sentence] = says(
        lambda path: (
            f"{path} is a file: name the folder of a codebase, or the .toml or .json of a surface"
        )
    )
    lacks_revision: Callable[[object, object], Sentence] = says(
        lambda name, revision: f"{name} has no revision {revision}: name a tag, branch or SHA"
    )
    no_address: Callable[[object], Sentence] = says(
        lambda text: f"{text} is no path or address of a git repository"
    )
    not_clonable: Callable[[object, object], Sentence] = says(
        lambda text, schemes: f"{text} cannot be cloned: use a path or one of {schemes}"
    )
    fetch_disk_full: Callable[[object], Sentence] = says(
        lambda where: f"the disk is full, {where} was not fetched: free some space"
    )
    needs_program: Callable[[object, object], Sentence] = says(
        lambda where, error: f"git needs a further program for {where}: {error}"
    )
    not_installed: Sentence = says(
        "git is not installed: install it (https://git-scm.com/downloads) and try again"
    )
    cannot_read: Callable[[object, object], Sentence] = says(
        lambda path, error: f"{path} cannot be read by git: {error}"
    )


class Files(Area, Generic[Sentence]):
    """Recorded and written files."""

    cannot_write: Callable[[object, object], Sentence] = says(
        lambda path, why: f"cannot write {path}: {why}; make room or name another file"
    )
    holds_alone: Callable[[object, object, object, object], Sentence] = says(
        lambda file, label, start, end: f"{file} holds {label} alone ({start} to {end})"
    )
    other_repo: Callable[[object, object, object], Sentence] = says(
        lambda file, repo, asked: f"{file} holds {repo}, not {asked}: ask for {repo}"
    )
    no_item: Callable[[object, object], Sentence] = says(
        lambda file, ref: f"{file} holds no change, issue or release {ref}"
    )
    missing: Callable[[object], Sentence] = says(
        lambda path: f"there is no file {path}: check its path"
    )
    cannot_read: Callable[[object, object], Sentence] = says(
        lambda path, why: f"{path} cannot be read: {why}"
    )
    damaged: Callable[[object], Sentence] = says(
        lambda path: f"{path} is no recording, or a damaged one: record it anew"
    )
    not_recorded: Callable[[object, object, object], Sentence] = says(
        lambda kind, place, why: f"not a recorded {kind}: {place}: {why}"
    )
    no_zones: Callable[[object], Sentence] = says(
        lambda path: f"{path} has times without a zone: write 2026-02-11T09:30:00Z"
    )
    no_versions: Sentence = says(
        "a recording holds no versions: ask for days, or leave --source out"
    )
    by_patches: Sentence = says("a recording tells by patches alone what users meet")
    no_room: Callable[[object, object], Sentence] = says(
        lambda place, why: f"cannot write to {place}: {why}; make room or give access"
    )
    no_backup: Callable[[object], Sentence] = says(
        lambda path: f"{path} is no backup, or a damaged one: name what infra backup wrote"
    )
    own_database: Callable[[object], Sentence] = says(
        lambda path: f"{path} is the database itself: name what infra backup wrote"
    )
    not_utf8: Callable[[object], Sentence] = says(
        lambda path: f"{path} is not UTF-8 text: name another folder"
    )


class SourceWords(Area, Generic[Sentence]):
    """How a source is."""

    branch: Callable[[object, object, object], Sentence] = says(
        lambda repo, now, before: (
            f"The default branch of {repo} is {now} now; before it was {before}."
        )
    )
    failing: Callable[[object, object, object], Sentence] = says(
        lambda repo, since, why: f"{repo} could not be looked at since {since}: {why}."
    )
    silent: Callable[[object, object, object], Sentence] = says(
        lambda repo, days, at: (
            f"{repo} has been silent for {days} days, longer than it usually is; it is looked at "
            f"as before, last at {at}."
        )
    )
    moved: Callable[[object, object], Sentence] = says(
        lambda repo, now: f"{repo} is {now} now; the channel goes on with it under its new name."
    )


class SourceAreas(Area, Generic[Sentence]):
    """All of them."""

    github: GitHubWords[Sentence]
    unread: Unread[Sentence]
    git: GitWords[Sentence]
    files: Files[Sentence]
    objects: ObjectsOfGitHub[Sentence]
    sources: SourceWords[Sentence]
