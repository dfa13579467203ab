"""Run a module with a standard stream closed, as a shell does: `... closed STREAM MODULE`."""

import os
import sys

STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}


def main() -> None:
    """Close the stream, then become the program."""
    stream, module = sys.argv[1:]
    os.close(STREAMS[stream])
    os.execv(sys.executable, [sys.executable, "-m", module])


if __name__ == "__main__":
    main()
