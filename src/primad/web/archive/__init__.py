"""Pages on the archive: runs are found, shown, compared, assessed and uploaded."""
