"""Verbs that change a track, each one transaction: refused in the wrong phase, and written into the log.

setting_up   a track, its phases, tasks, data sets and sheet
enlisting    teams, analysts and their machines
submitting   outputs and systems of teams
assigning    who runs what
attempting   attempts: begun, repeated and ended
timing       how long analysts work on them
asking       questions to authors
handing_in   what a replay that runs elsewhere hands in
sheets       answers of analysts
judging      verdicts, eligibility and levels
"""
