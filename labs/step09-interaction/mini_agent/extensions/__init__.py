"""Strangers' code in the harness: what it hears, what it may answer, how it is called."""
