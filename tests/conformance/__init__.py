"""Tests of the conformance suite: what passes, and what each check catches."""
