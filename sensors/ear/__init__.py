"""The ear: from samples of a shaken igloo to probabilities over bead counts.

The way of one shake: blocks of samples (`sources`) → `frames.frontend` (energy envelopes by band) → `frames.finder`
(where the shake begins and ends) → `shakes.takes` (cut out and cleaned) → `shakes.features` (hand-made groups, and the
embedding of a network, `shakes.net`) → `models.model` (ridges on ln N; beside them `models.populations`, devices and
people, and `models.reading`, the network's own count; joined to a posterior) → `verdicts.verdict`.

`listener` runs all of this in constant memory, with the models of a profile file (`profiles`); `seats` runs several
listeners at one table; `models.sets` joins the shakes of a whole set. In the order `frames`, `shakes`, `models`,
`profiles`, `verdicts`, `listener`, `seats`, each imports only those before it. `sources` imports only `frames`, and
none of the others imports `sources`.
"""
