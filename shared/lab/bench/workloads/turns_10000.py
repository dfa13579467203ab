"""10,000 turns in one run: what a turn costs must not grow with the history."""

from lab.bench.workloads._turns import compare_turns

SINCE = 4
TARGET = "the ratio of 1,000 turns"
LIMIT = "the messages and validated arguments of the same turns"

if __name__ == "__main__":
    compare_turns(10_000)
