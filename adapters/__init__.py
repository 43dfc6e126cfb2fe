"""Every face to the outside, and the wiring."""
