"""A track on a site, by who uses it; primad.cli.remote.track joins the parts.

asking        questions to a site about one track
seeing        what is known of it
organising    setting it up, and what teams hand in
replicating   what analysts do
concluding    verdicts, sheets and reports
"""
