"""What an upgrade means for a codebase, and what that codebase uses."""

from collections.abc import Callable
from typing import Generic

from digest.github_web import web
from digest.phrase import Example
from digest.wording.area import Area, Sentence, says


class Upgrades(Area, Generic[Sentence]):
    """What an upgrade means for a codebase: its steps, and why it cannot be told."""

    needs_clone: Callable[[object], Sentence] = says(
        lambda repo: (
            "this reads every commit of the span, which a recording does not hold: leave "
            f"--source out, or add --source git:{web()}/{repo}"
        )
    )
    or_clone: Callable[[object], Sentence] = says(
        lambda why: f"{why}; a clone needs no network: --source git:PATH"
    )
    tree_too_large: Callable[[object], Sentence] = says(
        lambda repo: (
            f"{repo} has more files than GitHub lists: give a clone by --source git:{web()}/{repo}"
        )
    )
    needs_token: Callable[[object, object], Sentence] = says(
        lambda count, repo: (
            f"this asks GitHub {count} times, and without a token it answers 60 times an hour: "
            f"set GITHUB_TOKEN, or give a clone by --source git:{web()}/{repo}"
        )
    )
    spent: Sentence = says(
        "what is left of this hour's requests to GitHub is kept for mornings: ask again "
        "within the hour, it goes on from where it was"
    )
    unread: Callable[[object, object], Sentence] = says(
        lambda count, names: f"could not be looked at: {count} ({names})"
    )
    cut: Sentence = says(
        "the span has more commits than GitHub lists: the oldest are not in this report"
    )
    no_release: Callable[[object], Sentence] = says(
        lambda repo: f"{repo} has no release: write to what, as v0.15.0..TAG_OR_SHA"
    )
    not_pinned: Callable[[object, object], Sentence] = says(
        lambda repo, pins: (
            f"{repo} has no tag or commit that this surface pins ({pins}): write from what, as "
            "v0.15.0.."
        )
    )
    no_pin: Sentence = says("this surface pins no version: write from what, as v0.15.0..v0.16.0")
    following: Callable[[object], Sentence] = says(
        lambda count: f"following names (files: {count})"
    )
    listing: Callable[[object, object], Sentence] = says(
        lambda done, total: f"listing files of changes ({done} of {total})"
    )
    comparing: Callable[[object, object], Sentence] = says(
        lambda done, total: f"comparing definitions (commits: {done} of {total})"
    )
    both_ends: Callable[[object], Sentence] = says(
        lambda count: f"comparing both ends (files: {count})"
    )
    of_what: Callable[[Example], Sentence] = says(
        lambda example: f"say of which repository, from where to where: {example}"
    )
    not_a_span: Callable[[object, Example], Sentence] = says(
        lambda words, example: f"{words} is no span of tags or SHAs: {example}"
    )
    being_read: Sentence = says(
        "the codebase that concerns this channel is being read: ask again in some minutes"
    )
    no_surface: Callable[[object, Example], Sentence] = says(
        lambda repo, example: (
            f"no codebase of this channel uses {repo}, as far as it was read: {example}"
        )
    )
    one_at_a_time: Sentence = says(
        "a report is being made in this channel: ask again once it is there"
    )
    whole: Sentence = says("The whole report:")
    whole_by: Callable[[Example], Sentence] = says(
        lambda example: f"whole, as a file, by {example}"
    )
    no_file: Callable[[object], Sentence] = says(
        lambda why: f"the file of the whole report was not sent: {why}"
    )


class Surfaces(Area, Generic[Sentence]):
    """What a codebase uses of an upstream repository, as a file."""

    no_process: Callable[[object], Sentence] = says(lambda why: f"no process can be started: {why}")
    too_large: Sentence = says("its surface is too large to be kept: name one with: of REPO")
    too_long: Callable[[object], Sentence] = says(
        lambda count: (
            f"a surface is at most {count} characters long: narrow it to "
            f"one upstream repository with --of"
        )
    )
    uses_nothing: Sentence = says(
        "this surface uses nothing: make one with infra surface PATH --of REPO"
    )
    of_another: Callable[[object, object], Sentence] = says(
        lambda of, repo: f"this surface is of {of}, not of {repo}"
    )
    no_json: Callable[[object, object, object], Sentence] = says(
        lambda line, column, error: (
            f"this surface is no JSON: line {line}, column {column}: {error}"
        )
    )
    no_toml: Callable[[object], Sentence] = says(lambda error: f"this surface is no TOML: {error}")
    too_deep: Sentence = says("this surface is nested too deeply or holds a number too long")
    no_upstream: Callable[[object, object], Sentence] = says(
        lambda name, known: (
            f"{name} is no repository that is known ({known}): write OWNER/NAME or "
            "OWNER/NAME=MODULE"
        )
    )
    several_used: Callable[[object], Sentence] = says(
        lambda names: f"several repositories are used here: say which one you mean: {names}"
    )
    none_used: Sentence = says(
        "no watched repository is imported here: name another: --of OWNER/NAME"
    )


class UpgradeAreas(Area, Generic[Sentence]):
    """All of them."""

    upgrades: Upgrades[Sentence]
    surfaces: Surfaces[Sentence]
