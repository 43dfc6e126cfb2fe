"""Facts and stories in English."""

from collections.abc import Callable

from digest.facts import Subject, Symptom
from digest.writing.wording.fact_words import FactTemplates, FactWords, PageWords, StoryWords


def _noun(one: str, many: str = "") -> Callable[[int], str]:
    return lambda n: one if n == 1 else many or f"{one}s"


def _cases(one: str, many: str = "") -> Callable[[int], str]:
    return lambda n: f"{n:,} {one if n == 1 else many or f'{one}s'}"


EN_FACTS = FactWords(
    nouns={
        Subject.FLAG: _noun("flag"),
        Subject.ENV: _noun("environment variable"),
        Subject.CHOICE: _noun("choice"),
        Subject.REQUEST_FIELD: _noun("request field"),
        Subject.RESPONSE_FIELD: _noun("response field"),
        Subject.CONFIG_FIELD: _noun("setting"),
        Subject.API_NAME: _noun("public name"),
        Subject.API_ARGUMENT: _noun("argument"),
        Subject.ENDPOINT: _noun("endpoint"),
        Subject.METRIC: _noun("metric"),
        Subject.DEPENDENCY: _noun("dependency", "dependencies"),
        Subject.PLATFORM: _noun("platform"),
        Subject.MODEL: _noun("model"),
        Subject.HARDWARE: _noun("hardware", "hardware"),
        Subject.BACKEND: _noun("backend"),
        Subject.QUANTIZATION: _noun("quantization"),
        Subject.FEATURE: _noun("feature"),
        Subject.MODULE: _noun("module"),
    },
    symptoms={
        Symptom.WRONG_OUTPUT: "wrong output",
        Symptom.CRASH: "crash",
        Symptom.HANG: "hang",
        Symptom.MEMORY_LEAK: "memory leak",
        Symptom.OUT_OF_MEMORY: "out of memory",
        Symptom.CANNOT_START: "cannot start",
        Symptom.BAD_ANSWER: "bad API answer",
        Symptom.SLOW: "slow",
        Symptom.DATA_LOSS: "data loss",
        Symptom.SECURITY: "security",
        Symptom.BUILD_FAILS: "build fails",
        Symptom.BROKEN: "broken",
    },
    cases={
        Symptom.WRONG_OUTPUT: _cases("wrong output", "wrong outputs"),
        Symptom.CRASH: _cases("crash", "crashes"),
        Symptom.HANG: _cases("hang"),
        Symptom.MEMORY_LEAK: _cases("memory leak"),
        Symptom.OUT_OF_MEMORY: _cases("out of memory", "out of memory"),
        Symptom.CANNOT_START: _cases("failed start"),
        Symptom.BAD_ANSWER: _cases("bad API answer"),
        Symptom.SLOW: _cases("slow case"),
        Symptom.DATA_LOSS: _cases("data loss", "data losses"),
        Symptom.SECURITY: _cases("security hole"),
        Symptom.BUILD_FAILS: _cases("failing build"),
        Symptom.BROKEN: _cases("other fix", "other fixes"),
    },
    facts=FactTemplates(
        added="new {what} {names}",
        added_choices=" ({value})",
        added_default=" (default {value})",
        removed="{what} {names} removed",
        removed_now="{what} {names} removed, now {now}",
        renamed="{what} {before} is now {after}",
        default="default of {name}: {before} → {after}",
        default_to="default of {name} is now {after}",
        default_on="on by default now: {name}",
        default_off="off by default now: {name}",
        default_chosen="the default now: {name}",
        changed="{what} {names} changed",
        changed_to="{what} {names} is now {after}",
        changed_values="{what} {names}: {before} → {after}",
        deprecated="{what} {names} deprecated",
        deprecated_now="{what} {names} deprecated, now {now}",
        moved="imports moved: {before} → {after}",
        moved_from="imports moved: {before}",
        needs="needs {name} {after}",
        needs_was="needs {name} {after}, was {before}",
        no_longer_needs="no longer needs {name}",
        supported="{what} {names}",
        no_longer_supported="no longer supported: {what} {names}",
        faster="measured by the author: “{quote}”",
        whom="for {whom}",
        only=" ({conditions})",
    ),
    stories=StoryWords(
        mostly="Mostly",
        story="Story",
        stories="Stories",
        size=_cases("change"),
        by="by {people}",
        others=lambda n: f"and {n} more",
        parts="part {parts} of {of}",
        complete="complete",
        began="began {day}",
        earlier=lambda n: f"{n:,} before",
    ),
    page=PageWords(
        bitten="You may have been bitten",
        new="New",
        also="Also",
        foremost=lambda n: "What matters most" if n == 1 else f"The {n} that matter most",
        fixed="Also fixed",
        added="Also new",
        changed="Also changed",
        more="and {count} more: {items}",
        show="Show {count} fixes",
        prereleases="Pre-releases",
        whole="Also changed: all {count} of them",
        rest={"fixed": "fixes", "added": "new", "changed": "other changes", "issues": "issues"},
        in_short="In short",
        in_short_fixed="fixed: {items}",
        in_short_new="new: {items}",
        counted="{count} {noun}",
    ),
)
