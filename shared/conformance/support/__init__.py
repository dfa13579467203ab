"""What the checks are written with."""
