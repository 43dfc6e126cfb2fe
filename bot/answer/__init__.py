"""From what a person types or presses to a reply."""
