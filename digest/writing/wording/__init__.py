"""The phrases of a digest, one catalogue for each language."""
