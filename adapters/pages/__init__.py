"""Pages for a browser: how they look, and the web process that serves them."""
