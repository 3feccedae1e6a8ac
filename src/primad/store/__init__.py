"""What archive and track share: the data folder, its database, content-addressed files and the log of changes."""
