"""What a channel gets, what people say of it, and what is posted: plain data and its rules."""
