"""Pages of a crawl labelled by a person: which are shown, in which order, and what follows from the answers.

order, order_by_model      which page is shown next: by the judge's doubt, by a model's, by chance
session                    keys in, steps out: a labelling session without a screen
audit_sample, audit        a random sample of a crawl, and the true harvest rate estimated from its labels
intervals                  shares with confidence intervals

Reads crawl directories, trains quick models with `exonym.training`; used by the command line. Labels are kept in files
by `exonym.training.labels`, because models are trained from them.
"""
