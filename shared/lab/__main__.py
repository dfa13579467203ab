"""`python -m lab`, the same as `lab`."""

import os
import sys

OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAMED = [os.path.abspath(folder) for folder in os.getenv("PYTHONPATH", "").split(os.pathsep)]

# What a user keeps in PYTHONPATH, like an old pydantic, must not hide the packages of `.venv`.
sys.path[:] = [folder for folder in sys.path if folder == OURS or folder not in NAMED]

from lab.cli import main  # noqa: E402

main()
