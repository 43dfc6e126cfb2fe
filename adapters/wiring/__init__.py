"""Makes the objects of a command or a process, and hands them to each other."""
