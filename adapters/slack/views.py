"""Slack's views: a channel's settings as a modal and back, and the Home tab. Pure.

A block's id is the field's name, so that a fault finds its field. Limits:
https://docs.slack.dev/reference/views/modal-views and
https://docs.slack.dev/reference/block-kit/composition-objects/option-object
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.slack.api import DIRECT
from adapters.slack.render import (
    HEADER,
    OPTION_VALUE,
    OPTIONS,
    TEXT_OBJECT,
    Json,
    option,
    plain_text,
    render_parts,
)
from bot.answer.overviews import HomePage
from bot.compose.welcome import zones_offered
from bot.model.channel_commands import SETTINGS, Eyes, Quiet, Subscribe
from bot.model.concerns import (
    ConcernCommand,
    RemoveConcern,
    UploadedFile,
    read_addition,
    read_all_lists,
)
from bot.model.settings_form import FilledForm, SettingsForm
from digest import codec
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Phrase
from digest.times import DAY_NAMES
from digest.wording.catalogue import Catalogue
from digest.wording.phrases import SAY
from digest.wording.platforms import Slack
from digest.wording.saying import CATALOGUES, localized

CALLBACK = "infra_settings"
ACTION = "infra_settings:{}"
"""The `action_id` of a field's element."""

TYPE_AHEAD = re.compile(r"infra_settings:(repos|tz)")
"""The elements that ask for options while somebody types."""

BOXES = 10
"""https://docs.slack.dev/reference/block-kit/block-elements/checkboxes-element"""

LONGEST = 2_000
"""Of labels, hints and faults."""
TYPED = 3_000
"""https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element"""

FIELDS = (
    *("repos", "at", "tz", "days", "language", "without", "paths", "topics"),
    *("concern", "remove", "add", "file", "quiet", "eyes", "threads"),
)


@dataclass(frozen=True, slots=True)
class FormOrigin:
    """What a submission has to know of the form that it comes from; kept by Slack in the view.

    `response_url` answers the command that opened the form. `weekly` tells that one day stands for
    a week.
    """

    channel: str
    language: Language
    response_url: str = ""
    weekly: bool = False


@dataclass(frozen=True, slots=True)
class Submission:
    """What a person sent."""

    filled: FilledForm
    origin: FormOrigin
    files: tuple[UploadedFile, ...] = ()


def view(form: SettingsForm, channel: str, language: Language, response_url: str = "") -> Json:
    """Return the view of a form."""
    say, current = CATALOGUES[language], form.subscription
    state = form.state if current.repos else say.form.new
    if current.paused:
        state = say.form.paused.format(why=localized(current.paused, language))
    origin = FormOrigin(channel, language, response_url, current.weekly)
    blocks = [_section(state)] if state else []
    return {
        "type": "modal",
        "callback_id": CALLBACK,
        "title": _plain(say.form.title, 24),
        "submit": _plain(say.form.save, 24),
        "close": _plain(say.form.close, 24),
        "private_metadata": codec.dump(origin).decode(),
        "blocks": [*blocks, *_blocks(form, say)],
    }


def submitted(payload: Mapping[str, Any]) -> Submission:
    """Read a `view_submission`; a field that Slack leaves out is as if empty.

    Slack sends none of which a field is empty that is not optional:
    https://docs.slack.dev/reference/block-kit/blocks/input-block
    Raises `BadAnswer` where the form does not say where it was opened.
    """
    origin, values = origin_of(payload), payload["view"]["state"]["values"]
    fields = {name: values.get(name, {}).get(ACTION.format(name), {}) for name in FIELDS}

    def typed(name: str) -> str:
        return str(fields[name].get("value") or "")

    def chosen(name: str) -> str:
        return str((fields[name].get("selected_option") or {}).get("value") or "")

    def ticked(name: str) -> tuple[str, ...]:
        return tuple(str(each["value"]) for each in fields[name].get("selected_options") or ())

    faults: dict[str, Phrase] = {}

    def read(name: str, reader: Callable[[str], Any], text: str) -> Any:
        try:
            return reader(text)
        except UsageError as error:
            faults[name] = error.why
            return None

    def setting(name: str, text: str) -> Any:
        return read(name, SETTINGS[name].read, text)

    days = frozenset(DAY_NAMES.index(name) for name in ticked("days") if name in DAY_NAMES)
    eyes = chosen("eyes")
    command = Subscribe(
        repos=ticked("repos"),
        at=setting("at", str(fields["at"].get("selected_time") or "")),
        tz=setting("tz", chosen("tz")),
        days=days,
        weekly=origin.weekly and len(days) == 1,
        language=Language(chosen("language") or origin.language),
        without=frozenset(ticked("without")),
        paths=setting("paths", typed("paths").strip() or "all"),
        topics=setting("topics", typed("topics").strip() or "all"),
        quiet=Quiet(chosen("quiet") or Quiet.LINE),
        eyes=Eyes(eyes) if eyes else None,
        one_thread=chosen("threads") == "one",
    )
    if not days:
        faults["days"] = SAY.settings.choose_days
    concerns: list[ConcernCommand | None] = [RemoveConcern(name) for name in ticked("remove")]
    if "concern" in values:
        concerns.append(read("concern", read_all_lists, typed("concern")))
    if addition := typed("add").strip():
        concerns.append(read("add", read_addition, addition))
    files = tuple(
        UploadedFile(
            str(file.get("name") or "file"),
            str(file.get("url_private_download") or file.get("url_private") or ""),
        )
        for file in fields["file"].get("files") or ()
    )
    filled = FilledForm(command, tuple(filter(None, concerns)), faults)
    return Submission(filled, origin, files)


def origin_of(payload: Mapping[str, Any]) -> FormOrigin:
    """Return what a form knows of where it was opened; raises `BadAnswer` for one that does not.

    One may have been open for long, and be of an older or newer version.
    """
    return codec.load(FormOrigin, str(payload["view"].get("private_metadata") or ""))


def shown_faults(faults: Mapping[str, Phrase], language: Language) -> dict[str, str]:
    """Return faults by block, as `response_action: errors` wants them."""
    lines = {name: localized(fault, language).partition("\n")[0] for name, fault in faults.items()}
    return {name: _cut(line, LONGEST) for name, line in lines.items()}


def repo_options(names: Iterable[str]) -> Json:
    """Return what a type-ahead offers: names of repositories."""
    fit = [name for name in names if 0 < len(name) <= OPTION_VALUE]
    return {"options": [option(name, name) for name in fit[:OPTIONS]]}


def zone_options(typed: str) -> Json:
    """Return the zones that somebody may be typing, the likeliest first."""
    return {"options": [option(name, name) for name in zones_offered(typed)[:OPTIONS]]}


def _blocks(form: SettingsForm, say: Catalogue) -> list[Json]:
    """Return the fields: words by hand only where they can be shown and given back whole."""
    words, current = say.form, form.subscription
    weekdays = [(name, say.dates.weekday_names[number]) for number, name in enumerate(DAY_NAMES)]
    languages = [(each.value, CATALOGUES[each].own_name) for each in Language]
    left_out = [("bots", words.bots), ("ci", words.ci), ("docs", words.docs)]
    quiet = [("line", words.quiet_line), ("nothing", words.quiet_nothing)]
    eyes = [("open", words.eyes_open), ("nothing", words.eyes_nothing)]
    threads = [("own", words.own_threads), ("one", words.one_thread)]
    names = map(str, current.repos)
    repos = [option(name, name) for name in names if len(name) <= OPTION_VALUE]
    several = _type_ahead("multi_external_select", words.repos_shown, initial_options=repos)
    zone = option(current.tz, current.tz) if current.tz else None
    one = _type_ahead("external_select", words.tz_shown, initial_option=zone)
    surfaces = [(name, name) for name in form.surfaces if 0 < len(name) <= OPTION_VALUE]
    # https://docs.slack.dev/reference/block-kit/block-elements/file-input-element
    file = {"type": "file_input", "filetypes": ["toml", "json"], "max_files": 5}
    blocks = [
        _input("repos", words.repos, several, words.repos_hint),
        _input("at", words.at, {"type": "timepicker", "initial_time": f"{current.at:%H:%M}"}),
        _input("tz", words.tz, one),
        _input("days", words.days, _boxes(weekdays, [DAY_NAMES[day] for day in current.days])),
        _input("language", words.language, _radio(languages, current.language)),
        _optional("without", words.without, _boxes(left_out, current.without)),
        _optional("paths", words.paths, _line(" ".join(current.paths)), words.paths_hint),
        _optional("topics", words.topics, _line(" ".join(current.topics)), words.topics_hint),
    ]
    if len(form.concern) <= TYPED:
        blocks.append(_optional("concern", words.concern, _line(form.concern), words.concern_hint))
    if surfaces:
        boxes = _boxes(surfaces[:BOXES], ())
        blocks.append(_optional("remove", words.remove, boxes, words.remove_hint))
    return [
        *blocks,
        _optional("add", words.add, _line(""), words.add_hint),
        _optional("file", words.file, file, words.file_hint),
        _input("quiet", words.quiet, _radio(quiet, current.quiet)),
        _optional("eyes", words.eyes, _radio(eyes, current.eyes or ""), words.eyes_hint),
        _input("threads", words.threads, _radio(threads, "one" if current.one_thread else "own")),
    ]


def _optional(name: str, label: str, element: Json, hint: str = "") -> Json:
    return _input(name, label, element, hint) | {"optional": True}


def _input(name: str, label: str, element: Json, hint: str = "") -> Json:
    block: Json = {
        "type": "input",
        "block_id": name,
        "label": _plain(label, LONGEST),
        "element": element | {"action_id": ACTION.format(name)},
        "optional": False,
    }
    return block | {"hint": _plain(hint, LONGEST)} if hint else block


def _type_ahead(kind: str, shown: str, **initial: object) -> Json:
    """Return a menu that asks for its options while somebody types; nothing empty is chosen."""
    element: Json = {"type": kind, "placeholder": _plain(shown, 150), "min_query_length": 0}
    return element | {name: value for name, value in initial.items() if value}


def _boxes(choices: Sequence[tuple[str, str]], chosen: Iterable[str]) -> Json:
    options = {value: option(value, label) for value, label in choices}
    ticked = [options[value] for value in options if value in set(chosen)]
    element: Json = {"type": "checkboxes", "options": list(options.values())}
    return element | {"initial_options": ticked} if ticked else element


def _radio(choices: Sequence[tuple[str, str]], chosen: str) -> Json:
    options = {value: option(value, label) for value, label in choices}
    element: Json = {"type": "radio_buttons", "options": list(options.values())}
    return element | {"initial_option": options[chosen]} if chosen in options else element


def _line(text: str) -> Json:
    element: Json = {"type": "plain_text_input", "max_length": TYPED}
    return element | {"initial_value": text[:TYPED]} if text else element


def _plain(text: str, most: int) -> Json:
    return plain_text(_cut(text, most))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


CHANNEL_CHOSEN = "infra_home_channel"

MOST_BLOCKS = 100
"""Of a view: https://docs.slack.dev/reference/views/home-tab-views"""


def home_view(page: HomePage, notice: str = "") -> dict[str, Any]:
    """Return the Home tab; `notice` stands at its head: https://docs.slack.dev/surfaces/app-home."""
    words = CATALOGUES[page.language].slack
    blocks = [_section(f"⚠️ {notice}")] if notice else []
    blocks.append(_header(words.home_followups))
    for message in render_parts((page.followups,), page.language):
        blocks += message.payload["blocks"]
    blocks.append(_header(words.home_channels))
    blocks += [_channel(channel.id, line, words) for channel, line in page.channels] or [
        _section(words.home_none)
    ]
    if page.left_out:
        blocks.append(_section(words.home_more(page.left_out)))
    choose: Json = {
        "type": "conversations_select",
        "action_id": CHANNEL_CHOSEN,
        "placeholder": _plain(words.home_choose, 150),
        "filter": {"include": ["public", "private"], "exclude_bot_users": True},
    }
    blocks += [_header(words.home_set_up), _section(words.home_set_up_how) | {"accessory": choose}]
    return {"type": "home", "blocks": blocks[:MOST_BLOCKS]}


def home_refusal(why: str) -> dict[str, Any]:
    """Return the view that says why there is nothing to see now."""
    return {"type": "home", "blocks": [_section(why)]}


def chosen_channel(body: dict[str, Any]) -> str:
    """Return the channel that was chosen in the view, empty where none was."""
    actions = body.get("actions") or [{}]
    return str(actions[0].get("selected_conversation") or "")


def _header(text: str) -> Json:
    return {"type": "header", "text": _plain(text, HEADER)}


def _section(text: str) -> Json:
    return {"type": "section", "text": _plain(text, TEXT_OBJECT)}


def _channel(id: str, line: str, words: Slack[str]) -> Json:
    """Return what is said of a channel as rich text, where nothing in it is markup.

    Slack has no name to show for direct messages.
    """
    place: Json = {"type": "channel", "channel_id": id}
    if id.startswith(DIRECT):
        place = {"type": "text", "text": words.home_direct, "style": {"bold": True}}
    elements = [place, {"type": "text", "text": f" {line}"}]
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": elements}],
    }
