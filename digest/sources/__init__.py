"""Where activity comes from: GitHub, a git clone, a recorded file."""
