"""The ear: from samples of a shaken igloo to probabilities over bead counts.

The way of one shake: blocks of samples → `frontend` (energy envelopes by band) → `finder` (where the shake begins and
ends) → `features` (gain-free groups) → `model` (one ridge on ln N a group, joined to a posterior) → `verdict`.
`listener` runs that way in constant memory; `sets` joins the shakes of a whole set. No device is opened here but in
`capture`, inside its function.
"""
