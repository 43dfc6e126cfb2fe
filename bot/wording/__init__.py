"""What the bot says of itself, in every language."""
