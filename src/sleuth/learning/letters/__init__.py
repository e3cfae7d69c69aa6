"""The player that sees what rows told of the letters (Weaver 2025)."""
