"""Cross-collection relevance feedback: judgments of one collection rank the documents of another."""
