"""How hard a list of words is: for every answer, for players of different strength."""
