"""Link models: what a link's texts and places say of the segment that it leads to."""
