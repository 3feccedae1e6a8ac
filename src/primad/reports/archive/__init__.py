"""What an archive answers, as tables and sentences: runs, all about one, collections, years, and what work came to."""
