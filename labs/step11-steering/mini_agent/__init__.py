"""A small agent harness, grown one mechanism per step."""
