"""From a digest and a subscription to the parts of a thread, before any platform draws them."""
