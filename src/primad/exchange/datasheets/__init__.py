"""What would whoever uses a collection ask?  The questions of a datasheet, and the answers that files give."""
