"""The ear: from samples of a shaken igloo to probabilities over bead counts.

The way of one shake: blocks of samples → `frontend` (energy envelopes by band) → `finder` (where the shake begins and
ends) → `takes` (cut out and cleaned) → `features` (groups thought of by hand, and `net`, what a network makes of it) →
`model` (ridges on ln N; beside them `population`, devices and people, and `reading`, the network's own count; joined to
a posterior) → `verdict`.
`listener` runs that way in constant memory; `sets` joins the shakes of a whole set. No device is opened here but in
`capture`, inside its function.
"""
