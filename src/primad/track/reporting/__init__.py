"""What is in the report of a track?  Everything that its tables show, read from the database.

whole          the report, put together
participants   teams, systems and machines
times          human and run time
attempts       attempts, verdicts, systems by data sets and over time
outcomes       tasks in which something is reproduced or measured
names          what tables call a submission, and an analyst
"""
