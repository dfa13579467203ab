"""What outlives the process: the record of a conversation, and the way back into it."""
