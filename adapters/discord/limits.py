"""Discord's limits on one message, each with the page that states it; checked in November 2026.

Discord's servers count code points (https://github.com/discord/discord-api-docs/issues/1315), its
clients UTF-16 code units; `markup.units` counts the latter, which are never fewer.
"""

CONTENT = 1_900
"""Discord's limit is 2,000: https://docs.discord.com/developers/resources/message#create-message"""

TITLE = 256
DESCRIPTION = 4_000
"""Of an embed, whose description may have 4,096; a message has one, so that both stay below the
6,000 that all may have together:
https://docs.discord.com/developers/resources/message#embed-object-embed-limits"""

ROWS = 5
BUTTONS = 5
"""Action rows in a message, buttons in a row; a menu fills its row:
https://docs.discord.com/developers/components/reference#action-row"""

LABEL = 80
URL = 512
"""https://docs.discord.com/developers/components/reference#button"""

OPTIONS = 25
OPTION = 100
"""Options of a menu, and the label and the value of each:
https://docs.discord.com/developers/components/reference#string-select"""

CUSTOM_ID = 100
"""https://docs.discord.com/developers/components/reference#custom-id"""

THREAD_NAME = 100
"""https://docs.discord.com/developers/resources/channel#start-thread-from-message"""

SUPPRESS_EMBEDS = 1 << 2
"""No link previews: https://docs.discord.com/developers/resources/message#message-object-message-flags"""

BYTES = 9_000
"""What we put in a message at most, as UTF-8 over all its texts. No page states a limit, but about
10,170 bytes were met, above which Discord answers 500; 4,000 Chinese characters have more:
https://github.com/discord/discord-api-docs/issues/8554
https://github.com/discord/discord-api-docs/issues/7628"""
