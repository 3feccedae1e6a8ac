"""The replication track: tasks, submissions, attempts of analysts to run systems again, sheets and verdicts."""
