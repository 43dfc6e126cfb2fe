"""From a reaction or a button to a follow-up, shown on the messages of its item."""
