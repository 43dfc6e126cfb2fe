"""Make digests: what happened in a repository, ranked, each statement with its link."""
