"""ICD-10 coding of short diagnosis texts, submitted by four teams and run again by two analysts."""
