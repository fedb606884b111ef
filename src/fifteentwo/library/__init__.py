"""The public functions besides the rules: hands, positions, win probabilities, games and pictures."""
