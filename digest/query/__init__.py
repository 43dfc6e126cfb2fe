"""A question in plain words: read, looked up in what is stored, ranked."""
