"""How is a submitted system run again, here or elsewhere?

replaying   the system of an attempt run, and everything kept
running     the same on this machine, wherever the track is kept: no database is needed
wish        how it is to be run
lease       whether whoever runs it is still alive
"""
