"""What keeps the chapters true: generated parts, commands that are run, two equal languages."""
