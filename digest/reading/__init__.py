"""Decide, from the facts alone, what each item is and how much it matters."""
