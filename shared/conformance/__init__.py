"""The conformance suite: what a step must do, from step N on. It runs on any folder."""
