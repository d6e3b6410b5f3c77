"""The ear: from samples of a shaken igloo to probabilities over bead counts.

The way of one shake: blocks of samples (`sources`) → `frames.frontend` (energy envelopes by band) → `frames.finder`
(where the shake begins and ends) → `shakes.takes` (cut out and cleaned) → `shakes.features` (groups thought of by hand,
and `shakes.net`, what a network makes of it) → `models.model` (ridges on ln N; beside them `models.population`, devices
and people, and `models.reading`, the network's own count; joined to a posterior) → `verdicts.verdict`.

`listener` runs that way in constant memory, with the models of a file of `profiles`; `seats` runs several at one table;
`models.sets` joins the shakes of a whole set. From `frames` over `shakes`, `models`, `profiles`, `verdicts` and the
listener up to `seats` each stands on those before it; `sources` stands on `frames`, and none of the others on
`sources`.
"""
