"""What the four referees share: the shape of a game, refusals, events, chance, options. No game enters here."""
