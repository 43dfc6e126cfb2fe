"""Slack's limits on one message, each with the page that states it; checked in November 2026.

Lengths are counted in characters after escaping, which is how Slack counts what it stores.
"""

BLOCKS = 50
"""Blocks in a message: https://docs.slack.dev/reference/block-kit/blocks"""

HEADER = 150
"""https://docs.slack.dev/reference/block-kit/blocks/header-block"""

TEXT_OBJECT = 3_000
"""A text of a section or a context: /reference/block-kit/composition-objects/text-object"""

ACTIONS_ELEMENTS = 25
"""https://docs.slack.dev/reference/block-kit/blocks/actions-block"""

BUTTON_TEXT = 75
BUTTON_VALUE = 2_000
BUTTON_URL = 3_000
"""https://docs.slack.dev/reference/block-kit/block-elements/button-element"""

OPTIONS = 100
OPTION_TEXT = 75
OPTION_VALUE = 150
"""https://docs.slack.dev/reference/block-kit/composition-objects/option-object"""

MESSAGE = 11_000
"""What we put in a message at most, over all blocks and with addresses counted as text. No page
states a limit: `msg_blocks_too_long` was met above 13,200 characters, with many small rich-text
elements at 11,341: https://github.com/slackapi/bolt-js/issues/2509 and /2867"""

ELEMENT = 8
"""What an element of rich text is taken to add to that sum."""
