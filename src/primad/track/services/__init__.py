"""Verbs that change a track, each one transaction: refused in the wrong phase, and written into the log.

setting_up   a track, its phases, tasks, data sets and sheet
enlisting    teams, analysts and their machines
submitting   outputs and systems of teams
assigning    who runs what
attempting   attempts, their times, and questions to authors
sheets       answers of analysts
judging      verdicts, eligibility and levels
"""
