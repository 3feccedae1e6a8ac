"""What a person can do with a track, by who does it; primad.track.track joins the parts.

opened        the track that is meant, and the things in it by their names
organising    setting a track up, and what teams hand in
replicating   what analysts do
concluding    verdicts, sheets and reports
"""
