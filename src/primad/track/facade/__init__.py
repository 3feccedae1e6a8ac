"""What a person can do with a track, by who does it; primad.track.track joins the parts.

opened        the track that is meant, and the things in it by their names
seeing        what may be seen of it
organising    setting a track up, and what teams hand in
replicating   what analysts do
elsewhere     what a replay on the machine of an analyst does
concluding    verdicts, sheets and reports
"""
