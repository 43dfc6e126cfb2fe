"""What the bot does, without the name of any platform."""
