"""Lies in form: wrong quotes, languages, markup, links, refusals."""

from dataclasses import replace

from digest.claims import Draft
from digest.languages import Language
from tests.digest.grounding.lying import EN, ZH, Case, said_too, texts


def other_quote(case: Case) -> Draft | None:
    """Quote another item."""
    return replace(case.draft, quote=case.other.drafts[0].quote)


def bent_quote(case: Case) -> Draft | None:
    """Quote what nearly stands there."""
    words = case.draft.quote.split()
    if len(words) < 4:
        return None
    words[len(words) // 2] = "entirely"
    return replace(case.draft, quote=" ".join(words))


def other_claim(case: Case) -> Draft | None:
    """Tell of this item, with a quote of it, what is true of another."""
    return replace(case.draft, text=case.other.drafts[0].text)


def other_claim_bare(case: Case) -> Draft | None:
    """The same in Chinese alone."""
    return replace(case.draft, text={ZH: case.other.drafts[-1].text[ZH]})


def no_quote(case: Case) -> Draft | None:
    """Quote nothing."""
    return replace(case.draft, quote="", quote_from="title")


def no_place(case: Case) -> Draft | None:
    """Quote from a hunk that is not there."""
    return replace(case.draft, quote_from="h99")


def other_item(case: Case) -> Draft | None:
    """Cite another item."""
    return replace(case.draft, cites=(case.other.evidence.key,))


def switched_languages(case: Case) -> Draft | None:
    """Give each language in the place of the other."""
    return replace(case.draft, text={EN: case.draft.text[ZH], ZH: case.draft.text[EN]})


def foreign(case: Case) -> Draft | None:
    """Answer in other languages."""
    return replace(
        case.draft,
        text={
            EN: case.chance.choice(
                ("Behebt einen Fehler im Scheduler und das Laden der Gewichte.",
                 "Corrige el error del planificador para las solicitudes.",
                 "Исправляет ошибку планировщика.", "Corrige une fuite de mémoire dans le cache.")
            ),
            ZH: case.chance.choice(
                ("スケジューラのハングを修正しました。", "스케줄러 오류를 수정합니다。")
            ),
        },
    )  # fmt: skip


def linked(case: Case) -> Draft | None:
    """Put a link in."""
    link = case.chance.choice(
        (" (https://evil.example/x)", " [details](https://evil.example)", " see www.evil.example",
         " at evil-site.com/patch", " <https://evil.example|here>", " ![x](https://evil.example/p.png)")
    )  # fmt: skip
    return said_too(link, link)(case)


def mentioning(case: Case) -> Draft | None:
    """Ping someone."""
    mention = case.chance.choice(
        (
            " @everyone",
            " <!channel>",
            " <@U012AB3CD>",
            " @here",
            " `@everyone`",
            " <#C123>",
            " @octocat",
        )
    )
    return said_too(mention, mention)(case)


def marked_up(case: Case) -> Draft | None:
    """Break out of the sentence."""
    mark = case.chance.choice(
        (
            "# ",
            "> ",
            "- ",
            "1. ",
            "**",
            "```\n",
            "<b>",
            "||",
            "~~",
            "| a | b ",
            "\u202e",
            "\u200b",
            "\n\n## ",
        )
    )

    def change(text: str, language: Language) -> str:
        return f"{mark}{text}{mark.strip() if mark in ('**', '||', '~~') else ''}"

    return texts(case.draft, change)


def cut_off(case: Case) -> Draft | None:
    """Stop in the middle."""

    def change(text: str, language: Language) -> str:
        at = max(text.rfind(" the ", 0, -5), text.rfind(" a ", 0, -5)) if language is EN else -1
        return (
            text[: at + 5]
            if at > 10
            else f"{text[: len(text) // 2]}{'，' if language is ZH else ' and'}"
        )

    return texts(case.draft, change)
