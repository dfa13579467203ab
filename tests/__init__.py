"""Tests of the lab itself: the command, the suite, the steps' internals, the docs."""
