"""Proving a model's sentences against their own item, or dropping them; pure."""
