"""Slack: what it hears, what it posts, and how that is drawn."""
