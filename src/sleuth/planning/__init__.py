"""Planning in general: decision processes and the methods that find good policies. No words in it."""
