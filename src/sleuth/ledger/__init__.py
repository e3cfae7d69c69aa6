"""What is settled of the best play in games, and what is not: a table that ships as data, and its runs."""
