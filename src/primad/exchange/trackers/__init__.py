"""What experiment trackers keep of runs, MLflow and Sacred, and what is alike in all of them.

mlflow_runs  runs of MLflow, with mlflow_facts (what it says of one) and mlflow_database (where it keeps them so)
sacred_runs  runs of Sacred

files        reading folders that strangers wrote: no links, nothing without bounds
parameters   which method do the parameters of a run tell?
objects      which runs are runs of one system?
runs         runs of a tracker as a thing: records, rankings and measurements
"""
