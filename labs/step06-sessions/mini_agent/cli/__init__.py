"""What the user says to the program, on the command line and with a slash."""
