"""The adaptive strategy against the rules, on webs that nothing was chosen or learned on, and apart from those."""
