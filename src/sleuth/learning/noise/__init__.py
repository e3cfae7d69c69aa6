"""The player against hosts who lie, in any game: what it sees of beliefs, how it plays, how it learns."""
