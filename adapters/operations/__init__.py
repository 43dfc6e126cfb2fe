"""What a process needs to be run by somebody: clock, background work, logs, health, metrics."""
