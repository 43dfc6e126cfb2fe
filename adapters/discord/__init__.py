"""Discord: the bot's threads, commands and reactions in Discord's own best form."""
