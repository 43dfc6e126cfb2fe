"""All that the program says to people, in every language.

To add a sentence: a field in `phrases.py` (errors, gaps, refusals and answers, which are raised,
stored and passed on as a code with values: `SAY.github.no_repo(repo)`), in `pages.py` (a digest:
`CATALOGUES[language].headings.high`) or in `chat.py` (threads, buttons, forms); then the sentence
in the file of the same name in each language's folder. mypy names every language that lacks it.

To add a language: a folder beside `en`, and its member of `digest.languages.Language`.
"""
