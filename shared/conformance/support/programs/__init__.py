"""Programs that the suite runs inside of the folder under test. Standard library only."""
