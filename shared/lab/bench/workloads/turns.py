"""1,000 turns with one tool call each, beside the messages and arguments alone."""

from lab.bench.workloads._turns import compare_turns

SINCE = 4
TARGET = "at most 2 times the limit"
LIMIT = "the messages and validated arguments of the same turns"

if __name__ == "__main__":
    compare_turns(1_000)
