"""A run of the agent that can stop to ask, and go on in another process."""
