"""All that the program says to people, in every language.

To add a sentence: a field in `phrases.py` (errors, gaps, refusals and answers, which are raised,
stored and passed on as a code with values: `SAY.github.no_repo(repo)`) or in `pages.py` (what only
a page or a thread says: `CATALOGUES[language].headings.high`), then the sentence in the file of the
same name in each language's folder; mypy names every language that lacks it.

To add a language: a folder beside `en`, and its member of `digest.languages.Language`.
"""
