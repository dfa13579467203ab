"""Extensions to copy into one's own folder, and to change there."""
