"""What guesses and sets of answers are worth: the numbers behind suggestions, guesses tried and reviews."""
