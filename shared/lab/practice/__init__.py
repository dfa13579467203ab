"""What a learner works with: practice tasks as data, and workspaces of their own."""
