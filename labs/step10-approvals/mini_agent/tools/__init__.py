"""What the agent can do in the world: one file per tool, over one workspace."""
