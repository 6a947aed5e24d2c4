"""Link models: how likely a link leads to a relevant page, told from its words and from where it leads."""
