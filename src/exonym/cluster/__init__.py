"""One crawl on several machines: workers drive partitions, a coordinator assigns them and lends budgets.

`worker` drives partitions, `mailing` carries links between them, `sharing` what their strategies learned,
`address_lending` turns at IP addresses; `coordinator` decides who drives what and when the crawl ends, `budgets` lends
pages and bytes, `worker_messages` is all that they tell each other. These modules know no network: they are handed
messages and hand out messages. The modules whose names begin with `ray_` carry them; only these import ray.

`repartition` divides a crawl anew: `undivided` reads the old one, `new_journals` and `new_partitions` write the new
one.
"""
