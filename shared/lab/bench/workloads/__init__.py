"""One file per workload. Each runs in a process of its own, in the folder of a step."""
