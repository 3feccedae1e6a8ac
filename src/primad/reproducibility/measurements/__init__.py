"""What do runs measure?  Scores of runs as repeated measurements, of which the precision can be told.

of_runs      runs and judgments in, measurements out
objects      of what each run is a measurement
conditions   under which conditions it was made
scores       by which measures
"""
