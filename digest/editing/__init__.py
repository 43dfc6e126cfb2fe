"""Asking a model: what it is shown, how it is asked, what it costs."""
