"""All that the program says to people, in every language.

To add a sentence: a field with its English, in `pages.py` (a digest:
`CATALOGUES[language].headings.high`), in `chat.py` (threads, buttons, forms), or in the file of
where it arises (errors, gaps, refusals and answers, which are raised, stored and passed on as a
code with values: `SAY.github.no_repo(repo)`); then the sentence in the file of the same name in
each other language's folder. mypy names every language that lacks it.

To add a language: a folder beside `zh`, and its member of `digest.languages.Language`.
"""
