"""Store it: activity, digests and remembered HTTP answers in SQLite or PostgreSQL."""
