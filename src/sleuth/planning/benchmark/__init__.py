"""A benchmark of planning: problems by methods, the same episodes and processor time for all."""
