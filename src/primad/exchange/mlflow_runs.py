"""To be written: mlflow_runs."""
