"""Pages on which organisers set a track up, watch it, and conclude it."""
