"""From a slot to posted messages: due, gathered, planned, sent once, continued after a crash."""
