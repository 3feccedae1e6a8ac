"""Which scorers are there, and what is each for?  Told without loading any."""

SCORERS = {
    "trec": "rankings against qrels, as trec_eval scores them",
    "coding": "codes of documents (classification): precision, recall, F1, exact match, average precision",
    "spans": "annotated pieces of text (brat), exact and inexact, with and without concept ids",
    "numbers": "predicted numbers (regression): correlations and errors",
    "command": "a command of one's own that prints measures",
}
