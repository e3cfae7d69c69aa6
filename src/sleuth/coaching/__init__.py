"""What a person wants: the best next guess, a review, a game to play."""
