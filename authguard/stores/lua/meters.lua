-- Meters: how each kind of counter but the logs counts and merges; filled by the files of the kinds that the plan has.

local counts, merges = {}, {}
