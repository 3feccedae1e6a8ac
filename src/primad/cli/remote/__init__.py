"""Commands on a site: where --server or PRIMAD_SERVER names one, an archive or a track is asked there.

site       questions to a site, and what its errors say
tokens     where the token for a site is kept
naming     the option --server
waiting    how far a job on a site is, for whoever waits
paging     long lists in parts
archive    an archive on a site, with the methods of primad.archive.archive.Archive
sending    run files that go to a site
reporting  what a site has assessed, as a terminal shows it
track      a track on a site, with the methods of primad.track.track.Track
"""
