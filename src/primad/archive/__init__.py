"""What is kept of runs: their files, what they say about themselves, and how effective they are."""
