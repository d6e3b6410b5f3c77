"""What the four referees share: the interface of a game, refusals, events, chance, options. No game enters here."""
