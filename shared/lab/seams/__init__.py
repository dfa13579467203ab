"""The difference between two steps, exact: compared, declared, shown, and carried on."""
