"""What is kept of channels: subscriptions, deliveries, posts, follow-ups, events that were seen."""
