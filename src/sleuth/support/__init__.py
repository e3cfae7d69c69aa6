"""What every floor uses and no game is in: errors, ranges, files, threads, names."""
