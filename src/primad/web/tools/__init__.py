"""Pages that are tools: precision of measurements, the schema, annotating a run; kept results and jobs."""
