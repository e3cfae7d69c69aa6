"""The player that sees what rows told of the letters (document 003)."""
