"""A git clone, read with the `git` program."""
