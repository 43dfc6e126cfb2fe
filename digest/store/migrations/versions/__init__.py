"""One file for each step of the history; a step that was released is never changed."""
