"""Opening a session freezes what the collector has seen, and hypothesis counts on seeing it.

Its pytest plugin imports it at the end of every run, so it has to be there before that.
"""

import hypothesis  # noqa: F401  # importing it early is all
