"""The real models: one seam, two providers, and what they have in common."""
