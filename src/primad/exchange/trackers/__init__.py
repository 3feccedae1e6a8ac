"""What experiment trackers keep of runs, in the terms that all of them share.

    files        reading folders that strangers wrote: no links, nothing without bounds
    parameters   which method do the parameters of a run tell?
    objects      which runs are runs of one system?
    runs         runs of a tracker as a thing: records, rankings and measurements

How one tracker lays out its files is known one room above, in ``mlflow_runs`` and ``sacred_runs``.
"""
