"""Tests of a step's own internals: `tests/test_steps.py` runs them, in a process per step."""

import importlib.util

import hypothesis  # noqa: F401  # it hooks into trio, and warns if trio was there first

# In the process that runs everything there is no `mini_agent`, and so nothing to collect.
if importlib.util.find_spec("mini_agent") is None:
    collect_ignore_glob = ["step*"]
