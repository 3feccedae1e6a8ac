"""Pages on tracks: for readers, teams, analysts and organisers."""
