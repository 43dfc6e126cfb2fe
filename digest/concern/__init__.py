"""What concerns a codebase of what happens upstream: its surface, read and held against changes."""
